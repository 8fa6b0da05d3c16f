//! The output of a network for a position, against the same computed by hand.

use crate::models::{Linear, residual};
use crate::{connect4_planes, evaluate, hex_planes, random_states};
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::Evaluate;
use ramure::{ActionIndex, Rewards};
use ramure_games::{Connect4, Hex, TicTacToe};
use ramure_nets::{Network, Planes, Shape};

const TOLERANCE: f64 = 1e-5;

/// Returns the softmax over the logits of these columns.
fn softmax(logits: &[f64], columns: impl Iterator<Item = usize>) -> Vec<f64> {
    let weights: Vec<f64> = columns.map(|column| libm::exp(logits[column])).collect();
    weights.iter().map(|weight| weight / weights.iter().sum::<f64>()).collect()
}

fn assert_close(found: impl IntoIterator<Item = f32>, expected: &[f64]) {
    let found: Vec<_> = found.into_iter().collect();
    assert_eq!(found.len(), expected.len());
    for (&found, &expected) in found.iter().zip(expected) {
        assert!((f64::from(found) - expected).abs() < TOLERANCE, "{found} is not {expected}");
    }
}

fn as_rewards(rewards: &Rewards) -> Vec<f32> {
    rewards.as_slice().to_vec()
}

#[test]
fn connect4_gets_the_priors_of_legal_columns_and_the_value_of_the_player_to_move() {
    let linear = Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3);
    let network = Network::from_bytes(&linear.bytes(), &Connect4::new()).unwrap();
    let states = random_states(&Connect4::new(), 150, 5);
    let is_masked = |state: &&Connect4| state.actions().into_iter().count() < 7;
    assert!(states.iter().filter(is_masked).count() > 10);
    for (state, answer) in states.iter().zip(evaluate(&network, &states)) {
        let (rewards, priors) = answer.unwrap();
        let (logits, raw) = linear.of(&connect4_planes(state));
        let columns = state.actions().into_iter().map(|column| usize::from(column.number()));
        assert_close(priors, &softmax(&logits, columns));
        let value = 0.5 + 0.5 * libm::tanh(raw[0]);
        let Turn::Player(mover) = state.turn() else { unreachable!() };
        let expected = if mover == 0 { [value, 1.0 - value] } else { [1.0 - value, value] };
        assert_close(as_rewards(&rewards), &expected);
    }
}

#[test]
fn hex_is_seen_as_if_the_player_to_move_joined_top_and_bottom() {
    let start = Hex::new(4).unwrap();
    let linear = Linear::random(&[3, 4, 4], 17, 2, "Softmax", 8);
    let network = Network::from_bytes(&linear.bytes(), &start).unwrap();
    let states = random_states(&start, 60, 6);
    for (state, answer) in states.iter().zip(evaluate(&network, &states)) {
        let (rewards, priors) = answer.unwrap();
        let (logits, raw) = linear.of(&hex_planes(state));
        let Turn::Player(mover) = state.turn() else { unreachable!() };
        // As text, `b3` is column 1 and row 2.
        let column = |action: <Hex as GameState>::Action| {
            let text = action.to_string();
            let (column, row) =
                (usize::from(text.as_bytes()[0] - b'a'), usize::from(text.as_bytes()[1] - b'1'));
            if mover == 0 { row * 4 + column } else { column * 4 + row }
        };
        assert_close(priors, &softmax(&logits, state.actions().into_iter().map(column)));
        let mut expected = softmax(&raw, 0..2);
        if mover == 1 {
            expected.reverse();
        }
        assert_close(as_rewards(&rewards), &expected);
    }
}

#[test]
fn the_swap_has_a_plane_and_the_last_column() {
    let mut state = Hex::new(3).unwrap().with_swap();
    state.play("b1".parse().unwrap()).unwrap();
    let mut input = [0.0; 27];
    state.write(&mut input);
    let mut expected = [0.0; 27];
    expected[9 + 3] = 1.0; // `b1`, mirrored, of the other player
    expected[18..].fill(1.0);
    assert_eq!(input, expected);
    assert_eq!(state.policy_index("swap".parse().unwrap()), 9);
    state.play("c3".parse().unwrap()).unwrap();
    let mut input = [0.0; 27];
    state.write(&mut input);
    expected = [0.0; 27];
    (expected[1], expected[9 + 8]) = (1.0, 1.0);
    assert_eq!(input, expected);
}

#[test]
fn tic_tac_toe_is_seen_by_the_player_to_move() {
    let mut state = TicTacToe::new();
    for cell in ["1", "5", "2"] {
        state.play(cell.parse().unwrap()).unwrap();
    }
    let mut input = [0.0; 18];
    state.write(&mut input);
    let ones: Vec<_> = (0..18).filter(|&place| input[place] == 1.0).collect();
    assert_eq!(ones, [4, 9, 10]);
    assert_eq!(input.iter().sum::<f32>(), 3.0);
}

/// Three players take one or two sticks in turn. The player who takes the last one wins.
#[derive(Clone, Debug)]
pub struct Three {
    pub left: u8,
    pub player: Player,
}

impl GameState for Three {
    type Action = u8;

    fn players(&self) -> u8 {
        3
    }
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(2)
    }
    fn apply(&mut self, taken: u8) {
        self.left -= taken;
        self.player = (self.player + 1) % 3;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(player == (self.player + 2) % 3)
    }
}

impl ActionIndex for Three {
    const ACTION_COUNT: usize = 2;

    fn action_index(taken: u8) -> usize {
        usize::from(taken) - 1
    }
}

impl Planes for Three {
    fn shape(&self) -> Shape {
        Shape::Features(9)
    }
    fn write(&self, input: &mut [f32]) {
        input[usize::from(self.left) - 1] = 1.0;
    }
}

#[test]
fn the_values_of_three_players_begin_with_the_player_to_move() {
    let linear = Linear::random(&[9], 2, 3, "Softmax", 2);
    let network = Network::from_bytes(&linear.bytes(), &Three { left: 9, player: 0 }).unwrap();
    let states: Vec<_> = (0..3).map(|player| Three { left: 5, player }).collect();
    let mut input = [0.0; 9];
    input[4] = 1.0;
    let [mover, next, last] = softmax(&linear.of(&input).1, 0..3)[..] else { unreachable!() };
    let expected = [[mover, next, last], [last, mover, next], [next, last, mover]];
    for (answer, expected) in evaluate(&network, &states).into_iter().zip(expected) {
        assert_close(as_rewards(&answer.unwrap().0), &expected);
    }
}

#[test]
fn the_heads_may_come_in_either_order_if_they_have_names() {
    let linear = Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3);
    let network = Network::from_bytes(&linear.bytes(), &Connect4::new()).unwrap();
    let mut swapped = linear.model();
    swapped.graph.as_mut().unwrap().output.reverse();
    let swapped = Network::from_bytes(&prost::Message::encode_to_vec(&swapped), &Connect4::new()).unwrap();
    let states = random_states(&Connect4::new(), 5, 1);
    assert_eq!(evaluate(&network, &states), evaluate(&swapped, &states));
}

#[test]
fn a_search_follows_the_network() {
    // A network that likes column 5, and thinks that a player with a stone there wins.
    let mut linear = Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3);
    linear
        .policy
        .iter_mut()
        .flatten()
        .chain(linear.value.iter_mut().flatten())
        .for_each(|weight| *weight = 0.0);
    linear.policy_bias = vec![0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0];
    linear.value_bias = vec![0.0];
    for row in 0..6 {
        linear.value[row * 7 + 5][0] = 1.0;
        linear.value[42 + row * 7 + 5][0] = -1.0;
    }
    let network = Network::from_bytes(&linear.bytes(), &Connect4::new()).unwrap();
    let mut search = Mcts::new(Connect4::new())
        .tree_policy(Puct::default())
        .rollout_policy(Evaluate::new(network))
        .window(16);
    let report = search.run(Budget::iterations(100)).unwrap();
    assert_eq!(report.best_action().number(), 5);
}

fn connect4_networks() -> [Vec<u8>; 2] {
    [Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3).bytes(), residual([2, 6, 7], 7, 3)]
}

#[test]
fn a_position_gets_the_same_bits_in_any_batch() {
    let states = random_states(&Connect4::new(), 24, 9);
    let mut backwards = states.clone();
    backwards.reverse();
    for bytes in connect4_networks() {
        let network = Network::from_bytes(&bytes, &Connect4::new()).unwrap();
        for size in [1, 3, 16, 32] {
            let network = network.clone().batch_sizes(&[size]).unwrap();
            let all = evaluate(&network, &states);
            for piece in [1, 2, 3, 5, 7, 16] {
                let pieces = states.chunks(piece).flat_map(|piece| evaluate(&network, piece));
                assert!(pieces.eq(all.iter().cloned()), "compiled for {size}, batches of {piece}");
            }
            assert!(evaluate(&network, &backwards).into_iter().rev().eq(all), "compiled for {size}");
        }
    }
}

#[test]
fn networks_compiled_for_other_sizes_differ_by_rounding_only() {
    let states = random_states(&Connect4::new(), 24, 9);
    for bytes in connect4_networks() {
        let network = Network::from_bytes(&bytes, &Connect4::new()).unwrap();
        let all = evaluate(&network, &states);
        for sizes in [&[3][..], &[32], &[2, 5, 16]] {
            let other = evaluate(&network.clone().batch_sizes(sizes).unwrap(), &states);
            for (here, there) in all.iter().zip(other) {
                let ((value, priors), (other_value, other_priors)) = (here.clone().unwrap(), there.unwrap());
                let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
                assert!(close(value[0], other_value[0]), "compiled for {sizes:?}");
                assert!(
                    priors.into_iter().zip(other_priors).all(|(a, b)| close(a, b)),
                    "compiled for {sizes:?}"
                );
            }
        }
    }
}
