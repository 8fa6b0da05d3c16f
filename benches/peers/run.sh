#!/usr/bin/env bash
# Compares ramure with other searches: Connect 4 from the empty board, the same rules, rollout and number of iterations, one
# thread (or two, if asked for). Builds the program `peers`, gets OpenSpiel from PyPI, runs both, and prints the machine, the command, and one
# table. `benches/run.sh` writes `docs/benchmarks.md` from it.
#
#   benches/peers/run.sh             everything: about a quarter of an hour, on an otherwise idle machine
#   benches/peers/run.sh --quick     a smoke test: half a minute once it is built; the figures mean little
#   benches/peers/run.sh --help      lists all options; for example
#   benches/peers/run.sh --only arbor,minimax --iterations 1000000 --runs 5
#   benches/peers/run.sh --table policies     compares ramure with itself under other policies
#   benches/peers/run.sh --table growth       measures the time per iteration in searches of 1e3 to 1e7
#   benches/peers/run.sh --table threads      measures the searches that have threads with one thread and with two
#   benches/peers/run.sh --table contest      plays these against ramure, each with two threads and 50 ms per action: 20 minutes
#   benches/peers/run.sh --table contest-alone   plays all against ramure, each with one thread and 20 ms per action: half an hour
#   benches/peers/run.sh --table information-sets   compares searches of hidden information with OpenSpiel's: ten minutes
#   benches/peers/run.sh --table natural      measures the games of `benches/natural` against four crates as they come: five minutes
#   benches/peers/run.sh --table hex          measures a search that is written for Hex on 11x11 only: a minute; needs AVX2
#   benches/peers/run.sh --bare ...           prints only the table, for `benches/run.sh`
#
# Requires cargo with Rust 1.89, and the network on the first call (crates.io, PyPI). OpenSpiel requires Python 3 with
# `venv`. Without it, or if PyPI has no wheel for the machine, the table leaves out OpenSpiel. The build and the
# Python environment are under `target/peers` (or `$CARGO_TARGET_DIR`). To set other compiler flags:
# `RUSTFLAGS="-C target-cpu=native" benches/peers/run.sh`.
#
# The method: each search is a separate process, with a fresh heap and a small search to warm up. In each round every peer
# makes one run with the same seed; the next round begins with another peer. The time is processor time (`--clock wall` for
# wall time), from an empty tree to the best action. It excludes freeing the tree if the peer lets us keep the tree. Speeds
# are medians over the rounds. Ratios are medians of the ratios within a round, with the least and the greatest. "Alike" is
# the ratio to ramure with the peer's exploration constant, and with proofs if the peer proves. Bytes are the peak of the
# memory requested from the allocator, per iteration, in a run that is not timed; for OpenSpiel, the growth of the process.
# Before all this each peer gets positions with one right answer, a win or a threat.
#
# The table of threads gives wall time. The contest plays pairs of games, with colours swapped, from openings of two random
# actions. Each player is a separate process, and while one of them thinks, the other one waits.
#
# The table of information sets is a program of its own: `information_sets.py` plays OpenSpiel's side and asks ramure's,
# `src/bin/information_sets`. `benches/peers/run.sh --table information-sets --help` lists its options.
# The tables of natural games and of Hex are the programs `src/bin/natural` and `src/bin/hex`: all searches run in one process,
# and the time contains the freeing of the search.
#
# The files: `src/board.rs` is the shared code, `src/peer.rs`, `src/policies.rs` and `src/threads.rs` list the rows, and each
# peer has a file that describes its setup. `open_spiel.py` is the part in Python. To add a peer, add a file and a row.
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

program=peers
options=()
while [ $# -gt 0 ]; do
  case "$1 ${2:-}" in
    "--table information-sets") program=information_sets; shift 2 ;;
    "--table natural") program=natural; shift 2 ;;
    "--table hex") program=hex; shift 2 ;;
    *) options+=("$1"); shift ;;
  esac
done
set -- ${options[@]+"${options[@]}"} # an empty array is an error in Bash before 4.4
cargo build --release --quiet --manifest-path "$here/Cargo.toml" --bin "$program"

python=$CARGO_TARGET_DIR/venv/bin/python
get_open_spiel() {
  # Bash ignores `set -e` here, because the call is a condition. `--clear`, because a `venv` that failed may have left a part.
  "$python" -c 'import pip' 2>/dev/null || python3 -m venv --clear "$CARGO_TARGET_DIR/venv" || return
  # Only its compiled part: scipy and the other dependencies are not needed here.
  "$python" -c 'import pyspiel' 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: 'open_spiel==2.0.2' || return
  "$python" -c 'import pyspiel'
}
has_open_spiel=
if [ "$program" = natural ] || [ "$program" = hex ]; then
  : # needs no OpenSpiel
elif get_open_spiel >&2; then
  has_open_spiel=yes
else
  echo "OpenSpiel is missing, for the reason above; the table leaves it out" >&2
fi
if [ -z "$bare" ]; then
  "$here/../machine.sh" "$command" "lto, one codegen unit"
fi

if [ "$program" = natural ] || [ "$program" = hex ]; then
  "$CARGO_TARGET_DIR/release/$program" "$@"
elif [ "$program" = peers ]; then
  "$CARGO_TARGET_DIR/release/peers" ${has_open_spiel:+--python "$python"} "$@"
elif [ -n "$has_open_spiel" ]; then
  # OpenSpiel's search in Python needs these. Without them, the table leaves it out.
  "$python" -c 'import absl, numpy' 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: absl-py numpy >&2 || true
  "$python" "$here/information_sets.py" --program "$CARGO_TARGET_DIR/release/information_sets" "$@"
else
  echo "Not measured, because OpenSpiel is missing."
fi
