//! Methods of the feature `save`, which is off. A call does not compile, and the compiler names the feature.
//!
//! No type implements the trait in the bounds. What such a method returns is therefore unknown, so the
//! compiler reports nothing else about it.

use crate::backpropagation::Backprop;
use crate::search::mcts::Mcts;
use crate::search::{Engine, Space};
use crate::selection::TreePolicy;

#[diagnostic::on_unimplemented(
    message = "searches are saved and loaded with the feature `save` of ramure, which is off",
    label = "the feature `save` is off",
    note = "in Cargo.toml, write: ramure = {{ version = \"..\", features = [\"save\"] }}"
)]
pub trait FeatureSaveIsEnabled {
    type Output;
    fn output(&self) -> Self::Output;
}

macro_rules! methods {
    () => { methods! { save save_to load load_from resume resume_from } };
    ($($name:ident)*) => {$(
        #[doc(hidden)]
        pub fn $name<F>(&self, _: F) -> <Self as FeatureSaveIsEnabled>::Output
        where
            Self: FeatureSaveIsEnabled,
        {
            self.output()
        }
    )*};
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, E: Engine<S, P, R, B>> Mcts<S, P, R, B, E> {
    methods! {}
}
