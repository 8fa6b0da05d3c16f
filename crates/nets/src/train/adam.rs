//! The optimiser.

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Error, Result, Tensor, Var};

const MOMENTUM: f64 = 0.9;
const SQUARES: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// AdamW: moments of the gradients, and weights that decay by themselves.
///
/// The optimiser of the library hides its moments, so that a run that is continued would not be the same run.
///
/// **Source:** Loshchilov and Hutter, *Decoupled weight decay regularization*, ICLR 2019, algorithm 2; with
/// the constants of Kingma and Ba, *Adam*, ICLR 2015.
pub(crate) struct Adam {
    pub steps: u64,
    /// The first and the second moment of each weight.
    pub moments: [Vec<Tensor>; 2],
}

impl Adam {
    pub(crate) fn new(weights: &[Var]) -> Result<Self> {
        let zeros = |weight: &Var| Tensor::zeros(weight.shape(), DType::F32, &Device::Cpu);
        let moment = || weights.iter().map(zeros).collect::<Result<_>>();
        Ok(Adam { steps: 0, moments: [moment()?, moment()?] })
    }

    /// Moves the weights against their gradients. Biases, which have one dimension, do not decay.
    pub(crate) fn step(
        &mut self,
        weights: &[Var],
        gradients: &GradStore,
        rate: f64,
        decay: f64,
    ) -> Result<()> {
        self.steps += 1;
        let steps = self.steps as f64;
        let (first, second) = (1.0 - libm::pow(MOMENTUM, steps), 1.0 - libm::pow(SQUARES, steps));
        let [momentum, squares] = &mut self.moments;
        for ((weight, momentum), squares) in weights.iter().zip(momentum).zip(squares) {
            // Otherwise the moments would keep every tensor of every step.
            let gradient =
                &gradients.get(weight).ok_or_else(|| Error::msg("a weight has no gradient"))?.detach();
            *momentum = ((&*momentum * MOMENTUM)? + (gradient * (1.0 - MOMENTUM))?)?;
            *squares = ((&*squares * SQUARES)? + (gradient.sqr()? * (1.0 - SQUARES))?)?;
            let scale = ((&*squares * (1.0 / second))?.sqrt()? + EPSILON)?;
            let step = ((&*momentum * (rate / first))? / scale)?;
            let decay = if weight.rank() > 1 { rate * decay } else { 0.0 };
            weight.set(&((weight.as_detached_tensor() * (1.0 - decay))? - step)?)?;
        }
        Ok(())
    }
}
