//! Unit tests of backpropagations, without a search.

use super::implicit_minimax::Implicit;
use super::{
    Average, Backprop, Bounds, Contempt, Decorated, Decorator, Discounted, ImplicitMinimax, Proof,
    RelativeBonus, ScoreBounds, Solver, Step, StepChild, Values,
};
use crate::game::idle::Idle;
use crate::game::{GameFault, GameState, Player, Rewards, Turn};
use crate::statistics::Pack;
use core::cell::{Cell, RefCell};

/// A call that a step received.
#[derive(Clone, PartialEq, Debug)]
enum Call {
    Recorded(f32),
    RecordedWithMean(f32, f32),
    Spread(f32),
    /// For each of the children, whether it was pruned.
    Pruned(Vec<bool>),
}

/// A mock step, at the seventh visit of a node with these children.
struct MockStep<S> {
    turn: Turn,
    stats: Cell<S>,
    children: Vec<S>,
    calls: RefCell<Vec<Call>>,
}

impl<S: Copy> MockStep<S> {
    fn new(turn: Turn, stats: S, children: &[S]) -> Self {
        MockStep { turn, stats: Cell::new(stats), children: children.to_vec(), calls: RefCell::default() }
    }

    fn record_call(&self, call: Call) {
        self.calls.borrow_mut().push(call);
    }
}

impl<S> crate::__sealed::Sealed for &MockStep<S> {}

impl<S: Copy> Step<Idle, S> for &MockStep<S> {
    fn chooser(self) -> Player {
        1
    }
    fn turn(self) -> Turn {
        self.turn
    }
    fn visits(self) -> u32 {
        7
    }
    fn length(self) -> u32 {
        9
    }
    fn record(self, reward: f32) {
        self.record_call(Call::Recorded(reward));
    }
    fn record_with_mean(self, reward: f32, mean: f32) {
        self.record_call(Call::RecordedWithMean(reward, mean));
    }
    fn spread(self, deviation: f32) {
        self.record_call(Call::Spread(deviation));
    }
    fn stats(self) -> S {
        self.stats.get()
    }
    fn set_stats(self, stats: S) {
        self.stats.set(stats);
    }
    fn followed(self) -> Option<StepChild<S>> {
        self.tried().next()
    }
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.children.iter().copied()
    }
    fn tried(&self) -> impl Iterator<Item = StepChild<S>> + Clone {
        self.children.iter().map(|&stats| StepChild { visits: 3, mean: 0.25, stats })
    }
    fn has_untried(self) -> bool {
        true
    }
    fn prune(self, hopeless: impl Fn(S) -> bool) {
        self.record_call(Call::Pruned(self.children.iter().map(|&child| hopeless(child)).collect()));
    }
}

/// Checks that `step` returns the statistics 5 and children of 2 and 8, and passes on all calls. Afterwards
/// its statistics are 6.
fn passes_on(step: impl Step<Idle, u16>, calls: &RefCell<Vec<Call>>) {
    assert_eq!((step.chooser(), step.turn(), step.visits(), step.length()), (1, Turn::Player(0), 7, 9));
    assert!(!step.is_cut_short(), "no step is unless it says so");
    let tried = |stats| StepChild { visits: 3, mean: 0.25, stats };
    assert_eq!((step.stats(), step.followed()), (5, Some(tried(2))));
    assert_eq!(Vec::from_iter(step.children()), [2, 8]);
    assert_eq!(Vec::from_iter(step.tried()), [tried(2), tried(8)]);
    assert!(step.has_untried());
    step.spread(0.125);
    step.prune(|child| child > 5);
    assert_eq!(calls.take(), [Call::Spread(0.125), Call::Pruned(vec![false, true])]);
    step.set_stats(6);
    assert_eq!(step.stats(), 6);
}

#[test]
fn the_second_half_of_a_step_passes_everything_on() {
    let step = MockStep::new(Turn::Player(0), ('a', 5), &[('b', 2), ('c', 8)]);
    passes_on((&step).second(), &step.calls);
    assert_eq!(step.stats.get(), ('a', 6));
    let half = Step::<Idle, _>::second(&step);
    half.record(0.75);
    half.record_with_mean(0.75, 0.5);
    assert_eq!(step.calls.take(), [Call::Recorded(0.75), Call::RecordedWithMean(0.75, 0.5)]);
}

#[test]
fn a_step_with_mapped_statistics_passes_on_everything() {
    // The statistics are kept in the high half of a number.
    let stored = |low: u32, high: u16| u32::from(high) << 16 | low;
    let step = MockStep::new(Turn::Player(0), stored(1, 5), &[stored(2, 2), stored(3, 8)]);
    let (get, put) = (|both: u32| (both >> 16) as u16, |both: u32, high: u16| stored(both & 0xFFFF, high));
    passes_on((&step).map_stats(get, put), &step.calls);
    assert_eq!(step.stats.get(), stored(1, 6));
}

#[test]
fn an_intercepted_step_passes_on_everything_but_rewards() {
    let step = MockStep::new(Turn::Player(0), 5, &[2, 8]);
    let taken = RefCell::new(Vec::new());
    let take = |_: &MockStep<u16>, reward: f32, mean: Option<f32>| taken.borrow_mut().push((reward, mean));
    passes_on((&step).intercept(&take), &step.calls);
    let shown = (&step).intercept(&take);
    shown.record(0.75);
    shown.record_with_mean(0.75, 0.5);
    assert_eq!(taken.take(), [(0.75, None), (0.75, Some(0.5))]);
    assert_eq!(step.calls.take(), []);
}

/// Records a mean of 3/4 at every step.
struct ThreeQuarters;

impl<G: GameState> Backprop<G> for ThreeQuarters {
    type Stats = ();
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record_with_mean(rewards[step.chooser()], 0.75);
    }
}

#[test]
fn a_mixture_uses_a_recorded_mean_unchanged() {
    let rewards = || Rewards::new(2, f32::from);
    for alpha in [0.0, 0.5] {
        let step = MockStep::new(Turn::Over, (Implicit::default(), ()), &[]);
        ImplicitMinimax::new(alpha, ThreeQuarters).update(&step, &mut rewards());
        // The end of the game is worth 1 to the player who chose it.
        assert_eq!(step.calls.take(), [Call::RecordedWithMean(1.0, 0.75 + 0.25 * alpha)]);
    }
}

#[test]
fn a_proof_inside_a_mixture_is_certain() {
    let mixture = ImplicitMinimax::new(0.4, Solver::new(Average));
    let certain = |proof| {
        [0, 1].map(|player| Backprop::<Idle>::certain(&mixture, (Implicit::default(), (proof, ())), player))
    };
    assert_eq!(certain(Proof::default()), [None, None]);
    assert_eq!(certain(Proof::of_end(&Rewards::new(2, f32::from))), [Some(0.0), Some(1.0)]);
}

#[test]
fn the_first_pair_of_non_rivals_is_reported_and_bounds_stop_being_certain() {
    let both = |first: f32, second: f32| Rewards::new(2, move |player| [first, second][usize::from(player)]);
    let of_end = Bounds::of_end(&both(0.25, 0.75));
    for (backprop, is_general) in [(ScoreBounds::new(Average), false), (ScoreBounds::general(Average), true)]
    {
        let end_with = |mut rewards| {
            let step = MockStep::new(Turn::Over, (Bounds::default(), ()), &[]);
            backprop.update(&step, &mut rewards);
            let looked = Backprop::<Idle>::look(&backprop, &Idle, (Bounds::default(), ()));
            let certain = [0, 1].map(|player| Backprop::<Idle>::certain(&backprop, (of_end, ()), player));
            (looked.err(), certain)
        };
        let known = [Some(0.25), Some(0.75)];
        assert_eq!(end_with(both(0.25, 0.75)), (None, known));
        let fault = GameFault::Rivals { players: [0, 1], sum: 1.25 };
        let expected = if is_general { (None, known) } else { (Some(fault), [None, None]) };
        for rewards in [both(0.75, 0.5), both(1.0, 0.0), both(1.0, 1.0)] {
            assert_eq!(end_with(rewards), expected, "{rewards:?}");
        }
    }
}

/// A decorator with only the required items.
#[derive(Clone, Copy)]
struct Silent;

impl<G: GameState> Decorator<G> for Silent {
    type Stats = u16;

    fn update<B: Backprop<G>>(&self, inner: &B, step: impl Step<G, (u16, B::Stats)>, rewards: &mut Rewards) {
        inner.update(step.second(), rewards);
    }
}

/// A backpropagation that sets every constant and overrides every method.
struct Knowing;

impl Backprop<Idle> for Knowing {
    type Stats = u16;
    const PROVES: bool = true;
    const COUNTS: bool = true;
    const KEEPS_ORDER: bool = false;

    fn look(&self, _: &Idle, stats: u16) -> Result<u16, GameFault> {
        if stats == 9 { Err(GameFault::NoPrior) } else { Ok(stats + 1) }
    }
    fn update(&self, step: impl Step<Idle, u16>, _: &mut Rewards) {
        step.record(f32::from(step.stats()));
    }
    fn certain(&self, stats: u16, player: Player) -> Option<f32> {
        (player == 1).then_some(f32::from(stats))
    }
    fn worth(&self, stats: u16, rewards: &Rewards, player: Player) -> f32 {
        rewards[player] + f32::from(stats)
    }
    fn check(&self) -> Result<(), crate::ParameterError> {
        crate::ParameterError::unless(false, "Knowing", 0.0, "nothing")
    }
}

#[test]
fn a_decorator_passes_on_everything_it_does_not_change() {
    type Outer = Decorated<Silent, Knowing>;
    let outer = Decorated::by(Silent, Knowing);
    assert_eq!([Outer::PROVES, Outer::COUNTS, !Outer::KEEPS_ORDER], [true; 3]);
    assert_eq!(outer.look(&Idle, (3, 5)), Ok((3, 6)));
    assert_eq!(outer.look(&Idle, (3, 9)), Err(GameFault::NoPrior));
    assert_eq!((outer.certain((3, 5), 0), outer.certain((3, 5), 1)), (None, Some(5.0)));
    assert_eq!(outer.worth((3, 5), &Rewards::new(2, f32::from), 1), 6.0);
    assert!(outer.check().is_err());
    let step = MockStep::new(Turn::Player(0), (3, 5), &[]);
    outer.update(&step, &mut Rewards::new(2, |_| 0.5));
    assert_eq!(step.calls.take(), [Call::Recorded(5.0)]);

    type Plain = Decorated<Silent, Average>;
    let constants = [
        <Plain as Backprop<Idle>>::PROVES,
        <Plain as Backprop<Idle>>::COUNTS,
        !<Plain as Backprop<Idle>>::KEEPS_ORDER,
    ];
    assert_eq!(constants, [false; 3]);
}

#[test]
fn decorators_tell_whether_what_is_inside_proves_and_keeps_the_order() {
    fn tells<B: Backprop<Idle>>(_: &B) -> (bool, bool) {
        (B::PROVES, B::KEEPS_ORDER)
    }
    let (solver, contempt) = (Solver::new(Average), Contempt::new(0.4, Average));
    assert_eq!(tells(&Decorated::by(Silent, solver)), (true, true));
    assert_eq!(tells(&Decorated::by(Silent, contempt)), (false, false));
    assert_eq!(tells(&Solver::new(RelativeBonus::new(1.0, 0.5, contempt))), (true, false));
    assert_eq!(tells(&ScoreBounds::new(Discounted::new(0.9))), (true, true));
}

/// 2^31 stands for 1, the greatest value.
#[test]
fn values_above_1_are_not_sound() {
    let words = |value: u32| [0, 1 << 31, 7, value, 0, 0, 0, 0];
    assert!(Values::is_sound(&words(1 << 31)));
    assert!(!Values::is_sound(&words((1 << 31) + 1)));
    assert!(!Values::is_sound(&words(u32::MAX)));
}
