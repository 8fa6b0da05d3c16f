use ramure::prelude::*;
use ramure::search::PlayerTrees;
use ramure::selection::*;
#[derive(Clone, Default)]
struct Game {
    chosen: Vec<u8>,
}
const FIRST: [[f64; 3]; 3] = [[0.5, 0.0, 1.0], [0.75, 0.5, 0.0], [0.0, 1.0, 0.5]];
impl GameState for Game {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.chosen.len() < 2 { Turn::Player(self.chosen.len() as u8) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.chosen.len() < 2 { 3 } else { 0 }
    }
    fn apply(&mut self, action: u8) {
        self.chosen.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let first = FIRST[usize::from(self.chosen[0])][usize::from(self.chosen[1])];
        if player == 0 { first } else { 1.0 - first }
    }
    fn is_simultaneous(&self) -> bool {
        true
    }
}
fn exploit(x: &[(u8, f64)], y: &[(u8, f64)]) -> f64 {
    let a = (0..3u8)
        .map(|i| y.iter().map(|(j, p)| p * FIRST[i as usize][*j as usize]).sum::<f64>())
        .fold(0.0, f64::max);
    let b = (0..3u8)
        .map(|j| x.iter().map(|(i, p)| p * (1.0 - FIRST[*i as usize][j as usize])).sum::<f64>())
        .fold(0.0, f64::max);
    (a + b - 1.0) / 2.0
}
#[test]
fn rps() {
    for n in [1000u64, 10_000, 100_000, 1_000_000] {
        let mut s = PlayerTrees::new(Game::default()).tree_policy(RegretMatching::default());
        let r = s.run(Budget::iterations(n)).unwrap();
        println!("{r}");
        let (x, y) = (s.strategy(0, &[]), s.strategy(1, &[]));
        println!("rm {n} {x:?} {y:?} {:.4}", exploit(&x, &y));
        let mut s = PlayerTrees::new(Game::default()).tree_policy(Exp3::default());
        s.run(Budget::iterations(n)).unwrap();
        let (x, y) = (s.strategy(0, &[]), s.strategy(1, &[]));
        println!("exp3 {n} {x:?} {y:?} {:.4}", exploit(&x, &y));
        let mut s = PlayerTrees::new(Game::default());
        s.run(Budget::iterations(n)).unwrap();
        let (x, y) = (s.strategy(0, &[]), s.strategy(1, &[]));
        println!("duct {n} {x:?} {y:?} {:.4}", exploit(&x, &y));
    }
}
