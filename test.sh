#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vole three times, plain, with ASan+UBSan and with TSan, and runs the
# tests that belong to each.  The last line counts all of them.  ./test.sh
# quick leaves the sanitizers out and runs as many tests at a time as there are
# processors; otherwise one runs after the other, so that none is disturbed.
set -eu
cd "$(dirname "$0")"
.ci/packages.sh test

build() {
    dir=$1
    shift
    [ -f "$dir/build.ninja" ] || meson setup "$dir" -Dwerror=true "$@"
    ninja -C "$dir"
}

build build-test
if [ "${1:-}" = quick ]; then
    VOLE_TEST_JOBS=${VOLE_TEST_JOBS:-$(nproc)}
    export VOLE_TEST_JOBS
    exec python3 tests/summary.py build-test
fi
build build-clang -Dchecks=full -Dlockrank=true --native-file .ci/clang.ini
build build-asan -Db_sanitize=address,undefined -Db_lundef=false
build build-tsan -Db_sanitize=thread -Db_lundef=false
exec python3 tests/summary.py build-test build-clang:unit,script \
    build-asan:unit,script,tool,fuzz,conform build-tsan:unit,concurrent
