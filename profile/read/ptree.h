/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PTREE_H
#define PROFILE_READ_PTREE_H

/*
 * The samples as a tree of calls: a node for each different way from the root
 * to a frame, with the values of all sample types.  What flame graphs draw.
 */

#include "profile/read/pgraph.h"

struct ptree_node {
    uint32_t frame;  /* node of the graph; PHASH_NONE: the root */
    uint32_t parent; /* always a smaller index */
    bool inlined;
};

struct ptree {
    const struct pgraph *g;
    struct ptree_node *nodes; /* the root is 0 */
    size_t n;
    size_t ntypes;
    /* n * ntypes each; old: of the samples compared with, made positive. */
    int64_t *self, *cum, *old_self, *old_cum;
    bool compared;            /* old is there */
    size_t dropped;           /* nodes left out as too small */
};

/*
 * Builds the tree over g's frames.  At most max nodes are kept: those with
 * the largest shares of any sample type.  Their parents' cum keeps what is
 * left out.  *t is the caller's: ptree_free(), also after a failure.
 */
enum rt_status ptree_build(struct ptree *t, const struct pgraph *g,
    size_t max, struct rt_err *e);

void ptree_free(struct ptree *t);

/* Parents come before their children, and what a node has in all is what it has
 * itself and what its children have; where some were left out, only the first
 * is asked. */
bool ptree_valid(const struct ptree *t);

#endif
