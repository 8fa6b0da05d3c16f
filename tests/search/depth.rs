//! The greatest depth of iterations. The oracle is a game that ends there, with the evaluation as its reward.

use crate::common::plans::{AnyPlan, Shop};
use crate::common::rows::TicTacToe;
use crate::common::simple::Corridor;
use crate::common::sized;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::{OpenLoop, Planning, Sampled};
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{ActionSampler, BoxError, Expansion, Order, Rewards, Search, SearchError, StaticEvaluation};

/// Three actions a ply, for two players in turns, or for chance at every third ply. The rewards, and the
/// evaluation of an unfinished game, are drawn from the line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    played: Vec<u8>,
    end: usize,
    has_chance: bool,
    is_simultaneous: bool,
}

/// An end that no search here comes near to.
const FAR: usize = 1_000;

impl Line {
    fn new(end: usize) -> Self {
        Line { played: Vec::new(), end, has_chance: false, is_simultaneous: false }
    }

    fn rewards(&self) -> Rewards {
        let hash = self.played.iter().fold(7_u64, |hash, &action| {
            (hash ^ u64::from(action)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
        });
        let first = (hash >> 40) as f32 / (1 << 24) as f32;
        Rewards::new(2, |player| if player == 0 { first } else { 1.0 - first })
    }
}

impl GameState for Line {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.played.len() {
            ply if ply >= self.end => Turn::Over,
            ply if self.has_chance && ply % 3 == 2 => Turn::Chance,
            ply => Turn::Player((ply % 2) as u8),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.played.len() < self.end { 3 } else { 0 }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.rewards()[player].into()
    }
    fn is_simultaneous(&self) -> bool {
        self.is_simultaneous
    }
}

impl ActionSampler for Line {
    fn sample_action(&self, rng: &mut Rng) -> Option<u8> {
        (self.played.len() < self.end).then(|| rng.below(3) as u8)
    }
}

impl StaticEvaluation for Line {
    fn evaluate(&self, player: Player) -> f64 {
        self.rewards()[player].into()
    }
}

/// Values a state by its static evaluation.
#[derive(Clone, Copy)]
struct Static;

impl<G: StaticEvaluation> Evaluator<G> for Static {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            let state = position.state;
            let rewards = Rewards::new(2, |player| state.evaluate(player) as f32);
            position.set_value(rewards);
            position.priors().iter_mut().enumerate().for_each(|(index, prior)| *prior = 1.0 + index as f32);
        }
        Ok(())
    }
}

/// What a search finds, and how deep it went.
fn found<S: Search>(search: &mut S) -> (String, u32) {
    let report = search.run(Budget::iterations(sized(400, 600))).expect("a sound game");
    let actions: Vec<_> = report
        .actions
        .iter()
        .map(|action| (action.action.clone(), action.visits, action.mean.to_bits()))
        .collect();
    let text = format!("{actions:?} {:?} {} {}", report.chosen, report.nodes, report.mean_depth);
    (text, report.depth)
}

#[test]
fn a_search_to_a_depth_finds_what_it_finds_in_a_game_that_ends_there() {
    let start = Line::new(FAR);
    let with_chance = Line { has_chance: true, ..start.clone() };
    for plies in [1, 2, 5] {
        let with_end = |line: &Line| Line { end: line.played.len() + plies, ..line.clone() };
        // After the root has moved on, the game ends one ply later.
        macro_rules! compare {
            ($runs:expr, $start:expr, $space:expr, |$search:ident| $settings:expr $(, $order:expr)?) => {
                let new = |line: Line, expansion: Expansion| {
                    let $search =
                        Mcts::new($space(line)).backprop(Average).rollout_policy(Evaluate::new(Static));
                    $settings.expansion(expansion$(.order($order))?).seed(3)
                };
                let mut line = $start.clone();
                let mut deep = new(line.clone(), Expansion::default().depth(plies as u32));
                let mut short = new(with_end(&line), Expansion::default());
                for _ in 0..$runs {
                    let found_deep = found(&mut deep);
                    assert_eq!(found_deep, found(&mut short), "{}", stringify!($settings));
                    assert_eq!(found_deep.1, plies as u32);
                    line.apply(1);
                    let action = deep.report().expect("it ran").actions[1].action.clone();
                    deep.advance(action.clone()).expect("it is legal");
                    short.advance_to(action, $space(with_end(&line))).expect("a search that can go on");
                }
            };
        }
        let plain = |line: Line| line;
        compare!(3, start, plain, |search| search);
        compare!(3, with_chance, plain, |search| search);
        // With a window, a leaf draws random numbers unless the game is over. So the order of new children
        // must not be random.
        compare!(3, start, plain, |search| search.window(4), Order::AsListed);
    }
}

#[test]
fn the_horizon_of_a_window_moves_on_with_the_root() {
    for plies in [1, 2, 4] {
        let search = Mcts::new(Line::new(FAR)).backprop(Average).rollout_policy(Evaluate::new(Static));
        let mut search = search.window(3).expansion(Expansion::default().depth(plies));
        for _ in 0..4 {
            assert_eq!(found(&mut search).1, plies);
            search.advance(1).expect("it is legal");
        }
    }
}

#[test]
fn sampled_lines_and_open_loops_end_at_the_depth() {
    let expansion = Expansion::default().depth(3);
    let line = Line { has_chance: true, ..Line::new(50) };
    let mut sampled = Mcts::new(Sampled::new(line.clone())).expansion(expansion);
    assert_eq!(found(&mut sampled).1, 3);
    // Chance has no nodes here, so the third ply is behind it.
    let mut open = Mcts::new(OpenLoop::new(line)).expansion(expansion);
    assert_eq!(found(&mut open).1, 3);
}

#[test]
fn trees_of_players_search_to_a_depth_of_whole_steps() {
    let line = |end, is_simultaneous| Line { is_simultaneous, ..Line::new(end) };
    let depth = |plies| Expansion::default().depth(plies);
    for (is_simultaneous, plies, end) in
        [(false, 3, 3), (false, 4, 4), (true, 1, 2), (true, 3, 4), (true, 4, 4)]
    {
        let (deep, short) = (line(FAR, is_simultaneous), line(end, is_simultaneous));
        let new = |line| Mcts::player_trees(line).rollout_policy(Evaluate::new(Static)).seed(3);
        let (mut deep, mut short) = (new(deep).expansion(depth(plies)), new(short));
        let (found_deep, found_short) = (found(&mut deep), found(&mut short));
        assert_eq!((&found_deep, found_deep.1), (&found_short, end as u32));
        for player in 0..2 {
            assert_eq!(deep.strategy(player, &[]), short.strategy(player, &[]));
        }
    }
}

#[test]
fn a_depth_beyond_the_usual_one_is_kept_to_the_ply() {
    for plies in [63, 64, 65, 127, 128, 200] {
        let corridor = Mcts::new(Corridor { left: 300 });
        let mut search = corridor.backprop(Average).expansion(Expansion::default().depth(plies));
        assert_eq!(search.run(Budget::iterations(400)).expect("a sound game").depth, plies);
    }
}

/// The choices and their outcomes count.
#[test]
fn plans_are_searched_to_a_depth() {
    let shop = Planning::new(AnyPlan::new(Shop { stock: 0, room: 8, most: 4 })).discount(0.95).horizon(20);
    for depth in [1, 2, 5] {
        let expansion = Expansion::default().depth(depth);
        let run = Budget::iterations(2_000);
        let outcomes = Mcts::new(shop.clone()).expansion(expansion).run(run).unwrap();
        let open = Mcts::new(shop.clone().open_loop()).expansion(expansion).run(run).unwrap();
        assert_eq!([outcomes.depth, open.depth], [depth; 2]);
    }
}

#[test]
fn a_depth_of_zero_is_an_error() {
    let mut search = Mcts::new(TicTacToe::default()).expansion(Expansion::default().depth(0));
    let error = search.run(Budget::iterations(1)).expect_err("no ply");
    assert!(matches!(error, SearchError::Parameter(_)));
    assert_eq!(error.to_string(), "Expansion::depth is 0; it must be at least 1");
}
