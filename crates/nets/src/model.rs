//! A file made ready to run, for positions that are numbers by now.

use crate::check::{Contract, Layout, check, check_range, columns, wrong_head};
use crate::{EvaluationError, Head, LoadError};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;

/// The greatest size of a file, in bytes.
pub(crate) const SIZE_LIMIT: u64 = 1 << 30;
/// The greatest number of numbers that one node may compute for one batch.
const VOLUME_LIMIT: usize = 1 << 28;

/// The output of a network for one position, before it is masked and normalised.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Output {
    /// A logit for each column of the policy.
    pub policy: Vec<f32>,
    /// The value: one number in [-1, 1], or one in [0, 1] for each player, from the viewer on.
    pub value: Vec<f32>,
}

/// A network that is ready to run.
pub(crate) struct Model {
    pub contract: Contract,
    pub layout: Layout,
    /// The file, checked, to compile it for other sizes of batches.
    proto: Arc<ModelProto>,
    /// The network compiled for each size of a batch, from the smallest to the largest.
    plans: Vec<Plan>,
}

struct Plan {
    size: usize,
    plan: Arc<TypedRunnableModel>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<_> = self.plans.iter().map(|plan| plan.size).collect();
        f.debug_struct("Model").field("contract", &self.contract).field("batch_sizes", &sizes).finish()
    }
}

impl Model {
    /// Reads a file. `sizes` are the sizes of batches, unless the file fixes one.
    pub(crate) fn new(mut bytes: &[u8], contract: Contract, sizes: &[usize]) -> Result<Self, LoadError> {
        if bytes.len() as u64 > SIZE_LIMIT {
            return Err(LoadError::TooLarge { limit: SIZE_LIMIT });
        }
        if !(1..=ramure::MAX_PLAYERS).contains(&usize::from(contract.players)) {
            return Err(LoadError::Players { players: contract.players });
        }
        let decoded = guarded(|| tract_onnx::onnx().proto_model_for_read(&mut bytes));
        let mut proto = decoded.map_err(|reason| LoadError::NotOnnx { reason })?;
        let layout = check(&mut proto, &contract)?;
        Model { contract, layout, proto: Arc::new(proto), plans: vec![] }.with_sizes(sizes)
    }

    /// Returns the same network for other sizes of batches.
    pub(crate) fn with_sizes(&self, sizes: &[usize]) -> Result<Self, LoadError> {
        let mut sizes = self.layout.batch.map_or_else(|| sizes.to_vec(), |size| vec![size]);
        sizes.sort_unstable();
        sizes.dedup();
        let mut model = Model { proto: self.proto.clone(), plans: vec![], ..*self };
        for size in sizes {
            let built = guarded(|| build(&self.proto, &self.contract, size));
            let plan = built.map_err(|reason| LoadError::Inference { reason })?;
            self.check_heads(&plan, size)?;
            model.plans.push(Plan { size, plan });
        }
        Ok(model)
    }

    /// Checks the two heads.
    fn check_heads(&self, plan: &TypedRunnableModel, size: usize) -> Result<(), LoadError> {
        for (head, place) in [(Head::Policy, self.layout.policy), (Head::Value, 1 - self.layout.policy)] {
            let fact = plan.model().output_fact(place);
            let fact = fact.map_err(|error| LoadError::Inference { reason: format!("{error:#}") })?;
            let text = || format!("{:?} in the shape {:?}", fact.datum_type, fact.shape);
            let dims = fact.shape.as_concrete().ok_or_else(|| wrong_head(head, text(), &self.contract))?;
            let fits = fact.datum_type == f32::datum_type()
                && matches!(*dims, [batch, width] if batch == size && columns(head, &self.contract).contains(&width));
            if !fits {
                return Err(wrong_head(head, text(), &self.contract));
            }
            check_range(head, dims[1], self.layout.shares[place])?;
        }
        Ok(())
    }

    /// Evaluates positions: `input` holds their numbers, one after another.
    pub(crate) fn run(&self, input: &[f32]) -> Result<Vec<Output>, EvaluationError> {
        let length = self.contract.shape.len();
        let mut outputs = Vec::with_capacity(input.len() / length);
        let mut rest = input;
        while !rest.is_empty() {
            let left = rest.len() / length;
            // The largest size that is full, or else the smallest, with padding.
            let full = self.plans.iter().rev().find(|plan| plan.size <= left);
            let Some(plan) = full.or(self.plans.first()) else { break };
            let (piece, after) = rest.split_at(left.min(plan.size) * length);
            rest = after;
            let ran = guarded(|| self.run_piece(plan, piece));
            outputs.extend(ran.map_err(|reason| EvaluationError::Inference { reason })?);
        }
        Ok(outputs)
    }

    /// Evaluates one batch, filled up with zeros.
    fn run_piece(&self, Plan { size, plan }: &Plan, piece: &[f32]) -> TractResult<Vec<Output>> {
        let mut dims = vec![*size];
        dims.extend(self.contract.shape.dimensions());
        let mut tensor = Tensor::zero::<f32>(&dims)?;
        tensor.try_as_plain_ram_mut()?.as_slice_mut::<f32>()?[..piece.len()].copy_from_slice(piece);
        let outputs = plan.run(tvec!(tensor.into()))?;
        let (policy, value) = (&outputs[self.layout.policy], &outputs[1 - self.layout.policy]);
        let (policy, value) = (policy.try_as_plain_ram()?, value.try_as_plain_ram()?);
        let (policy, value) = (policy.as_slice::<f32>()?, value.as_slice::<f32>()?);
        let rows = policy.chunks_exact(policy.len() / size).zip(value.chunks_exact(value.len() / size));
        let rows = rows.take(piece.len() / self.contract.shape.len());
        Ok(rows.map(|(policy, value)| Output { policy: policy.into(), value: value.into() }).collect())
    }
}

/// Compiles the network for batches of `size`.
fn build(proto: &ModelProto, contract: &Contract, size: usize) -> TractResult<Arc<TypedRunnableModel>> {
    let mut dims: TVec<usize> = tvec!(size);
    dims.extend(contract.shape.dimensions());
    let mut proto = proto.clone();
    if let Some(input) = proto.graph.as_mut().and_then(|graph| graph.input.first_mut()) {
        set_dims(input, &dims);
    }
    let mut model = tract_onnx::onnx().model_for_proto_model(&proto)?;
    model.analyse(false)?;
    let outlets = model.nodes().iter().flat_map(|node| &node.outputs);
    for outlet in outlets {
        let Some(dims) = outlet.fact.shape.as_concrete_finite()? else { continue };
        let volume = dims.iter().try_fold(1usize, |volume, &dim| volume.checked_mul(dim));
        if volume.is_none_or(|volume| volume > VOLUME_LIMIT) {
            let reason = format!("a node computes {dims:?} numbers, which is too many");
            return Err(TractError::msg(reason));
        }
    }
    model.into_optimized()?.into_runnable()
}

/// Writes the size of the batch and the shape of the game into the type of the input.
fn set_dims(input: &mut tract_onnx::pb::ValueInfoProto, dims: &[usize]) {
    use tract_onnx::pb::tensor_shape_proto::{Dimension, dimension};
    use tract_onnx::pb::{TensorShapeProto, type_proto};
    let Some(kind) = &mut input.r#type else { return };
    let Some(type_proto::Value::TensorType(tensor)) = &mut kind.value else { return };
    let dim = |&size: &usize| Dimension {
        value: Some(dimension::Value::DimValue(size as i64)),
        ..Dimension::default()
    };
    tensor.shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
}

/// Calls into the inference library. It panics on some networks that it cannot run, and each of its functions
/// is free of state that a panic could leave half-written: what a panic interrupts is dropped here. If panics
/// abort, as a profile of Cargo may say, this cannot help.
fn guarded<T>(call: impl FnOnce() -> TractResult<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|error| format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("it panicked: {}", text.unwrap_or_default()))
        }
    }
}
