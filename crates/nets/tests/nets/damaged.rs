//! Damaged files in quantity: bytes that changed, and messages of ONNX whose fields changed. Each is refused
//! with a reason, or makes a network that answers by its contract. It never panics, hangs, or asks for absurd
//! memory.
//!
//! Each runs a few times here, and twenty times as often with the environment variable `RAMURE_DEEP` set, as
//! in `.ci/deep`.

use crate::evaluate;
use crate::evaluation::Three;
use crate::models::{Linear, node, residual, tensor, value, with_int, with_ints};
use prost::Message;
use ramure::Rng;
use ramure_games::TicTacToe;
use ramure_nets::{EvaluationError, LoadError, Network, OPERATORS, Planes};
use tract_onnx::pb::{AttributeProto, GraphProto, ModelProto, NodeProto};

fn times(few: usize) -> usize {
    if std::env::var_os("RAMURE_DEEP").is_some() { 20 * few } else { few }
}

/// How many files were refused, and how many networks answered, or answered with an error.
#[derive(Default, Debug)]
struct Counts {
    refused: u32,
    answers: u32,
    errors: u32,
}

impl Counts {
    /// Loads a file and evaluates a position, and checks what comes.
    fn add<G>(&mut self, bytes: &[u8], state: &G)
    where
        G: Planes + Send + 'static,
        G::Action: Send,
    {
        let network = match Network::from_bytes(bytes, state) {
            Ok(network) => network,
            Err(error) => return self.refuse(&error),
        };
        match &evaluate(&network, std::slice::from_ref(state))[0] {
            Ok((rewards, priors)) => {
                let players = usize::from(state.players());
                let rewards = rewards.as_slice();
                assert!(
                    rewards.len() == players && rewards.iter().all(|reward| (0.0..=1.0).contains(reward))
                );
                assert_eq!(priors.len(), state.actions().into_iter().count());
                let sum: f32 = priors.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4 && priors.iter().all(|&prior| prior >= 0.0), "{priors:?}");
                self.answers += 1;
            }
            Err(error) => self.fail(error),
        }
    }

    fn refuse(&mut self, error: &LoadError) {
        assert!(!error.to_string().is_empty());
        self.refused += 1;
    }

    fn fail(&mut self, error: &EvaluationError) {
        assert!(!error.to_string().is_empty());
        self.errors += 1;
    }
}

/// A network with a node of each kind that computes with sizes: windows, axes, permutations, slices, shapes.
fn with_sizes() -> Vec<u8> {
    let mut rng = Rng::seeded(6);
    let mut weights = |name: &str, dims: &[usize]| {
        let count = dims.iter().product();
        tensor(name, dims, &Vec::from_iter((0..count).map(|_| rng.unit() as f32 - 0.5)))
    };
    let ints = |name: &str, ints: &[i64]| tract_onnx::pb::TensorProto {
        name: name.into(),
        dims: vec![ints.len() as i64],
        data_type: tract_onnx::pb::tensor_proto::DataType::Int64 as i32,
        int64_data: ints.to_vec(),
        ..Default::default()
    };
    let with =
        |node, of: &[(&str, &[i64])]| of.iter().fold(node, |node, (name, ints)| with_ints(node, name, ints));
    let graph = GraphProto {
        name: "sizes".into(),
        node: vec![
            with(
                node("Conv", &["planes", "w"], "c"),
                &[("kernel_shape", &[3, 3]), ("pads", &[1; 4]), ("strides", &[1, 1]), ("dilations", &[1, 1])],
            ),
            node("BatchNormalization", &["c", "scale", "bias", "mean", "variance"], "n"),
            node("Relu", &["n"], "r"),
            with(node("MaxPool", &["r"], "p"), &[("kernel_shape", &[2, 2]), ("strides", &[1, 1])]),
            with(node("Transpose", &["p"], "t"), &[("perm", &[0, 2, 3, 1])]),
            with_int(node("Concat", &["t", "t"], "both"), "axis", 3),
            node("Slice", &["both", "from", "to", "axes"], "half"),
            node("Reshape", &["half", "flat"], "f"),
            node("Gemm", &["f", "A"], "raw"),
            with_int(node("LogSoftmax", &["raw"], "policy"), "axis", 1),
            with_int(node("GlobalAveragePool", &["p"], "g"), "unused", 0),
            with_int(node("Flatten", &["g"], "v"), "axis", 1),
            node("Gemm", &["v", "B"], "w0"),
            node("Tanh", &["w0"], "value"),
        ],
        initializer: vec![
            weights("w", &[4, 2, 3, 3]),
            tensor("scale", &[4], &[1.0; 4]),
            tensor("bias", &[4], &[0.1; 4]),
            tensor("mean", &[4], &[0.0; 4]),
            tensor("variance", &[4], &[1.0; 4]),
            ints("from", &[0]),
            ints("to", &[4]),
            ints("axes", &[3]),
            ints("flat", &[-1, 16]),
            weights("A", &[16, 9]),
            weights("B", &[4, 1]),
        ],
        input: vec![value("planes", &[-1, 2, 3, 3])],
        output: vec![value("policy", &[-1, 9]), value("value", &[-1, 1])],
        ..GraphProto::default()
    };
    crate::models::model(graph).encode_to_vec()
}

/// Files of networks of Tic-Tac-Toe.
fn files() -> [Vec<u8>; 3] {
    [Linear::random(&[2, 3, 3], 9, 2, "Sigmoid", 3).bytes(), residual([2, 3, 3], 9, 4), with_sizes()]
}

#[test]
fn the_files_are_sound_before_they_are_damaged() {
    let mut counts = Counts::default();
    files().iter().for_each(|file| counts.add(file, &TicTacToe::new()));
    assert_eq!(counts.answers, 3, "{counts:?}");
}

/// Changes some bytes: flips a bit, sets, inserts or removes a byte, repeats or removes a piece, or brings in
/// a piece of another file.
fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        let place = rng.below(bytes.len());
        let length = rng.below(64).min(bytes.len() - place);
        match rng.below(7) {
            0 | 1 => bytes[place] ^= 1 << rng.below(8),
            2 => bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][rng.below(5)],
            3 => bytes.insert(place, rng.below(256) as u8),
            4 => drop(bytes.drain(place..place + length.max(1))),
            5 => {
                let piece = bytes[place..place + length].to_vec();
                bytes.splice(place..place, piece);
            }
            _ => {
                let from = rng.below(other.len());
                let piece = &other[from..(from + length).min(other.len())];
                bytes.splice(place..place + length, piece.iter().copied());
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn files_with_changed_bytes_are_refused_or_answer() {
    let files = files();
    let three = Linear::random(&[9], 2, 3, "Softmax", 2).bytes();
    let (mut rng, mut counts) = (Rng::seeded(1), Counts::default());
    for round in 0..times(300) {
        let (file, other) = (&files[round % 3], &files[rng.below(3)]);
        let mut bytes = if round % 4 == 3 { three.clone() } else { file.clone() };
        damage(&mut bytes, other, &mut rng);
        match round % 4 {
            3 => counts.add(&bytes, &Three { left: 9, player: 0 }),
            _ => counts.add(&bytes, &TicTacToe::new()),
        }
    }
    println!("{counts:?}");
    assert!(counts.refused > 50 && counts.answers > 20, "{counts:?}");
}

/// Numbers at which something ends.
fn edge(rng: &mut Rng) -> i64 {
    const EDGES: [i64; 16] = [
        0,
        1,
        -1,
        2,
        3,
        5,
        64,
        65,
        4096,
        -4096,
        1 << 16,
        i32::MAX as i64,
        1 << 40,
        -(1 << 40),
        i64::MAX,
        i64::MIN,
    ];
    EDGES[rng.below(EDGES.len())]
}

fn pick<'v, T>(list: &'v mut [T], rng: &mut Rng) -> Option<&'v mut T> {
    if list.is_empty() { None } else { Some(&mut list[rng.below(list.len())]) }
}

/// Changes a node: its operator, what it reads, and its attributes.
fn change_node(node: &mut NodeProto, names: &[String], rng: &mut Rng) {
    let name = names[rng.below(names.len())].clone();
    match rng.below(9) {
        0 | 1 => node.op_type = OPERATORS[rng.below(OPERATORS.len())].into(),
        2 | 3 => {
            if let Some(input) = pick(&mut node.input, rng) {
                *input = name;
            }
        }
        4 => node.input.push(name),
        5 => drop(node.input.pop()),
        6 => node.output.push(format!("more {}", rng.below(1000))),
        7 => {
            const NAMES: [&str; 14] = [
                "axis",
                "axes",
                "perm",
                "pads",
                "strides",
                "kernel_shape",
                "dilations",
                "group",
                "alpha",
                "transA",
                "keepdims",
                "auto_pad",
                "split",
                "to",
            ];
            let ints = Vec::from_iter((0..rng.below(5)).map(|_| edge(rng)));
            let attribute = AttributeProto {
                name: NAMES[rng.below(NAMES.len())].into(),
                r#type: [1, 2, 3, 6, 7, 8][rng.below(6)],
                f: rng.unit() as f32,
                i: edge(rng),
                s: b"SAME_UPPER".to_vec(),
                ints,
                ..AttributeProto::default()
            };
            node.attribute.push(attribute);
        }
        _ => {
            if let Some(attribute) = pick(&mut node.attribute, rng) {
                attribute.i = edge(rng);
                if let Some(int) = pick(&mut attribute.ints, rng) {
                    *int = edge(rng);
                }
                if rng.below(3) == 0 {
                    attribute.ints.push(edge(rng));
                }
            }
        }
    }
}

/// Changes a graph: its nodes and their order, its tensors, its input and its outputs.
fn change_graph(graph: &mut GraphProto, rng: &mut Rng) {
    let computed = graph.node.iter().flat_map(|node| node.output.iter());
    let tensors = graph.initializer.iter().map(|tensor| &tensor.name);
    let names = Vec::from_iter(computed.chain(tensors).cloned());
    match rng.below(10) {
        0..=4 => {
            if let Some(node) = pick(&mut graph.node, rng) {
                change_node(node, &names, rng);
            }
        }
        5 => {
            let count = graph.node.len();
            graph.node.swap(rng.below(count), rng.below(count));
        }
        6 => {
            let mut node = graph.node[rng.below(graph.node.len())].clone();
            node.output = vec![format!("again {}", rng.below(1000))];
            graph.node.push(node);
        }
        7 => {
            // The same numbers in another shape, and a tensor of sizes with other sizes.
            if let Some(tensor) = pick(&mut graph.initializer, rng) {
                match rng.below(4) {
                    0 => tensor.dims.reverse(),
                    1 => tensor.dims.push(1),
                    2 => tensor.dims = vec![tensor.dims.iter().product()],
                    _ => {
                        if let Some(int) = pick(&mut tensor.int64_data, rng) {
                            *int = edge(rng);
                        } else if let Some(size) = pick(&mut tensor.dims, rng) {
                            *size = edge(rng);
                        }
                    }
                }
            }
        }
        8 => {
            if let Some(output) = pick(&mut graph.output, rng) {
                output.name = names[rng.below(names.len())].clone();
            }
        }
        _ => graph.input[0] = value("planes", &Vec::from_iter((0..rng.below(6)).map(|_| edge(rng)))),
    }
}

#[test]
fn messages_with_changed_fields_are_refused_or_answer() {
    let models = files().map(|file| ModelProto::decode(&file[..]).expect("it is sound"));
    let (mut rng, mut counts) = (Rng::seeded(2), Counts::default());
    for round in 0..times(300) {
        let mut model = models[round % 3].clone();
        for _ in 0..1 + rng.below(3) {
            change_graph(model.graph.as_mut().expect("a graph"), &mut rng);
        }
        counts.add(&model.encode_to_vec(), &TicTacToe::new());
    }
    println!("{counts:?}");
    assert!(counts.refused > 50 && counts.answers > 20, "{counts:?}");
}
