//! Files that are no networks of the game, and networks that answer nonsense.

use crate::evaluate;
use crate::evaluation::Three;
use crate::models::{Linear, node, tensor, value, with_int, with_ints};
use prost::Message;
use ramure::prelude::*;
use ramure::simulation::Evaluate;
use ramure::{ActionIndex, Rng};
use ramure_games::{Connect4, Hex, TicTacToe};
use ramure_nets::{EvaluationError, Head, LoadError, Network, OPERATORS, Planes, Shape};
use std::error::Error;
use tract_onnx::pb::{AttributeProto, GraphProto, ModelProto, OperatorSetIdProto, TensorProto};

fn good() -> Linear {
    Linear::random(&[2, 3, 3], 9, 1, "Tanh", 4)
}

fn load(model: &ModelProto) -> Result<Network<TicTacToe>, LoadError> {
    Network::from_bytes(&model.encode_to_vec(), &TicTacToe::new())
}

/// Loads the good network after a change.
fn changed(change: impl FnOnce(&mut GraphProto)) -> Result<Network<TicTacToe>, LoadError> {
    let mut model = good().model();
    change(model.graph.as_mut().unwrap());
    load(&model)
}

macro_rules! refused {
    ($found:expr, $expected:pat $(if $guard:expr)?) => {
        match &$found {
            Err($expected) $(if $guard)? => {}
            other => panic!("{other:?}"),
        }
    };
}

#[test]
fn a_missing_file_is_named() {
    let error = Network::load("no/such/network.onnx", &TicTacToe::new()).unwrap_err();
    assert!(error.to_string().contains("no/such/network.onnx"));
    assert!(error.source().is_some());
}

#[test]
fn foreign_bytes_are_refused() {
    for bytes in [&b""[..], b"PK\x03\x04 an archive", b"{\"weights\": []}", &[0; 100], &[0xFF; 100]] {
        refused!(Network::from_bytes(bytes, &TicTacToe::new()), LoadError::NotOnnx { .. });
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = good().bytes();
    for length in 0..bytes.len() {
        let result = Network::from_bytes(&bytes[..length], &TicTacToe::new());
        assert!(result.is_err(), "{length} of {} bytes", bytes.len());
    }
}

#[test]
fn a_damaged_file_is_refused_or_answers_and_never_panics() {
    let start = Three { left: 9, player: 0 };
    let bytes = Linear::random(&[9], 2, 3, "Softmax", 2).bytes();
    let mut rng = Rng::seeded(1);
    let (mut refused, mut loaded) = (0, 0);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << rng.below(8);
        match Network::from_bytes(&damaged, &start) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(network) => {
                if let Err(error) = &evaluate(&network, std::slice::from_ref(&start))[0] {
                    assert!(!error.to_string().is_empty());
                }
                loaded += 1;
            }
        }
    }
    assert!(refused > 100 && loaded > 100, "{refused} refused, {loaded} loaded");
}

#[test]
fn other_operator_sets_are_refused() {
    for version in [0, 8, 27, i64::MAX] {
        let mut model = good().model();
        model.opset_import[0].version = version;
        refused!(load(&model), LoadError::Opset { found, .. } if *found == version);
    }
    let mut model = good().model();
    model.opset_import.clear();
    refused!(load(&model), LoadError::Opset { found: 0, .. });
    // The library takes the first, and `ai.onnx` is another name of the same domain.
    let mut model = good().model();
    let other = OperatorSetIdProto { domain: "ai.onnx".into(), version: 9 };
    model.opset_import.push(other);
    refused!(load(&model), LoadError::Graph { reason } if reason.contains("two versions"));
}

#[test]
fn networks_that_are_still_in_training_are_refused() {
    let normal = |graph: &mut GraphProto| {
        let mut normal = node("BatchNormalization", &["planes", "K", "K", "K", "K"], "normal");
        normal.attribute.push(AttributeProto { name: "training_mode".into(), i: 1, ..Default::default() });
        graph.node.insert(0, normal);
        graph.node[1].input[0] = "normal".into();
        graph.initializer.push(tensor("K", &[2], &[1.0; 2]));
    };
    refused!(changed(normal), LoadError::Graph { reason } if reason.contains("training_mode"));
}

#[test]
fn unsupported_operators_are_named() {
    let unknown = changed(|graph| graph.node[3].op_type = "Frobnicate".into());
    refused!(unknown, LoadError::Operator { operator, .. } if operator == "Frobnicate");
    let random = changed(|graph| graph.node[3].op_type = "RandomNormalLike".into());
    refused!(random, LoadError::Operator { .. });
    let foreign = changed(|graph| graph.node[3].domain = "com.example".into());
    refused!(foreign, LoadError::Operator { operator, .. } if operator == "com.example.Tanh");
    assert!(OPERATORS.is_sorted());
}

#[test]
fn inputs_that_the_game_does_not_write_are_refused() {
    for dims in
        [&[-1, 2, 3, 4][..], &[-1, 3, 3, 3], &[-1, 18], &[-1, 2, 3, 3, 1], &[2, 3, 3], &[0, 2, 3, 3], &[]]
    {
        let result = changed(|graph| graph.input[0] = value("planes", dims));
        refused!(result, LoadError::Input { expected, .. } if *expected == TicTacToe::new().shape());
    }
    let larger = changed(|graph| graph.input[0] = value("planes", &[-1, 3, 7, 7]));
    refused!(larger, LoadError::Input { found, .. } if found == "3 planes of 7 x 7");
    let none = changed(|graph| graph.input[0].r#type = None);
    refused!(none, LoadError::Input { .. });
    let two = changed(|graph| graph.input.push(value("more", &[-1, 1])));
    refused!(two, LoadError::Inputs { found } if found[..] == ["planes", "more"]);
    refused!(changed(|graph| graph.input.clear()), LoadError::Inputs { .. });
}

#[test]
fn outputs_that_the_game_does_not_need_are_refused() {
    refused!(changed(|graph| graph.output.truncate(1)), LoadError::Outputs { found } if found[..] == ["policy"]);
    let third = changed(|graph| graph.output.push(value("raw", &[-1, 1])));
    refused!(third, LoadError::Outputs { .. });
    let twice = changed(|graph| graph.output[1] = value("policy", &[-1, 9]));
    refused!(twice, LoadError::Outputs { .. });
    let actions = load(&Linear::random(&[2, 3, 3], 8, 1, "Tanh", 4).model());
    refused!(actions, LoadError::Output { head: Head::Policy, expected, .. } if expected[..] == [9]);
    let values = load(&Linear::random(&[2, 3, 3], 9, 3, "Softmax", 4).model());
    refused!(values, LoadError::Output { head: Head::Value, expected, .. } if expected[..] == [1, 2]);
    // What the file says about its outputs does not matter, only what they are.
    let wrong_words = changed(|graph| graph.output[0] = value("policy", &[5, 5]));
    assert!(wrong_words.is_ok());
}

#[test]
fn three_players_need_three_values() {
    let linear = Linear::random(&[9], 2, 1, "Tanh", 2);
    let result = Network::from_bytes(&linear.bytes(), &Three { left: 9, player: 0 });
    refused!(result, LoadError::Output { head: Head::Value, expected, .. } if expected[..] == [3]);
}

#[test]
fn networks_that_contradict_themselves_are_refused() {
    let missing = changed(|graph| graph.node[1].input[1] = "nowhere".into());
    refused!(missing, LoadError::Graph { reason } if reason.contains("nowhere"));
    let cycle = changed(|graph| graph.node.reverse());
    refused!(cycle, LoadError::Graph { .. });
    let output = changed(|graph| graph.output[0].name = "nowhere".into());
    refused!(output, LoadError::Graph { .. });
    let twice = changed(|graph| graph.node[2].output[0] = "policy".into());
    refused!(twice, LoadError::Graph { .. });
    let twice = changed(|graph| graph.initializer[1].name = "A".into());
    refused!(twice, LoadError::Graph { .. });
    let huge = changed(|graph| graph.initializer[0].dims = vec![i64::MAX, i64::MAX]);
    refused!(huge, LoadError::Graph { .. });
    let large = changed(|graph| graph.initializer[0].dims = vec![1 << 40, 9]);
    refused!(large, LoadError::Graph { .. });
    let negative = changed(|graph| graph.initializer[0].dims = vec![-18, -9]);
    refused!(negative, LoadError::Graph { .. });
    let short = changed(|graph| graph.initializer[0].raw_data.truncate(7));
    refused!(short, LoadError::Graph { .. });
    let elsewhere = changed(|graph| graph.initializer[0].data_location = Some(1));
    refused!(elsewhere, LoadError::Graph { reason } if reason.contains("another file"));
    let unknown = changed(|graph| graph.initializer[0].data_type = 99);
    refused!(unknown, LoadError::Graph { .. });
    // The matrix does not fit the input: the library finds that out.
    let matrix = changed(|graph| graph.initializer[0] = tensor("A", &[17, 9], &[0.0; 153]));
    refused!(matrix, LoadError::Inference { .. });
}

#[test]
fn attributes_that_would_need_absurd_memory_are_refused() {
    for name in ["pads", "kernel_shape", "strides", "dilations"] {
        let convolution = |graph: &mut GraphProto| {
            let conv = node("Conv", &["planes", "K"], "conv");
            graph.node.insert(0, with_ints(conv, name, &[1 << 40, 1 << 40, 1 << 40, 1 << 40]));
            graph.node[1].input[0] = "conv".into();
            graph.initializer.push(tensor("K", &[2, 2, 1, 1], &[1.0; 4]));
        };
        refused!(changed(convolution), LoadError::Graph { reason } if reason.contains(name));
    }
}

/// The library computes constants when it loads a file. A kilobyte of nodes could ask for a tebibyte.
#[test]
fn constants_that_would_need_absurd_memory_are_refused() {
    let doubled = |graph: &mut GraphProto| {
        graph.initializer.push(tensor("t0", &[1024], &[1.0; 1024]));
        for time in 0..30 {
            let (from, to) = (format!("t{time}"), format!("t{}", time + 1));
            graph.node.push(with_int(node("Concat", &[&from, &from], &to), "axis", 0));
        }
    };
    refused!(changed(doubled), LoadError::Graph { reason } if reason.contains("gibibyte"));
    let spread = |operator: &'static str| {
        changed(move |graph| {
            graph.initializer.push(tensor("row", &[1, 1 << 15], &[1.0; 1 << 15]));
            graph.initializer.push(tensor("column", &[1 << 15, 1], &[1.0; 1 << 15]));
            graph.node.push(node(operator, &["column", "row"], "square"));
        })
    };
    for operator in ["Add", "Mul", "MatMul"] {
        refused!(spread(operator), LoadError::Graph { reason } if reason.contains("gibibyte"));
    }
    // What real networks do with constants: weights times a scale for each filter, and sizes from a shape.
    let scaled = changed(|graph| {
        graph.initializer.push(tensor("scale", &[9], &[1.0; 9]));
        graph.node.insert(0, node("Mul", &["A", "scale"], "scaled"));
        graph.node[2].input[1] = "scaled".into();
    });
    assert!(scaled.is_ok(), "{scaled:?}");
}

/// Runs a search with a network, which must fail.
fn search_error(network: Network<TicTacToe>) -> EvaluationError {
    let mut search = Mcts::new(TicTacToe::new()).rollout_policy(Evaluate::new(network)).window(8);
    let error = search.run(Budget::iterations(50)).unwrap_err();
    let source = error.source().expect("the error has a source");
    source.downcast_ref::<EvaluationError>().expect("it is that of the network").clone()
}

/// Returns the good network with the logits +-`number` for the cells, + for cell 4 alone, and then `operator`
/// applied to them.
fn with_logits(number: f32, operator: &str) -> Network<TicTacToe> {
    let mut linear = good();
    linear.policy.iter_mut().flatten().for_each(|weight| *weight = 0.0);
    linear.policy_bias = (0..9).map(|cell| if cell == 4 { -number } else { number }).collect();
    let mut model = linear.model();
    let graph = model.graph.as_mut().unwrap();
    graph.node[1].output[0] = "logits".into();
    graph.node.push(node(operator, &["logits"], "policy"));
    load(&model).unwrap()
}

#[test]
fn nan_and_infinity_end_a_search_with_an_error_that_names_the_column() {
    for (number, operator, of_column_4) in [(1.0, "Log", true), (-200.0, "Exp", false)] {
        match search_error(with_logits(number, operator)) {
            EvaluationError::NotFinite { head: Head::Policy, column: 4, number } => {
                assert_eq!((number.is_nan(), number == f32::INFINITY), (of_column_4, !of_column_4));
            }
            other => panic!("{other:?}"),
        }
    }
    let mut linear = good();
    (linear.activation, linear.value_bias) = ("Log", vec![-20.0]);
    let network = load(&linear.model()).unwrap();
    assert!(matches!(search_error(network), EvaluationError::NotFinite { head: Head::Value, column: 0, .. }));
}

#[test]
fn weights_that_are_nan_or_infinite_are_refused() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut linear = good();
        linear.policy_bias[4] = number;
        refused!(load(&linear.model()), LoadError::Graph { reason } if reason.contains("`a`"));
    }
}

#[test]
fn columns_of_illegal_actions_may_be_anything() {
    let mut state = TicTacToe::new();
    state.play("5".parse().unwrap()).unwrap();
    let (_, priors) = evaluate(&with_logits(1.0, "Log"), &[state]).remove(0).unwrap();
    assert_eq!(priors, [0.125; 8]);
}

#[test]
fn great_logits_do_not_overflow() {
    let mut linear = good();
    linear.policy_bias = (0..9).map(|column| column as f32 * 1e37).collect();
    let network = Network::from_bytes(&linear.bytes(), &TicTacToe::new()).unwrap();
    let (_, priors) = evaluate(&network, &[TicTacToe::new()]).remove(0).unwrap();
    assert_eq!(priors, [0., 0., 0., 0., 0., 0., 0., 0., 1.]);
}

#[test]
fn values_out_of_range_are_refused() {
    let mut linear = good();
    linear.activation = "Identity";
    linear.value_bias = vec![1000.0];
    let network = load(&linear.model()).unwrap();
    assert!(matches!(search_error(network), EvaluationError::Value { column: 0, least: -1.0, .. }));
    let mut linear = Linear::random(&[2, 3, 3], 9, 2, "Tanh", 4);
    linear.value_bias = vec![1000.0, -1000.0];
    let network = load(&linear.model()).unwrap();
    assert!(matches!(search_error(network), EvaluationError::Value { column: 1, least: 0.0, .. }));
}

#[test]
fn a_state_of_another_board_is_refused() {
    let linear = Linear::random(&[3, 4, 4], 17, 1, "Tanh", 8);
    let network = Network::from_bytes(&linear.bytes(), &Hex::new(4).unwrap()).unwrap();
    let states = [Hex::new(4).unwrap(), Hex::new(5).unwrap(), Hex::new(4).unwrap()];
    let answers = evaluate(&network, &states);
    // The others are evaluated all the same.
    assert_eq!(answers[0], answers[2]);
    match &answers[1] {
        Err(EvaluationError::Shape { found, expected }) => {
            assert_eq!(
                (found.to_string(), expected.to_string()),
                ("3 planes of 5 x 5".into(), "3 planes of 4 x 4".into())
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(answers[0].is_ok());
}

/// Connect 4 with a column that the policy does not have, and with any viewer and shape.
#[derive(Clone)]
struct Numbered {
    game: Connect4,
    viewer: Player,
    shape: Shape,
}

impl GameState for Numbered {
    type Action = <Connect4 as GameState>::Action;

    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        self.game.actions()
    }
    fn apply(&mut self, action: Self::Action) {
        self.game.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}

impl ActionIndex for Numbered {
    const ACTION_COUNT: usize = 7;

    fn action_index(action: Self::Action) -> usize {
        usize::from(action.number()) + 1
    }
}

impl Planes for Numbered {
    fn shape(&self) -> Shape {
        self.shape
    }
    fn write(&self, input: &mut [f32]) {
        self.game.write(input);
    }
    fn viewer(&self) -> Player {
        self.viewer
    }
}

#[test]
fn games_that_break_their_contract_with_the_network_are_errors() {
    let linear = Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3);
    let start = Numbered { game: Connect4::new(), viewer: 0, shape: Connect4::new().shape() };
    let network = Network::from_bytes(&linear.bytes(), &start).unwrap();
    let answer = |state: Numbered| evaluate(&network, &[state]).remove(0).unwrap_err();
    assert_eq!(answer(start.clone()), EvaluationError::PolicyIndex { index: 7, size: 7 });
    let viewer = Numbered { viewer: 2, ..start.clone() };
    assert_eq!(answer(viewer), EvaluationError::Viewer { viewer: 2, players: 2 });
    let empty = Numbered { shape: Shape::Features(0), ..start };
    refused!(Network::from_bytes(&linear.bytes(), &empty), LoadError::Empty { policy: 7, .. });
}

#[test]
fn tensors_as_lists_of_numbers_are_read_too() {
    let mut model = good().model();
    for tensor in &mut model.graph.as_mut().unwrap().initializer {
        let numbers =
            tensor.raw_data.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
        *tensor = TensorProto { float_data: numbers.collect(), raw_data: vec![], ..tensor.clone() };
    }
    let states = [TicTacToe::new()];
    assert_eq!(evaluate(&load(&model).unwrap(), &states), evaluate(&load(&good().model()).unwrap(), &states));
}

/// Such a policy would give nearly uniform priors, and such a value would never say that a position is lost.
#[test]
fn outputs_between_zero_and_one_are_refused_where_other_numbers_are_needed() {
    let policy = |operator: &'static str| {
        changed(move |graph| {
            graph.node[1].output[0] = "logits".into();
            graph.node.push(node(operator, &["logits"], "shares"));
            graph.node.push(node("Identity", &["shares"], "policy"));
        })
    };
    for operator in ["Softmax", "Sigmoid"] {
        let error = policy(operator).unwrap_err();
        assert!(error.to_string().contains("export the network without this last operator"), "{error}");
        refused!(Err::<(), _>(error), LoadError::Range { head: Head::Policy, operator: found } if found == operator);
    }
    assert!(policy("LogSoftmax").is_ok() && policy("Relu").is_ok());
    let value = |columns, activation| load(&Linear::random(&[2, 3, 3], 9, columns, activation, 4).model());
    refused!(value(1, "Sigmoid"), LoadError::Range { head: Head::Value, .. });
    assert!(value(1, "Tanh").is_ok() && value(2, "Sigmoid").is_ok() && value(2, "Softmax").is_ok());
    // 2 x - 1 of a sigmoid is a value again.
    let scaled = changed(|graph| {
        graph.node[3] = node("Sigmoid", &["raw"], "share");
        graph.initializer.push(tensor("two", &[1], &[2.0]));
        graph.initializer.push(tensor("one", &[1], &[1.0]));
        graph.node.push(node("Mul", &["share", "two"], "double"));
        graph.node.push(node("Sub", &["double", "one"], "value"));
    });
    assert!(scaled.is_ok(), "{scaled:?}");
}
