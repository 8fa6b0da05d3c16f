//! Breakthrough: the rules against a plain second implementation, and the laws.

use ramure::{GameState, Player, Turn};
use ramure_lab::games::Breakthrough;
use ramure_lab::games::breakthrough::Step;

ramure_rules::laws!(
    mod laws, Breakthrough::new(false);
    hash, winner = Breakthrough::winner, evaluation, indices, constant_sum = 1.0, games = 200, twin = Plain::new(false)
);
ramure_rules::laws!(
    mod misere_laws, Breakthrough::new(true);
    hash, winner = Breakthrough::winner, evaluation, indices, constant_sum = 1.0, games = 200, twin = Plain::new(true)
);

/// The pawns of each player by row and column, counted from the player's own side; a board seen by player 1 is
/// turned upside down.
#[derive(Clone, Debug)]
struct Plain {
    pawns: [Vec<(i32, i32)>; 2],
    steps: usize,
    is_misere: bool,
}

impl Plain {
    fn new(is_misere: bool) -> Self {
        let pawns = Vec::from_iter((0..2).flat_map(|row| (0..5).map(move |column| (row, column))));
        Plain { pawns: [pawns.clone(), pawns], steps: 0, is_misere }
    }

    /// Returns the player who reached the far side, or has captured all.
    fn ahead(&self) -> Option<usize> {
        (0..2).find(|&player| {
            self.pawns[player].iter().any(|&(row, _)| row == 4) || self.pawns[1 - player].is_empty()
        })
    }

    /// Returns each step with the places where it begins and ends.
    fn steps(&self) -> Vec<(Step, [(i32, i32); 2])> {
        let (player, other) = (self.steps % 2, 1 - self.steps % 2);
        let mut steps = Vec::new();
        for &(row, column) in self.pawns[player].iter().filter(|_| self.ahead().is_none()) {
            for aside in [-1, 0, 1] {
                let end = (row + 1, column + aside);
                let is_own = self.pawns[player].contains(&end);
                let is_other = self.pawns[other].contains(&(4 - end.0, end.1));
                if (0..5).contains(&end.1) && !is_own && !(is_other && aside == 0) {
                    let from = if player == 0 { row } else { 4 - row } * 5 + column;
                    steps.push((Step { from: from as u8, aside: aside as i8 }, [(row, column), end]));
                }
            }
        }
        steps
    }
}

impl GameState for Plain {
    type Action = Step;

    fn turn(&self) -> Turn {
        if self.ahead().is_some() { Turn::Over } else { Turn::Player((self.steps % 2) as Player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Step> {
        self.steps().into_iter().map(|(step, _)| step)
    }

    fn apply(&mut self, step: Step) {
        let all = self.steps();
        let (_, [from, to]) = all.iter().find(|(other, _)| *other == step).expect("a legal step");
        let (player, other) = (self.steps % 2, 1 - self.steps % 2);
        self.pawns[player].retain(|pawn| pawn != from);
        self.pawns[player].push(*to);
        self.pawns[other].retain(|&pawn| pawn != (4 - to.0, to.1));
        self.steps += 1;
    }

    fn reward(&self, player: Player) -> f64 {
        let is_ahead = self.ahead() == Some(player.into());
        f64::from(u8::from(is_ahead != self.is_misere))
    }
}
