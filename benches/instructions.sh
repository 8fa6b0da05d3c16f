#!/usr/bin/env bash
# Prints the instructions per iteration, as a table in Markdown. Callgrind counts them, so this requires valgrind, and the
# figures do not depend on the load of the machine.
#
#   benches/instructions.sh            all rows: some minutes
#   benches/instructions.sh --quick    two rows, small searches
#   benches/instructions.sh connect4:ucb1 connect4:graph    these rows
#
# Each search runs twice, with few iterations and with more. The difference of the instructions, divided by the difference of
# the iterations, excludes the start of the program and the first steps of the tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
few=20000 many=120000
rows="connect4:default connect4:ucb1 connect4:own connect4:plain connect4:solver connect4:tuned connect4:puct connect4:grave connect4:rave
  connect4:thompson connect4:mast connect4:graph connect4:mirror-images connect4:information-set connect4:open-loop connect4:sampled
  connect4:window-of-one connect4:window connect4:player-trees
  connect4:numbers connect4:arcs connect4:strings
  tic-tac-toe:ucb1 sudo1:ucb1 sudo2:ucb1 hex11:ucb1 hex11:default hex19:ucb1"
if [ "${1:-}" = --quick ]; then
  few=2000 many=7000 rows="connect4:ucb1 connect4:own"
elif [ $# -gt 0 ]; then
  rows=$*
fi
command -v valgrind >/dev/null || { echo "valgrind is missing; install it to count instructions" >&2; exit 1; }

program=$(cargo bench --manifest-path "$here/Cargo.toml" --bench instructions --no-run --message-format=json 2>/dev/null |
  sed -n 's/.*"name":"instructions".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -x "$program" ] || { echo "the bench \`instructions\` does not build; try \`cargo bench -p ramure-benches --bench instructions --no-run\`" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets `count` to the instructions of one search and leaves its output in $work/said.
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" "$3" >"$work/said" 2>"$work/log"
  count=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log")
}

echo "| game | search | instructions per iteration | mean depth | instruction set |"
echo "|---|---|---:|---:|---|"
for row in $rows; do
  game=${row%:*} policy=${row#*:}
  echo "instructions: $game, $policy" >&2
  count "$game" "$policy" "$few"
  less=$count
  count "$game" "$policy" "$many"
  set_=$(sed -n 's/^instruction set: //p' "$work/said")
  depth=$(sed -n 's/.*mean depth: //p' "$work/said")
  echo "| $game | $policy | $(((count - less) / (many - few))) | $depth | $set_ |"
done
echo
echo "From $few to $many iterations, $(valgrind --version)."
