#!/usr/bin/env bash
# Prints the header of every table: the date, the machine, the compiler, the commit and the command.
#   machine.sh COMMAND PROFILE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
load=$(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || true)
commit=$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo "not from a repository")
if [ -n "$(git -C "$here" --no-optional-locks status --porcelain 2>/dev/null)" ]; then
  commit="$commit, with changes"
fi
cat <<END
- date: $(date +%F)
- machine: ${processor:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors, $(uname -sm)
- load before: ${load:-unknown}
- compiler: $(rustc --version); $2; flags: ${RUSTFLAGS:-none}
- ramure: $commit
- command: \`$1\`

END
