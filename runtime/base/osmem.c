/* SPDX-License-Identifier: MIT */
#include "runtime/base/osmem.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/base/bits.h"
#include "runtime/base/throw.h"

static bool
may_go_on(struct rt_os *os)
{
    uint64_t n = a64_add_rlx(&os->requests, 1) + 1;

    return os->fail_at == 0 || n < os->fail_at;
}

static void *
map(void *hint, size_t size)
{
    /* Without MAP_NORESERVE, so that the system may refuse a commit that it
     * could never fulfil. */
    void *p = mmap(hint, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
        0);

    return p == MAP_FAILED ? NULL : p;
}

static void
unmap(void *p, size_t size)
{
    if (size != 0)
        rt_check(munmap(p, size) == 0, "munmap failed");
}

/* A reservation at hint that somebody else has given back. */
static void *
reserve_kept(struct rt_os *os, void *hint, size_t size)
{
    size_t usable = 0;
    uint8_t *p = rt_keep_take(os->keep, hint, size, &usable);

    if (p == NULL)
        return NULL;
    os->ready = p;
    os->ready_end = p + usable;
    a64_add_rlx(&os->reserved, size);
    return p;
}

void *
rt_os_reserve(struct rt_os *os, void *hint, size_t size, size_t align)
{
    size_t padded;

    if (!may_go_on(os))
        return NULL;
    uint8_t *p = os->keep == NULL || hint == NULL
        ? NULL : reserve_kept(os, hint, size);
    if (p != NULL)
        return p;
    p = map(hint, size);
    if (p == NULL)
        return NULL;
    if ((uintptr_t)p % align != 0) {
        /* Ask for so much that an aligned piece must be inside. */
        unmap(p, size);
        if (__builtin_add_overflow(size, align, &padded))
            return NULL;
        p = map(NULL, padded);
        if (p == NULL)
            return NULL;
        size_t head = rt_align_up((uintptr_t)p, align) - (uintptr_t)p;
        unmap(p, head);
        unmap(p + head + size, padded - head - size);
        p += head;
    }
    a64_add_rlx(&os->reserved, size);
    return p;
}

enum rt_status
rt_os_commit(struct rt_os *os, void *p, size_t size)
{
    bool ready = os->ready != NULL && (uint8_t *)p >= os->ready &&
        (uint8_t *)p < os->ready_end &&
        size <= (size_t)(os->ready_end - (uint8_t *)p);

    if (!may_go_on(os) ||
        (!ready && mprotect(p, size, PROT_READ | PROT_WRITE) != 0))
        return RT_ENOMEM;
    a64_add_rlx(&os->committed, size);
    return RT_OK;
}

void
rt_os_uncommit(struct rt_os *os, void *p, size_t size)
{
    rt_os_discard(os, p, size);
    rt_check(mprotect(p, size, PROT_NONE) == 0, "mprotect failed");
    os->ready = NULL;
    a64_add_rlx(&os->committed, -(uint64_t)size);
}

void
rt_os_discard(struct rt_os *os, void *p, size_t size)
{
    (void)os;
    /* Locked memory cannot be discarded and keeps its content; the promise
     * of zeroes is then kept by hand. */
    if (madvise(p, size, MADV_DONTNEED) != 0)
        for (size_t i = 0; i < size; i += sizeof(uint64_t))
            *(volatile uint64_t *)((uint8_t *)p + i) = 0;
}

void
rt_os_release(struct rt_os *os, void *p, size_t size, size_t committed)
{
    unmap(p, size);
    a64_add_rlx(&os->reserved, -(uint64_t)size);
    a64_add_rlx(&os->committed, -(uint64_t)committed);
}

/* Takes a mapping back whose first committed bytes are usable, dirty of them
 * written: it is kept, or given back to the system. */
static void
keep_or_unmap(struct rt_os *os, void *p, size_t size, size_t committed,
    size_t dirty)
{
    if (os->keep != NULL && rt_keep_put(os->keep, p, size, committed, dirty)) {
        a64_add_rlx(&os->reserved, -(uint64_t)size);
        a64_add_rlx(&os->committed, -(uint64_t)committed);
    } else {
        rt_os_release(os, p, size, committed);
    }
}

void
rt_os_release_clean(
    struct rt_os *os, void *p, size_t size, size_t committed)
{
    keep_or_unmap(os, p, size, committed, 0);
}

static void *
map_usable(struct rt_os *os, size_t size, int flags)
{
    void *p = NULL;
    size_t usable;

    if (!may_go_on(os))
        return NULL;
    if (os->keep != NULL && flags == 0)
        p = rt_keep_take(os->keep, NULL, size, &usable);
    if (p == NULL)
        p = mmap(NULL, size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    a64_add_rlx(&os->reserved, size);
    a64_add_rlx(&os->committed, size);
    return p;
}

void *
rt_os_map(struct rt_os *os, size_t size)
{
    return map_usable(os, size, 0);
}

void *
rt_os_map_sparse(struct rt_os *os, size_t size)
{
    void *p = map_usable(os, size, MAP_NORESERVE);

    /* A core dump would be as large as the address space. */
    if (p != NULL)
        (void)madvise(p, size, MADV_DONTDUMP);
    return p;
}

void
rt_os_unmap(struct rt_os *os, void *p, size_t size)
{
    rt_os_release(os, p, size, size);
}

void
rt_os_unmap_used(struct rt_os *os, void *p, size_t size, size_t used)
{
    keep_or_unmap(os, p, size, size, used);
}
