//! The parts of a training against formulas that are written out here, in double precision.

#[path = "../../../../tests/common/nim.rs"]
mod nim;

use super::adam::Adam;
use super::convolution::{Convolution, KERNEL};
use super::onnx::onnx;
use super::play::{open, target, with_network};
use super::round::{Kind, Round, Terms};
use super::settings::{Method, Settings};
use super::tower::{Plan, Tower, losses};
use crate::{Network, Planes, Shape};
use candle_core::{Device, Tensor, Var};
use nim::Nim;
use ramure::backpropagation::{Average, Solver};
use ramure::selection::Gumbel;
use ramure::simulation::Evaluate;
use ramure::{Budget, GameState, Mcts, Report, Rng, RootDecision, Turn};
use ramure_games::{Connect4, connect4::Column};

fn drawn(count: usize, rng: &mut Rng) -> Vec<f32> {
    (0..count).map(|_| (rng.unit() - 0.5) as f32).collect()
}

fn tensor(numbers: &[f32], rows: usize) -> Tensor {
    Tensor::from_slice(numbers, (rows, numbers.len() / rows), &Device::Cpu).unwrap()
}

fn list(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

#[track_caller]
fn close(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        assert!((f64::from(found) - expected).abs() < tolerance, "{index}: {found} and not {expected}");
    }
}

impl Planes for Nim<3> {
    fn shape(&self) -> Shape {
        Shape::Features(9)
    }
    fn write(&self, input: &mut [f32]) {
        input[usize::from(self.sticks) - 1] = 1.0;
    }
}

/// Draws the weights of a network.
fn weights(plan: &Plan, seed: u64) -> Vec<Vec<f32>> {
    let mut rng = Rng::seeded(seed);
    plan.weight_shapes().iter().map(|shape| drawn(shape.iter().product(), &mut rng)).collect()
}

/// Compares a network that is computed for gradients with that in its file.
#[track_caller]
fn says_the_same_from_its_file<G: Planes>(plan: Plan, states: &[G]) {
    let weights = weights(&plan, 5);
    let vars = weights.iter().zip(plan.weight_shapes());
    let vars = vars.map(|(numbers, shape)| Var::from_slice(numbers, shape.as_slice(), &Device::Cpu).unwrap());
    let mut input = vec![0.0; states.len() * plan.shape.len()];
    for (state, input) in states.iter().zip(input.chunks_exact_mut(plan.shape.len())) {
        state.write(input);
    }
    let input = tensor(&input, states.len());
    let (logits, values) = Tower::new(plan).forward(&Vec::from_iter(vars), input).unwrap();
    let outputs = Network::from_bytes(&onnx(&plan, &weights), &states[0]).unwrap().outputs(states).unwrap();
    let expected = |of: fn(&crate::Output) -> &Vec<f32>| {
        outputs
            .iter()
            .flat_map(|output| of(output).iter().map(|&number| f64::from(number)))
            .collect::<Vec<_>>()
    };
    close(&list(&logits), &expected(|output| &output.policy), 1e-4);
    close(&list(&values), &expected(|output| &output.value), 1e-4);
}

#[test]
fn a_network_of_planes_says_the_same_from_its_file() {
    let (mut rng, mut states, mut state) = (Rng::seeded(3), Vec::new(), Connect4::new());
    while let Some(action) = state.random_action(&mut rng) {
        states.push(state);
        state.apply(action);
    }
    let plan = Plan { shape: states[0].shape(), policy: 7, values: 1, blocks: 2, filters: 6, hidden: 5 };
    says_the_same_from_its_file(plan, &states);
}

#[test]
fn a_network_of_features_says_the_same_from_its_file() {
    let states: Vec<_> = (1..=9).map(|sticks| Nim::<3> { sticks, player: sticks % 3 }).collect();
    let plan = Plan { shape: Shape::Features(9), policy: 4, values: 3, blocks: 1, filters: 4, hidden: 3 };
    says_the_same_from_its_file(plan, &states);
}

/// More positions than a piece, and a board that is not square.
#[test]
fn a_convolution_and_its_gradients_are_sums_over_neighbours() {
    let (batch, height, width, channels, filters) = (19, 3, 4, 2, 3);
    let area = height * width;
    let mut rng = Rng::seeded(1);
    let cells = drawn(batch * area * channels, &mut rng);
    let weights = drawn(KERNEL * channels * filters, &mut rng);
    let wanted = drawn(batch * area * filters, &mut rng);
    let mut result = vec![0.0; batch * area * filters];
    let (mut of_cells, mut of_weights) = (vec![0.0; cells.len()], vec![0.0; weights.len()]);
    for (cell, row) in (0..batch * area).map(|index| (index, (index % area) / width)) {
        let column = cell % width;
        for (kernel, (down, right)) in
            (0..3).flat_map(|down| (0..3).map(move |right| (down, right))).enumerate()
        {
            if !(1..=height).contains(&(row + down)) || !(1..=width).contains(&(column + right)) {
                continue;
            }
            let neighbour = cell + down * width + right - width - 1;
            for (channel, filter) in
                (0..channels).flat_map(|channel| (0..filters).map(move |filter| (channel, filter)))
            {
                let input = neighbour * channels + channel;
                let (weight, output) =
                    ((kernel * channels + channel) * filters + filter, cell * filters + filter);
                result[output] += f64::from(cells[input]) * f64::from(weights[weight]);
                of_cells[input] += f64::from(wanted[output]) * f64::from(weights[weight]);
                of_weights[weight] += f64::from(wanted[output]) * f64::from(cells[input]);
            }
        }
    }
    let cells = Var::from_tensor(&tensor(&cells, batch * area)).unwrap();
    let weights = Var::from_tensor(&tensor(&weights, KERNEL * channels)).unwrap();
    let found = cells.apply_op2(&weights, Convolution::new(height, width)).unwrap();
    close(&list(&found), &result, 1e-5);
    let gradients = (found * tensor(&wanted, batch * area)).unwrap().sum_all().unwrap().backward().unwrap();
    close(&list(gradients.get(&cells).unwrap()), &of_cells, 1e-5);
    close(&list(gradients.get(&weights).unwrap()), &of_weights, 1e-4);
}

#[test]
fn the_losses_are_cross_entropy_over_legal_actions_and_squared_error() {
    let (logits, values) = ([1.0, 2.0, -3.0, 0.5, 0.25, 4.0], [0.5, -0.75]);
    // The first position has two legal actions, the second all three.
    let (targets, mask) = ([0.25, 0.75, 0.0, 0.2, 0.3, 0.5], [0.0, 0.0, -1e9, 0.0, 0.0, 0.0]);
    let wanted = [1.0, -1.0];
    let output = (tensor(&logits, 2), tensor(&values, 2));
    let (policy, value) =
        losses(output, &tensor(&targets, 2), &tensor(&mask, 2), &tensor(&wanted, 2)).unwrap();
    let entropy = |logits: &[f32], targets: &[f32]| {
        let sum: f64 = logits.iter().map(|&logit| libm::exp(f64::from(logit))).sum();
        let terms = logits.iter().zip(targets);
        -terms.map(|(&logit, &target)| f64::from(target) * (f64::from(logit) - libm::log(sum))).sum::<f64>()
    };
    let expected = (entropy(&logits[..2], &targets[..2]) + entropy(&logits[3..], &targets[3..])) / 2.0;
    close(&[policy.to_scalar().unwrap()], &[expected], 1e-6);
    close(&[value.to_scalar().unwrap()], &[(0.25 + 0.0625) / 2.0], 1e-6);
}

/// The gradient of `x³/3` is `x²`. Algorithm 2 of Loshchilov and Hutter, three steps.
#[test]
fn the_optimiser_is_adam_with_decay_of_matrices_alone() {
    for is_matrix in [true, false] {
        let first = [0.5f32, -1.5];
        let shape: &[usize] = if is_matrix { &[1, 2] } else { &[2] };
        let weights = vec![Var::from_slice(&first, shape, &Device::Cpu).unwrap()];
        let mut adam = Adam::new(&weights).unwrap();
        let mut expected = first.map(f64::from);
        let mut moments = [[0.0; 2]; 2];
        for step in 1..=3 {
            let loss = (weights[0].powf(3.0).unwrap() / 3.0).unwrap().sum_all().unwrap();
            adam.step(&weights, &loss.backward().unwrap(), 0.1, 0.5).unwrap();
            for index in 0..2 {
                let gradient = expected[index] * expected[index];
                moments[0][index] = 0.9 * moments[0][index] + 0.1 * gradient;
                moments[1][index] = 0.999 * moments[1][index] + 0.001 * gradient * gradient;
                let first = moments[0][index] / (1.0 - libm::pow(0.9, step.into()));
                let second = moments[1][index] / (1.0 - libm::pow(0.999, step.into()));
                let decay = if is_matrix { 0.5 } else { 0.0 };
                expected[index] -= 0.1 * (first / (second.sqrt() + 1e-8) + decay * expected[index]);
            }
        }
        close(&list(&weights[0]), &expected, 1e-5);
    }
}

/// The bytes of a small network of Connect 4 with random weights.
fn random_onnx(seed: u64) -> Vec<u8> {
    let shape = Connect4::new().shape();
    let plan = Plan { shape, policy: 7, values: 1, blocks: 1, filters: 4, hidden: 4 };
    onnx(&plan, &weights(&plan, seed))
}

/// With 8 iterations, the first evaluates the root, and the others visit one of seven actions each. Gumbel
/// search plays the one with the greatest value, and not the one that the prior likes.
#[test]
fn self_play_plays_the_winner_of_gumbel_search() {
    let start = Connect4::new();
    let network = Network::from_bytes(&random_onnx(8), &start).unwrap();
    let mut searcher = with_network(&network, &start, &Settings::default(), 8, 1.0);
    let mut differ = 0;
    for seed in 0..40 {
        let played = searcher.search(&start, seed, None).unwrap().chosen;
        let search = Mcts::new(start).rollout_policy(Evaluate::new(network.clone()));
        let mut search = search.tree_policy(Gumbel::default()).backprop(Solver::new(Average)).seed(seed);
        assert_eq!(played, search.run(Budget::iterations(8)).unwrap().chosen);
        let most_visits = searcher.search(&start, seed, Some(RootDecision::Robust)).unwrap();
        differ += usize::from(most_visits.chosen != played);
    }
    assert!(differ > 0, "the greatest number of visits would do as well");
}

/// Silver et al. 2017, "Evaluator": the networks play the strongest action, without noise and temperature.
#[test]
fn networks_play_as_well_as_they_can_in_a_match_against_the_best() {
    let start = Connect4::new();
    for method in [Method::Gumbel, Method::AlphaZero] {
        let mut settings = Settings::default();
        (settings.method, settings.search_iterations, settings.gate_games) = (method, 8, 4);
        let onnx = [8, 9].map(random_onnx);
        let networks = onnx.each_ref().map(|bytes| Network::from_bytes(bytes, &start).unwrap());
        let terms =
            Terms { kind: Kind::Gate, settings: settings.clone(), iteration: 1, networks: onnx.to_vec() };
        let round = Round::of(start, terms).unwrap();
        let mut openings = Vec::new();
        for number in 0..round.games() {
            let found = round.play(number).unwrap().record.actions;
            // The first network has the seat of player 0 in even games.
            let (mut state, mut rng) = (start, round.rng(number / 2));
            let mut expected = open(&mut state, 2..=4, &mut rng);
            openings.push(expected.clone());
            while let Turn::Player(player) = state.turn() {
                let network = &networks[(usize::from(player) + number) % 2];
                let mut strongest = with_network(network, &state, &settings, settings.search_iterations, 0.0);
                let report = strongest.search(&state, rng.bits(), None).unwrap();
                let chosen = report.chosen.unwrap();
                state.apply(report.actions[chosen].action);
                expected.push(chosen as u32);
            }
            assert_eq!(found, expected, "{method:?}, game {number}");
        }
        assert!(openings.chunks(2).all(|pair| pair[0] == pair[1] && (2..=4).contains(&pair[0].len())));
        openings.dedup();
        assert_eq!(openings.len(), 2, "{openings:?}");
    }
}

/// A win that is found after visits to other actions is the whole target; an action that is proven lost is
/// none.
#[test]
fn targets_of_visits_follow_proofs() {
    let shares = |report: &Report<Column>| target(report, 0, 2, 0).policy;
    let report = |stones: &str, iterations| {
        let mut state = Connect4::new();
        stones.bytes().for_each(|column| {
            let action = state.actions().into_iter().find(|action| action.number() == column - b'0');
            state.apply(action.unwrap());
        });
        let mut search = Mcts::new(state).backprop(Solver::new(Average)).seed(1);
        search.run(Budget::iterations(iterations)).unwrap()
    };
    // Three stones in column 0: the fourth wins.
    let won = report("010101", 100);
    assert_eq!((won.proof, won.actions[0].proof), (Some(1.0), Some(1.0)));
    assert_eq!(shares(&won), [1., 0., 0., 0., 0., 0., 0.]);
    // The other player threatens that: all but column 0 lose.
    let threatened = report("01020", 400);
    assert_ne!(threatened.proof, Some(1.0));
    let expected: Vec<bool> = threatened.actions.iter().map(|action| action.proof != Some(0.0)).collect();
    assert!(expected.contains(&false), "{threatened}");
    if threatened.proof.is_none() {
        let found: Vec<bool> = shares(&threatened).iter().map(|&share| share > 0.0).collect();
        assert_eq!(found, expected);
    }
}
