//! An error of a search tells how the search came to the fault, so that the fault can be repeated.

use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::{InformationSet, Transpositions};
use ramure::selection::AvailabilityUcb1;
use ramure::{GameFault, HiddenInformation, Keyed, LineOfPlay};

/// Two players add 1, 2 or 3 in turn; in `dice`, chance adds 1 or 2 after each of them. The game ends at
/// `length` or above. Sums that are `wrong` have a reward of 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Adding {
    sum: u32,
    player: Player,
    is_chance: bool,
    dice: bool,
    length: u32,
    wrong: u32,
}

impl Adding {
    fn new(length: u32, wrong: u32, dice: bool) -> Self {
        Adding { sum: 0, player: 0, is_chance: false, dice, length, wrong }
    }
}

impl GameState for Adding {
    type Action = u32;

    fn turn(&self) -> Turn {
        match self.is_chance {
            _ if self.sum >= self.length => Turn::Over,
            true => Turn::Chance,
            false => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u32> {
        1..if self.is_chance { 3 } else { 4 }
    }
    fn apply(&mut self, added: u32) {
        self.sum += added;
        if !self.is_chance {
            self.player = 1 - self.player;
        }
        self.is_chance = self.dice && !self.is_chance;
    }
    fn reward(&self, player: Player) -> f64 {
        if self.sum == self.wrong { 2.0 } else { f64::from(player) }
    }
}

impl Keyed for Adding {
    fn key(&self) -> u128 {
        u128::from(self.sum * 4 + u32::from(self.player) * 2 + u32::from(self.is_chance))
    }
}

/// Returns the line of the error, after checking what it says.
fn line_of(error: &SearchError) -> (LineOfPlay, u32) {
    let SearchError::Game { fault: GameFault::Reward { reward: 2.0, .. }, ply, line } = error else {
        panic!("{error}")
    };
    (line.clone(), *ply)
}

/// Plays the whole line by hand, and checks that it leads to the wrong sum.
fn leads_there(error: &SearchError, mut state: Adding) {
    let (line, ply) = line_of(error);
    assert_eq!(line.actions.len(), ply as usize, "{error}");
    for action in &line.actions {
        assert_ne!(state.turn(), Turn::Over, "{error}");
        state.apply(action.parse().expect("a number"));
    }
    assert_eq!((state.turn(), state.sum), (Turn::Over, state.wrong), "{error}");
    assert!(error.to_string().contains(&format!(": {})", line.actions.join(", "))), "{error}");
    assert_eq!(line.guess, None);
}

#[test]
fn the_line_leads_to_the_fault_in_a_rollout_and_in_the_tree() {
    for (length, wrong, dice) in [(40, 42, false), (40, 42, true), (3, 5, false), (3, 4, true)] {
        let state = Adding::new(length, wrong, dice);
        for seed in 0..20 {
            let budget = Budget::iterations(3_000);
            leads_there(&Mcts::new(state).backprop(Average).seed(seed).run(budget).unwrap_err(), state);
            leads_there(
                &Mcts::new(Transpositions::new(state)).backprop(Average).seed(seed).run(budget).unwrap_err(),
                state,
            );
        }
    }
}

#[test]
fn a_long_line_is_cut() {
    let state = Adding::new(4_000, 4_001, false);
    let error = Mcts::new(state).backprop(Average).run(Budget::iterations(1_000)).unwrap_err();
    let (line, ply) = line_of(&error);
    assert!(ply > 1_500 && line.actions.len() == LineOfPlay::LONGEST, "{ply}, {}", line.actions.len());
    let text = error.to_string();
    assert!(text.len() < 500 && text.contains(&format!(", then {} more, and at last ", ply - 20)), "{text}");
    assert!(text.contains(&format!("{})", line.actions[LineOfPlay::LONGEST - 10..].join(", "))), "{text}");
}

/// In a search with a window, the line ends with the tree.
#[test]
fn a_search_with_a_window_tells_the_actions_in_the_tree() {
    let state = Adding::new(12, 13, false);
    let error = Mcts::new(state).window(4).run(Budget::iterations(3_000)).unwrap_err();
    let (line, ply) = line_of(&error);
    assert!(!line.actions.is_empty() && line.actions.len() <= ply as usize, "{error}");
}

/// Players hold two cards of six and see their own. One guess of fifty leaves the other player none.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Cards {
    hands: [u8; 2],
    played: [u8; 2],
    turns: u8,
}

impl Cards {
    fn new() -> Self {
        Cards { hands: [0b000_011, 0b001_100], played: [0; 2], turns: 0 }
    }
}

impl GameState for Cards {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.turns == 4 { Turn::Over } else { Turn::Player(self.turns % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let hand = self.hands[usize::from(self.turns % 2)];
        (0..6).filter(move |card| hand >> card & 1 == 1)
    }
    fn apply(&mut self, card: u8) {
        let player = usize::from(self.turns % 2);
        self.hands[player] &= !(1 << card);
        self.played[player] += card;
        self.turns += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        let [own, other] = [player, 1 - player].map(|player| self.played[usize::from(player)]);
        if own > other { 1.0 } else { 0.0 }
    }
}

impl HiddenInformation for Cards {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let other = usize::from(1 - observer);
        let count = self.hands[other].count_ones();
        self.hands[other] = 0;
        if rng.below(50) > 0 {
            while self.hands[other].count_ones() < count {
                self.hands[other] |= (1 << rng.below(6)) & !self.hands[usize::from(observer)];
            }
        }
    }
}

#[test]
fn the_guess_of_a_fault_can_be_made_again() {
    fn is_traced(error: &SearchError) -> u64 {
        let SearchError::Game { fault: GameFault::NoActions, line, ply } = error else { panic!("{error}") };
        let (seed, iteration) = (line.guess.expect("a search that guesses"), line.iteration);
        let mut state = Cards::new();
        state.determinize(0, &mut Rng::seeded(seed));
        assert_eq!(state.hands, [0b000_011, 0], "{error}");
        let text = format!("in the guess of iteration {iteration} by `Rng::seeded({seed})`");
        assert!(error.to_string().contains(&text), "{error}");
        // Player 0 has played a card, and player 1 has none.
        assert_eq!((line.actions.len(), *ply), (1, 1), "{error}");
        assert!(["0", "1"].contains(&line.actions[0].as_str()), "{error}");
        iteration.into()
    }
    for seed in 0..20 {
        let new = || {
            Mcts::new(InformationSet::new(Cards::new())).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
        };
        let error = new().run(Budget::iterations(2_000)).unwrap_err();
        let iteration = is_traced(&error);
        // The same search fails in this iteration and in none before.
        assert_eq!(new().run(Budget::iterations(iteration)).unwrap_err(), error);
        assert!(iteration == 1 || new().run(Budget::iterations(iteration - 1)).is_ok());

        let new = || Mcts::player_trees(InformationSet::new(Cards::new())).seed(seed);
        let error = new().run(Budget::iterations(2_000)).unwrap_err();
        let iteration = is_traced(&error);
        assert_eq!(new().run(Budget::iterations(iteration)).unwrap_err(), error);
        assert!(iteration == 1 || new().run(Budget::iterations(iteration - 1)).is_ok());
    }
}
