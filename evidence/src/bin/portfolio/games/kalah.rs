//! Kalah with six houses and four seeds in each.

use super::result;
use ramure::{ActionIndex, GameState, Player, Turn};

/// A house of the player to move, counted from the left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct House(pub u8);

const HOUSES: usize = 6;

/// The number of pits: the houses and the store of each player.
const PITS: usize = 2 * (HOUSES + 1);

/// The player to move sows the seeds of a house, one into each pit that follows, except the opponent's store.
/// A player whose last seed falls into the own store plays again. If it falls into an own empty house and the
/// house opposite is not empty, the player takes the seeds of both. If the player to move has no seed left,
/// the game ends, and the opponent takes the others. The player with more seeds wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kalah {
    /// The houses and the store of player 0, then those of player 1.
    pits: [u8; PITS],
    player: Player,
}

impl Kalah {
    /// Returns the start of a game.
    pub fn new() -> Self {
        let mut pits = [4; PITS];
        (pits[Self::store(0)], pits[Self::store(1)]) = (0, 0);
        Kalah { pits, player: 0 }
    }

    const fn store(player: Player) -> usize {
        (HOUSES + 1) * player as usize + HOUSES
    }

    fn houses(&self, player: Player) -> &[u8] {
        &self.pits[Self::store(player) - HOUSES..Self::store(player)]
    }

    fn seeds(&self, player: Player) -> u8 {
        self.pits[Self::store(player)] + self.houses(player).iter().sum::<u8>()
    }
}

impl GameState for Kalah {
    type Action = House;

    fn turn(&self) -> Turn {
        if self.houses(self.player).iter().all(|&seeds| seeds == 0) {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = House> {
        let houses = self.houses(self.player);
        (0..HOUSES as u8).filter(|&house| houses[usize::from(house)] > 0).map(House)
    }

    fn apply(&mut self, House(house): House) {
        let (own, other) = (Self::store(self.player), Self::store(1 - self.player));
        let mut pit = own - HOUSES + usize::from(house);
        let seeds = std::mem::take(&mut self.pits[pit]);
        for _ in 0..seeds {
            pit = (pit + 1) % PITS;
            if pit == other {
                pit = (pit + 1) % PITS;
            }
            self.pits[pit] += 1;
        }
        let is_own_house = (own - HOUSES..own).contains(&pit);
        let opposite = 2 * HOUSES - pit.min(2 * HOUSES);
        if is_own_house && self.pits[pit] == 1 && self.pits[opposite] > 0 {
            self.pits[own] += 1 + std::mem::take(&mut self.pits[opposite]);
            self.pits[pit] = 0;
        }
        if pit != own {
            self.player = 1 - self.player;
        }
    }

    fn reward(&self, player: Player) -> f64 {
        result(self.seeds(player), self.seeds(1 - player))
    }
}

impl ActionIndex for Kalah {
    const ACTION_COUNT: usize = HOUSES;

    fn action_index(House(house): House) -> usize {
        house.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramure_rules::check;

    /// The same game with a list for each player, whose last number is the store.
    #[derive(Clone, Debug)]
    struct Plain {
        sides: [Vec<u8>; 2],
        player: Player,
    }

    impl GameState for Plain {
        type Action = House;

        fn turn(&self) -> Turn {
            let own = &self.sides[usize::from(self.player)];
            if own[..6].iter().any(|&seeds| seeds > 0) { Turn::Player(self.player) } else { Turn::Over }
        }
        fn actions(&self) -> impl IntoIterator<Item = House> {
            let own = &self.sides[usize::from(self.player)];
            (0..6).filter(|&house| own[usize::from(house)] > 0).map(House).collect::<Vec<_>>()
        }
        fn apply(&mut self, House(house): House) {
            let mover = usize::from(self.player);
            let (mut side, mut place) = (mover, usize::from(house));
            let mut hand = self.sides[side][place];
            self.sides[side][place] = 0;
            while hand > 0 {
                place += 1;
                // After the own store comes the other side; after the other side's houses, the own side.
                if place == 7 || (place == 6 && side != mover) {
                    (side, place) = (1 - side, 0);
                }
                self.sides[side][place] += 1;
                hand -= 1;
            }
            if (side, place) == (mover, 6) {
                return;
            }
            let opposite = 5_usize.wrapping_sub(place);
            if side == mover && self.sides[side][place] == 1 && self.sides[1 - mover][opposite] > 0 {
                let taken = self.sides[1 - mover][opposite] + 1;
                self.sides[1 - mover][opposite] = 0;
                self.sides[mover][place] = 0;
                self.sides[mover][6] += taken;
            }
            self.player = 1 - self.player;
        }
        fn reward(&self, player: Player) -> f64 {
            let all = |player: Player| {
                self.sides[usize::from(player)].iter().map(|&seeds| u32::from(seeds)).sum::<u32>()
            };
            let (own, other) = (all(player), all(1 - player));
            if own > other {
                1.0
            } else if own == other {
                0.5
            } else {
                0.0
            }
        }
    }

    #[test]
    fn kalah_keeps_the_laws_and_equals_its_twin() {
        let side = vec![4, 4, 4, 4, 4, 4, 0];
        let twin = Plain { sides: [side.clone(), side], player: 0 };
        check(Kalah::new())
            .indices()
            .twin(twin)
            .invariant(|kalah: &Kalah| kalah.pits.iter().sum::<u8>() == 48)
            .games(200)
            .run()
            .expect("the laws");
    }
}
