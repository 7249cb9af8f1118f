/* SPDX-License-Identifier: MIT */

#include "runtime/lib/support/utf8.h"

#include <string.h>

int64_t
lib_utf8_count(const uint8_t *p, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; count++) {
        int32_t r;
        i += p[i] < 0x80 ? 1 : lib_utf8_decode(p + i, n - i, &r);
    }
    return count;
}

bool
lib_utf8_valid(const uint8_t *p, int64_t n)
{
    int64_t i = 0;
    while (i < n) {
        uint64_t w;
        if (n - i >= 8 && (memcpy(&w, p + i, 8), true) &&
            (w & 0x8080808080808080u) == 0) {
            i += 8;
            continue;
        }
        int32_t r;
        int size = lib_utf8_decode(p + i, n - i, &r);
        if (size == 1 && r == UTF8_ERROR)
            return false;
        i += size;
    }
    return true;
}
