#!/usr/bin/env bash
# Builds the site, serves it, and visits its pages in Chromium. With a folder as the argument, keeps screenshots there.
set -euo pipefail
pictures=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund --silent
cd ../../..
cargo run --quiet --release -p ramure-web -- site
log=$(mktemp)
cargo run --quiet --release -p ramure-web -- serve --no-build --folder target/site --port 0 >"$log" &
server=$!
trap 'kill "$server"; rm "$log"' EXIT
for _ in $(seq 100); do
  address=$(grep -o 'http://[0-9.:]*/' "$log" || true)
  [ -n "$address" ] && break
  sleep 0.1
done
node crates/web/browser/site.mjs "$address" $pictures
