//! The errors of all moves as first: RAVE may never return to the best action, but UCB1 does.

use crate::common::hashed::Hashed;
use crate::common::lines::{Fixed, Lines};
use crate::common::oracle::Oracle;
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Solver};
use ramure::selection::{AlphaAmaf, Grave, Rave, TreePolicy, Ucb1};
use ramure::simulation::{Uniform, WithPriors};
use ramure::statistics::{Amaf, Statistics};
use ramure::{ActionIndex, Budget, Expansion, GameState, Mcts, Order, Player, Report, Turn};

/// One player. Action 0 is the best at once, worth .9; action 1 is worth .5. After any other action, action 0
/// is the only one left, and it is then worth nothing.
#[derive(Clone)]
struct NowOrNever {
    /// The actions at the start, in their order.
    listed: &'static [u8],
    played: Vec<u8>,
}

const BEST: u8 = 0;

impl NowOrNever {
    fn new(listed: &'static [u8]) -> Self {
        NowOrNever { listed, played: Vec::new() }
    }
}

impl GameState for NowOrNever {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.played[..] {
            [] | [2..=u8::MAX] => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.played[..] {
            [] => self.listed.to_vec(),
            [2..=u8::MAX] => vec![BEST],
            _ => Vec::new(),
        }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [BEST] => 0.9,
            [1] => 0.5,
            _ => 0.0,
        }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl ActionIndex for NowOrNever {
    const ACTION_COUNT: usize = 6;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

/// Returns the report after `iterations` iterations.
fn report<P>(listed: &'static [u8], policy: P, iterations: u64) -> Report<u8>
where
    P: TreePolicy<NowOrNever, Stats: Statistics<NowOrNever, Uniform>>,
{
    let expansion = Expansion::default().order(Order::AsListed);
    let mut search =
        Mcts::new(NowOrNever::new(listed)).backprop(Average).tree_policy(policy).expansion(expansion);
    search.run(Budget::iterations(iterations)).expect("a sound game")
}

/// The visits of the best action, and whether it is the one to play.
fn search<P>(listed: &'static [u8], policy: P, iterations: u64) -> (u32, bool)
where
    P: TreePolicy<NowOrNever, Stats: Statistics<NowOrNever, Uniform>>,
{
    let report = report(listed, policy, iterations);
    let best = listed.iter().position(|&action| action == BEST).expect("it is listed");
    (visits(&report)[best], report.best_action() == BEST)
}

const BEST_FIRST: &[u8] = &[BEST, 1, 2, 3, 4, 5];
const BEST_LAST: &[u8] = &[2, 3, 4, 5, 1, BEST];

#[test]
fn rave_with_a_wrong_bias_never_returns_to_the_best_action_but_ucb1_does() {
    let (many, most) = sized((4_000, 3_000), (20_000, 19_000));
    // Every action was tried once. The best one was also played after four others, where it was worth
    // nothing: Q = .9, n = 1, A = .9/5, p = 5. With a bias of 0, β = 5/6, and its value is .9/6 + .9/6 = .3,
    // below the .5 of action 1. No later iteration changes that.
    for bias in [0.0, 1e-3, 1e-2] {
        assert_eq!(search(BEST_FIRST, Rave::new(bias), many), (1, false), "{bias}");
    }
    assert_eq!(search(BEST_FIRST, Grave::new(50.0, 1e-5), many), (1, false));
    assert_eq!(search(BEST_FIRST, AlphaAmaf::new(1.0, 0.0), many), (1, false));
    // The bias is .9 - 0 where the action comes later. Over all iterations, A is .72 too low, and the paper's
    // 4 b̃² is 2.07. So β = 5/(6 + 10.4), and the value is .68.
    let (count, is_best) = search(BEST_FIRST, Rave::new(2.07), many);
    assert!(is_best && count > most, "{count}");
    // With a weight that falls with the visits of the node, the search returns to the action in the end,
    // whatever A is.
    assert_eq!(search(BEST_FIRST, Rave::hand_selected(1000.0), 100), (1, false));
    let (count, is_best) = search(BEST_FIRST, Rave::hand_selected(1000.0), many);
    assert!(is_best && count > most, "{count}");
    for c in [0.3, std::f32::consts::SQRT_2] {
        let (count, is_best) = search(BEST_FIRST, Ucb1::new(c), many);
        assert!(is_best && count > most, "{c}: {count}");
    }
}

#[test]
fn rave_may_never_try_the_best_action_without_exploration() {
    let (many, more, most) = sized((4_000, 3_000, 3_500), (20_000, 15_000, 19_000));
    // The search first meets the action where it is worth nothing, so its value is A = 0 and it is never
    // tried: no schedule helps.
    for rave in [Rave::new(1e-3), Rave::new(2.07), Rave::hand_selected(1000.0)] {
        assert_eq!(search(BEST_LAST, rave, many), (0, false), "{rave:?}");
        let (count, is_best) = search(BEST_LAST, rave.exploration(0.3), many);
        assert!(is_best && count > more, "{rave:?}: {count}");
    }
    let (count, is_best) = search(BEST_LAST, Ucb1::new(0.3), many);
    assert!(is_best && count > most, "{count}");
}

#[test]
fn lost_actions_are_visited_in_turn() {
    const LOST: &[u8] = &[2, 3, 4, 5];
    assert_eq!(visits(&report(LOST, Rave::new(1e-3), 400)), [100; 4]);
    assert_eq!(visits(&report(LOST, Grave::new(50.0, 1e-5), 400)), [100; 4]);
    assert_eq!(visits(&report(LOST, AlphaAmaf::new(1.0, 0.0), 400)), [100; 4]);
    assert_eq!(visits(&report(LOST, AlphaAmaf::new(0.5, 0.0), 400)), [100; 4]);
}

/// They have no exploration term, and an action that loses here may be good elsewhere.
#[test]
fn a_refuted_action_that_is_good_elsewhere_does_not_hide_the_others() {
    fn misses<P: TreePolicy<Hashed, Stats = Amaf>>(policy: impl Fn() -> P) -> usize {
        let is_game =
            |game: &Hashed| matches!(game.turn(), Turn::Player(_)) && Oracle::new().lead(game) == 0.5;
        let games = (0..).map(|seed| Hashed::new(seed, 2, 6).decided()).filter(is_game).take(sized(10, 40));
        let is_missed = |game: &Hashed| {
            let mut search = Mcts::new(*game).tree_policy(policy()).backprop(Solver::new(Average));
            let report = search.run(Budget::iterations(1_500)).expect("a sound game");
            !Oracle::new().best_actions(game).contains(&report.best_action())
        };
        games.filter(is_missed).count()
    }
    assert_eq!(misses(Grave::default), 0);
    assert_eq!(misses(|| Grave::hrave(1e-5)), 0);
    assert_eq!(misses(Rave::default), 0);
}

#[test]
fn hrave_looks_at_the_topmost_node_of_the_same_player() {
    // If the root belongs to the other player, the source of a node of the first player is that node itself.
    // So HRAVE and RAVE are equal if no player moves twice.
    static TURNS: [Player; 2] = [0, 1];
    let fixed = || WithPriors::new(Fixed, Lines::promise as fn(&Lines, u8) -> f32);
    let run = |search: &mut dyn ramure::Search<Space = Lines>| {
        visits(&search.run(Budget::iterations(500)).expect("a sound game"))
    };
    let new = || Mcts::new(Lines::new(&TURNS)).rollout_policy(fixed()).seed(3);
    let hrave = run(&mut new().tree_policy(Grave::hrave(1e-3)));
    assert_eq!(hrave, run(&mut new().tree_policy(Rave::new(1e-3))));
    // They differ if the first player moves again.
    static AGAIN: [Player; 5] = [0, 1, 0, 1, 0];
    let new = || Mcts::new(Lines::new(&AGAIN)).rollout_policy(fixed()).seed(3);
    let hrave = run(&mut new().tree_policy(Grave::hrave(1e-3)));
    assert_ne!(hrave, run(&mut new().tree_policy(Rave::new(1e-3))));
}

#[test]
fn quick_rollouts_credit_the_actions_they_play() {
    use ramure_games::Connect4;
    let search = Mcts::new(Connect4::new()).tree_policy(Rave::new(1e-3));
    let mut search = search.expansion(ramure::Expansion::default().on_visit(u32::MAX));
    search.run(Budget::iterations(200)).expect("a sound game");
    // A random game lasts about twenty actions, so each player plays most of the seven columns.
    let root = search.tree().root().expect("it ran");
    let credits: f32 = root.children().map(|child| child.stats().visits).sum();
    assert!(credits > 3.0 * 200.0, "{credits}");
}
