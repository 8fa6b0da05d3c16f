//! A writer of tiny networks, and what they compute, in double precision.

use prost::Message;
use ramure::Rng;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::tensor_shape_proto::{Dimension, dimension::Value};
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, attribute_proto::AttributeType, type_proto,
};

/// Returns an input or output of 32-bit numbers; a negative size is left open.
pub fn value(name: &str, dims: &[i64]) -> ValueInfoProto {
    let dim = |&size: &i64| Dimension {
        value: Some(if size < 0 { Value::DimParam("batch".into()) } else { Value::DimValue(size) }),
        ..Dimension::default()
    };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let tensor = type_proto::Tensor { elem_type: DataType::Float as i32, shape };
    let kind = TypeProto { value: Some(type_proto::Value::TensorType(tensor)), ..TypeProto::default() };
    ValueInfoProto { name: name.into(), r#type: Some(kind), ..ValueInfoProto::default() }
}

pub fn tensor(name: &str, dims: &[usize], numbers: &[f32]) -> TensorProto {
    TensorProto {
        name: name.into(),
        dims: dims.iter().map(|&size| size as i64).collect(),
        data_type: DataType::Float as i32,
        raw_data: numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        ..TensorProto::default()
    }
}

pub fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        name: format!("make {output}"),
        op_type: operator.into(),
        input: inputs.iter().map(|&name| name.into()).collect(),
        output: vec![output.into()],
        ..NodeProto::default()
    }
}

pub fn with_ints(mut node: NodeProto, name: &str, ints: &[i64]) -> NodeProto {
    let kind = AttributeType::Ints as i32;
    let ints = ints.to_vec();
    node.attribute.push(AttributeProto {
        name: name.into(),
        r#type: kind,
        ints,
        ..AttributeProto::default()
    });
    node
}

pub fn with_int(mut node: NodeProto, name: &str, int: i64) -> NodeProto {
    let kind = AttributeType::Int as i32;
    node.attribute.push(AttributeProto {
        name: name.into(),
        r#type: kind,
        i: int,
        ..AttributeProto::default()
    });
    node
}

pub fn model(graph: GraphProto) -> ModelProto {
    let opset = OperatorSetIdProto { version: 17, ..OperatorSetIdProto::default() };
    ModelProto { ir_version: 8, opset_import: vec![opset], graph: Some(graph), ..ModelProto::default() }
}

/// A linear network: `logits = x A + a`, `value = activation(x B + b)`.
#[derive(Clone)]
pub struct Linear {
    pub dims: Vec<i64>,
    /// A row for each number of the input.
    pub policy: Vec<Vec<f32>>,
    pub policy_bias: Vec<f32>,
    pub value: Vec<Vec<f32>>,
    pub value_bias: Vec<f32>,
    pub activation: &'static str,
}

impl Linear {
    /// Draws weights between -1/2 and 1/2, which are multiples of 1/256.
    pub fn random(dims: &[i64], actions: usize, values: usize, activation: &'static str, seed: u64) -> Self {
        let mut rng = Rng::seeded(seed);
        let inputs = dims.iter().product::<i64>() as usize;
        let mut row = |width: usize| -> Vec<f32> {
            (0..width).map(|_| (rng.below(257) as f32 - 128.0) / 256.0).collect()
        };
        Linear {
            dims: dims.to_vec(),
            policy: (0..inputs).map(|_| row(actions)).collect(),
            policy_bias: row(actions),
            value: (0..inputs).map(|_| row(values)).collect(),
            value_bias: row(values),
            activation,
        }
    }

    pub fn model(&self) -> ModelProto {
        let (inputs, actions, values) = (self.policy.len(), self.policy_bias.len(), self.value_bias.len());
        let dims = [&[-1], &self.dims[..]].concat();
        model(GraphProto {
            name: "linear".into(),
            node: vec![
                node("Flatten", &["planes"], "flat"),
                node("Gemm", &["flat", "A", "a"], "policy"),
                node("Gemm", &["flat", "B", "b"], "raw"),
                node(self.activation, &["raw"], "value"),
            ],
            initializer: vec![
                tensor("A", &[inputs, actions], &self.policy.concat()),
                tensor("a", &[actions], &self.policy_bias),
                tensor("B", &[inputs, values], &self.value.concat()),
                tensor("b", &[values], &self.value_bias),
            ],
            input: vec![value("planes", &dims)],
            output: vec![value("policy", &[-1, actions as i64]), value("value", &[-1, values as i64])],
            ..GraphProto::default()
        })
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.model().encode_to_vec()
    }

    /// Returns the logits and the values before the activation.
    pub fn of(&self, input: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let sum = |weights: &[Vec<f32>], bias: &[f32]| -> Vec<f64> {
            let column = |column: usize| {
                let products =
                    weights.iter().zip(input).map(|(row, &x)| f64::from(row[column]) * f64::from(x));
                products.sum::<f64>() + f64::from(bias[column])
            };
            (0..bias.len()).map(column).collect()
        };
        (sum(&self.policy, &self.policy_bias), sum(&self.value, &self.value_bias))
    }
}

/// A small residual network of convolutions for planes of `dims`, with random weights.
pub fn residual(dims: [usize; 3], actions: usize, seed: u64) -> Vec<u8> {
    let [channels, height, width] = dims;
    let area = height * width;
    let mut rng = Rng::seeded(seed);
    let mut weights = |name: &str, dims: &[usize], scale: f32| {
        let count: usize = dims.iter().product();
        let numbers: Vec<_> = (0..count).map(|_| (rng.unit() as f32 - 0.5) * scale).collect();
        tensor(name, dims, &numbers)
    };
    let conv =
        |from: &str, weights: &str, to: &str| with_ints(node("Conv", &[from, weights], to), "pads", &[1; 4]);
    let graph = GraphProto {
        name: "residual".into(),
        node: vec![
            conv("planes", "w1", "c1"),
            node("Relu", &["c1"], "r1"),
            conv("r1", "w2", "c2"),
            node("Add", &["c2", "r1"], "s2"),
            node("Relu", &["s2"], "r2"),
            node("Flatten", &["r2"], "flat"),
            node("Gemm", &["flat", "A"], "policy"),
            node("Gemm", &["flat", "B"], "raw"),
            node("Tanh", &["raw"], "value"),
        ],
        initializer: vec![
            weights("w1", &[8, channels, 3, 3], 0.7),
            weights("w2", &[8, 8, 3, 3], 0.4),
            weights("A", &[8 * area, actions], 0.3),
            weights("B", &[8 * area, 1], 0.2),
        ],
        input: vec![value("planes", &[-1, channels as i64, height as i64, width as i64])],
        output: vec![value("policy", &[-1, actions as i64]), value("value", &[-1, 1])],
        ..GraphProto::default()
    };
    model(graph).encode_to_vec()
}
