#!/usr/bin/env bash
# Builds the page and pages of the explorer, and drives them in Chromium. With a folder as the argument, keeps screenshots there. With
# RAMURE_NETWORKS=1, the page has networks.
set -euo pipefail
pictures=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund --silent
cd ../../..
cargo run --quiet -p ramure-web -- build ${RAMURE_NETWORKS:+--networks}
pages=$PWD/target/explorer
cargo run --quiet -p ramure-web --example pages -- "$pages"
log=$(mktemp)
cargo run --quiet -p ramure-web -- serve --no-build --port 0 >"$log" &
server=$!
trap 'kill "$server"; rm "$log"' EXIT
for _ in $(seq 100); do
  address=$(grep -o 'http://[0-9.:]*/' "$log" || true)
  [ -n "$address" ] && break
  sleep 0.1
done
node crates/web/browser/test.mjs "$address" "$pages" $pictures
