/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_QUERY_H
#define RUNTIME_LANG_LOAD_QUERY_H

/*
 * Which versions of a module there are, as the proxies know them, and which
 * of them words like "latest" mean.  All memory is the arena's of the modules,
 * whose nomem must be set.
 */

#include "runtime/lang/load/download.h"
#include "runtime/lang/load/paths.h"

struct query {
    struct modset *mods;
    struct download *d; /* attached to mods */
    struct rt_err *err; /* of the attachment */
    bool retracted;     /* versions that are count for query_version(), too */
};

/* The released versions of a module, the oldest first: without those that are
 * excluded, and without those that it retracts but with `retracted`.  RT_EOF:
 * no proxy knows the module. */
enum rt_status query_versions(struct query *q, const char *path,
    bool retracted, struct paths_list *out);

/*
 * What a word means: "latest"; "upgrade" and "patch", from the version
 * `current` ("" if there is none); a version or the beginning of one, with
 * or without one of < <= > >= before it; a branch or a revision.  NULL: err
 * says why nothing; its code is RT_EOF if no proxy knows the module.
 */
const char *query_version(struct query *q, const char *path, const char *word,
    const char *current);

/* Why the module takes a version back, in the words of its newest go.mod;
 * NULL: it does not. */
const char *query_retracted(
    struct query *q, const char *path, const char *version);

/* The time of a version, "" if nobody knows; with its go.mod in the cache
 * afterwards. */
const char *query_time(struct query *q, const char *path, const char *version);

#endif
