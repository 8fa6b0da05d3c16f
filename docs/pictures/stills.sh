#!/usr/bin/env bash
# Makes the stills of the explorer and of the browser in README.md and docs/features.md. Needs Chromium, npm and pngquant.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=target/tree.html
cargo run --quiet --release --example explore -- "$page" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,1130 --screenshot=target/explorer.png "file://$PWD/$page"
pngquant --force --speed 1 --output docs/pictures/explorer.png 64 target/explorer.png
mkdir -p target/stills
crates/web/browser/run.sh target/stills
pngquant --force --speed 1 --output docs/pictures/web.png 64 target/stills/numbers.png
