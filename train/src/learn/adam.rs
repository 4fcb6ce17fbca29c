//! The Adam optimiser on flat arrays.
//!
//! burn's own keeps its state by parameter in a hash table: the bytes it saves have no fixed order, and it drops
//! without a word what it cannot read. One flat array has one order, and the gradients lie in one already, for
//! their norm is taken over all of them.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::LearnError;

/// Both moments of every weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Adam {
    steps: u64,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    pub(super) fn new(parameters: usize) -> Self {
        Self { steps: 0, first: vec![0.0; parameters], second: vec![0.0; parameters] }
    }

    /// One step of `weights` against `gradients * scale`.
    ///
    /// # Source
    /// Kingma and Ba, arXiv:1412.6980, algorithm 1, with epsilon outside the corrected root, as in PyTorch.
    pub(super) fn step(
        &mut self,
        weights: &mut [f32],
        gradients: &[f32],
        scale: f32,
        rate: f64,
        [beta1, beta2]: [f32; 2],
        epsilon: f32,
    ) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let rate = (rate / (1.0 - f64::from(beta1).powi(steps))) as f32;
        let root = (1.0 - f64::from(beta2).powi(steps)).sqrt() as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, gradient), (first, second)) in weights.iter_mut().zip(gradients).zip(moments) {
            let gradient = gradient * scale;
            *first += (1.0 - beta1) * (gradient - *first);
            *second += (1.0 - beta2) * (gradient * gradient - *second);
            *weight -= rate * *first / (second.sqrt() / root + epsilon);
        }
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, LearnError> {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let (first, second, steps) = (bytes(&self.first), bytes(&self.second), self.steps.to_le_bytes());
        let view = |dtype, len, bytes| TensorView::new(dtype, vec![len], bytes);
        let views = (|| {
            let parameters = self.first.len();
            Ok([
                ("first", view(Dtype::F32, parameters, &first)?),
                ("second", view(Dtype::F32, parameters, &second)?),
                ("steps", view(Dtype::U64, 1, &steps)?),
            ])
        })();
        views
            .and_then(|views| safetensors::serialize(views, None))
            .map_err(|fault| LearnError::Optimizer(fault.to_string()))
    }

    pub(super) fn from_bytes(bytes: &[u8], parameters: usize) -> Result<Self, LearnError> {
        let fault = |fault: safetensors::SafeTensorError| LearnError::Optimizer(fault.to_string());
        let file = SafeTensors::deserialize(bytes).map_err(fault)?;
        let read = |name: &str, dtype: Dtype, len: usize| {
            let view = file.tensor(name).map_err(fault)?;
            if view.dtype() != dtype || view.shape() != [len] {
                let (found, shape) = (view.dtype(), view.shape());
                return Err(LearnError::Optimizer(format!(
                    "{name} is {found:?} {shape:?}, but this network needs {dtype:?} [{len}]"
                )));
            }
            Ok(view.data().to_vec())
        };
        let floats = |name| {
            let bytes = read(name, Dtype::F32, parameters)?;
            Ok(bytes.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value)).collect())
        };
        let steps = read("steps", Dtype::U64, 1)?;
        Ok(Self {
            steps: u64::from_le_bytes(steps.as_chunks().0[0]),
            first: floats("first")?,
            second: floats("second")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_learning_rate_long() {
        let mut adam = Adam::new(2);
        let mut weights = [1.0, 1.0];
        adam.step(&mut weights, &[4.0, -0.5], 0.5, 0.01, [0.9, 0.999], 1e-5);
        assert!((weights[0] - 0.99).abs() < 1e-5 && (weights[1] - 1.01).abs() < 1e-5, "{weights:?}");
    }

    #[test]
    fn states_round_trip_and_defects_are_named() {
        let mut adam = Adam::new(3);
        adam.step(&mut [0.0; 3], &[1.0, 2.0, 3.0], 1.0, 0.1, [0.9, 0.999], 1e-5);
        let bytes = adam.to_bytes().unwrap();
        assert_eq!(bytes, adam.to_bytes().unwrap());
        assert_eq!(Adam::from_bytes(&bytes, 3).unwrap(), adam);
        let error = Adam::from_bytes(&bytes, 4).unwrap_err().to_string();
        assert!(error.contains("needs F32 [4]"), "{error}");
        for length in [0, 7, 40, bytes.len() - 1] {
            assert!(Adam::from_bytes(&bytes[..length], 3).is_err(), "{length}");
        }
    }
}
