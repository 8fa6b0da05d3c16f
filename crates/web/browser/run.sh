#!/usr/bin/env bash
# Builds the page, serves it, and drives it in Chromium. With a folder as the argument, keeps screenshots there.
set -euo pipefail
pictures=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund --silent
cd ../../..
cargo run --quiet -p ramure-web -- build
log=$(mktemp)
cargo run --quiet -p ramure-web -- serve --no-build --port 0 >"$log" &
server=$!
trap 'kill "$server"; rm "$log"' EXIT
for _ in $(seq 100); do
  address=$(grep -o 'http://[0-9.:]*/' "$log" || true)
  [ -n "$address" ] && break
  sleep 0.1
done
node crates/web/browser/test.mjs "$address" $pictures
