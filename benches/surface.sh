#!/usr/bin/env bash
# Prints how much of the crate is public, from the JSON of rustdoc with all features: items (types, traits, functions, macros, constants),
# each counted once, and methods (public ones of types, and those of traits). Nothing that is hidden from the documentation is counted.
#
#   benches/surface.sh            of this working tree
#   benches/surface.sh COMMIT     of that commit and of this working tree
#
# It needs a nightly toolchain, because the JSON is not stable, and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."
count() {
  CARGO_TARGET_DIR="$work/target" cargo +nightly rustdoc --quiet --manifest-path "$1/Cargo.toml" --lib --all-features -- \
    -Z unstable-options --output-format json --cap-lints allow
  python3 - "$work/target/doc/ramure.json" <<'P'
import json, sys
crate = json.load(open(sys.argv[1]))
index = crate["index"]
get = lambda number: index.get(str(number))
kind = lambda item: next(iter(item["inner"]))
hidden = lambda item: any("hidden" in str(a) for a in item["attrs"])
KINDS = {"struct", "enum", "trait", "function", "macro", "constant", "type_alias", "union", "static"}
items, seen = {}, set()
def walk(module):
    for number in module["inner"]["module"]["items"]:
        item = get(number)
        if item is None or item["crate_id"] != 0 or hidden(item):
            continue
        if kind(item) == "use":
            use = item["inner"]["use"]
            item = get(use["id"]) if use["id"] is not None else None
            if item is None or item["crate_id"] != 0 or hidden(item):
                continue
        if kind(item) == "module":
            if item["id"] not in seen:
                seen.add(item["id"])
                walk(item)
        elif kind(item) in KINDS:
            items[item["id"]] = item
walk(get(crate["root"]))
methods = 0
for item in items.values():
    inner = item["inner"][kind(item)]
    if kind(item) == "trait":
        members = [get(number) for number in inner["items"]]
        methods += sum(kind(member) == "function" and not hidden(member) for member in members if member)
    for number in inner.get("impls", []) if isinstance(inner, dict) else []:
        block = get(number)
        if block is None or block["inner"]["impl"]["trait"] is not None:
            continue
        members = [get(number) for number in block["inner"]["impl"]["items"]]
        public = lambda member: kind(member) == "function" and member["visibility"] == "public" and not hidden(member)
        methods += sum(public(member) for member in members if member)
print(f"{len(items)} items, {methods} methods")
P
}
work=$(mktemp -d)
trap 'git worktree remove --force "$work/then" 2>/dev/null; rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then
  git worktree add --quiet --detach "$work/then" "$1"
  echo "$1: $(count "$work/then")"
fi
echo "now: $(count .)"
