/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_PACK_H
#define RUNTIME_LANG_LOAD_TREE_PACK_H

/*
 * A packed tree: one file with the packages of a tree, their files chosen for
 * this system already, without comments.  The build makes it (cmd/treepack), so
 * that an installed vole needs no Go.
 *
 * Nothing is compressed: a large program reads 4 MB of it, and unpacking them
 * was a quarter of its start and memory of its own, where pages of a file are
 * mapped, shared by all that run, and given back by the system at will.
 *
 * The file: struct tree_pack_head; an entry for each package, sorted by path;
 * the paths, one behind the other; the packages.  A package is, for each of its
 * files, a struct tree_pack_file, the name, the text and a zero byte.
 * Everything is in the byte order of the machine that the build is for.
 */

#include <stdint.h>

#include "runtime/base/hash.h"
#include "runtime/lang/load/sha256.h"
#include "runtime/lang/load/tree.h"

#define TREE_PACK_MAGIC "VOLEtree"
enum { TREE_PACK_VERSION = 3 };

struct tree_pack_head {
    char magic[8];
    uint32_t version; /* TREE_PACK_VERSION */
    uint32_t minor;   /* release of the tree; 0: the pack is empty */
    uint32_t n;       /* packages */
    uint32_t names;   /* bytes of their paths */
    uint8_t sum[SHA256_SIZE]; /* of all that follows */
};

struct tree_pack_entry {
    uint32_t name, name_len; /* in the paths */
    uint64_t at;             /* in the file */
    uint64_t hash;           /* tree_pack_hash() of it */
    uint32_t size;           /* bytes */
    uint32_t nfiles;
};

struct tree_pack_file {
    uint32_t name_len, text_len;
};

/* By which a damaged package is known; the sum of a whole pack takes longer. */
static inline uint64_t
tree_pack_hash(const void *package, size_t size)
{
    return rt_hash_bytes(package, size, TREE_PACK_VERSION);
}

struct tree_pack; /* a file in memory */

/* NULL where the file is no pack, has a damaged head, or cannot be read. */
struct tree_pack *tree_pack_open(const char *path);
void tree_pack_free(struct tree_pack *p);

/* The release; 0: the pack is empty. */
unsigned tree_pack_minor(const struct tree_pack *p);

/* What the head says that the sum is. */
const uint8_t *tree_pack_sum(const struct tree_pack *p);

/* Whether it has a package. */
bool tree_pack_has(const struct tree_pack *p, const char *path);

/* As tree_rest(). */
void tree_pack_rest(const struct tree_pack *p);

/* As tree_read(), with the texts where the pack is; RT_EFORMAT where the package
 * is damaged. */
enum rt_status tree_pack_read(const struct tree_pack *p, const char *path,
    struct rt_arena *a, struct tree_file **files, unsigned *n,
    struct rt_err *err);

#endif
