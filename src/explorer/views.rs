//! The pictures of views of games: those of the state inside.

use crate::game::many::best_reply::BestReply;
use crate::game::many::paranoid::Paranoid;
use crate::game::{ActionSampler, GameState, HiddenInformation, Keyed, Picture, SkipTurn, Symmetric};
use crate::space::information_set::InformationSet;
use crate::space::observed_moves::ObservedMoves;
use crate::space::open_loop::OpenLoop;
use crate::space::sampled::Sampled;
use crate::space::transpositions::{MirrorImages, Transpositions};

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
