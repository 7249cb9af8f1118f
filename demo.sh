#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vole without its tests, runs an example with a trace, prints what the
# trace says, and what to try next.
set -eu
cd "$(dirname "$0")"
.ci/packages.sh
[ -f build/build.ninja ] || meson setup build -Dtests=false
ninja -C build cmd/vole/vole cmd/vole-trace/vole-trace

vole=build/cmd/vole/vole
vole_trace=build/cmd/vole-trace/vole-trace
echo "== $vole run -trace build/pipeline.trace examples/pipeline.go"
"$vole" run -trace build/pipeline.trace examples/pipeline.go
echo "== $vole_trace summary build/pipeline.trace"
"$vole_trace" summary build/pipeline.trace
cat <<END

Next, for example:
    $vole examples/life.go
    $vole -e 'fmt.Println(runtime.NumCPU(), runtime.Version())'
    $vole_trace html build/pipeline.trace    # a page for the browser
    $vole -cpuprofile cpu.prof examples/primes.go
    $vole prof top cpu.prof
    meson install -C build      # into /usr/local, as root
    ./test.sh quick             # the tests, in a build of their own
END
