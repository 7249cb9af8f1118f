/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/tree_map.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/base/throw.h"

enum { PAGE = 4096 };

/* Addresses for all of the library and more; they are no memory. */
static const size_t room = (size_t)128 << 20;

struct tree_map {
    uint8_t *at;  /* `room` bytes, texts from its beginning on */
    size_t used;  /* of them, whole pages */
    size_t dropped; /* those in front of it were given back; at most used */
};

struct tree_map *
tree_map_new(void)
{
    struct tree_map *m = calloc(1, sizeof *m);
    void *at;

    if (m == NULL)
        return NULL;
    at = mmap(NULL, room, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        free(m);
        return NULL;
    }
    m->at = at;
    return m;
}

void
tree_map_free(struct tree_map *m)
{
    if (m == NULL)
        return;
    munmap(m->at, room);
    free(m);
}

char *
tree_map_text(struct tree_map *m, int fd, size_t size)
{
    size_t pages = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    uint8_t *at = m->at + m->used;

    rt_assert(m->used % PAGE == 0 && m->dropped <= m->used && m->used <= room);
    if (size % PAGE == 0 || size > room - m->used || pages > room - m->used)
        return NULL;
    if (mmap(at, pages, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, fd,
            0) == MAP_FAILED)
        return NULL;
    m->used += pages;
    return (char *)at;
}

void
tree_map_drop(struct tree_map *m)
{
    /* Where that cannot be done they stay. */
    if (m->used != m->dropped)
        (void)madvise(
            m->at + m->dropped, m->used - m->dropped, MADV_DONTNEED);
    m->dropped = m->used;
}
