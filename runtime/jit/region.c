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
    jit_x64_masks(r->table + JIT_MASKS);
    for (uint32_t i = 0; i < nfuncs; i++)
        r->table[JIT_FUNCS + i] =
            (uintptr_t)r->exec + jit_exit_offsets[JIT_EXIT_CALL];
}

/* A file that would be longer than files may be is answered by a signal. */
static bool
may_be_long(void)
{
    struct rlimit most;

    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
        (most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= JIT_CODE_BYTES);
}

static bool
map_code(struct jit_region *r)
{
    int fd = may_be_long() ? memfd_create("vole-jit", MFD_CLOEXEC) : -1;

    if (fd < 0)
        return false;
    if (ftruncate(fd, JIT_CODE_BYTES) == 0) {
        void *p = mmap(NULL, JIT_CODE_BYTES, PROT_READ | PROT_EXEC,
            MAP_SHARED | MAP_32BIT, fd, 0);
        r->exec = p == MAP_FAILED ? NULL : p;
        p = mmap(NULL, JIT_CODE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
            0);
        r->write = p == MAP_FAILED ? NULL : p;
    }
    close(fd);
    return r->exec != NULL && r->write != NULL;
}

bool
jit_region_open(struct jit_region *r, uint32_t nfuncs, uint32_t ncounters)
{
    rt_assert(r->exec == NULL && r->write == NULL && r->table == NULL);
    r->table_bytes =
        (JIT_FUNCS + (size_t)nfuncs + ncounters) * sizeof *r->table;
    if (map_code(r)) {
        void *p = mmap(NULL, r->table_bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
        r->table = p == MAP_FAILED ? NULL : p;
    }
    if (r->table == NULL) {
        jit_region_close(r);
        return false;
    }
    memcpy(r->write, jit_exits, (size_t)(jit_exits_end - jit_exits));
    r->used = (size_t)(jit_exits_end - jit_exits);
    fill_table(r, nfuncs);
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
    bool ok = map_code(&r);

    jit_region_close(&r);
    return ok;
}

#else

bool
jit_region_open(struct jit_region *r, uint32_t nfuncs, uint32_t ncounters)
{
    (void)r;
    (void)nfuncs;
    (void)ncounters;
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
