//! Random programs over one table-driven game.

#[expect(dead_code, unused_imports, reason = "other tests use the rest")]
pub(crate) mod table;
