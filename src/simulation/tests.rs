//! Unit tests of leaves and rollout policies, without a search.

use super::{
    BestLine, Evaluate, EvaluationPriors, Leaf, Nst, Numbered, Priors, RolloutPolicy, Trace, Uniform,
    WithPriors, check_probabilities,
};
use crate::game::{ActionIndex, GameFault, GameState, Player, Rewards, Rng, StaticEvaluation, Turn};
use core::cell::Cell;
use std::rc::Rc;

/// Two players play `left` actions in turn. The last action decides: player 0 gets its
/// `worth`, player 1 the rest. Evaluations are half of that.
#[derive(Clone)]
struct Last {
    worth: [f64; 4],
    left: u8,
    mover: Player,
    players: u8,
    last: u8,
}

impl Last {
    fn new(worth: [f64; 4], left: u8) -> Self {
        Last { worth, left, mover: 0, players: 2, last: 0 }
    }
}

impl GameState for Last {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..4
    }
    fn apply(&mut self, action: u8) {
        (self.left, self.mover, self.last) = (self.left - 1, 1 - self.mover, action);
    }
    fn reward(&self, player: Player) -> f64 {
        let worth = self.worth[usize::from(self.last)];
        if player == 0 { worth } else { 1.0 - worth }
    }
    fn players(&self) -> u8 {
        self.players
    }
}

impl ActionIndex for Last {
    const ACTION_COUNT: usize = 4;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl StaticEvaluation for Last {
    fn evaluate(&self, player: Player) -> f64 {
        0.5 * self.reward(player)
    }
}

/// Creates a leaf at `root`, with the trace of a policy.
fn leaf<R: RolloutPolicy<Last>>(_: &R, root: &Last) -> Leaf<Last, R::Trace> {
    let mut leaf = Leaf::new(root, true);
    leaf.restart(root);
    leaf
}

/// Lets `policy` learn an iteration in which the first player chose `action` at `root` and got `reward`, and
/// the other player the rest.
fn teach<R: RolloutPolicy<Last>>(policy: &mut R, root: &Last, action: u8, reward: f32) {
    let mut leaf = leaf(policy, root);
    leaf.apply(action).expect("in range");
    let rewards = Rewards::new(2, |player| if player == 0 { reward } else { 1.0 - reward });
    policy.learn(leaf.trace(), &rewards);
}

#[test]
fn nst_has_learned_nothing_about_an_empty_sequence() {
    let (mut nst, root) = (Nst::default(), Last::new([0.5; 4], 1));
    teach(&mut nst, &root, 1, 0.0);
    assert_eq!(nst.learned::<Last>(&[]), (0, 1.0));
    assert_eq!(nst.learned::<Last>(&[(0, 1)]), (1, 0.0));
}

#[test]
fn a_leaf_counts_its_actions_and_keeps_the_value_of_its_state_only() {
    let root = Last::new([0.5; 4], 3);
    let mut leaf: Leaf<Last, ()> = Leaf::new(&root, false);
    assert_eq!((leaf.ply(), leaf.value()), (0, None));
    leaf.apply(1).expect("legal");
    leaf.apply(2).expect("legal");
    let value = Rewards::new(2, |_| 0.25);
    leaf.set_value(Some(value));
    assert_eq!((leaf.ply(), leaf.value()), (2, Some(value)));
    leaf.restart(&root);
    assert_eq!((leaf.ply(), leaf.value()), (0, None));
}

#[test]
fn an_evaluator_is_called_once_for_value_and_priors() {
    let root = Last::new([0.5; 4], 3);
    let asked = Cell::new(0);
    let value = Rewards::new(2, |player| if player == 0 { 0.25 } else { 0.75 });
    let evaluate = Evaluate::by(|_: &Last, _: &[u8], _: &mut [f32]| {
        asked.set(asked.get() + 1);
        value
    });
    let (mut leaf, mut rng) = (leaf(&evaluate, &root), Rng::seeded(1));
    leaf.set_value(evaluate.priors(&root, &[0, 1, 2, 3], &mut [1.0; 4]).expect("sound"));
    assert_eq!(evaluate.simulate(&mut leaf, &mut rng), Ok(value));
    leaf.restart(&root);
    assert_eq!(evaluate.simulate(&mut leaf, &mut rng), Ok(value));
    assert_eq!(asked.get(), 2, "once for the priors, once where there is no value");
}

#[test]
fn an_unknown_or_impossible_player_is_an_error() {
    let root = Last::new([0.5; 4], 1);
    let mover = |state: &Last| super::mover(state, state.turn());
    let found = [0, 1, 2, 3].map(|player| mover(&Last { mover: player, ..root.clone() }));
    let unknown = |player, players| Err(GameFault::UnknownPlayer { player, players });
    assert_eq!(found, [Ok(Some(0)), Ok(Some(1)), unknown(2, 2), unknown(3, 2)]);
    assert_eq!(mover(&Last { left: 0, ..root.clone() }), Ok(None));
    let found = [7, 8, 9].map(|player| mover(&Last { mover: player, players: 9, ..root.clone() }));
    assert_eq!(found, [Ok(Some(7)), Err(GameFault::Players { players: 9 }), unknown(9, 9)]);
    let mut trace = Numbered::<u8>::default();
    assert_eq!(Trace::<Last>::record(&mut trace, &root, Turn::Player(2), &0).err(), unknown(2, 2).err());
}

/// Rollouts that count the calls of `learn`.
#[derive(Clone, Default)]
struct Learns(Rc<Cell<u32>>);

impl RolloutPolicy<Last> for Learns {
    type Trace = ();
    fn learn(&mut self, (): &(), _: &Rewards) {
        self.0.set(self.0.get() + 1);
    }
}

#[test]
fn priors_from_evaluations_are_the_softmax_over_next_states() {
    let worth = [0.5, 0.75, 0.0, 0.25];
    for (left, mover) in [(2, 0), (2, 1), (1, 0), (1, 1)] {
        let state = Last { mover, ..Last::new(worth, left) };
        // After the last action the game is over and gives a reward. Before that, the evaluation is half of
        // it.
        let of_mover = worth.map(|worth| if mover == 0 { worth } else { 1.0 - worth });
        let values = of_mover.map(|value| if left == 1 { value } else { 0.5 * value });
        for tau in [0.1, 0.5] {
            let mut priors = [1.0; 4];
            let policy = EvaluationPriors::new(Uniform, tau);
            let value = policy.priors(&state, &[0, 1, 2, 3], &mut priors).expect("a sound game");
            assert_eq!(value, Some(Rewards::new(2, |player| 0.5 * state.reward(player) as f32)));
            let (sum, weights) = (f64::from(priors.iter().sum::<f32>()), values.map(|v| libm::exp(v / tau)));
            for (prior, weight) in priors.iter().zip(weights) {
                let expected = weight / weights.iter().sum::<f64>();
                assert!((f64::from(*prior) / sum - expected).abs() < 1e-6, "{priors:?} of {values:?}");
            }
        }
        // The temperature is so low that only the best action has a prior. No prior overflows.
        let mut priors = [1.0; 4];
        EvaluationPriors::new(Uniform, 1e-6).priors(&state, &[0, 1, 2, 3], &mut priors).expect("sound");
        let best = if mover == 0 { 1 } else { 2 };
        let expected = core::array::from_fn(|action| if action == best { 1.0 } else { 0.0 });
        assert_eq!(priors, expected);
    }
}

#[test]
fn evaluations_and_rewards_out_of_range_are_faults() {
    let fault_of = |worth: f64, left| {
        let state = Last::new([0.5, worth, 0.5, 0.5], left);
        let priors = EvaluationPriors::new(Uniform, 0.1).priors(&state, &[0, 1, 2, 3], &mut [1.0; 4]);
        priors.err().map(|error| *error.downcast::<GameFault>().expect("a fault"))
    };
    for reward in [-0.25, 1.5, f64::INFINITY] {
        assert_eq!(fault_of(reward, 1), Some(GameFault::Reward { player: 0, reward }));
        let value = 0.5 * reward;
        let fault = GameFault::Evaluation { player: 0, value };
        assert_eq!(fault_of(reward, 2), Some(fault).filter(|_| !(0.0..=1.0).contains(&value)));
    }
    assert_eq!(fault_of(3.0, 2), Some(GameFault::Evaluation { player: 0, value: 1.5 }));
    for edge in [0.0, 1.0] {
        assert_eq!((fault_of(edge, 1), fault_of(2.0 * edge, 2)), (None, None), "{edge}");
    }
}

#[test]
fn a_decorator_passes_on_learning_and_priors() {
    let root = Last::new([0.5; 4], 2);
    let inner = Learns::default();
    let mut policy = EvaluationPriors::new(inner.clone(), 0.1);
    teach(&mut policy, &root, 0, 1.0);
    assert_eq!(inner.0.get(), 1);
    let mut priors = [1.0; 3];
    let inner = WithPriors::new(Uniform, |_: &Last, action: u8| f32::from(action));
    let value = BestLine::new(inner).priors(&root, &[1, 3, 2], &mut priors);
    assert_eq!((value.expect("sound"), priors), (None, [1.0, 3.0, 2.0]));
    let value = Rewards::new(2, |_| 0.5);
    let inner = Evaluate::by(|_: &Last, _: &[u8], _: &mut [f32]| value);
    let found = BestLine::new(inner).priors(&root, &[1, 3, 2], &mut priors);
    assert_eq!(found.expect("sound"), Some(value));
}

/// A die with these weights.
#[derive(Clone)]
struct Die(&'static [f64]);

impl GameState for Die {
    type Action = usize;
    fn turn(&self) -> Turn {
        Turn::Chance
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        0..self.0.len()
    }
    fn apply(&mut self, _: usize) {}
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn probability(&self, outcome: usize) -> f64 {
        self.0[outcome]
    }
}

#[test]
fn weights_are_probabilities_that_sum_to_one() {
    let check =
        |weights: &'static [f64]| check_probabilities(&Die(weights), &Vec::from_iter(0..weights.len()));
    for sound in [&[1.0][..], &[0.0, 1.0], &[0.25, 0.75], &[0.1; 10], &[]] {
        assert_eq!(check(sound), Ok(()), "{sound:?}");
    }
    assert_eq!(check(&[0.5, -0.1]), Err(GameFault::Probability { index: 1, probability: -0.1 }));
    assert_eq!(check(&[1.5, 0.0]), Err(GameFault::Probability { index: 0, probability: 1.5 }));
    assert_eq!(check(&[0.5, 0.25]), Err(GameFault::ProbabilitySum { sum: 0.75 }));
    assert_eq!(check(&[0.75, 0.5]), Err(GameFault::ProbabilitySum { sum: 1.25 }));
}
