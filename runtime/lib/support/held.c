/* SPDX-License-Identifier: MIT */
/*
 * See held.h.
 */
#include "runtime/lib/support/held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
held_init(struct held *h)
{
    memset(h, 0, sizeof *h);
    rt_lock_init(&h->lock, RANK_LEAF);
}

void
held_fini(struct held *h)
{
    size_t i;

    /* The first three are the process's own, even where the program has closed
     * one and got its number again: whoever runs the next one may have put
     * another file there. */
    for (i = STDERR_FILENO + 1; i < h->nfds; i++)
        if ((h->fds[i / 64] >> (i % 64) & 1) != 0)
            close((int)i);
    for (i = 0; i < h->nmaps; i++)
        munmap(h->maps[i].at, h->maps[i].len);
    free(h->fds);
    free(h->maps);
}

/* ---- descriptors ---------------------------------------------------------------- */

/* Makes room for bit n. */
static bool
room_for(struct held *h, size_t n)
{
    size_t bits = h->nfds != 0 ? h->nfds : 64;
    uint64_t *p;

    if (n < h->nfds)
        return true;
    while (bits <= n)
        bits *= 2;
    p = realloc(h->fds, bits / 8);
    if (p == NULL)
        return false;
    memset((char *)p + h->nfds / 8, 0, (bits - h->nfds) / 8);
    h->fds = p;
    h->nfds = bits;
    return true;
}

bool
held_add_fd(struct held *h, int fd)
{
    bool ok;

    rt_lock(&h->lock);
    ok = room_for(h, (size_t)fd);
    if (ok)
        h->fds[fd / 64] |= (uint64_t)1 << (fd % 64);
    rt_unlock(&h->lock);
    return ok;
}

void
held_drop_fd(struct held *h, int fd)
{
    rt_lock(&h->lock);
    if (fd >= 0 && (size_t)fd < h->nfds)
        h->fds[fd / 64] &= ~((uint64_t)1 << (fd % 64));
    rt_unlock(&h->lock);
}

/* ---- memory -------------------------------------------------------------------- */

static bool
push(struct held *h, char *at, size_t len)
{
    if (h->nmaps == h->cap) {
        size_t cap = h->cap != 0 ? h->cap * 2 : 8;
        struct held_map *p = realloc(h->maps, cap * sizeof *p);

        if (p == NULL)
            return false;
        h->maps = p;
        h->cap = cap;
    }
    h->maps[h->nmaps++] = (struct held_map){at, len};
    return true;
}

bool
held_add_map(struct held *h, void *at, size_t len)
{
    bool ok;

    rt_lock(&h->lock);
    ok = push(h, at, len);
    rt_unlock(&h->lock);
    return ok;
}

int
held_unmap(struct held *h, void *at, size_t len)
{
    int err = EINVAL;
    size_t i;

    rt_lock(&h->lock);
    i = h->nmaps;
    while (i > 0 && (h->maps[i - 1].at != at || h->maps[i - 1].len != len))
        i--;
    if (i > 0) {
        err = munmap(at, len) < 0 ? errno : 0;
        if (err == 0)
            h->maps[i - 1] = h->maps[--h->nmaps];
    }
    rt_unlock(&h->lock);
    return err;
}
