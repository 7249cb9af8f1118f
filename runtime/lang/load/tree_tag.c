/* SPDX-License-Identifier: MIT */
/*
 * Which files of a package of Go's library belong to it here.
 *
 * One set of tags does not do for all packages.  Without a processor some have
 * files missing (syscall, internal/cpu); with amd64 others declare functions
 * that are in assembly, and not all of them heed `purego`.  So it is decided
 * package by package: where assembly for amd64 would belong to it, the package
 * is taken as on a processor that nobody has written assembly for, which
 * leaves the forms in Go; else as on amd64.  Two short lists name the packages
 * for which that is not right.
 */
#include <string.h>

#include "runtime/lang/load/tree_int.h"

static const char *const more_tags[] = {"gc", "purego", "math_big_pure_go",
    "noasm", "osusergo", "netgo", NULL};

/* What Go's build takes for granted of its own library since 1.24. */
static const char *const more_tags_24[] = {"gc", "purego",
    "math_big_pure_go", "noasm", "osusergo", "netgo",
    "goexperiment.swissmap", "goexperiment.aliastypeparams",
    "goexperiment.regabiwrappers", NULL};

/* The assembly of these is replaced by natives; their Go files with amd64 in
 * the name are tables that nothing else has. */
static const char *const keep_arch[] = {"internal/cpu",
    "internal/runtime/syscall", "internal/runtime/syscall/linux",
    "runtime/internal/syscall", "syscall", "vendor/golang.org/x/sys/cpu", NULL};

static bool
among(const char *path, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(path, *list) == 0)
            return true;
    return false;
}

struct build_tags
tree_tags(unsigned minor)
{
    return (struct build_tags){.minor = minor,
        .more = minor >= 24 ? more_tags_24 : more_tags};
}

bool
tree_keeps_arch(const char *path)
{
    return among(path, keep_arch);
}

bool
tree_drops_arch(unsigned minor, const char *path)
{
    /* It chooses by processor what crypto/internal/nistec offers, which has
     * assembly. */
    return minor < 20 && strcmp(path, "crypto/elliptic") == 0;
}

bool
tree_fits(const struct build_tags *tags, const char *name, const char *text,
    size_t len)
{
    const char *why;

    return build_name_fits(tags, name) &&
        build_text_fits(tags, (const uint8_t *)text, len, &why) == BUILD_FITS;
}
