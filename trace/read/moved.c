/* SPDX-License-Identifier: MIT */
#include "trace/read/moved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/throw.h"
#include "trace/read/idmap.h"

int
trace_temp_file(char *name, uint64_t size)
{
    const char *dir = getenv("TMPDIR");
    int n, fd;

    n = snprintf(name, size, "%s/vole-trace-XXXXXX",
        dir != NULL && *dir != '\0' ? dir : "/tmp");
    if (n < 0 || (uint64_t)n >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

/* ---- the list */

static int
by_key(const void *a, const void *b)
{
    const struct trace_moved *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->off < y->off ? -1 : x->off > y->off;
}

void
trace_moved_end(struct trace_moved_list *l)
{
    if (l->n > 1)
        qsort(l->a, l->n, sizeof *l->a, by_key);
    rt_assert_full(trace_moved_valid(l));
}

bool
trace_moved_valid(const struct trace_moved_list *l)
{
    uint64_t i;

    if (l->n > l->cap || (l->nruns > 0 && l->fd < 0))
        return false;
    for (i = 1; i < l->n; i++) {
        if (by_key(&l->a[i - 1], &l->a[i]) > 0)
            return false;
    }
    return l->in_memory || l->n <= TRACE_MOVED_RUN;
}

static bool
write_run(const struct trace_moved_list *l)
{
    const char *p = (const char *)l->a;
    uint64_t left = l->n * sizeof *l->a;
    off_t at = (off_t)(l->nruns * left);

    rt_assert(l->n == TRACE_MOVED_RUN); /* runs are found by their number */
    while (left > 0) {
        ssize_t k = pwrite(l->fd, p, left, at);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        at += k;
        left -= (uint64_t)k;
    }
    return true;
}

static void
spill(struct trace_moved_list *l)
{
    char name[4096];

    if (l->nruns == 0)
        l->fd = trace_temp_file(name, sizeof name);
    trace_moved_end(l);
    l->in_memory = l->fd < 0 || !write_run(l);
    if (!l->in_memory) {
        l->nruns++;
        l->n = 0;
    } else if (l->nruns == 0 && l->fd >= 0) {
        close(l->fd);
    }
}

bool
trace_moved_add(struct trace_moved_list *l, uint64_t key, uint64_t off,
    int64_t p)
{
    if (l->n == TRACE_MOVED_RUN && !l->in_memory)
        spill(l);
    if (!trace_grow(&l->a, &l->cap, l->n, sizeof *l->a))
        return false;
    l->a[l->n++] = (struct trace_moved){key, off, p};
    return true;
}

void
trace_moved_free(struct trace_moved_list *l)
{
    if (l->nruns > 0)
        close(l->fd);
    free(l->a);
    memset(l, 0, sizeof *l);
}

/* ---- readers */

struct trace_moved_run {
    const struct trace_moved *next, *end; /* NULL: the file is to be read */
    struct trace_moved *buf;              /* NULL: the run in memory */
    uint64_t run, at;                     /* entries of it that were read */
};

/* The run has a next entry, or false. */
static bool
fill(struct trace_moved_reader *r, struct trace_moved_run *x)
{
    uint64_t want = TRACE_MOVED_RUN - x->at;
    ssize_t k;

    rt_assert(x->at <= TRACE_MOVED_RUN && x->run <= r->l->nruns);
    if (x->next != x->end)
        return true;
    if (x->buf == NULL || want == 0)
        return false;
    if (want > TRACE_MOVED_READ)
        want = TRACE_MOVED_READ;
    do {
        k = pread(r->l->fd, x->buf, want * sizeof *x->buf,
            (off_t)((x->run * TRACE_MOVED_RUN + x->at) * sizeof *x->buf));
    } while (k < 0 && errno == EINTR);
    if (k != (ssize_t)(want * sizeof *x->buf)) {
        r->failed = true;
        return false;
    }
    x->next = x->buf;
    x->end = x->buf + want;
    x->at += want;
    return true;
}

/* The run on top has another next entry. */
static void
sift(struct trace_moved_reader *r)
{
    struct trace_moved_run x = r->runs[0];
    uint32_t i = 0, k;

    for (; (k = 2 * i + 1) < r->nruns; i = k) {
        if (k + 1 < r->nruns &&
            by_key(r->runs[k + 1].next, r->runs[k].next) < 0)
            k++;
        if (by_key(r->runs[k].next, x.next) >= 0)
            break;
        r->runs[i] = r->runs[k];
    }
    r->runs[i] = x;
}

static void
push(struct trace_moved_reader *r, const struct trace_moved_run *x)
{
    uint32_t i = r->nruns++, up;

    for (; i > 0; i = up) {
        up = (i - 1) / 2;
        if (by_key(x->next, r->runs[up].next) >= 0)
            break;
        r->runs[i] = r->runs[up];
    }
    r->runs[i] = *x;
}

bool
trace_moved_reader_valid(const struct trace_moved_reader *r)
{
    uint32_t i;

    if (r->nruns > r->l->nruns + 1)
        return false;
    for (i = 0; i < r->nruns; i++) {
        const struct trace_moved_run *x = &r->runs[i];

        if (x->next >= x->end ||
            (i > 0 && by_key(r->runs[(i - 1) / 2].next, x->next) > 0))
            return false;
    }
    return true;
}

bool
trace_moved_open(struct trace_moved_reader *r,
    const struct trace_moved_list *l)
{
    struct trace_moved_run x = {.next = l->a, .end = l->a + l->n};
    uint64_t i;

    r->l = l;
    r->nruns = 0;
    r->failed = false;
    r->runs = calloc(l->nruns + 1, sizeof *r->runs);
    if (r->runs == NULL)
        return false;
    if (l->n > 0)
        push(r, &x);
    for (i = 0; i < l->nruns; i++) {
        x = (struct trace_moved_run){.run = i,
            .buf = malloc(TRACE_MOVED_READ * sizeof *x.buf)};
        if (x.buf != NULL && fill(r, &x)) {
            push(r, &x);
            continue;
        }
        free(x.buf);
        trace_moved_close(r);
        return false;
    }
    return true;
}

bool
trace_moved_next(struct trace_moved_reader *r, struct trace_moved *out)
{
    struct trace_moved_run *x = r->runs;

    if (r->nruns == 0)
        return false;
    rt_assert_full(trace_moved_reader_valid(r));
    *out = *x->next++;
    if (!fill(r, x)) {
        free(x->buf);
        *x = r->runs[--r->nruns];
    }
    if (r->nruns > 1)
        sift(r);
    return true;
}

void
trace_moved_close(struct trace_moved_reader *r)
{
    uint32_t i;

    for (i = 0; i < r->nruns; i++)
        free(r->runs[i].buf);
    free(r->runs);
    r->runs = NULL;
    r->nruns = 0;
}
