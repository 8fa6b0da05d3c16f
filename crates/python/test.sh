#!/usr/bin/env bash
# Tests the package and its types in a clean virtual environment, with the library as tests build it: without optimisation, in the
# target folder of the workspace. Further arguments are for `cargo build`; `.ci/run` names the crates that it has built before, so
# that their features are the same. `pip install crates/python` builds what users install.
set -euo pipefail
cd "$(dirname "$0")/../.."
site=target/python/site
python3 -m venv --clear target/python/venv
target/python/venv/bin/pip install --quiet --disable-pip-version-check mypy numpy pytest
PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --lib -p ramure-python "$@"
rm -rf "$site"
mkdir -p "$site"
cp -r crates/python/python/ramure "$site"
rm -f "$site"/ramure/*.so # left by `maturin develop`
cp target/debug/libramure_python.so "$site/ramure/_ramure.abi3.so"
export PYTHONPATH="$PWD/$site"
cd crates/python
../../target/python/venv/bin/python -m pytest --quiet -p no:cacheprovider
../../target/python/venv/bin/mypy --cache-dir ../../target/python/mypy
