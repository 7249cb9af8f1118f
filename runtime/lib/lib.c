/* SPDX-License-Identifier: MIT */
#include "runtime/lib/lib.h"

#include <string.h>

#include "runtime/vm/vm.h"

struct lib_state *
lib_state(const struct vm_thread *t)
{
    return vm_lib(t->vm);
}

vm_native_fn
lib_native(const char *name)
{
    for (const struct vm_native *n = lib_natives; n->name != NULL; n++) {
        if (strcmp(n->name, name) == 0)
            return n->fn;
    }
    return NULL;
}

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
