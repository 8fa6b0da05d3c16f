#!/usr/bin/env bash
# Runs the program, the first argument, over several ranks of this machine. Needs `mpirun`.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# More ranks than cores, and as root in a container, are fine for a test. A rank that waits for ever ends, too.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch() { timeout 120 mpirun --oversubscribe "$@"; }
ranks() { launch -n "$1" "$program" "${@:2}"; }
fail() { echo "$*"; exit 1; }

# Failures end all ranks, with a reason and a status.
refused() {
  local n=$1 reason=$2 said
  if said=$(ranks "$n" "${@:3}" 2>&1); then fail "${*:3} should fail"; fi
  grep -q "$reason" <<<"$said" || fail "${*:3}: $said"
}
refused 2 'no game has the name' compare chess random first
refused 2 'unexpected argument' compare tic-tac-toe random first --no-such-option
refused 3 'two or more agents' compare connect4 random
two=(compare tic-tac-toe random first --games 2)
if said=$(launch -n 1 "$program" "${two[@]}" : -n 1 "$program" compare connect4 random first 2>&1); then fail "two programs should not run"; fi
grep -q 'start all ranks with the same program' <<<"$said" || fail "two programs: $said"
cp "$program" "$folder/other"
printf 'x' >>"$folder/other" # another build of the same version
if said=$(launch -n 1 "$program" "${two[@]}" : -n 1 "$folder/other" "${two[@]}" 2>&1); then fail "two builds should not run"; fi
grep -q 'but rank 0 is version .*, build ' <<<"$said" || fail "two builds: $said"
rm "$folder/other"
ranks 1 "${two[@]}" 2>&1 | grep >/dev/null 'one rank' || fail "no word about the launcher"
echo "failures are as they should be"

# Contests: the results file, without the times, does not depend on the ranks.
games() { sed 's/,"seconds":.*//' "$1"; }
contest=(compare tic-tac-toe mcts:50 random --games 60 --openings 1 --threads 1)
ranks 1 "${contest[@]}" --results "$folder/1.jsonl" >"$folder/1.txt" 2>/dev/null
for n in 2 4; do
  ranks "$n" "${contest[@]}" --results "$folder/$n.jsonl" >"$folder/$n.txt" 2>/dev/null
  cmp <(games "$folder/1.jsonl") <(games "$folder/$n.jsonl") || fail "$n ranks write other results"
done
grep -q '60 games' "$folder/4.txt" || fail "no table"
head -n 20 "$folder/1.jsonl" >"$folder/part.jsonl"
ranks 3 "${contest[@]}" --results "$folder/part.jsonl" --resume >/dev/null
cmp <(games "$folder/1.jsonl") <(games "$folder/part.jsonl") || fail "a resumed contest"
ranks 16 compare tic-tac-toe random mcts:20 --games 10 --threads 1 | grep >/dev/null '10 games' || fail "more ranks than games"
ranks 2 compare tic-tac-toe --sweep mcts:10,40 --against random --games 20 --csv "$folder/sweep.csv" | grep >/dev/null '40 games' || fail "a sweep"
test "$(wc -l <"$folder/sweep.csv")" = 3 || fail "the table of a sweep"
ranks 2 tune tic-tac-toe --budget 20 --games 4 --fresh 4 --values 0.1,0.5,1 --threads 1 | grep >/dev/null '^best: k' || fail "tuning"
ranks 3 bandit --arms 0.9,0.6 --plays 1000 --runs 20 --threads 1 >"$folder/3.txt"
ranks 1 bandit --arms 0.9,0.6 --plays 1000 --runs 20 2>/dev/null | cmp - "$folder/3.txt" || fail "bandits"
refused 3 'cannot\|no folder' "${contest[@]}" --results /no/such/folder/games.jsonl

# A rank that dies ends the contest, and the games that were played are kept.
long=(compare tic-tac-toe mcts:1000 random --games 60 --openings 1 --threads 1 --results "$folder/long.jsonl")
ranks 2 "${long[@]}" >"$folder/long.txt" 2>&1 &
mpirun=$!
until test "$(wc -l <"$folder/long.jsonl" 2>/dev/null || echo 0)" -ge 5; do
  kill -0 "$mpirun" 2>/dev/null || fail "the contest has ended too early: $(cat "$folder/long.txt")"
  sleep 0.05
done
kill -KILL "$(pgrep -f "^$program compare.*long.jsonl" | tail -n 1)"
if wait "$mpirun"; then fail "the contest should fail without one of its ranks"; fi
kept=$(wc -l <"$folder/long.jsonl")
test "$kept" -ge 5 || fail "the games are lost"
ranks 3 "${long[@]}" --resume | grep >/dev/null 'from the results file' || fail "it cannot be resumed"
test "$(wc -l <"$folder/long.jsonl")" = 61 || fail "games are missing after the resumption"
echo "contests, sweeps, tuning and experiments are the same on any number of ranks"
