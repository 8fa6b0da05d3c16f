//! A residual network whose weights can be trained.

use super::convolution::{Convolution, KERNEL};
use super::settings::Settings;
use crate::Shape;
use crate::check::Contract;
use candle_core::{D, DType, Device, Result, Tensor, Var};
use ramure::Rng;

/// The number of filters before the layer that computes the policy, and before those that compute the value.
const POLICY_FILTERS: usize = 8;
const VALUE_FILTERS: usize = 4;

/// The sizes of a network: `blocks` residual blocks of `filters` filters, and two heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub shape: Shape,
    pub policy: usize,
    /// The number of columns of the value: one, or one for each player.
    pub values: usize,
    pub blocks: usize,
    pub filters: usize,
    pub hidden: usize,
}

/// The weights of one layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Layer {
    /// The numbers that come in: of one cell and its neighbours, or of all cells.
    pub inputs: usize,
    pub outputs: usize,
    /// The standard deviation of the first weights, times the root of `inputs`.
    gain: f64,
}

impl Plan {
    pub(crate) fn new(contract: &Contract, settings: &Settings) -> Self {
        let players = usize::from(contract.players);
        Plan {
            shape: contract.shape,
            policy: contract.policy,
            values: if players <= 2 { 1 } else { players },
            blocks: settings.blocks,
            filters: settings.filters,
            hidden: settings.hidden,
        }
    }

    /// Returns the channels of the input, and the height and the width of the board. A list of features is a
    /// board of one cell.
    pub(crate) fn board(&self) -> (usize, usize, usize) {
        match self.shape {
            Shape::Planes { channels, height, width } => (channels, height, width),
            Shape::Features(features) => (features, 1, 1),
        }
    }

    /// Returns how many cells a filter sees.
    pub(crate) fn kernel(&self) -> usize {
        match self.shape {
            Shape::Planes { .. } => KERNEL,
            Shape::Features(_) => 1,
        }
    }

    /// Returns all layers, in the order in which their weights are stored: the input, two for each block, two
    /// for the policy, three for the value.
    ///
    /// Layers before a ReLU start with the gains of He et al. 2015. The last layer of each block and of each
    /// head starts at 0, and the first layer of each block is divided by the square root of the number of
    /// blocks (Zhang, Dauphin and Ma, *Fixup initialization*, 2019, rules 1 and 2). With this start, blocks
    /// need no normalisation.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        let Plan { filters, hidden, .. } = *self;
        let (channels, height, width) = self.board();
        let area = height * width;
        let layer = |inputs, outputs, gain| Layer { inputs, outputs, gain };
        let relu = f64::sqrt(2.0);
        let mut layers = vec![layer(self.kernel() * channels, filters, relu)];
        for _ in 0..self.blocks {
            layers.push(layer(self.kernel() * filters, filters, relu / (self.blocks as f64).sqrt()));
            layers.push(layer(self.kernel() * filters, filters, 0.0));
        }
        layers.push(layer(filters, POLICY_FILTERS, relu));
        layers.push(layer(POLICY_FILTERS * area, self.policy, 0.0));
        layers.push(layer(filters, VALUE_FILTERS, relu));
        layers.push(layer(VALUE_FILTERS * area, hidden, relu));
        layers.push(layer(hidden, self.values, 0.0));
        layers
    }

    /// Returns about how many numbers a step of the optimiser keeps: the weights with their moments and
    /// copies, and for each layer its results and gradients.
    pub(crate) fn numbers_kept(&self, batch: usize) -> usize {
        let (_, height, width) = self.board();
        let of_layer = |Layer { inputs, outputs, .. }: Layer| {
            let results = [batch, height, width, outputs].into_iter().fold(4, usize::saturating_mul);
            inputs.saturating_mul(outputs).saturating_mul(8).saturating_add(results)
        };
        self.layers().into_iter().map(of_layer).fold(0, usize::saturating_add)
    }

    /// Returns the shapes of all weights: for each layer, its matrix and its bias.
    pub(crate) fn weight_shapes(&self) -> Vec<Vec<usize>> {
        let shapes = |layer: Layer| [vec![layer.inputs, layer.outputs], vec![layer.outputs]];
        self.layers().into_iter().flat_map(shapes).collect()
    }

    /// Draws the first weights.
    pub(crate) fn first_weights(&self, rng: &mut Rng) -> Result<Vec<Var>> {
        let mut weights = Vec::new();
        for Layer { inputs, outputs, gain } in self.layers() {
            let deviation = gain / (inputs as f64).sqrt();
            let numbers: Vec<f32> = (0..inputs * outputs).map(|_| (deviation * normal(rng)) as f32).collect();
            weights.push(Var::from_vec(numbers, (inputs, outputs), &Device::Cpu)?);
            weights.push(Var::zeros(outputs, DType::F32, &Device::Cpu)?);
        }
        Ok(weights)
    }
}

/// Draws from the standard normal distribution (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let (radius, angle) = (1.0 - rng.unit(), rng.unit());
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(core::f64::consts::TAU * angle)
}

/// A network that can be differentiated.
pub(crate) struct Tower {
    plan: Plan,
    /// `None` for a list of features.
    convolution: Option<Convolution>,
}

impl Tower {
    pub(crate) fn new(plan: Plan) -> Self {
        let convolution = match plan.shape {
            Shape::Planes { height, width, .. } => Some(Convolution::new(height, width)),
            Shape::Features(_) => None,
        };
        Tower { plan, convolution }
    }

    /// Returns the logits and the values of a batch, whose rows are what a game writes.
    pub(crate) fn forward(&self, weights: &[Var], input: Tensor) -> Result<(Tensor, Tensor)> {
        let Plan { blocks, .. } = self.plan;
        let (channels, height, width) = self.plan.board();
        let (area, batch) = (height * width, input.dim(0)?);
        let mut layers = weights.chunks_exact(2);
        let mut next = || layers.next().ok_or_else(|| candle_core::Error::msg("there are too few weights"));
        let cells = input.reshape((batch, channels, area))?.transpose(1, 2)?.contiguous()?;
        let mut body = self.convolve(&cells.reshape((batch * area, channels))?, next()?)?.relu()?;
        for _ in 0..blocks {
            let inner = self.convolve(&body, next()?)?.relu()?;
            body = (&body + self.convolve(&inner, next()?)?)?.relu()?;
        }
        let policy = linear(&body, next()?)?.relu()?.reshape((batch, POLICY_FILTERS * area))?;
        let logits = linear(&policy, next()?)?;
        let value = linear(&body, next()?)?.relu()?.reshape((batch, VALUE_FILTERS * area))?;
        let value = linear(&value, next()?)?.relu()?;
        let value = linear(&value, next()?)?;
        // A sigmoid in terms of tanh, which both kinds of values share.
        let value = if self.plan.values == 1 {
            value.tanh()?
        } else {
            ((value * 0.5)?.tanh()? * 0.5)?.affine(1.0, 0.5)?
        };
        Ok((logits, value))
    }

    fn convolve(&self, cells: &Tensor, weights: &[Var]) -> Result<Tensor> {
        match (&self.convolution, weights) {
            (Some(convolution), [matrix, bias]) => {
                cells.apply_op2(matrix, convolution.clone())?.broadcast_add(bias)
            }
            _ => linear(cells, weights),
        }
    }
}

fn linear(rows: &Tensor, weights: &[Var]) -> Result<Tensor> {
    let [matrix, bias] = weights else { return Err(candle_core::Error::msg("a layer lacks its bias")) };
    rows.matmul(matrix)?.broadcast_add(bias)
}

/// Returns the losses of the policy (cross-entropy with `target`, over the actions that `mask` leaves at 0)
/// and of the value (squared error), as means over the batch.
pub(crate) fn losses(
    output: (Tensor, Tensor),
    target: &Tensor,
    mask: &Tensor,
    value: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let logits = (output.0 + mask)?;
    let batch = logits.dim(0)? as f64;
    let shifted = logits.broadcast_sub(&logits.max_keepdim(D::Minus1)?.detach())?;
    let log_shares = shifted.broadcast_sub(&shifted.exp()?.sum_keepdim(D::Minus1)?.log()?)?;
    let policy = ((log_shares * target)?.sum_all()? * (-1.0 / batch))?;
    let value = ((output.1 - value)?.sqr()?.sum_all()? * (1.0 / batch))?;
    Ok((policy, value))
}
