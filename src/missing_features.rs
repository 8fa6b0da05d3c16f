//! Methods of features that are off. A call does not compile, and the compiler names the feature.
//!
//! No type implements the traits in the bounds. What such a method returns is therefore unknown, so the
//! compiler reports nothing else about it.

#[cfg(not(feature = "save"))]
mod save {
    use crate::game::GameState;
    use crate::search::{Forest, Mcts, PlayerTrees, Space, Windowed};
    use crate::simulation::RolloutPolicy;
    use crate::statistics::Statistics;
    use crate::{Backprop, TreePolicy, optimization::Optimization};

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

    impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Mcts<S, P, R, B> {
        methods! {}
    }

    impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
        Windowed<S, P, R, B, W>
    where
        P::Stats: Statistics<S::Game, R>,
    {
        methods! {}
    }

    impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> Forest<S, P, R, B, L> {
        methods! {}
    }

    impl<S: Space, P: TreePolicy<S::Game>, R> PlayerTrees<S, P, R> {
        methods! {}
    }

    impl<G: GameState, O> Optimization<G, O> {
        methods! {}
    }
}

#[cfg(not(feature = "explorer"))]
mod explorer {
    use crate::search::{Space, TreeView};
    use crate::{Backprop, TreePolicy};

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
