#!/usr/bin/env bash
# Makes the still of the explorer in README.md. Needs Chromium and pngquant.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=target/tree.html
cargo run --quiet --release --example explore -- "$page" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,1130 --screenshot=target/explorer.png "file://$PWD/$page"
pngquant --force --speed 1 --output docs/pictures/explorer.png 64 target/explorer.png
