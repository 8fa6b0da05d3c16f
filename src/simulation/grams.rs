//! Tables indexed by the last actions played, for the policies that learn replies.

use crate::game::{ActionIndex, Player};
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

/// One or two consecutive actions, and the player who acts after them.
pub(super) type Context = (u32, u32, u32);

/// A table with an entry for each context. It is never iterated over, so the order of its entries has no
/// effect.
pub(super) type Contexts<V> = HashMap<Context, V, BuildHasherDefault<Mixer>>;

/// Stands for a second action that is not used.
const NONE: u32 = u32::MAX;

/// Returns the last `length` actions of `played`, 1 or 2, and `player`, who acts now. `None` if fewer were
/// played.
#[inline]
pub(super) fn context<G: ActionIndex>(
    played: &[(Player, G::Action)],
    length: usize,
    player: Player,
) -> Option<Context> {
    let last = code::<G>(played.last()?);
    let second = match length {
        1 => NONE,
        2 => code::<G>(played.get(played.len().checked_sub(2)?)?),
        _ => return None,
    };
    Some((second, last, u32::from(player)))
}

/// Returns a number for an action and its player.
#[inline(always)]
fn code<G: ActionIndex>((player, action): &(Player, G::Action)) -> u32 {
    const {
        assert!(G::ACTION_COUNT <= 1 << 28, "sequences of actions need an ACTION_COUNT of at most 2^28");
    }
    (G::action_index(action.clone()) as u32) << 3 | u32::from(*player)
}

/// A hash that is the same on every platform.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        (self.0 ^ self.0 >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ self.0 >> 29
    }
}
