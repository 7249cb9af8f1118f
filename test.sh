#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vole four times, plain, with all checks, with ASan+UBSan and with TSan,
# and runs the tests that belong to each, as many at a time as there are
# processors; those that look at how a program shares the processors run alone
# (is_parallel in tests/meson.build).  The last line counts all of them.
# ./test.sh quick has only the plain build.
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
    exec python3 tests/summary.py build-test
fi
build build-clang -Dchecks=full -Dlockrank=true --native-file .ci/clang.ini
build build-asan -Db_sanitize=address,undefined -Db_lundef=false
build build-tsan -Db_sanitize=thread -Db_lundef=false
exec python3 tests/summary.py build-test build-clang:unit,script \
    build-asan:unit,script,tool,fuzz,conform build-tsan:unit,concurrent,seeds
