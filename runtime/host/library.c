/* SPDX-License-Identifier: MIT */
#include "runtime/host/library.h"

#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/lib/lib.h"

static const void *
find_package(const char *path)
{
    return lib_find(path);
}

static bool
file_of(const void *package, unsigned i, struct program_source *out)
{
    const struct lib_package *p = package;

    if (i >= p->nfiles)
        return false;
    rt_assert(p->files[i].name != NULL && p->files[i].text != NULL);
    *out = (struct program_source){
        p->files[i].name, p->files[i].text, p->files[i].len};
    return true;
}

/* No two packages that may be imported have the same name, which is the last
 * part of the path. */
static const char *
path_called(const char *name)
{
    const struct lib_package *p;
    unsigned i, n;

    p = lib_packages(&n);
    for (i = 0; i < n; i++) {
        const char *slash = strrchr(p[i].path, '/');
        const char *last = slash != NULL ? slash + 1 : p[i].path;

        if (strcmp(last, name) == 0 &&
            strncmp(p[i].path, "internal/", 9) != 0 &&
            strncmp(p[i].path, "tree/", 5) != 0)
            return p[i].path;
    }
    return strcmp(name, "unsafe") == 0 ? "unsafe" : NULL;
}

const struct program_library *
host_library(void)
{
    static const struct program_library library = {
        find_package, file_of, path_called};

    return &library;
}
