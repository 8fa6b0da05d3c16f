//! How much memory the constants of a file take once they are computed.

use std::collections::HashMap;
use tract_onnx::pb::{NodeProto, TensorProto};

/// The greatest number of numbers that all constants together may have: a gibibyte of 32-bit numbers.
const LIMIT: usize = 1 << 28;
/// More dimensions than any tensor has.
const RANK: usize = 64;

/// A tensor that does not depend on the input of the network.
#[derive(Clone)]
struct Constant {
    /// At least the number of its numbers.
    volume: usize,
    dims: Option<Vec<usize>>,
}

/// The tensors that the inference library computes when it loads a file, because they do not depend on the
/// input.
///
/// A few nodes that double a tensor, or spread it over another, would ask for any amount of memory.
#[derive(Default)]
pub(crate) struct Constants {
    known: HashMap<String, Constant>,
    total: usize,
}

impl Constants {
    pub(crate) fn add_tensor(&mut self, tensor: &TensorProto) {
        let constant = Constant::of(tensor);
        self.known.insert(tensor.name.clone(), constant);
    }

    /// Adds what a node computes, if it is a constant. Returns whether all constants are within the limit.
    pub(crate) fn add_node(&mut self, node: &NodeProto) -> bool {
        let inputs = || node.input.iter().filter(|name| !name.is_empty());
        let known: Option<Vec<_>> = inputs().map(|name| self.known.get(name)).collect();
        let computed = match (&*node.op_type, known) {
            // The shape of anything is known.
            ("Shape", _) => Constant { volume: RANK, dims: None },
            (operator, Some(inputs)) => Constant::computed(operator, node, &inputs),
            (_, None) => return true,
        };
        for output in node.output.iter().filter(|output| !output.is_empty()) {
            self.total = self.total.saturating_add(computed.volume);
            self.known.insert(output.clone(), computed.clone());
        }
        self.total <= LIMIT
    }
}

impl Constant {
    fn of(tensor: &TensorProto) -> Self {
        // The dimensions were checked.
        let dims: Vec<_> = tensor.dims.iter().map(|&size| size.unsigned_abs() as usize).collect();
        Constant { volume: dims.iter().product(), dims: Some(dims) }
    }

    /// Bounds what `operator` computes of constants.
    fn computed(operator: &str, node: &NodeProto, inputs: &[&Constant]) -> Self {
        let of_volume = |volume| Constant { volume, dims: None };
        let volumes = || inputs.iter().map(|input| input.volume);
        match operator {
            "Constant" => match node.attribute.iter().find_map(|attribute| attribute.t.as_ref()) {
                Some(tensor) => Constant::of(tensor),
                None => of_volume(RANK),
            },
            "Add" | "Sub" | "Mul" | "Div" | "Pow" | "Max" | "Min" | "Sum" => {
                let first = Constant { volume: 1, dims: Some(vec![]) };
                inputs.iter().fold(first, |sum, input| sum.spread_over(input))
            }
            "Concat" => of_volume(volumes().fold(0, usize::saturating_add)),
            // As many numbers as the first has, or fewer.
            "Abs" | "BatchNormalization" | "Cast" | "Clip" | "Dropout" | "Elu" | "Exp" | "HardSigmoid"
            | "HardSwish" | "Identity" | "LayerNormalization" | "LeakyRelu" | "Log" | "LogSoftmax"
            | "Neg" | "Relu" | "Selu" | "Sigmoid" | "Softmax" | "Softplus" | "Sqrt" | "Tanh" => {
                inputs.first().map_or_else(|| of_volume(0), |&input| input.clone())
            }
            "Flatten" | "GlobalAveragePool" | "GlobalMaxPool" | "ReduceMax" | "ReduceMean" | "ReduceSum"
            | "Reshape" | "Slice" | "Split" | "Squeeze" | "Transpose" | "Unsqueeze" => {
                of_volume(volumes().next().unwrap_or(0))
            }
            // Such as a product of matrices: a number for each pair at most, and a window adds a border to
            // each.
            _ => {
                let border = if matches!(operator, "Conv" | "AveragePool" | "MaxPool") { 1 << 14 } else { 1 };
                of_volume(volumes().fold(border, usize::saturating_mul))
            }
        }
    }

    /// Bounds the sum of two tensors, in which dimensions of 1 are repeated.
    fn spread_over(self, other: &Constant) -> Self {
        let (Some(dims), Some(others)) = (&self.dims, &other.dims) else {
            return Constant { volume: self.volume.saturating_mul(other.volume), dims: None };
        };
        let rank = dims.len().max(others.len());
        let at = |dims: &[usize], place: usize| {
            (place + dims.len()).checked_sub(rank).map_or(1, |place| dims[place])
        };
        let dims: Vec<_> = (0..rank).map(|place| at(dims, place).max(at(others, place))).collect();
        Constant {
            volume: dims.iter().fold(1, |volume, &size| volume.saturating_mul(size)),
            dims: Some(dims),
        }
    }
}
