#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that are missing: those to build vole, and with
# the argument `test` those of the tests as well.
set -eu

need="gcc binutils libc6-dev meson ninja-build pkg-config python3
libatomic-ops-dev libunwind-dev zlib1g-dev libgmp-dev libmicrohttpd-dev
libcurl4-openssl-dev
golang-1.19-src"
if [ "${1:-}" = test ]; then
    need="$need libcmocka-dev clang"
fi

missing=
for p in $need; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086
$as_root apt-get install -q -y --no-install-recommends $missing
