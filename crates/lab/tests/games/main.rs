//! The games of the laboratory, and the exact tools for them.

mod equilibria;
mod exact;
mod goofspiel;
mod knockout_whist;
mod kuhn;
mod leduc;
mod matrix;
mod oshi_zumo;
mod phantom_tic_tac_toe;
mod posterior;
