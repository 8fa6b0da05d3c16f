//! Searches of games with hidden information.

use crate::common::sized;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::{AvailabilityUcb1, Boltzmann, EpsilonGreedy, Exp3, GaussianThompson, Thompson};
use ramure::{Bytes, Expansion, GameFault, HiddenInformation};
use std::collections::HashMap;

/// Each player has some cards of a deck. In turn, all play a card to the trick, of the suit of the first card if they can.
/// The greatest card of that suit wins the trick and leads to the next. Then chance turns up a card of the rest, and its suit
/// is trump in the next trick.
#[derive(Clone, PartialEq, Debug)]
struct Tricks {
    players: u8,
    hands: Vec<Vec<u8>>,
    rest: Vec<u8>,
    /// The cards of the current trick, and who played the first.
    trick: Vec<u8>,
    leader: u8,
    trump: u8,
    is_turning: bool,
    won: Vec<u8>,
    /// For each player, the suits of which they have no card, as all know.
    lacks: Vec<u8>,
    /// Whether the guess depends on the real cards.
    peeks: bool,
}

const SUITS: u8 = 3;

fn suit(card: u8) -> u8 {
    card % SUITS
}

impl Tricks {
    fn new(players: u8, cards: usize, seed: u64) -> Self {
        let mut deck: Vec<u8> = (0..15).collect();
        shuffle(&mut deck, &mut Rng::seeded(seed));
        let hands = (0..players).map(|_| deck.split_off(deck.len() - cards)).collect();
        Tricks {
            players,
            hands,
            rest: deck,
            trick: Vec::new(),
            leader: 0,
            trump: 0,
            is_turning: false,
            won: vec![0; players.into()],
            lacks: vec![0; players.into()],
            peeks: false,
        }
    }

    fn to_move(&self) -> u8 {
        (self.leader + self.trick.len() as u8) % self.players
    }
}

fn shuffle(cards: &mut [u8], rng: &mut Rng) {
    for place in 1..cards.len() {
        cards.swap(place, rng.below(place + 1));
    }
}

impl GameState for Tricks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.is_turning {
            Turn::Chance
        } else if self.trick.is_empty() && self.hands[0].is_empty() {
            Turn::Over
        } else {
            Turn::Player(self.to_move())
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let hand = &self.hands[usize::from(self.to_move())];
        let led = self.trick.first().map(|&card| suit(card));
        let follows = hand.iter().any(|&card| Some(suit(card)) == led);
        let mut actions = match self.turn() {
            Turn::Chance => self.rest.clone(),
            Turn::Over => Vec::new(),
            _ => hand.iter().copied().filter(|&card| !follows || Some(suit(card)) == led).collect(),
        };
        actions.sort_unstable();
        actions
    }

    fn apply(&mut self, card: u8) {
        assert!(self.is_legal(card), "{card} is not legal in {self:?}");
        if self.is_turning {
            (self.is_turning, self.trump) = (false, suit(card));
            self.rest.retain(|&other| other != card);
            return;
        }
        let player = self.to_move();
        self.hands[usize::from(player)].retain(|&other| other != card);
        self.trick.push(card);
        let led = suit(self.trick[0]);
        if suit(card) != led {
            self.lacks[usize::from(player)] |= 1 << led;
        }
        if self.trick.len() == usize::from(self.players) {
            let rank = |&place: &usize| {
                let card = self.trick[place];
                (suit(card) == self.trump, suit(card) == led, card)
            };
            let best = (0..self.trick.len()).max_by_key(rank).expect("a card") as u8;
            self.leader = (self.leader + best) % self.players;
            self.won[usize::from(self.leader)] += 1;
            self.trick.clear();
            self.is_turning = !self.hands[0].is_empty() && self.rest.len() > 1;
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.won[usize::from(player)]) / f64::from(self.won.iter().sum::<u8>())
    }

    fn players(&self) -> u8 {
        self.players
    }
}

impl HiddenInformation for Tricks {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let others: Vec<usize> = (0..self.hands.len()).filter(|&player| player != observer.into()).collect();
        let mut unseen: Vec<u8> = others.iter().flat_map(|&player| self.hands[player].clone()).collect();
        unseen.append(&mut self.rest);
        if !self.peeks {
            unseen.sort_unstable();
        }
        loop {
            shuffle(&mut unseen, rng);
            let mut cards = unseen.iter().copied();
            for &player in &others {
                let count = self.hands[player].len();
                self.hands[player] = cards.by_ref().take(count).collect();
            }
            let fits = |&player: &usize| {
                self.hands[player].iter().all(|&card| self.lacks[player] >> suit(card) & 1 == 0)
            };
            if others.iter().all(fits) {
                self.rest = cards.collect();
                return;
            }
        }
    }
}

/// The cards of the other players in another order: the observer cannot tell this state from `state`.
fn alike(state: &Tricks, observer: Player, seed: u64) -> Tricks {
    let mut other = state.clone();
    other.determinize(observer, &mut Rng::seeded(seed));
    other
}

fn search(state: &Tricks, seed: u64) -> Mcts<InformationSet<Tricks>, AvailabilityUcb1> {
    InformationSet::new(state.clone()).search(0.7).seed(seed)
}

/// Of each action: visits, mean and how often it could have been chosen.
type Shares = Vec<(u8, f64)>;

fn shares(report: &Report<u8>) -> Shares {
    report.actions.iter().map(|action| (action.action, f64::from(action.visits))).collect()
}

/// SO-ISMCTS as the paper's algorithm 2 has it, with a table of all lines of play.
fn by_the_paper(state: &Tricks, observer: Player, c: f64, iterations: u32, rng: &mut Rng) -> Shares {
    #[derive(Clone, Copy, Default)]
    struct Entry {
        visits: f64,
        sum: f64,
        available: f64,
    }
    let mut table: HashMap<Vec<u8>, Entry> = HashMap::new();
    for _ in 0..iterations {
        let mut guess = state.clone();
        guess.determinize(observer, rng);
        let (mut line, mut path, mut is_new) = (Vec::new(), Vec::new(), false);
        while guess.turn() != Turn::Over && !is_new {
            let actions: Vec<u8> = guess.actions().into_iter().collect();
            let after = |action: u8| [&line[..], &[action]].concat();
            let player = if let Turn::Player(player) = guess.turn() { Some(player) } else { None };
            let (tried, untried): (Vec<u8>, Vec<u8>) =
                actions.iter().partition(|&&action| table.contains_key(&after(action)));
            let action = if player.is_none() {
                actions[rng.below(actions.len())]
            } else if untried.is_empty() {
                let score = |action: u8| {
                    let entry = table[&after(action)];
                    entry.sum / entry.visits + c * (entry.available.ln() / entry.visits).sqrt()
                };
                tried
                    .iter()
                    .copied()
                    .reduce(|a, b| if score(b) > score(a) { b } else { a })
                    .expect("an action")
            } else {
                untried[rng.below(untried.len())]
            };
            is_new = untried.contains(&action);
            for sibling in tried.iter().filter(|&&sibling| sibling != action) {
                table.get_mut(&after(*sibling)).expect("tried").available += 1.0;
            }
            line.push(action);
            table.entry(line.clone()).or_default().available += 1.0;
            path.push((line.clone(), player));
            guess.apply(action);
        }
        while let Some(action) = guess.random_action(rng) {
            guess.apply(action);
        }
        for (line, player) in path {
            let entry = table.get_mut(&line).expect("on the path");
            entry.visits += 1.0;
            entry.sum += player.map_or(0.0, |player| guess.reward(player));
        }
    }
    let actions = state.actions().into_iter();
    actions.map(|action| (action, table.get(&vec![action]).map_or(0.0, |entry| entry.visits))).collect()
}

/// Means of `runs` runs each are compared; if both have the same distribution, one of the 9 comparisons is off by six standard
/// errors in one of 50 million tests.
#[test]
fn it_is_so_ismcts_as_the_paper_has_it() {
    let runs = sized(200, 3_000);
    for (state, iterations) in [(Tricks::new(2, 4, 1), 300), (Tricks::new(3, 3, 4), 200)] {
        let mut sums: HashMap<u8, [[f64; 2]; 2]> = HashMap::new();
        for seed in 0..runs {
            let ours =
                shares(&search(&state, seed).run(Budget::iterations(iterations.into())).expect("sound"));
            let theirs = by_the_paper(&state, 0, 0.7, iterations, &mut Rng::seeded(seed ^ 0xF00));
            for (which, shares) in [ours, theirs].into_iter().enumerate() {
                for (action, visits) in shares {
                    let sum = &mut sums.entry(action).or_default()[which];
                    *sum = [sum[0] + visits, sum[1] + visits * visits];
                }
            }
        }
        let n = runs as f64;
        for (action, both) in sums {
            let [ours, theirs] = both.map(|[sum, squares]| (sum / n, squares / n - (sum / n) * (sum / n)));
            let error = ((ours.1 + theirs.1) / n).sqrt();
            assert!((ours.0 - theirs.0).abs() <= 6.0 * error, "{action}: {ours:?} {theirs:?} {error}");
        }
    }
}

#[test]
fn what_the_observer_cannot_tell_apart_gives_the_same_bits() {
    let mut peeked = 0;
    for seed in 0..20 {
        let mut state = Tricks::new(2 + (seed % 2) as u8, 4, seed);
        for _ in 0..seed % 5 {
            let action = state.random_action(&mut Rng::seeded(seed)).expect("the game goes on");
            state.apply(action);
        }
        let Turn::Player(observer) = state.turn() else { continue };
        let found = |state: &Tricks| {
            let report = search(state, 7).run(Budget::iterations(200)).expect("a sound game");
            report
                .actions
                .iter()
                .map(|action| (action.action, action.visits, action.mean))
                .collect::<Vec<_>>()
        };
        let other = alike(&state, observer, seed + 100);
        assert_eq!(found(&state), found(&other), "{state:?}");
        let [state, other] = [state, other].map(|state| Tricks { peeks: true, ..state });
        peeked += u32::from(found(&state) != found(&other));
    }
    assert!(peeked > 5, "a guess that depends on the real cards is seen: {peeked}");
}

/// The player may take .6, or bet on the colour of a hidden ball.
#[derive(Clone, Debug)]
struct Ball {
    is_red: bool,
    played: Vec<u8>,
}

impl GameState for Ball {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played.first() == Some(&0) || self.played.len() == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [1, bet] => f64::from(u8::from((bet == 1) == self.is_red)),
            _ => 0.6,
        }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Ball {
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        self.is_red = rng.below(2) == 1;
    }
}

#[test]
fn the_search_does_not_assume_that_it_will_see_the_ball() {
    for is_red in [false, true] {
        let state = Ball { is_red, played: Vec::new() };
        let cheating = Mcts::new(state.clone()).run(Budget::iterations(2_000)).expect("a sound game");
        assert_eq!(cheating.best_action(), 1, "it sees the ball");
        let report = InformationSet::new(state).search(0.7).run(Budget::iterations(20_000)).expect("sound");
        assert_eq!(report.best_action(), 0, "{report}");
        // 20 000 bets with a probability of a half each would have a standard error of .004; there are fewer.
        assert!((report.actions[1].mean - 0.5).abs() < 0.1, "{report}");
    }
}

/// `apply` asserts that each action is legal in the guess.
#[test]
fn every_policy_chooses_legal_actions_only() {
    fn plays<P>(policy: impl Fn() -> P)
    where
        P: TreePolicy<
                InformationSet<Tricks>,
                Stats: ramure::statistics::Statistics<InformationSet<Tricks>, Uniform>,
            >,
    {
        for seed in 0..6 {
            let state = Tricks::new(2 + (seed % 2) as u8, 5, seed);
            let new = || Mcts::new(InformationSet::new(state.clone())).tree_policy(policy()).seed(seed);
            let report = new().run(Budget::iterations(300)).expect("a sound game");
            assert_eq!(report.root_visits, 300);
            let limit = new().memory_limit(Bytes::kib(8)).run(Budget::iterations(2_000));
            assert_eq!(limit.expect("room for the root").root_visits, 2_000);
            let listed = new().expansion(Expansion::default().on_visit(1).order(ramure::Order::AsListed));
            let (mut search, mut rng) = (listed, Rng::seeded(seed));
            while let Some(action) = search.state().random_action(&mut rng) {
                search.run(Budget::iterations(200)).expect("a sound game");
                search.advance(action).expect("a legal action");
            }
            let windows = [1, 1, 7].map(|size| {
                let report = new().window(size).run(Budget::iterations(300)).expect("a sound game");
                shares(&report)
            });
            assert_eq!(windows[0], windows[1]);
            assert_eq!(shares(&report), windows[0], "a window of one is no window");
        }
    }
    plays(|| AvailabilityUcb1::new(0.7));
    plays(|| Thompson);
    plays(GaussianThompson::default);
    plays(EpsilonGreedy::default);
    plays(Boltzmann::default);
    plays(Exp3::default);
}

/// A ball whose guess breaks the contract.
#[derive(Clone, Debug)]
struct Unsound(Ball, u8);

impl GameState for Unsound {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.1 == 11 { Turn::Chance } else { self.0.turn() }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.actions().into_iter().take(if self.1 == 12 { 1 } else { 2 })
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        if self.1 == 13 { 2 } else { 1 }
    }
}

impl HiddenInformation for Unsound {
    fn determinize(&mut self, _: Player, _: &mut Rng) {
        self.1 += 10;
    }
}

#[test]
fn an_unsound_guess_and_unfit_settings_are_errors() {
    let ball = || Ball { is_red: true, played: Vec::new() };
    for fault in 1..=3 {
        let mut search = InformationSet::new(Unsound(ball(), fault)).search(0.7);
        let error = search.run(Budget::iterations(10)).expect_err("an unsound guess");
        assert_eq!(error, SearchError::Game { fault: GameFault::Determinization, ply: 0 });
    }
    assert!(InformationSet::new(Unsound(ball(), 4)).search(0.7).run(Budget::iterations(10)).is_ok());
    let run =
        |expansion, c| InformationSet::new(ball()).search(c).expansion(expansion).run(Budget::iterations(9));
    let error = run(Expansion::default().widening(1.0, 0.5), 0.7).expect_err("widening").to_string();
    assert_eq!(error, "Expansion::widening, scale is 1; it must be off for an `InformationSet`");
    assert!(run(Expansion::default(), -1.0).is_err() && run(Expansion::default(), f32::NAN).is_err());
    let mut forest = Mcts::new(InformationSet::new(ball())).tree_policy(Thompson).parallel(2);
    let error = forest.run(Budget::iterations(9)).expect_err("two trees").to_string();
    assert_eq!(error, "Forest::trees is 2; it must be 1 for an `InformationSet`");
}
