//! The pictures of games made from games: those of the state inside.

use crate::game::many::best_reply::BestReply;
use crate::game::many::paranoid::Paranoid;
use crate::game::{GameState, Picture, SkipTurn};

impl<G: GameState + Picture> Picture for Paranoid<G> {
    fn picture(&self, last: Option<G::Action>) -> String {
        self.state().picture(last)
    }
}

impl<G: SkipTurn + Picture> Picture for BestReply<G> {
    fn picture(&self, _last: Option<Self::Action>) -> String {
        self.state().picture(None)
    }
}
