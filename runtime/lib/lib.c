/* SPDX-License-Identifier: MIT */
#include "runtime/lib/lib.h"

#include <string.h>

const struct lib_package *
lib_find(const char *path)
{
    unsigned n, lo = 0;
    const struct lib_package *all = lib_packages(&n);

    while (lo < n) {
        unsigned mid = lo + (n - lo) / 2;
        int c = strcmp(path, all[mid].path);

        if (c == 0)
            return &all[mid];
        if (c < 0)
            n = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}
