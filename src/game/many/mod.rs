//! Games made from games of three or more players: for two, in which all others play against one player. Uses
//! the rest of `game`.

pub(crate) mod best_reply;
pub(crate) mod paranoid;
