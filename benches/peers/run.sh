#!/usr/bin/env bash
# ramure beside other searches: Connect 4 from the empty board, the same rules, rollout and number of iterations, one
# thread. Builds the program `peers`, gets OpenSpiel from PyPI, runs both, and prints the machine, the command, and one
# table. `benches/run.sh` makes `docs/benchmarks.md` of it.
#
#   benches/peers/run.sh             all of it: about a quarter of an hour, on an otherwise idle machine
#   benches/peers/run.sh --quick     a smoke test: half a minute once it is built; the figures mean little
#   benches/peers/run.sh --help      everything that can be asked for; for instance
#   benches/peers/run.sh --only arbor,minimax --iterations 1000000 --runs 5
#   benches/peers/run.sh --table policies     ramure with other policies, beside itself
#   benches/peers/run.sh --table growth       what an iteration takes in searches of 1e3 to 1e7
#   benches/peers/run.sh --bare ...           the table alone, for `benches/run.sh`
#
# What it needs: cargo with Rust 1.95, and the network on the first call (crates.io, PyPI). For OpenSpiel, Python 3 with
# `venv`; without it, or if PyPI has no wheel for the machine, the table is printed without OpenSpiel. The build and the
# Python environment lie under `target/peers` (or `$CARGO_TARGET_DIR`). Other compiler flags:
# `RUSTFLAGS="-C target-cpu=native" benches/peers/run.sh`.
#
# How it is measured. Each search is a process of its own, with a fresh heap, and a small search to warm up. In each
# round every peer makes one run with the same seed; the next round begins with another peer. The time is that of the
# processor (`--clock wall` for the other), from nothing to the best action; freeing the tree is not in it, where the
# peer lets us keep the tree. Speeds are medians over the rounds, ratios are medians of the ratios within a round, with
# the least and the greatest. "Alike" is the ratio to ramure with the peer's exploration constant, and with proofs if
# the peer proves. Bytes are the most that is asked of the allocator at a time, per iteration, in a run that is not
# timed; for OpenSpiel, by how much the process grows. Before all this each peer is shown positions with one right
# answer, a win or a threat.
#
# The files: `src/board.rs` is what all share, `src/peer.rs` and `src/policies.rs` are the lists of rows, and each peer has a
# file of its own that says how it was set up; `open_spiel.py` is the part in Python. A new peer is a file and a row.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command="benches/peers/run.sh${*:+ $*}"
bare=
if [ "${1:-}" = --bare ]; then
  bare=yes
  shift
fi
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$here/../../target/peers}
mkdir -p "$CARGO_TARGET_DIR"

cargo build --release --quiet --manifest-path "$here/Cargo.toml"

python=$CARGO_TARGET_DIR/venv/bin/python
get_open_spiel() {
  [ -x "$python" ] || python3 -m venv "$CARGO_TARGET_DIR/venv"
  # Its compiled part alone: scipy and the rest serve what is not used here.
  "$python" -c 'import pyspiel' 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: 'open_spiel==2.0.2'
  "$python" -c 'import pyspiel'
}
if get_open_spiel >&2; then
  set -- --python "$python" "$@"
else
  echo "no OpenSpiel: see above" >&2
fi

if [ -z "$bare" ]; then
  "$here/../machine.sh" "$command" "lto, one codegen unit"
fi
"$CARGO_TARGET_DIR/release/peers" "$@"
