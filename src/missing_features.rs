//! Methods of features that are off. A call does not compile, and the compiler names the feature.
//!
//! No type implements the traits in the bounds. What such a method returns is therefore unknown, so the compiler reports nothing else about it.

#[cfg(not(feature = "save"))]
mod save {
    use crate::game::GameState;
    use crate::search::{Forest, Mcts, PlayerTrees, PlayerView, Windowed};
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

    impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Mcts<G, P, R, B> {
        methods! {}
    }

    impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>, W> Windowed<G, P, R, B, W>
    where
        P::Stats: Statistics<G, R>,
    {
        methods! {}
    }

    impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>, L> Forest<G, P, R, B, L> {
        methods! {}
    }

    impl<G: GameState, P: TreePolicy<PlayerView<G>>, R> PlayerTrees<G, P, R> {
        methods! {}
    }

    impl<G: GameState, O> Optimization<G, O> {
        methods! {}
    }
}

#[cfg(not(feature = "explorer"))]
mod explorer {
    use crate::game::GameState;
    use crate::search::TreeView;
    use crate::{Backprop, TreePolicy};

    // The compiler shows this name. It prints no message of ours for a type with a lifetime.
    pub trait FeatureExplorerIsEnabled {
        type Output;
        fn output(&self) -> Self::Output;
    }

    impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> TreeView<'_, G, P, R, B> {
        #[doc(hidden)]
        pub fn explorer(&self) -> <Self as FeatureExplorerIsEnabled>::Output
        where
            Self: FeatureExplorerIsEnabled,
        {
            self.output()
        }
    }
}
