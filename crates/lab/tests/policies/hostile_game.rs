//! A hostile game: every method sometimes returns a value that contradicts an earlier one or that is invalid.

use ramure::{GameState, Keyed, Player, Rng, StaticEvaluation, Turn};
use std::cell::RefCell;

thread_local! {
    /// The source of the lies, and their rarity: one answer in this many is a lie, and none if it is 0.
    static LIES: RefCell<(Rng, usize)> = RefCell::new((Rng::seeded(0), 0));
}

/// From now on, on this thread, one answer in `rarity` is a lie, drawn from `seed`. With 0, there are no
/// lies.
pub fn lie(seed: u64, rarity: usize) {
    LIES.with_borrow_mut(|lies| *lies = (Rng::seeded(seed), rarity));
}

/// Returns one of `lies` if the next answer must be a lie.
fn lie_by<T: Copy>(lies: &[T]) -> Option<T> {
    LIES.with_borrow_mut(|(rng, rarity)| {
        let lies_now = *rarity > 0 && rng.below(*rarity) == 0;
        lies_now.then(|| lies[rng.below(lies.len())])
    })
}

/// Numbers that are not rewards, not probabilities, or wrong.
const NUMBERS: [f64; 8] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 2.0, 1e300, 0.0, 1.0];

/// Three actions in each of six states. The third state is a chance node. The actions played decide the
/// rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hostile {
    played: u8,
    sum: u8,
}

impl GameState for Hostile {
    type Action = u8;

    fn turn(&self) -> Turn {
        let player = [0, 1, 2, 7, 8, 9, 200, 255].map(Turn::Player);
        if let Some(turn) = lie_by(&[&player[..], &[Turn::Over, Turn::Chance]].concat()) {
            return turn;
        }
        match self.played {
            6.. => Turn::Over,
            2 => Turn::Chance,
            played => Turn::Player(played % 2),
        }
    }
    fn players(&self) -> u8 {
        lie_by(&[0, 1, 3, 8, 9, 200, 255]).unwrap_or(2)
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let truth: &[u8] = if self.played < 6 { &[0, 1, 2] } else { &[] };
        let lies: [&[u8]; 6] =
            [&[], &[0], &[2, 1, 0], &[0, 0, 1], &[7, 8, 9, 10, 11, 12, 13, 14, 15], &[0, 1, 2, 3]];
        lie_by(&lies).unwrap_or(truth).to_vec()
    }
    fn apply(&mut self, action: u8) {
        self.played = self.played.saturating_add(1);
        self.sum = self.sum.wrapping_add(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let won = (self.sum % 3).wrapping_add(player).is_multiple_of(2);
        lie_by(&NUMBERS).unwrap_or(if self.sum.is_multiple_of(5) { 0.5 } else { f64::from(u8::from(won)) })
    }
    fn probability(&self, _: u8) -> f64 {
        lie_by(&NUMBERS).unwrap_or(1.0 / 3.0)
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<u8> {
        self.random_action(rng)
    }
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        let truth = (self.played < 6).then(|| rng.below(3) as u8);
        lie_by(&[None, Some(3), Some(200)]).unwrap_or(truth)
    }
}

impl StaticEvaluation for Hostile {
    fn evaluate(&self, player: Player) -> f64 {
        lie_by(&NUMBERS).unwrap_or(f64::from(u8::from(self.sum % 2 == player)))
    }
}

impl Keyed for Hostile {
    fn key(&self) -> u128 {
        lie_by(&[0, 7, u128::MAX]).unwrap_or(u128::from(self.played) << 8 | u128::from(self.sum))
    }
}
