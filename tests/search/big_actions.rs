//! Actions of many bytes are slow, but overflow no stack.

use crate::common::sized;
use ramure::backpropagation::{Average, Solver};
use ramure::{Budget, GameState, Mcts, Player, Search, Turn};

/// An action of 64 kB that holds a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Big([u16; LENGTH]);

const LENGTH: usize = 32_768;

impl Big {
    fn new(number: u16) -> Self {
        let mut big = Big([0; LENGTH]);
        (big.0[0], big.0[LENGTH - 1]) = (number, number);
        big
    }
}

/// Twenty sticks. The players take turns to take one to three. The player who takes the last one wins.
#[derive(Clone, Debug)]
struct Sticks {
    left: u16,
    player: Player,
}

impl GameState for Sticks {
    type Action = Big;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Big> {
        (1..=self.left.min(3)).map(Big::new)
    }
    fn apply(&mut self, taken: Big) {
        self.left -= taken.0[LENGTH - 1];
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.player))
    }
}

#[test]
fn actions_of_64_kilobytes_fit_on_the_stack_of_a_thread() {
    let search = || {
        let mut search = Mcts::new(Sticks { left: 7, player: 0 }).backprop(Solver::new(Average));
        let search: &mut dyn Search<Space = Sticks> = &mut search;
        let report = search.run(Budget::iterations(400)).expect("a sound game");
        assert_eq!((report.best_action().0[0], report.top(1).count()), (3, 1));
        let line = &report.principal_variation[..2];
        assert!(!search.actions_after(line).is_empty());
        search.advance(report.best_action()).expect("it is legal");
        assert_eq!(search.report().expect("it ran").actions.len(), 3);
    };
    // The default size of a thread's stack, which is enough with optimisation.
    let thread = std::thread::Builder::new().stack_size(sized(8 << 20, 2 << 20)).spawn(search);
    thread.expect("a thread").join().expect("no overflow");
}
