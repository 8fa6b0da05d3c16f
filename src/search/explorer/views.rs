//! The pictures of views of games: those of the state inside.

use crate::game::{ActionSampler, GameState, HiddenInformation, Keyed, Picture, SkipTurn, Symmetric};
use crate::search::{
    BestReply, InformationSet, MirrorImages, ObservedMoves, OpenLoop, Paranoid, Sampled, Transpositions,
};

/// Views whose actions are those of the game.
macro_rules! same_actions {
    ($($view:ident: $bound:ident),+) => {$(
        impl<G: $bound + Picture> Picture for $view<G> {
            fn picture(&self, last: Option<G::Action>) -> String {
                self.state().picture(last)
            }
        }
    )+};
}

/// Views with actions of their own, or with states in another orientation. Their pictures do not mark the last action.
macro_rules! other_actions {
    ($($view:ident: $($bound:ident)+),+) => {$(
        impl<G: $($bound +)+ Picture> Picture for $view<G> {
            fn picture(&self, _last: Option<Self::Action>) -> String {
                self.state().picture(None)
            }
        }
    )+};
}

same_actions! { Transpositions: Keyed, InformationSet: HiddenInformation, Paranoid: GameState, Sampled: ActionSampler }
other_actions! { MirrorImages: Keyed Symmetric, OpenLoop: GameState, ObservedMoves: HiddenInformation, BestReply: SkipTurn }
