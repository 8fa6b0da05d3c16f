#!/usr/bin/env bash
# Builds the program and runs it over several ranks of this machine. Needs an MPI with `mpirun` and `mpicc`, and clang.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../target}
cargo fmt --check
cargo clippy --quiet --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps
cargo build --quiet --release
# More ranks than cores, and as root in a container, are fine for a test. A rank that waits for ever ends, too.
ranks() { OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe -n "$1" "$CARGO_TARGET_DIR/release/ramure-mpi" "${@:2}"; }
fail() { echo "$*"; exit 1; }
# What does not depend on how the trees lie on ranks and threads: the actions with their visits and means.
found() { grep -E '^(>| ) .* +[0-9]+ +[0-9.]+ %'; }

for game in connect4 hex:5 sudo-tic-tac-toe; do
  search=(search "$game" --trees 5 --iterations 6000)
  expected=$(ranks 1 "${search[@]}" --threads 2 2>/dev/null | found)
  test "$(wc -l <<<"$expected")" -ge 7 || fail "$game: no actions in the report"
  for n in 2 3 4; do
    for threads in 1 2; do
      test "$(ranks "$n" "${search[@]}" --threads "$threads" | found)" = "$expected" || fail "$game: $n ranks find something else"
    done
  done
  test "$(ranks 2 "${search[@]}" --delay 300 | found)" = "$expected" || fail "$game: a delay changes the result"
  echo "$game: the same on 1, 2, 3 and 4 ranks"
done

ranks 3 search connect4 --time 50 | grep -q 'time used up' || fail "a run by time"
# With a share this large, every message is longer than a packet.
ranks 2 search hex:11 --iterations 4000 --least-iterations 20 | grep -q '2 trees on 2 ranks' || fail "long messages"
ranks 1 search tic-tac-toe --iterations 100 2>&1 | grep -q 'one rank' || fail "no word about the launcher"
ranks 2 match tic-tac-toe --games 2 --iterations 300 | grep -q '2 games' || fail "a match"
printf '3\n9\nx\n' | ranks 2 play connect4 --iterations 300 | grep -q 'The search plays' || fail "a game"

# Failures end all ranks, with a reason and a status.
refused() {
  local n=$1 reason=$2 said
  if said=$(ranks "$n" "${@:3}" 2>&1); then fail "${*:3} should fail"; fi
  grep -q "$reason" <<<"$said" || fail "${*:3}: $said"
}
refused 2 'no game' search chess
refused 3 'at least the number of ranks' search connect4 --trees 2
refused 2 'Exchange::every' search connect4 --every 0
echo "runs by time, long messages, games and failures are as they should be"
