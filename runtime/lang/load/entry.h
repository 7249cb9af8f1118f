/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_ENTRY_H
#define RUNTIME_LANG_LOAD_ENTRY_H

/*
 * The folder of what was made of a tree of Go's sources and is kept for the
 * next run: images of programs (cache.h), and code of the tree's packages
 * (shelf.h).
 *
 * The name of an entry is a hash of all that it depends on but the tree's
 * files.  These are named in the entry, which is good as long as none of them
 * has changed: size, inode and times are compared.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/sha256.h"

struct tree_load;

struct entry_folder {
    const char *path; /* absolute; NULL: nothing is kept */
    struct timespec begun; /* before any file was read */
    uint8_t *deps;    /* from malloc: the files, as an entry has them; NULL:
                         they are not known, or not fit */
    size_t ndeps;
};

/* The kinds of entries, as their names end. */
#define ENTRY_IMAGE ".image"
#define ENTRY_STOCK ".stock"

/* An entry's name: a hash, and the ending of its kind. */
struct entry_name {
    char text[80]; /* "": none */
};

/* An entry that is there: what was kept, in memory of the process's own. */
struct entry {
    uint8_t *at;
    size_t size;
    uint8_t *map; /* NULL: none */
    size_t mapped;
};

/* Begins with a folder, NULL for none, before files are read. */
void entry_begin(struct entry_folder *f, const char *path);
void entry_end(struct entry_folder *f);

/* Begins a name with which build of vole this is, and how sources are read;
 * false where that cannot be told: then there are no names. */
bool entry_hash(struct sha256 *h);
void entry_add_bytes(struct sha256 *h, const void *at, size_t n);
void entry_add_text(struct sha256 *h, const char *s); /* or NULL */
void entry_add_number(struct sha256 *h, uint64_t v);
/* Ends it with the ending of a kind. */
struct entry_name entry_name_end(struct sha256 *h, const char *ending);

/* The entry of that name; false if there is none that nobody else could have
 * written, or a file has changed.  entry_close() it. */
bool entry_open(const struct entry_folder *f, const struct entry_name *name,
    struct entry *out);
void entry_close(struct entry *e);

/*
 * Looks at the files of the packages that were taken from the tree, before it
 * is forgotten which these are.  Where one is so new that it may have changed
 * since it was read, nothing will be kept.
 */
void entry_collect(struct entry_folder *f, const struct tree_load *tree,
    struct rt_arena *a);

/* Keeps `size` bytes, if entry_collect() has found the files fit.  Entries that
 * were not used for longest go when there are too many.  What fails leaves
 * things as they were. */
void entry_store(const struct entry_folder *f, const struct entry_name *name,
    const void *at, size_t size);
/* Keeps `size` bytes, whatever files they depend on, in a folder that is there
 * and in which nothing has to go for them. */
void entry_put(const struct entry_folder *f, const struct entry_name *name,
    const void *at, size_t size);
void entry_remove(const struct entry_folder *f, const struct entry_name *name);

#endif
