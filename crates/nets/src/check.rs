//! Checks a file before the inference library sees it.
//!
//! The library trusts its files: it indexes tensors by name, and allocates as much memory as a file says that
//! it needs. A panic can be caught, but a failed allocation ends the process. So a file is decoded, checked
//! and stripped of all that is not needed here.

use crate::constants::Constants;
use crate::{Head, LoadError, Planes, Shape};
use std::collections::HashSet;
use tract_onnx::pb::tensor_proto::{DataLocation, DataType};
use tract_onnx::pb::{
    GraphProto, ModelProto, NodeProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto,
    tensor_shape_proto, type_proto,
};

/// The operators of ONNX that a network may use.
///
/// They are functions of their inputs, and the sizes of the inputs bound that of the result. Loops, random
/// numbers and operators that make tensors of any size are not among them.
///
/// ```
/// assert!(ramure_nets::OPERATORS.contains(&"Conv"));
/// ```
pub const OPERATORS: &[&str] = &[
    "Abs",
    "Add",
    "AveragePool",
    "BatchNormalization",
    "Cast",
    "Clip",
    "Concat",
    "Constant",
    "Conv",
    "Div",
    "Dropout",
    "Elu",
    "Exp",
    "Flatten",
    "Gather",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "LayerNormalization",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "MatMul",
    "Max",
    "MaxPool",
    "Min",
    "Mul",
    "Neg",
    "Pow",
    "ReduceMax",
    "ReduceMean",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Selu",
    "Shape",
    "Sigmoid",
    "Slice",
    "Softmax",
    "Softplus",
    "Split",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Sum",
    "Tanh",
    "Transpose",
    "Unsqueeze",
];

/// The oldest and the newest operator set that can be read.
const OPSETS: (i64, i64) = (9, 26);
/// The greatest whole number in an attribute, such as the size of a kernel: more than any board has cells in
/// a row.
const ATTRIBUTE_LIMIT: i64 = 4096;
/// The greatest number of whole numbers in an attribute.
const ATTRIBUTE_LENGTH: usize = 16;
/// The greatest size of a kernel, a padding, a stride.
const WINDOW_LIMIT: i64 = 64;

/// Operators whose results lie between 0 and 1.
const SHARES: &[&str] = &["HardSigmoid", "Sigmoid", "Softmax"];
/// Operators that change no number, at the end of a network.
const UNCHANGED: &[&str] = &["Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"];

/// The shape that the game needs of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contract {
    pub shape: Shape,
    pub policy: usize,
    pub players: u8,
}

impl Contract {
    /// Returns what the game of a state needs.
    pub(crate) fn of<G: Planes>(state: &G) -> Self {
        Contract { shape: state.shape(), policy: state.policy_size(), players: state.players() }
    }
}

/// The places of the heads and the size of the batches, as the file gives them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The size of all batches, if the file fixes it.
    pub batch: Option<usize>,
    /// The number of the output that is the policy, 0 or 1. The other is the value.
    pub policy: usize,
    /// The last operators of the two outputs, if their results lie between 0 and 1.
    pub shares: [Option<&'static str>; 2],
}

fn graph_error(reason: impl Into<String>) -> LoadError {
    LoadError::Graph { reason: reason.into() }
}

/// Checks the file, and removes what is not needed.
pub(crate) fn check(proto: &mut ModelProto, contract: &Contract) -> Result<Layout, LoadError> {
    let mut opsets = proto.opset_import.iter().filter(|import| is_onnx(&import.domain));
    let found = opsets.next().map_or(0, |import| import.version);
    if opsets.any(|import| import.version != found) {
        return Err(graph_error("it states two versions of its operator set"));
    }
    // A foreign file may happen to decode as a message without a graph.
    let no_graph = || LoadError::NotOnnx { reason: "it has no graph".into() };
    let graph = proto.graph.as_mut().filter(|graph| !graph.node.is_empty()).ok_or_else(no_graph)?;
    if !(OPSETS.0..=OPSETS.1).contains(&found) {
        return Err(LoadError::Opset { found, supported: OPSETS });
    }
    if !graph.sparse_initializer.is_empty() {
        return Err(graph_error("it has sparse tensors, which are not supported"));
    }
    let batch = check_graph(graph, contract)?;
    let policy = check_heads(graph)?;
    let shares = [0, 1].map(|place: usize| share_operator(graph, &graph.output[place].name));
    proto.metadata_props.clear();
    proto.training_info.clear();
    proto.functions.clear();
    Ok(Layout { batch, policy, shares })
}

/// Returns the operator that computes `output`, if its results lie between 0 and 1.
fn share_operator(graph: &GraphProto, output: &str) -> Option<&'static str> {
    let mut name = output;
    // Each node reads what a node before it computes.
    for node in graph.node.iter().rev().filter(|node| !node.output.is_empty()) {
        if node.output[0] != name {
            continue;
        }
        let operator = &*node.op_type;
        match node.input.first() {
            Some(input) if UNCHANGED.contains(&operator) => name = input,
            _ => return SHARES.iter().copied().find(|&share| share == operator),
        }
    }
    None
}

fn is_onnx(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

/// Checks tensors, nodes and the input. Returns the size of the batches, if the file fixes it.
fn check_graph(graph: &mut GraphProto, contract: &Contract) -> Result<Option<usize>, LoadError> {
    let (mut known, mut constants) = (HashSet::new(), Constants::default());
    for tensor in &graph.initializer {
        check_tensor(tensor)?;
        constants.add_tensor(tensor);
        if !known.insert(tensor.name.clone()) {
            return Err(graph_error(format!("two tensors are named `{}`", tensor.name)));
        }
    }
    // Old files list the tensors among the inputs, too.
    graph.input.retain(|input| !known.contains(&input.name));
    let [input] = &mut graph.input[..] else {
        return Err(LoadError::Inputs { found: names(&graph.input) });
    };
    let batch = check_input(input, contract.shape)?;
    known.insert(input.name.clone());
    for node in &mut graph.node {
        check_node(node, &known)?;
        if !constants.add_node(node) {
            let name = &node.name;
            return Err(graph_error(format!(
                "with the node `{name}`, the constants need more than a gibibyte"
            )));
        }
        // The library wants the names of nodes to differ, and ONNX does not. Without names, it takes those of
        // the outputs.
        node.name.clear();
        for output in node.output.iter().filter(|output| !output.is_empty()) {
            if !known.insert(output.clone()) {
                return Err(graph_error(format!("two tensors are named `{output}`")));
            }
        }
    }
    if let Some(output) = graph.output.iter().find(|output| !known.contains(&output.name)) {
        return Err(graph_error(format!("no node computes the output `{}`", output.name)));
    }
    Ok(batch)
}

/// Returns the number of the output that is the policy.
fn check_heads(graph: &mut GraphProto) -> Result<usize, LoadError> {
    let [first, second] = &mut graph.output[..] else {
        return Err(LoadError::Outputs { found: names(&graph.output) });
    };
    if first.name == second.name {
        return Err(LoadError::Outputs { found: vec![first.name.clone(), second.name.clone()] });
    }
    let swapped = first.name == "value" || second.name == "policy";
    // The library finds out the types. What the file says about them is not needed, and may be wrong.
    (first.r#type, second.r#type) = (None, None);
    graph.value_info.clear();
    graph.quantization_annotation.clear();
    Ok(usize::from(swapped))
}

fn names(values: &[ValueInfoProto]) -> Vec<String> {
    values.iter().map(|value| value.name.clone()).collect()
}

/// Checks the input, and replaces its type by one without text that the library would have to parse. Returns
/// the size of the batches, if the file fixes it.
fn check_input(input: &mut ValueInfoProto, expected: Shape) -> Result<Option<usize>, LoadError> {
    use tensor_shape_proto::dimension::Value;
    let wrong = |found: String| Err(LoadError::Input { found, expected });
    let Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)), .. }) = &mut input.r#type else {
        return wrong("something without a type".into());
    };
    let kind = DataType::try_from(tensor.elem_type);
    let dims = tensor.shape.take().map(|shape| shape.dim).unwrap_or_default();
    let text = |value: &Option<Value>| match value {
        Some(Value::DimValue(size)) => size.to_string(),
        Some(Value::DimParam(name)) => name.clone(),
        None => "?".into(),
    };
    let sizes: Vec<_> = dims.iter().map(|dim| text(&dim.value)).collect();
    let kind_name = kind.map_or("unknown", |kind| kind.as_str_name());
    let found = format!("{kind_name} in the shape {}", sizes.join(" x "));
    let expected_sizes = expected.dimensions();
    if kind != Ok(DataType::Float) || dims.len() != expected_sizes.len() + 1 {
        return wrong(found);
    }
    // A dimension that the file leaves open is the one that the game gives.
    let fits = dims[1..].iter().zip(&expected_sizes).all(|(dim, &expected)| match dim.value {
        Some(Value::DimValue(size)) => usize::try_from(size) == Ok(expected),
        _ => true,
    });
    if !fits {
        return wrong(match &sizes[1..] {
            [channels, height, width] => format!("{channels} planes of {height} x {width}"),
            numbers => format!("{} numbers", numbers.join(" x ")),
        });
    }
    let batch = match dims[0].value {
        Some(Value::DimValue(size @ 1..=ATTRIBUTE_LIMIT)) => Some(size as usize),
        Some(Value::DimValue(_)) => return wrong(found),
        _ => None,
    };
    tensor.shape = Some(TensorShapeProto { dim: vec![] });
    Ok(batch)
}

fn check_node(node: &NodeProto, known: &HashSet<String>) -> Result<(), LoadError> {
    if !is_onnx(&node.domain) || !OPERATORS.contains(&&*node.op_type) {
        let operator = match &*node.domain {
            "" | "ai.onnx" => node.op_type.clone(),
            domain => format!("{domain}.{}", node.op_type),
        };
        return Err(LoadError::Operator { operator, node: node.name.clone() });
    }
    let here = || format!("the node `{}` ({})", node.name, node.op_type);
    if let Some(input) = node.input.iter().find(|input| !input.is_empty() && !known.contains(*input)) {
        return Err(graph_error(format!("{} reads `{input}`, which no node before it computes", here())));
    }
    // More outputs than these no operator of the list has; `Split` may.
    if node.output.is_empty() || node.output.len() > 64 || node.input.len() > 1024 {
        return Err(graph_error(format!("{} has a wrong number of inputs or outputs", here())));
    }
    for attribute in &node.attribute {
        let wrong = |what: &str| Err(graph_error(format!("{}: `{}` {what}", here(), attribute.name)));
        if attribute.g.is_some() || !attribute.graphs.is_empty() || attribute.sparse_tensor.is_some() {
            return wrong("is of a kind that is not supported");
        }
        // The library runs all networks for inference.
        if attribute.name == "training_mode" && attribute.i != 0 {
            return wrong("is set; export the network for inference");
        }
        if !attribute.f.is_finite() || !attribute.floats.iter().all(|number| number.is_finite()) {
            return wrong("is NaN or infinite");
        }
        let limit = match &*attribute.name {
            "kernel_shape" | "pads" | "strides" | "dilations" => WINDOW_LIMIT,
            _ => ATTRIBUTE_LIMIT,
        };
        let ints = attribute.ints.iter().chain([&attribute.i]);
        if attribute.ints.len() > ATTRIBUTE_LENGTH
            || ints.into_iter().any(|&int| int.abs_diff(0) > limit as u64)
        {
            return wrong("is out of range");
        }
        attribute.t.iter().chain(&attribute.tensors).try_for_each(check_tensor)?;
    }
    Ok(())
}

/// Checks that a tensor has as much data as its dimensions say.
fn check_tensor(tensor: &TensorProto) -> Result<(), LoadError> {
    let wrong = |what: String| Err(graph_error(format!("the tensor `{}` {what}", tensor.name)));
    let is_external = tensor.data_location == Some(DataLocation::External as i32);
    if is_external || !tensor.external_data.is_empty() {
        return wrong("is in another file; save the network with all of its data in one file".into());
    }
    let volume = tensor.dims.iter().try_fold(1usize, |volume, &size| {
        usize::try_from(size).ok().and_then(|size| volume.checked_mul(size))
    });
    let Some(volume) = volume else { return wrong(format!("has the impossible size {:?}", tensor.dims)) };
    let raw = &tensor.raw_data;
    let (bytes, listed, is_finite) = match DataType::try_from(tensor.data_type) {
        Ok(DataType::Float) => {
            let of_raw = raw.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
            let listed = &tensor.float_data;
            (4, listed.len(), of_raw.chain(listed.iter().copied()).all(f32::is_finite))
        }
        Ok(DataType::Double) => {
            let of_raw = raw.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes));
            let listed = &tensor.double_data;
            (8, listed.len(), of_raw.chain(listed.iter().copied()).all(f64::is_finite))
        }
        Ok(DataType::Int64) => (8, tensor.int64_data.len(), true),
        Ok(DataType::Int32) => (4, tensor.int32_data.len(), true),
        Ok(DataType::Bool) => (1, tensor.int32_data.len(), true),
        Ok(kind) => return wrong(format!("is of the type {}, which is not supported", kind.as_str_name())),
        Err(_) => return wrong(format!("is of the unknown type {}", tensor.data_type)),
    };
    let given = if raw.is_empty() { listed } else { raw.len() / bytes };
    if given != volume || !raw.len().is_multiple_of(bytes) {
        return wrong(format!("of the size {:?} has other data: {volume} numbers are needed", tensor.dims));
    }
    // The kernels for `Relu` and `Tanh` turn NaN into numbers, so it might not reach the outputs.
    if !is_finite {
        return wrong("has numbers that are NaN or infinite".into());
    }
    Ok(())
}

/// Returns the error for a head of a wrong size.
pub(crate) fn wrong_head(head: Head, found: String, contract: &Contract) -> LoadError {
    LoadError::Output { head, found, expected: columns(head, contract) }
}

/// Checks that a head of so many columns does not end in an operator whose results are between 0 and 1, where
/// other numbers are needed.
pub(crate) fn check_range(head: Head, columns: usize, share: Option<&str>) -> Result<(), LoadError> {
    match share {
        Some(operator) if head == Head::Policy || columns == 1 => {
            Err(LoadError::Range { head, operator: operator.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Returns the numbers of columns that a head may have.
pub(crate) fn columns(head: Head, contract: &Contract) -> Vec<usize> {
    match head {
        Head::Policy => vec![contract.policy],
        Head::Value if contract.players <= 2 => {
            let mut columns = vec![1, usize::from(contract.players)];
            columns.dedup();
            columns
        }
        Head::Value => vec![contract.players.into()],
    }
}
