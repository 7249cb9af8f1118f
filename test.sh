#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vole four times, plain, with all checks, with ASan+UBSan and with TSan,
# and runs the tests that belong to each.  The last line counts all of them.
# Those of the plain build, which look at how a program shares processors, run
# one after the other, so that none is disturbed; of the others as many at a
# time as there are processors.  ./test.sh quick has only the plain build and
# does so there, too.
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
exec python3 tests/summary.py build-test \
    --jobs "$(nproc)" build-clang:unit,script \
    build-asan:unit,script,tool,fuzz,conform build-tsan:unit,concurrent
