#!/usr/bin/env bash
# Measures everything in `docs/benchmarks.md` and `docs/evidence/parts.md` and writes these pages and their pictures: all benches,
# the tables of `peers`, the count of instructions.
#
#   benches/run.sh            everything: about an hour and a half, on an otherwise idle machine
#   benches/run.sh --quick    a smoke test: some minutes, mostly for compiling; the figures mean little
#
# Requires cargo with Rust 1.89, the network on the first call, and one GiB of memory. The rows of OpenSpiel require Python 3
# with `venv`, and the instructions require valgrind. Without these two, the chapter says what is missing and has all the
# rest. The measurements stay under `target/benchmarks` (or `$CARGO_TARGET_DIR/benchmarks`).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
command="benches/run.sh${*:+ $*}"
quick=
case "${1:-}" in
  "") ;;
  --quick) quick=--quick ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$(cd "$root" && pwd)/target}
export CARGO_TERM_COLOR=never
out=$CARGO_TARGET_DIR/benchmarks
rm -rf "$out"
mkdir -p "$out"
export CRITERION_HOME=$out/criterion
step() { printf '\n== %s\n' "$*" >&2; }
bench() { cargo bench --quiet --manifest-path "$root/benches/Cargo.toml" --bench "$@"; }

"$here/machine.sh" "$command" "cargo's release profile; lto and one codegen unit for the tables of searches in turn" \
  >"$out/machine.md"

step "compiling"
cargo bench --quiet --manifest-path "$root/benches/Cargo.toml" --no-run \
  --bench rollouts --bench search --bench growth --bench advance --bench wide --bench natural --bench bytes --bench instructions
cargo build --release --quiet --manifest-path "$here/report/Cargo.toml"
cargo build --release --quiet --manifest-path "$here/peers/Cargo.toml"

for table in peers threads contest contest-alone growth policies; do
  step "$table"
  "$here/peers/run.sh" --bare --table "$table" --json "$out/$table.json" $quick >"$out/$table.md"
done
step "information-sets"
"$here/peers/run.sh" --bare --table information-sets $quick >"$out/information-sets.md"

short=(--warm-up-time 0.02 --measurement-time 0.05 --sample-size 10)
for name in rollouts search growth advance wide; do
  step "$name"
  options=(--noplot)
  if [ -n "$quick" ]; then
    options+=("${short[@]}")
    # Leaves out the slow benches.
    case $name in
      search) options+=('connect 4|tic-tac-toe/') ;;
      growth) options+=('growth/1e[345]|first') ;;
      advance) options+=('/100000$') ;;
      wide) options+=('among|/10000$') ;;
    esac
  fi
  bench "$name" -- "${options[@]}" >&2 2>"$out/$name.log" || { tail -n 20 "$out/$name.log" >&2; exit 1; }
done

step "natural games"
bench natural -- ${quick:+--iterations 200 --runs 1} >"$out/natural.md"
"$here/peers/run.sh" --bare --table natural ${quick:+--iterations 200 --runs 1} >"$out/natural-peers.md"
step "hex by hand"
"$here/peers/run.sh" --bare --table hex ${quick:+--iterations 10000 --runs 1} >"$out/hex.md" ||
  echo "Not measured: the search by hand needs a processor with AVX2." >"$out/hex.md"
step "bytes"
bench bytes -- ${quick:+10000} >"$out/bytes.md"
step "instructions"
"$here/instructions.sh" $quick >"$out/instructions.md" ||
  echo "Not counted, because valgrind is missing." >"$out/instructions.md"

step "the report"
"$CARGO_TARGET_DIR/release/report" --from "$out" --docs "$root/docs"
