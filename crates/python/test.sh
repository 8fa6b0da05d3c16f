#!/usr/bin/env bash
# Tests the package and its types in a clean virtual environment, with the library as tests build it: without optimisation, in the
# target folder of the workspace. Further arguments are for `cargo build`; `.ci/run` names the crates that it has built before, so
# that their features are the same. `pip install crates/python` builds what users install.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
site=$target/python/site venv=$target/python/venv
python3 -m venv --clear "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r crates/python/tests/requirements.txt || {
  echo "pip cannot install crates/python/tests/requirements.txt: these tests need PyPI, or an index that pip is set to" >&2
  exit 1
}
PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --lib -p ramure-python "$@"
rm -rf "$site"
mkdir -p "$site"
cp -r crates/python/python/ramure "$site"
rm -f "$site"/ramure/*.so # left by `maturin develop`
cp "$(ls "$target"/debug/libramure_python.{so,dylib} 2>/dev/null)" "$site/ramure/_ramure.abi3.so"
export PYTHONPATH="$site" MYPY_CACHE_DIR="$target/python/mypy"
cd crates/python
"$venv/bin/python" -m pytest --quiet -rs -p no:cacheprovider tests README.md --doctest-modules --pyargs ramure
"$venv/bin/python" examples/network.py --numpy 64 | tail -n 1
"$venv/bin/mypy"
(cd "$target/python" && "$venv/bin/python" -m mypy.stubtest ramure)
