/* SPDX-License-Identifier: MIT */

/*
 * The memory for machine code: one file in memory that is mapped twice, to be
 * written here and run there, so that no page is ever both.  What runs lies
 * below 2 GiB: addresses in code have four bytes.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void
jit_prepare(
    void *memory, size_t size, size_t used, size_t bytes, size_t *prepared)
{
    enum { FEW = 1 << 16, PAGE = 4096 };
    size_t end = used + bytes, from = *prepared, to = end + FEW;

    rt_assert(used <= size);
    /* Programs of which little is compiled take no more memory by that. */
    if (used < FEW || end <= from || to > size)
        return;
    if (from < used)
        from = used;
    from &= ~(size_t)(PAGE - 1);
    to &= ~(size_t)(PAGE - 1);
#ifdef MADV_POPULATE_WRITE
    (void)madvise((uint8_t *)memory + from, to - from, MADV_POPULATE_WRITE);
#endif
    *prepared = to;
}

#if defined(__x86_64__) && defined(MAP_32BIT)

/* The table's words before anybody has been compiled. */
static void
fill_table(struct jit_region *r, uint32_t nfuncs)
{
    for (uint32_t i = 0; i < OP_COUNT; i++)
        r->table[i] = (uintptr_t)vm_op_functions[i];
    r->table[OP_COUNT + JIT_MEMEQ] = (uintptr_t)jit_memeq;
    r->table[OP_COUNT + JIT_RUNE] = (uintptr_t)jit_keep_rune;
    r->table[OP_COUNT + JIT_EQUAL] = (uintptr_t)jit_keep_equal;
    r->table[OP_COUNT + JIT_MEMCMP] = (uintptr_t)jit_keep_memcmp;
    r->table[OP_COUNT + JIT_COPY] = (uintptr_t)jit_copy;
    r->table[OP_COUNT + JIT_SHADE] = (uintptr_t)jit_keep_shade;
    r->table[OP_COUNT + JIT_LOOK] = (uintptr_t)jit_keep_look;
    r->table[OP_COUNT + JIT_LOOK_INT] = (uintptr_t)jit_keep_look_int;
    r->table[OP_COUNT + JIT_INDEX_BYTE] = (uintptr_t)jit_index_byte;
    jit_x64_masks(r->table + JIT_MASKS);
    for (uint32_t i = 0; i < nfuncs; i++)
        r->table[JIT_FUNCS + i] =
            (uintptr_t)r->exec + jit_exit_offsets[JIT_EXIT_CALL];
}

uint32_t
jit_table_number(struct jit *jit, uint64_t v)
{
    enum { TRIES = 8 };
    uint64_t *numbers = jit->region.table + JIT_NUMBERS;
    /* The upper bits of a product depend on all of v: those of floats that are
     * written in a program differ in few places. */
    uint32_t at = (uint32_t)((v * UINT64_C(0x9e3779b97f4a7c15)) >> 32) >> 16;

    rt_assert(v != 0 && (JIT_NNUMBERS & (JIT_NNUMBERS - 1)) == 0);
    for (uint32_t i = 0; i < TRIES; i++, at++) {
        uint64_t *n = &numbers[at & (JIT_NNUMBERS - 1)];
        if (*n == 0)
            *n = v;
        if (*n == v)
            return (uint32_t)(uintptr_t)n;
    }
    return 0;
}

/* A file that would be longer than files may be is answered by a signal. */
static bool
may_be_long(void)
{
    struct rlimit most;

    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
        (most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= JIT_CODE_BYTES);
}

static void *
or_null(void *p)
{
    return p == MAP_FAILED ? NULL : p;
}

static void
map_file(struct jit_region *r)
{
    int fd = may_be_long() ? memfd_create("vole-jit", MFD_CLOEXEC) : -1;

    if (fd < 0)
        return;
    if (ftruncate(fd, JIT_CODE_BYTES) == 0) {
        r->exec = or_null(mmap(NULL, JIT_CODE_BYTES, PROT_READ | PROT_EXEC,
            MAP_SHARED | MAP_32BIT, fd, 0));
        r->write = or_null(mmap(NULL, JIT_CODE_BYTES, PROT_READ | PROT_WRITE,
            MAP_SHARED, fd, 0));
    }
    close(fd);
}

/* Memory that is nobody's file: perf looks for names of other code in the file
 * itself.  Its second mapping is a copy of the first, made where nothing is;
 * not everywhere that can be done. */
static void
map_shared(struct jit_region *r)
{
    void *low = or_null(mmap(NULL, JIT_CODE_BYTES, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0));

    r->write = or_null(mmap(NULL, JIT_CODE_BYTES, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    r->exec = low;
    if (low != NULL && r->write != NULL &&
        mremap(r->write, 0, JIT_CODE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
            low) == low &&
        mprotect(low, JIT_CODE_BYTES, PROT_READ | PROT_EXEC) == 0)
        return;
    jit_region_close(r);
}

static bool
map_code(struct jit_region *r, bool perf)
{
    if (perf)
        map_shared(r);
    if (r->exec == NULL)
        map_file(r);
    return r->exec != NULL && r->write != NULL;
}

bool
jit_region_open(
    struct jit_region *r, uint32_t nfuncs, uint32_t ncounters, bool perf)
{
    rt_assert(r->exec == NULL && r->write == NULL && r->table == NULL);
    r->table_bytes =
        (JIT_FUNCS + (size_t)nfuncs + ncounters) * sizeof *r->table;
    if (map_code(r, perf)) {
        r->table = or_null(mmap(NULL, r->table_bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
    }
    if (r->table == NULL) {
        jit_region_close(r);
        return false;
    }
    memcpy(r->write, jit_exits, (size_t)(jit_exits_end - jit_exits));
    r->used = (size_t)(jit_exits_end - jit_exits);
    fill_table(r, nfuncs);
    jit_x64_thunks(r);
    return true;
}

void
jit_region_close(struct jit_region *r)
{
    if (r->exec != NULL)
        munmap(r->exec, JIT_CODE_BYTES);
    if (r->write != NULL)
        munmap(r->write, JIT_CODE_BYTES);
    if (r->table != NULL)
        munmap(r->table, r->table_bytes);
    *r = (struct jit_region){0};
}

bool
jit_available(void)
{
    struct jit_region r = {0};
    bool ok = map_code(&r, false);

    jit_region_close(&r);
    return ok;
}

#else

bool
jit_region_open(
    struct jit_region *r, uint32_t nfuncs, uint32_t ncounters, bool perf)
{
    (void)r;
    (void)nfuncs;
    (void)ncounters;
    (void)perf;
    return false;
}

void
jit_region_close(struct jit_region *r)
{
    (void)r;
}

bool
jit_available(void)
{
    return false;
}

#endif
