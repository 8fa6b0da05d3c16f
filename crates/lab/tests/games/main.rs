//! The games of the laboratory, and the exact tools for them.

mod exact;
mod goofspiel;
mod kuhn;
mod leduc;
mod matrix;
mod posterior;
