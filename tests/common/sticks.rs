// The game of the programs in `tests/compile_fail`, which include this file: two players take one to three
// sticks in turn, and the player who takes the last one wins. It has no ability beyond `GameState`; `nim.rs`
// has the same game with some.

#[derive(Clone)]
struct Sticks(u8, Player);

impl GameState for Sticks {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.0.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.0 -= taken;
        self.1 = 1 - self.1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
}
