#!/usr/bin/env bash
# The same searches in debug, in release and on wasm32 under node: the numbers must be equal.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-../../target}/fingerprint"
debug=$(cargo run --quiet)
release=$(cargo run --quiet --release)
cargo build --quiet --release --lib --target wasm32-unknown-unknown
wasm=$(node run.mjs "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/fingerprint.wasm")
echo "debug $debug, release $release, wasm32 $wasm"
if [ "$debug" != "$release" ] || [ "$release" != "$wasm" ]; then
  echo "they differ" >&2
  exit 1
fi
