//! A tree policy that is chosen when a test runs. A search is compiled for each type of policy, so a test that does
//! the same with many policies compiles one search for all that treat unvisited children alike.

use bumpalo::Bump;
use ramure::selection::{Child, Choice, Event, FirstPlay, Needs, Node, Spread, TreePolicy};
use ramure::statistics::Statistics;
use ramure::{GameState, ParameterError, Player, Rewards, Rng};
use std::any::Any;
use std::cell::RefCell;
use std::fmt::{self, Debug};

/// A policy with the constants of `L`, whose type is hidden.
pub struct Chosen<G: GameState, L>(Box<dyn Hidden<G>>, std::marker::PhantomData<L>);

/// The place of a policy's statistics in its list, from 1; 0 for their default. The list only grows, so a place
/// always means the same statistics.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Place(u32);

impl<G: GameState, R> Statistics<G, R> for Place {
    type Trace = ();
}

impl<G: GameState, L: TreePolicy<G>> Chosen<G, L> {
    /// Hides the type of `policy`, whose statistics are plain numbers.
    pub fn new<P>(policy: P) -> Self
    where
        P: TreePolicy<G, Stats: Statistics<G, ()>> + Clone + Debug + 'static,
    {
        let fed = <P::Stats as Statistics<G, ()>>::CREDITS || <P::Stats as Statistics<G, ()>>::INITIALIZES;
        assert!(!fed, "{policy:?} keeps more than plain numbers");
        let same =
            (P::FIRST_PLAY, P::SEES_UNVISITED, P::NEEDS) == (L::FIRST_PLAY, L::SEES_UNVISITED, L::NEEDS);
        assert!(same, "{policy:?} has other constants than {}", std::any::type_name::<L>());
        Chosen(Box::new(Kept { policy, list: RefCell::default() }), std::marker::PhantomData)
    }

    /// Returns the statistics of the policy at this place.
    pub fn stats(&self, place: Place) -> Box<dyn Any> {
        self.0.stats(place)
    }
}

impl<G: GameState, L> Clone for Chosen<G, L> {
    fn clone(&self) -> Self {
        Chosen(self.0.duplicate(), self.1)
    }
}

impl<G: GameState, L> Debug for Chosen<G, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<G: GameState, L: TreePolicy<G>> TreePolicy<G> for Chosen<G, L> {
    type Stats = Place;
    const FIRST_PLAY: Option<FirstPlay> = L::FIRST_PLAY;
    const SEES_UNVISITED: bool = L::SEES_UNVISITED;
    const NEEDS: Needs = L::NEEDS;

    fn select(&self, node: impl Node<G, Place>, rng: &mut Rng) -> Choice {
        self.0.select(View { node: &node, above: &Bump::new() }, rng)
    }
    fn update(&self, stats: Place, visits: f32, reward: f32) -> Place {
        self.0.update(stats, visits, reward)
    }
    fn notice(&self, stats: Place, event: Event<Place>) -> Place {
        self.0.notice(stats, event)
    }
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        self.0.learn(actions, rewards);
    }
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        self.0.begin(iterations, rng);
    }
    fn decide(&self, root: impl Node<G, Place>, rng: &mut Rng) -> Option<Choice> {
        self.0.decide(View { node: &root, above: &Bump::new() }, rng)
    }
    fn improved_policy(&self, root: impl Node<G, Place>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        self.0.improved_policy(View { node: &root, above: &Bump::new() }, worths)
    }
    fn skips_refuted(&self) -> bool {
        self.0.skips_refuted()
    }
    fn check(&self) -> Result<(), ParameterError> {
        self.0.check()
    }
}

/// The methods of a tree policy.
trait Hidden<G: GameState>: Debug {
    fn select(&self, node: View<'_, G>, rng: &mut Rng) -> Choice;
    fn update(&self, stats: Place, visits: f32, reward: f32) -> Place;
    fn notice(&self, stats: Place, event: Event<Place>) -> Place;
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards);
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng);
    fn decide(&self, root: View<'_, G>, rng: &mut Rng) -> Option<Choice>;
    fn improved_policy(&self, root: View<'_, G>, worths: &[Option<f32>]) -> Option<Vec<f32>>;
    fn skips_refuted(&self) -> bool;
    fn check(&self) -> Result<(), ParameterError>;
    fn duplicate(&self) -> Box<dyn Hidden<G>>;
    fn stats(&self, place: Place) -> Box<dyn Any>;
}

/// A policy, and the list of its statistics.
#[derive(Clone)]
struct Kept<P, S> {
    policy: P,
    list: RefCell<Vec<S>>,
}

impl<P, S: Copy + Default> Kept<P, S> {
    fn get(&self, place: Place) -> S {
        place.0.checked_sub(1).map_or_else(S::default, |index| self.list.borrow()[index as usize])
    }
    fn put(&self, stats: S) -> Place {
        self.list.borrow_mut().push(stats);
        Place(self.list.borrow().len() as u32)
    }
    /// Shows a node with the policy's own statistics.
    fn shown<'a, G: GameState>(&'a self, node: View<'a, G>) -> impl Node<G, S> + 'a
    where
        S: 'static,
    {
        node.map_stats(|place| self.get(place), |_, stats| self.put(stats))
    }
}

impl<P: Debug, S> Debug for Kept<P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.policy.fmt(f)
    }
}

impl<G: GameState, P: TreePolicy<G> + Clone + Debug + 'static> Hidden<G> for Kept<P, P::Stats> {
    fn select(&self, node: View<'_, G>, rng: &mut Rng) -> Choice {
        self.policy.select(self.shown(node), rng)
    }
    fn update(&self, stats: Place, visits: f32, reward: f32) -> Place {
        self.put(self.policy.update(self.get(stats), visits, reward))
    }
    fn notice(&self, stats: Place, event: Event<Place>) -> Place {
        self.put(self.policy.notice(self.get(stats), event.map(|place| self.get(place))))
    }
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        self.policy.learn(actions, rewards);
    }
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        self.policy.begin(iterations, rng);
    }
    fn decide(&self, root: View<'_, G>, rng: &mut Rng) -> Option<Choice> {
        self.policy.decide(self.shown(root), rng)
    }
    fn improved_policy(&self, root: View<'_, G>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        self.policy.improved_policy(self.shown(root), worths)
    }
    fn skips_refuted(&self) -> bool {
        self.policy.skips_refuted()
    }
    fn check(&self) -> Result<(), ParameterError> {
        self.policy.check()
    }
    fn duplicate(&self) -> Box<dyn Hidden<G>> {
        Box::new(self.clone())
    }
    fn stats(&self, place: Place) -> Box<dyn Any> {
        Box::new(self.get(place))
    }
}

/// A node whose type is hidden, and room for the nodes above it.
struct View<'a, G: GameState> {
    node: &'a dyn Seen<G>,
    above: &'a Bump,
}

impl<G: GameState> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for View<'_, G> {}

/// Passes on the methods of a node that need no thought: from [`Node`] to [`Seen`] and back.
macro_rules! seen {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The methods of a node.
        trait Seen<G: GameState> {
            $(fn $name(&self, $($argument: $type),*) $(-> $result)?;)*
            fn spread(&self) -> &Spread;
            fn argmax(&self, value: &dyn Fn(Child<'_, G::Action, Place>) -> f32) -> Choice;
            fn choices(&self) -> Vec<(Choice, Child<'_, G::Action, Place>)>;
            fn children(&self) -> Vec<Child<'_, G::Action, Place>>;
            fn parent<'a>(&self, above: &'a Bump) -> Option<&'a dyn Seen<G>>
            where
                Self: 'a;
        }

        impl<G: GameState, N: Node<G, Place>> Seen<G> for N {
            $(fn $name(&self, $($argument: $type),*) $(-> $result)? {
                Node::$name(*self, $($argument),*)
            })*
            fn spread(&self) -> &Spread {
                Node::spread(self)
            }
            fn argmax(&self, value: &dyn Fn(Child<'_, G::Action, Place>) -> f32) -> Choice {
                Node::argmax(*self, value)
            }
            fn choices(&self) -> Vec<(Choice, Child<'_, G::Action, Place>)> {
                Node::choices(self).collect()
            }
            fn children(&self) -> Vec<Child<'_, G::Action, Place>> {
                Node::children(self).collect()
            }
            fn parent<'a>(&self, above: &'a Bump) -> Option<&'a dyn Seen<G>>
            where
                Self: 'a,
            {
                let parent: &'a N = above.alloc(Node::parent(*self)?);
                Some(parent)
            }
        }

        impl<G: GameState> Node<G, Place> for View<'_, G> {
            $(fn $name(self, $($argument: $type),*) $(-> $result)? {
                self.node.$name($($argument),*)
            })*
            fn spread(&self) -> &Spread {
                self.node.spread()
            }
            fn argmax(self, value: impl Fn(Child<'_, G::Action, Place>) -> f32) -> Choice {
                self.node.argmax(&value)
            }
            fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, Place>)> {
                self.node.choices().into_iter()
            }
            fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, Place>> {
                self.node.children().into_iter()
            }
            fn parent(self) -> Option<Self> {
                self.node.parent(self.above).map(|node| View { node, ..self })
            }
        }
    };
}

seen! {
    visits() -> f32;
    player() -> Player;
    first_play() -> f32;
    untried_score(bonus: f32) -> f32;
    has_untried() -> bool;
    is_root() -> bool;
    stats() -> Place;
    width() -> usize;
    starving() -> Option<Choice>;
    stats_of(child: Choice) -> Option<Place>;
    set_stats(child: Choice, stats: Place);
    ln_visits() -> f32;
    sqrt_ln_visits() -> f32;
}

impl<G: GameState> ramure::__sealed::Sealed for View<'_, G> {}
