#!/usr/bin/env bash
# Checks this package and runs its program over several ranks of this machine. Needs an MPI with `mpirun` and `mpicc`, and clang.
set -euo pipefail
cd "$(dirname "$0")"
cargo fmt --check
cargo clippy --quiet -p ramure-mpi --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --quiet -p ramure-mpi --no-deps
cargo test -p ramure-mpi
