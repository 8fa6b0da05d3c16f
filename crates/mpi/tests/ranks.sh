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
# What does not depend on how the trees lie on ranks and threads: the actions with their visits and means.
found() { grep -E '^(>| ) .* +[0-9]+ +[0-9.]+ %'; }

for game in connect4 hex:5; do
  search=(search "$game" --trees 5 --iterations 3000)
  expected=$(ranks 1 "${search[@]}" --threads 2 2>/dev/null | found)
  test "$(wc -l <<<"$expected")" -ge 7 || fail "$game: no actions in the report"
  for layout in "2 2" "3 1" "4 1"; do
    read -r n threads <<<"$layout"
    test "$(ranks "$n" "${search[@]}" --threads "$threads" | found)" = "$expected" || fail "$game: $n ranks find something else"
  done
  echo "$game: the same on 1, 2, 3 and 4 ranks"
done

delayed=(search connect4 --trees 4 --iterations 3000 --overlap --delay 300)
test "$(ranks 2 "${delayed[@]}" | found)" = "$(ranks 1 "${delayed[@]}" 2>/dev/null | found)" || fail "an overlap or a delay changes the result"
ranks 3 search connect4 --time 50 | grep >/dev/null 'time used up' || fail "a run by time"
# With a share this large, every message is longer than a packet.
ranks 2 search hex:11 --iterations 4000 --least-iterations 20 | grep >/dev/null '2 trees on 2 ranks' || fail "long messages"
ranks 1 search tic-tac-toe --iterations 100 2>&1 | grep >/dev/null 'one rank' || fail "no word about the launcher"
ranks 2 match tic-tac-toe --games 2 --iterations 300 | grep >/dev/null '2 games' || fail "a match"
printf '3\n9\nx\n' | ranks 2 play connect4 --iterations 300 | grep >/dev/null 'The search plays' || fail "a game"

# Failures end all ranks, with a reason and a status.
refused() {
  local n=$1 reason=$2 said
  if said=$(ranks "$n" "${@:3}" 2>&1); then fail "${*:3} should fail"; fi
  grep -q "$reason" <<<"$said" || fail "${*:3}: $said"
}
refused 2 'no game' search chess
refused 3 'at least the number of ranks' search connect4 --trees 2
refused 2 'Exchange::every' search connect4 --every 0
refused 2 'unexpected argument' search connect4 --no-such-option
if said=$(launch -n 1 "$program" search connect4 : -n 1 "$program" search tic-tac-toe 2>&1); then fail "two programs should not run"; fi
grep -q 'start all ranks with the same program' <<<"$said" || fail "two programs: $said"
cp "$program" "$folder/other"
printf 'x' >>"$folder/other" # another build of the same version
if said=$(launch -n 1 "$program" search connect4 : -n 1 "$folder/other" search connect4 2>&1); then fail "two builds should not run"; fi
grep -q 'but rank 0 is version .*, build ' <<<"$said" || fail "two builds: $said"
rm "$folder/other"
echo "runs by time, long messages, games and failures are as they should be"

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
refused 3 'two or more agents' compare connect4 random

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
