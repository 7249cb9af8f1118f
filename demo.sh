#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vole, runs an example with a trace and prints what the trace says.
set -eu
cd "$(dirname "$0")"
.ci/packages.sh
[ -f build/build.ninja ] || meson setup build
ninja -C build

vole=$(find build -name vole -type f -perm -100 | head -n 1)
vole_trace=$(find build -name vole-trace -type f -perm -100 | head -n 1)
echo "== $vole run -trace build/pipeline.trace examples/pipeline.go"
"$vole" run -trace build/pipeline.trace examples/pipeline.go
echo "== $vole_trace summary build/pipeline.trace"
"$vole_trace" summary build/pipeline.trace
