#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes one static library of those of all layers, in which only the names of
# vole.h are visible: a host may have a gc_alloc() of its own.
#
#   bundle.sh OUTPUT ARCHIVE... -- OBJCOPY AR CC [WORD...]
set -eu
out=$1
shift
libs=
while [ "$1" != -- ]; do
    libs="$libs $1"
    shift
done
objcopy=$2
ar=$3
shift 3
object=$out.o
# shellcheck disable=SC2086
"$@" -r -nostdlib -o "$object" -Wl,--whole-archive $libs -Wl,--no-whole-archive
"$objcopy" --localize-hidden "$object"
rm -f "$out"
"$ar" rcs "$out" "$object"
rm -f "$object"
