//! Oshi-Zumo.

use crate::posterior::guesses_are_fair;
use ramure::{GameState, Player, Turn, rules};
use ramure_lab::exact::SequenceForm;
use ramure_lab::games::OshiZumo;
use ramure_lab::games::oshi_zumo::OshiZumoError;

fn game(coins: u8, size: u8, least: u8) -> OshiZumo {
    OshiZumo::new(coins, size, least).expect("parameters in range")
}

/// What a player sees: all but a bid of player 0 before player 1 has bid.
fn seen(state: &OshiZumo, player: Player) -> String {
    if player == 0 { format!("{state:?}") } else { state.to_string() }
}

ramure::rules::laws!(
    mod laws, super::game(20, 3, 2);
    hash, hidden = seen, constant_sum = 1.0, games = 200,
    twin = Plain { coins: 20, size: 3, least: 2, bids: vec![] }
);

/// All bids in their order.
#[derive(Clone, Debug)]
struct Plain {
    coins: i32,
    size: i32,
    least: i32,
    bids: Vec<u8>,
}

impl Plain {
    /// The coins of both players and the place after all complete steps.
    fn counted(&self) -> (Vec<i32>, i32) {
        let spent = |player: usize, steps: &[u8]| -> i32 {
            steps.chunks_exact(2).map(|step| i32::from(step[player])).sum()
        };
        let steps = &self.bids[..self.bids.len() / 2 * 2];
        let place =
            steps.chunks_exact(2).map(|step| (i32::from(step[0]) - i32::from(step[1])).signum()).sum();
        ([0, 1].map(|player| self.coins - spent(player, steps)).to_vec(), place)
    }
}

impl GameState for Plain {
    type Action = u8;

    fn turn(&self) -> Turn {
        let (coins, place) = self.counted();
        if place < -self.size || place > self.size || coins.iter().sum::<i32>() == 0 {
            Turn::Over
        } else {
            Turn::Player(self.bids.len() as Player % 2)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let Turn::Player(player) = self.turn() else { return vec![] };
        let coins = self.counted().0[usize::from(player)];
        let bids = 0..=coins;
        bids.filter(|&bid| bid >= self.least || bid == coins && coins < self.least)
            .map(|bid| bid as u8)
            .collect()
    }
    fn apply(&mut self, bid: u8) {
        self.bids.push(bid);
    }
    fn reward(&self, player: Player) -> f64 {
        let place = self.counted().1;
        let place = if player == 0 { place } else { -place };
        if place == 0 { 0.5 } else { f64::from(u8::from(place > 0)) }
    }
}

#[test]
fn small_games_agree_with_the_twin() {
    for (coins, size, least) in [(1, 1, 1), (3, 1, 2), (6, 2, 1), (7, 1, 3)] {
        let plain = Plain { coins: coins.into(), size: size.into(), least: least.into(), bids: vec![] };
        rules::check(game(coins, size, least))
            .twin(plain)
            .only([rules::Law::Agreement])
            .run()
            .expect("the same game");
    }
}

#[test]
fn random_play_is_exploited_as_in_openspiel() {
    // `turn_based_simultaneous_game(game=oshi_zumo(coins=6,size=2,min_bid=1))`: NashConv 1.7888888888888885
    // with wins of 1 and losses of -1, by the package `open_spiel` on 23 November 2026.
    let form = SequenceForm::of(&game(6, 2, 1)).expect("a small game");
    let conv = 2.0 * form.uniform().nash_conv();
    assert!((conv - 1.788_888_888_888_888_5).abs() < 1e-9, "{conv}");
    // Both players have the same game.
    let equilibrium = form.equilibrium().expect("solved");
    assert!((equilibrium.value(0) - 0.5).abs() < 1e-7);
    assert!(equilibrium.exploitability() < 1e-7);
}

#[test]
fn a_bid_before_the_step_ends_is_uniform_to_the_other() {
    guesses_are_fair(&game(4, 1, 1), |_| true, 300);
}

#[test]
fn parameters_out_of_range_are_errors() {
    assert_eq!(OshiZumo::new(0, 1, 1), Err(OshiZumoError::Coins));
    for size in [0, 101, 255] {
        assert_eq!(OshiZumo::new(9, size, 1), Err(OshiZumoError::Size { size }));
    }
    for least in [0, 10] {
        assert_eq!(OshiZumo::new(9, 3, least), Err(OshiZumoError::LeastBid { least, coins: 9 }));
    }
}
