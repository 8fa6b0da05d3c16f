//! Writes the weights of a training as an ONNX file.

use super::tower::Plan;
use crate::Shape;
use prost::Message;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::tensor_shape_proto::{Dimension, dimension::Value};
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, attribute_proto::AttributeType, type_proto,
};

/// The operator set of the file.
const OPSET: i64 = 17;

/// Returns the bytes of the ONNX file of a network. `weights` holds, for each layer, its matrix by rows and
/// its bias.
pub(crate) fn onnx(plan: &Plan, weights: &[Vec<f32>]) -> Vec<u8> {
    let mut graph = Graph {
        plan,
        weights: weights.chunks_exact(2),
        proto: GraphProto { name: "ramure".into(), ..GraphProto::default() },
    };
    let (channels, height, width) = plan.board();
    graph.layer("planes", "input", channels);
    graph.node("Relu", &["input"], "body0");
    for block in 1..=plan.blocks {
        let [first, inner, second, sum, body] =
            ["first", "inner", "second", "sum", "body"].map(|name| format!("{name}{block}"));
        let before = format!("body{}", block - 1);
        graph.layer(&before, &first, plan.filters);
        graph.node("Relu", &[&first], &inner);
        graph.layer(&inner, &second, plan.filters);
        graph.node("Add", &[&second, &before], &sum);
        graph.node("Relu", &[&sum], &body);
    }
    let body = format!("body{}", plan.blocks);
    graph.head(&body, "policy", height * width);
    graph.head(&body, "hidden", height * width);
    graph.node("Relu", &["hidden"], "known");
    graph.dense("known", "raw", 1);
    graph.node(if plan.values == 1 { "Tanh" } else { "Sigmoid" }, &["raw"], "value");
    let mut proto = graph.proto;
    proto.input = vec![typed("planes", &plan.shape.dimensions())];
    proto.output = vec![typed("policy", &[plan.policy]), typed("value", &[plan.values])];
    let opset = OperatorSetIdProto { version: OPSET, ..OperatorSetIdProto::default() };
    let model = ModelProto {
        ir_version: 8,
        producer_name: "ramure-nets".into(),
        opset_import: vec![opset],
        graph: Some(proto),
        ..ModelProto::default()
    };
    model.encode_to_vec()
}

struct Graph<'a> {
    plan: &'a Plan,
    weights: std::slice::ChunksExact<'a, Vec<f32>>,
    proto: GraphProto,
}

impl<'a> Graph<'a> {
    fn node(&mut self, operator: &str, inputs: &[&str], output: &str) -> &mut NodeProto {
        let nodes = &mut self.proto.node;
        nodes.push(NodeProto {
            name: output.into(),
            op_type: operator.into(),
            input: inputs.iter().map(|&name| name.into()).collect(),
            output: vec![output.into()],
            ..NodeProto::default()
        });
        let last = nodes.len() - 1;
        &mut nodes[last]
    }

    fn tensor(&mut self, name: String, dims: &[usize], numbers: impl Iterator<Item = f32>) {
        self.proto.initializer.push(TensorProto {
            name,
            dims: dims.iter().map(|&size| size as i64).collect(),
            data_type: DataType::Float as i32,
            raw_data: numbers.flat_map(f32::to_le_bytes).collect(),
            ..TensorProto::default()
        });
    }

    /// Adds a layer that sees each cell with its neighbours.
    fn layer(&mut self, from: &str, to: &str, channels: usize) {
        self.convolution(from, to, channels, self.plan.kernel());
    }

    /// Adds a layer that sees `kernel` cells around each cell: 1 or 9.
    fn convolution(&mut self, from: &str, to: &str, channels: usize, kernel: usize) {
        if matches!(self.plan.shape, Shape::Features(_)) {
            return self.dense(from, to, 1);
        }
        let (matrix, bias) = self.next();
        let (filters, side) = (bias.len(), if kernel == 1 { 1 } else { 3 });
        // Rows of the matrix are cells and then channels; the file has filters, channels, cells.
        let order = (0..filters).flat_map(|filter| {
            (0..channels).flat_map(move |channel| {
                (0..kernel).map(move |cell| (cell * channels + channel) * filters + filter)
            })
        });
        let numbers = order.map(|index| matrix[index]);
        self.tensor(format!("{to}.weights"), &[filters, channels, side, side], numbers);
        self.tensor(format!("{to}.bias"), &[filters], bias.iter().copied());
        self.node("Conv", &[from, &format!("{to}.weights"), &format!("{to}.bias")], to).attribute.push(
            AttributeProto {
                name: "pads".into(),
                r#type: AttributeType::Ints as i32,
                ints: vec![side as i64 / 2; 4],
                ..AttributeProto::default()
            },
        );
    }

    /// Adds a layer that sees all numbers, of which each channel has `area`.
    fn dense(&mut self, from: &str, to: &str, area: usize) {
        let (matrix, bias) = self.next();
        let outputs = bias.len();
        let inputs = matrix.len() / outputs.max(1);
        let channels = inputs / area.max(1);
        // Rows of the matrix are cells and then channels; the file has channels and then cells.
        let rows = (0..channels).flat_map(|channel| (0..area).map(move |cell| cell * channels + channel));
        let numbers = rows.flat_map(|row| matrix[row * outputs..(row + 1) * outputs].iter().copied());
        self.tensor(format!("{to}.weights"), &[inputs, outputs], numbers);
        self.tensor(format!("{to}.bias"), &[outputs], bias.iter().copied());
        self.node("Gemm", &[from, &format!("{to}.weights"), &format!("{to}.bias")], to);
    }

    /// Adds a layer of each cell, and one of the whole board.
    fn head(&mut self, from: &str, to: &str, area: usize) {
        let [cells, seen, flat] = ["cells", "seen", "flat"].map(|name| format!("{to}.{name}"));
        self.convolution(from, &cells, self.plan.filters, 1);
        self.node("Relu", &[&cells], &seen);
        self.node("Flatten", &[&seen], &flat);
        self.dense(&flat, to, area);
    }

    /// Returns the matrix and the bias of the next layer.
    fn next(&mut self) -> (&'a [f32], &'a [f32]) {
        match self.weights.next() {
            Some([matrix, bias]) => (matrix, bias),
            _ => (&[], &[]), // there are as many as layers
        }
    }
}

/// Returns an input or output of 32-bit numbers, with batches of any size.
fn typed(name: &str, dims: &[usize]) -> ValueInfoProto {
    let dimension = |value| Dimension { value: Some(value), ..Dimension::default() };
    let dims = dims.iter().map(|&size| dimension(Value::DimValue(size as i64)));
    let dim = std::iter::once(dimension(Value::DimParam("batch".into()))).chain(dims).collect();
    let tensor =
        type_proto::Tensor { elem_type: DataType::Float as i32, shape: Some(TensorShapeProto { dim }) };
    let kind = TypeProto { value: Some(type_proto::Value::TensorType(tensor)), ..TypeProto::default() };
    ValueInfoProto { name: name.into(), r#type: Some(kind), ..ValueInfoProto::default() }
}
