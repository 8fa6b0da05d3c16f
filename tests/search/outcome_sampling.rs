//! Online outcome sampling.

use crate::common::kuhn::{Act, Kuhn, exploitability};
use crate::common::sized;
use ramure::prelude::*;
use ramure::search::{InformationSet, OutcomeSampling, PlayerTrees};
use ramure::selection::RegretMatching;

type Sampling = Mcts<InformationSet<Kuhn>, RegretMatching, Uniform, Average, PlayerTrees<OutcomeSampling>>;

fn new(seed: u64) -> Sampling {
    Mcts::outcome_sampling(InformationSet::new(Kuhn::default())).seed(seed)
}

/// Returns the probability that `player` bets with `card` after `acts`.
fn bets(search: &Sampling, player: Player, card: u8, acts: &[Act]) -> f64 {
    let strategy = search.strategy(player, &[&[Act::Deal(card)], acts].concat());
    assert!((strategy.iter().map(|entry| entry.1).sum::<f64>() - 1.0).abs() < 1e-6);
    strategy.iter().find(|entry| entry.0 == Act::Bet).map_or(0.5, |entry| entry.1)
}

fn exploited(search: &Sampling) -> f64 {
    exploitability(|player, card, acts| bets(search, player, card, acts))
}

/// The equilibria of Kuhn poker (Kuhn 1950), one for each probability from 0 to 1/3 to bet with the lowest
/// card; and what uniform play loses, as OpenSpiel has it (NashConv 11/12).
#[test]
fn the_exact_tool_knows_the_equilibria() {
    for bluffs in [0.0, 0.2, 1.0 / 3.0] {
        let equilibrium = |player: Player, card: u8, acts: &[Act]| match (player, card, acts) {
            (0, 0, []) => bluffs,
            (0, 2, []) => 3.0 * bluffs,
            (0, 1, [_, _]) => bluffs + 1.0 / 3.0,
            (1, 0, [Act::Pass]) | (1, 1, [Act::Bet]) => 1.0 / 3.0,
            (0, 2, [_, _]) | (1, 2, _) => 1.0,
            _ => 0.0,
        };
        assert!(exploitability(equilibrium).abs() < 1e-12);
    }
    assert!((exploitability(|_, _, _| 0.5) - 11.0 / 24.0).abs() < 1e-12);
}

/// In chips. In 20 runs of 30 000 iterations each, the greatest was .04.
#[test]
fn strategies_approach_an_equilibrium_of_kuhn_poker() {
    let (iterations, most) = sized((30_000, 0.06), (1_000_000, 0.01));
    let mut search = new(1);
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    assert!(exploited(&search) < most, "{}", exploited(&search));
    // Chance moves first: the report has the cards, and no action to play.
    assert_eq!((report.chosen, report.actions.len()), (None, 3));
}

/// Lines with the lowest card and a bet of the other player are one in eight without a target.
#[test]
fn a_target_is_reached_often_and_changes_no_expectation() {
    let seen = [Act::Deal(0), Act::Bet];
    let visits = |search: &Sampling| {
        let mut count = 0;
        let mut untargeted = new(2);
        untargeted.run(Budget::iterations(10)).expect("a sound game");
        count += search.strategy(1, &seen).len();
        count
    };
    let mut search = new(2);
    search.target(1, &seen);
    search.run(Budget::iterations(30_000)).expect("a sound game");
    assert_eq!(visits(&search), 2);
    // Player 1 folds the lowest card. Elsewhere the few iterations that follow no target still count in full.
    assert!(bets(&search, 1, 0, &[Act::Bet]) < 0.02);
    assert!(exploited(&search) < 0.12, "{}", exploited(&search));
}

#[test]
fn parameters_out_of_range_are_errors_and_a_seed_fixes_the_result() {
    let budget = Budget::iterations(500);
    for (search, name) in [
        (new(1).sampling(OutcomeSampling::default().exploration(0.0)), "exploration"),
        (new(1).sampling(OutcomeSampling::default().exploration(f64::NAN)), "exploration"),
        (new(1).sampling(OutcomeSampling::default().targeting(1.0)), "targeting"),
    ] {
        let mut search = search;
        let error = search.run(budget).expect_err("out of range").to_string();
        assert!(error.contains(name), "{error}");
    }
    let [one, two] = [1, 1].map(|seed| {
        let mut search = new(seed);
        search.run(budget).expect("a sound game");
        search
    });
    assert_eq!(one.strategy(0, &[Act::Deal(1)]), two.strategy(0, &[Act::Deal(1)]));
    let mut rng = Rng::seeded(1);
    let drawn =
        (0..1_000).filter(|_| one.draw(0, &[Act::Deal(1)], &mut rng) == Some(Act::Bet)).count() as f64;
    // Five standard deviations of at most 16.
    assert!((drawn - 1_000.0 * bets(&one, 0, 1, &[])).abs() < 80.0);
    assert_eq!(one.draw(0, &[Act::Bet], &mut rng), None);
}

/// Player 0 takes .6, or lets chance draw: .5 in nine of ten games, otherwise 1. Then player 1 moves without
/// effect.
#[derive(Clone, Default, Debug)]
struct Lottery(Vec<u8>);

impl GameState for Lottery {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.0[..] {
            [] => Turn::Player(0),
            [1] => Turn::Chance,
            [0] | [1, _] => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }
    fn probability(&self, outcome: u8) -> f64 {
        [0.9, 0.1][usize::from(outcome)]
    }
    fn reward(&self, player: Player) -> f64 {
        let first = match self.0[..] {
            [0, ..] => 0.6,
            [1, 0, _] => 0.5,
            _ => 1.0,
        };
        if player == 0 { first } else { 1.0 - first }
    }
}

/// If each outcome counted the same, the lottery would look better.
#[test]
fn chance_after_a_decision_counts_by_its_probability() {
    for target in [None, Some([1, 1])] {
        let mut search = Mcts::outcome_sampling(Lottery::default()).seed(1);
        if let Some(seen) = target {
            search.target(1, &seen);
        }
        search.run(Budget::iterations(20_000)).expect("a sound game");
        let strategy = search.strategy(0, &[]);
        let safe = strategy.iter().find(|entry| entry.0 == 0).map_or(0.0, |entry| entry.1);
        assert!(safe > 0.9, "{target:?} {strategy:?}");
    }
}

/// Player 0 chooses in a step of its own, then the last player chooses. With two players, the choices have no
/// effect; a single player gets more for a greater first choice.
#[derive(Clone, Debug)]
struct Apart {
    players: u8,
    chosen: Vec<u8>,
}

impl GameState for Apart {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.chosen.len() {
            0 => Turn::Player(0),
            1 => Turn::Player(self.players - 1),
            _ => Turn::Over,
        }
    }
    fn players(&self) -> u8 {
        self.players
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.chosen.len() == 2 { 0 } else { 4 }
    }
    fn apply(&mut self, action: u8) {
        self.chosen.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        if self.players == 1 { f64::from(self.chosen[0]) / 3.0 } else { 0.5 }
    }
    fn is_simultaneous(&self) -> bool {
        self.chosen.is_empty() && self.players > 1
    }
}

#[test]
fn a_target_who_sits_out_a_step_sees_the_choices_of_the_others_first() {
    let mut search = Mcts::outcome_sampling(Apart { players: 2, chosen: Vec::new() });
    search.target(1, &[3]);
    let report = search.run(Budget::iterations(1_000)).expect("a sound game");
    // Nine tenths and a quarter of one tenth; the standard deviation is 8.
    assert!((880..970).contains(&crate::common::visits(&report)[3]), "{report}");
}

#[test]
fn a_single_player_has_an_average_strategy() {
    let mut search = Mcts::outcome_sampling(Apart { players: 1, chosen: Vec::new() });
    search.run(Budget::iterations(3_000)).expect("a sound game");
    let strategy = search.strategy(0, &[]);
    // Player 0 explores with four tenths of the visits. The average strategy leaves that out.
    let best = strategy.iter().find(|entry| entry.0 == 3).map_or(0.0, |entry| entry.1);
    assert!(best > 0.95, "{strategy:?}");
}
