//! Eight random games of Connect 4 at once, one in each lane of a vector. The loops over lanes have no
//! branches, so the compiler turns them into vector instructions where the processor has them. The results
//! are the same to the bit where it has none.

use super::ConnectFour;
use ramure::{GameState, Rng};

const LANES: usize = 8;

/// The actions that are drawn from one random word: on the usual board, the first digits of a random fraction
/// in base 7. After twelve digits the remaining range, 2^61 / 7^12, is still 1.6e8; it is more on other
/// boards.
const DRAWS: usize = 12;

/// The actions between two checks for lines.
const BLOCK: usize = 4;

/// The bits of a fraction. The product with a number of columns up to 7 has three more.
const FRACTION: u32 = 61;

/// Up to this many games are played one by one, which is faster than eight at once.
const FEW: u32 = 3;

/// The games, as in [`ConnectFour`].
#[derive(Clone, Copy)]
struct Lanes<const COLUMNS: u8, const ROWS: u8> {
    /// The stones of the player to move.
    own: [u64; LANES],
    taken: [u64; LANES],
    /// The cells of the board while the game goes on, 0 when it is won.
    free: [u64; LANES],
}

impl<const COLUMNS: u8, const ROWS: u8> Lanes<COLUMNS, ROWS> {
    /// Plays one random action in each game, unless the column that is drawn is full. Draws from `fractions`.
    #[inline(always)]
    fn step(&mut self, fractions: &mut [u64; LANES]) {
        let height = u64::from(ConnectFour::<COLUMNS, ROWS>::HEIGHT);
        for (lane, fraction) in fractions.iter_mut().enumerate() {
            let product = *fraction * u64::from(COLUMNS);
            *fraction = product & ((1 << FRACTION) - 1);
            let bottom = 1 << (height * (product >> FRACTION));
            let (own, taken) = (self.own[lane], self.taken[lane]);
            // Adding to a stack of ones sets the bit above it, which is off the board if the column is full.
            let stone = (taken + bottom) & !taken & self.free[lane];
            let all = taken | stone;
            self.taken[lane] = all;
            self.own[lane] = (own | stone) ^ if stone == 0 { 0 } else { all };
        }
    }

    /// Returns the fours in a line of the player to move, and of the other player.
    #[inline(always)]
    fn lines(&self, lane: usize) -> [u64; 2] {
        let (own, others) = (self.own[lane], self.own[lane] ^ self.taken[lane]);
        [own, others].map(ConnectFour::<COLUMNS, ROWS>::lines)
    }

    /// Plays some actions in each game, and stops the games that are over. Returns whether some game goes on.
    #[inline(always)]
    fn play_block(&mut self, fractions: &mut [u64; LANES]) -> bool {
        for _ in 0..BLOCK / 2 {
            self.step(fractions);
        }
        let middle = *self;
        for _ in 0..BLOCK / 2 {
            self.step(fractions);
        }
        let (mut both, mut running) = (0, 0);
        for lane in 0..LANES {
            let [own, others] = self.lines(lane);
            both |= if own == 0 || others == 0 { 0 } else { self.free[lane] };
            self.free[lane] = if own | others == 0 { self.free[lane] } else { 0 };
            running |= self.free[lane] & !self.taken[lane];
        }
        if both != 0 {
            self.go_back_to(&middle);
        }
        running != 0
    }

    /// Takes back the second half of a block in the games that were won before. If both players still have a
    /// line, both made it with the last two stones, and so the player to move was first.
    #[inline(always)]
    fn go_back_to(&mut self, middle: &Self) {
        for lane in 0..LANES {
            let [own, others] = middle.lines(lane);
            let keep = if own | others == 0 { u64::MAX } else { 0 };
            self.own[lane] = self.own[lane] & keep | middle.own[lane] & !keep;
            self.taken[lane] = self.taken[lane] & keep | middle.taken[lane] & !keep;
        }
    }

    /// Returns twice the reward of player 0 in a finished game.
    #[inline(always)]
    fn score(&self, lane: usize) -> u32 {
        let mover = self.taken[lane].count_ones() & 1;
        let [own, _] = self.lines(lane);
        let winner = if own != 0 { mover } else { mover ^ 1 };
        if self.free[lane] != 0 { 1 } else { 2 * (winner ^ 1) }
    }
}

impl<const COLUMNS: u8, const ROWS: u8> ConnectFour<COLUMNS, ROWS> {
    /// Plays this many random games from here. Returns twice the sum of the rewards of player 0.
    #[inline(always)]
    pub(super) fn random_score(&self, mut games: u32, rng: &mut Rng) -> u64 {
        let mut score = 0;
        while games > FEW {
            let together = games.min(LANES as u32);
            score += u64::from(self.score_of_lanes(together as usize, rng));
            games -= together;
        }
        for _ in 0..games {
            let mut game = *self;
            game.random_rollout(rng);
            score += (2.0 * game.reward(0)) as u64;
        }
        score
    }

    /// The same, for up to [`LANES`] games.
    #[inline(always)]
    fn score_of_lanes(&self, games: usize, rng: &mut Rng) -> u32 {
        let mut lanes = Lanes::<COLUMNS, ROWS> {
            own: [self.own; LANES],
            taken: [self.taken; LANES],
            free: core::array::from_fn(|lane| if lane < games && !self.won { Self::BOARD } else { 0 }),
        };
        // Each lane has its own xorshift generator (Marsaglia 2003), whose state must not be 0. The first
        // fraction does not use the lowest bit.
        let mut words: [u64; LANES] = core::array::from_fn(|_| rng.bits() | 1);
        'games: loop {
            let mut fractions = words.map(|word| word >> (64 - FRACTION));
            for word in &mut words {
                *word ^= *word << 13;
                *word ^= *word >> 7;
                *word ^= *word << 17;
            }
            for _ in 0..DRAWS / BLOCK {
                if !lanes.play_block(&mut fractions) {
                    break 'games;
                }
            }
        }
        // The loop has a fixed length, so that it becomes vector instructions, too.
        let scores: [u32; LANES] = core::array::from_fn(|lane| lanes.score(lane));
        scores.iter().enumerate().map(|(lane, &score)| if lane < games { score } else { 0 }).sum()
    }
}
