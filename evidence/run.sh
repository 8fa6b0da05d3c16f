#!/usr/bin/env bash
# Tests every claim of this project's sources, and of the papers behind its policies, and writes a report. The evidence is a
# separate project, so that nobody who builds the laboratory builds it, too.
#
#   evidence/run.sh --quick                      two minutes once it is built; the intervals are wide
#   evidence/run.sh --folder docs                writes docs/experiments.md and its pictures: a quarter of an hour
#   evidence/run.sh --policies --folder docs     writes the claims in docs/evidence/policies.md
#   evidence/run.sh --portfolio                  plays the default search against its alternatives on 13 games: hours, in pieces
#   evidence/run.sh --help                       lists all options, and `--portfolio --help` those of the portfolio
#
# Over the ranks of MPI, see crates/mpi:
#
#   cargo build --release --manifest-path evidence/Cargo.toml --features mpi --target-dir target/evidence
#   mpirun -n 4 target/evidence/release/evidence --folder target/experiments
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$here/../target/evidence}
program=evidence
case ${1:-} in
  --portfolio)
    program=portfolio
    shift
    ;;
esac
exec cargo run --quiet --release --manifest-path "$here/Cargo.toml" --bin $program -- "$@"
