//! Nim with heaps: the players take turns to take one to three from one heap; the player who takes the last
//! one wins.

use ramure::{GameState, Player, Turn};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

mistakes! {
    /// The heaps are an `Rc<RefCell<..>>` so that clones are cheap; all clones take from the same heaps.
    HeapsAreShared,
    /// A `static` (here of the thread) counts the actions and decides whose turn it is.
    TurnIsStatic,
    /// My players are 1 and 2.
    PlayersFromOne,
    /// Besides one, two and three, I offer the whole heap, which may be one, two or three.
    WholeHeapListedTwice,
    /// I collect the actions in a `HashSet`, so as not to list one twice.
    ListedFromAHashSet,
    /// I count from 0 to 3, so a player may take nothing.
    TakingNothing,
    /// I offer three for any heap; `apply` knows that a heap may have fewer.
    TakingMoreThanThereIs,
    /// I count up from one, but forgot to say where to stop.
    CountsForEver,
    /// I give the win to the player who finds nothing to take, as in the other version of the game.
    LastOneLoses,
    /// A player who empties a heap takes again, because I return before the turn passes.
    EmptyingAHeapKeepsTheTurn,
    /// A win is worth 2, so that a draw can be 1.
    WinIsTwo,
    /// A win by player 1 goes to player 0, because I wrote 0 instead of `player`.
    FirstPlayerIsPaid,
    /// My `Eq` compares the heaps, but forgets whose turn it is.
    EqForgetsTheTurn,
    /// My `Eq` sorts the heaps, because their order does not matter; but an action names a heap by its index.
    EqSortsTheHeaps,
}

/// Take this number from this heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    heap: usize,
    count: u32,
}

/// A position.
#[derive(Debug)]
pub struct Nim {
    heaps: Rc<RefCell<Vec<u32>>>,
    player: Player,
    mistake: Mistake,
}

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

impl Clone for Nim {
    fn clone(&self) -> Self {
        let heaps = match self.mistake {
            Mistake::HeapsAreShared => Rc::clone(&self.heaps),
            _ => Rc::new((*self.heaps).clone()),
        };
        Nim { heaps, ..*self }
    }
}

impl Nim {
    /// Returns these heaps.
    pub fn new(heaps: &[u32], mistake: Mistake) -> Self {
        Nim { heaps: Rc::new(RefCell::new(heaps.to_vec())), player: 0, mistake }
    }

    /// Returns the player who took the last one.
    pub fn winner(&self) -> Option<Player> {
        let empty = self.heaps.borrow().iter().all(|&left| left == 0);
        let last = if self.mistake == Mistake::LastOneLoses { self.player } else { 1 - self.player };
        empty.then_some(last)
    }

    /// Returns the numbers that a player may take from a heap.
    fn counts(&self, left: u32) -> Box<dyn Iterator<Item = u32>> {
        match self.mistake {
            Mistake::TakingNothing if left > 0 => Box::new(0..=left.min(3)),
            Mistake::TakingMoreThanThereIs if left > 0 => Box::new(1..=3),
            Mistake::WholeHeapListedTwice if left > 0 => Box::new((1..=left.min(3)).chain([left])),
            Mistake::CountsForEver if left > 0 => Box::new((1..=3).cycle()),
            _ => Box::new(1..=left.min(3)),
        }
    }

    /// The part that `Eq` and `Hash` use.
    fn key(&self) -> (Vec<u32>, Option<Player>) {
        let mut heaps = self.heaps.borrow().clone();
        if self.mistake == Mistake::EqSortsTheHeaps {
            heaps.sort_unstable();
        }
        (heaps, (self.mistake != Mistake::EqForgetsTheTurn).then_some(self.player))
    }
}

impl GameState for Nim {
    type Action = Take;

    fn turn(&self) -> Turn {
        match self.mistake {
            _ if self.winner().is_some() => Turn::Over,
            Mistake::TurnIsStatic => Turn::Player((TAKEN.get() % 2) as Player),
            Mistake::PlayersFromOne => Turn::Player(self.player + 1),
            _ => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Take> {
        let heaps = self.heaps.borrow().clone().into_iter().enumerate();
        let counts = heaps.map(|(heap, left)| (heap, self.counts(left)));
        let all = counts.flat_map(|(heap, counts)| counts.map(move |count| Take { heap, count }));
        let actions: Box<dyn Iterator<Item = Take>> = match self.mistake {
            Mistake::ListedFromAHashSet => Box::new(all.collect::<HashSet<_>>().into_iter()),
            _ => Box::new(all),
        };
        actions
    }
    fn apply(&mut self, Take { heap, count }: Take) {
        let left = self.heaps.borrow()[heap].checked_sub(count).expect("the heap has enough");
        self.heaps.borrow_mut()[heap] = left;
        TAKEN.set(TAKEN.get() + 1);
        if left == 0 && self.mistake == Mistake::EmptyingAHeapKeepsTheTurn {
            return;
        }
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        let paid = match self.mistake {
            Mistake::FirstPlayerIsPaid => player == 0,
            _ => self.winner() == Some(player),
        };
        match paid {
            true if self.mistake == Mistake::WinIsTwo => 2.0,
            true => 1.0,
            false => 0.0,
        }
    }
}

impl PartialEq for Nim {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Nim {}

impl Hash for Nim {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
