//! Methods of features that are off. A call does not compile, and the compiler names the feature.
//!
//! No type implements the traits in the bounds. What such a method returns is therefore unknown, so the
//! compiler reports nothing else about it.

#[cfg(not(feature = "save"))]
mod save {
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
}

#[cfg(not(feature = "explorer"))]
mod explorer {
    use crate::backpropagation::Backprop;
    use crate::search::{Space, TreeView};
    use crate::selection::TreePolicy;

    // The compiler shows this name. It prints no message of ours for a type with a lifetime.
    pub trait FeatureExplorerIsEnabled {
        type Output;
        fn output(&self) -> Self::Output;
    }

    impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> TreeView<'_, S, P, R, B> {
        #[doc(hidden)]
        pub fn explorer(&self) -> <Self as FeatureExplorerIsEnabled>::Output
        where
            Self: FeatureExplorerIsEnabled,
        {
            self.output()
        }
    }
}
