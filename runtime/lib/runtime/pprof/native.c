/* SPDX-License-Identifier: MIT */

/*
 * Natives of runtime/pprof, and of the part of package runtime that deals
 * with profiles.  Files are made in C memory while the P is given away, and
 * copied to the heap at last.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gc/gc.h"
#include "profile/wire/pprof.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/prof_rows.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static struct lib_prof *
lp_of(struct vm_thread *t)
{
    return lib_state(t)->prof;
}

static enum vm_status
no_memory(struct vm_thread *t)
{
    return vm_out_of_memory(t);
}

/* A C copy of a string argument; free() it. */
static char *
c_copy(struct rt_str s)
{
    return strndup(s.len > 0 ? (const char *)s.ptr : "", (size_t)s.len);
}

/* ---- runtime/pprof: lists ------------------------------------------------------------ */

enum vm_status
lib_pprof_builtin(struct vm_thread *t, union lib_pprof_builtin_1to1 *f)
{
    const char *s = lib_prof_builtin((uint32_t)f->in.i);

    (void)t;
    if (s == NULL)
        s = "";
    f->out.r = (struct rt_str){(const uint8_t *)s, (int64_t)strlen(s)};
    return VM_OK;
}

/* func register(name string) int */
enum vm_status
lib_pprof_register(struct vm_thread *t, union lib_pprof_register_1to1 *f)
{
    struct rt_str s = f->in.name;

    f->out.r =
        profset_make(&lp_of(t)->users, (const char *)s.ptr, (size_t)s.len);
    return f->out.r < 0 ? no_memory(t) : VM_OK;
}

/* func insert(id int, pcs []uintptr) int */
enum vm_status
lib_pprof_insert(struct vm_thread *t, union lib_pprof_insert_2to1 *f)
{
    struct rt_slice s = f->in.pcs;

    f->out.r = profset_add(
        &lp_of(t)->users, (uint32_t)f->in.id, s.ptr, (uint32_t)s.len);
    return f->out.r < 0 ? no_memory(t) : VM_OK;
}

/* func remove(id, place int) */
enum vm_status
lib_pprof_remove(struct vm_thread *t, union lib_pprof_remove_2to0 *f)
{
    profset_remove(&lp_of(t)->users, (uint32_t)f->in.id, f->in.place);
    return VM_OK;
}

/* func count(name string) int */
enum vm_status
lib_pprof_count(struct vm_thread *t, union lib_pprof_count_1to1 *f)
{
    char *name = c_copy(f->in.name);

    if (name == NULL)
        return no_memory(t);
    f->out.r = lib_prof_count(lp_of(t), name);
    free(name);
    return VM_OK;
}

/* ---- runtime/pprof: files ------------------------------------------------------------- */

/* The bytes as a Go slice, if *ok; frees them.  *ok: they are all there. */
static enum vm_status
ret_bytes(
    struct vm_thread *t, struct rt_slice *out, struct wire_buf *b, bool *ok)
{
    struct rt_slice s = {NULL, 0, 0};

    *ok = *ok && !b->failed;
    if (*ok && b->n > 0) {
        s.ptr = vm_new_bytes(t, b->n);
        if (s.ptr == NULL) {
            wire_buf_free(b);
            return VM_EXIT;
        }
        memcpy(s.ptr, b->data, b->n);
        s.len = s.cap = (int64_t)b->n;
    }
    wire_buf_free(b);
    *out = s;
    return VM_OK;
}

enum vm_status
lib_pprof_format(struct vm_thread *t, union lib_pprof_format_2to2 *f)
{
    struct wire_buf b = {0};
    struct wire_sink sink = wire_buf_sink(&b);
    char *name = c_copy(f->in.name);
    struct lib_snap *s = NULL;
    enum vm_status st;
    bool ok;

    /* A slot for results is a root while others look for what can be
     * reached: no stale word, lest it hides a leak. */
    f->out.ok = false;
    ok = name != NULL &&
        lib_prof_take(lp_of(t), name, f->in.debug, &s, NULL) == RT_OK;

    if (ok) {
        vm_syscall_enter(t);
        ok = lib_snap_write(s, &sink) == RT_OK;
        lib_snap_free(s);
        vm_syscall_exit(t);
    }
    free(name);
    st = ret_bytes(t, &f->out.text, &b, &ok);
    f->out.ok = ok;
    return st;
}

/* func startCPU(hz int) bool */
enum vm_status
lib_pprof_startCPU(struct vm_thread *t, union lib_pprof_startCPU_1to1 *f)
{
    struct lib_prof *lp = lp_of(t);
    bool ok;

    vm_syscall_enter(t);
    ok = lib_prof_cpu_start(lp, (uint32_t)f->in.hz, NULL) == RT_OK;
    vm_syscall_exit(t);
    f->out.r = ok;
    return VM_OK;
}

enum vm_status
lib_pprof_stopCPU(struct vm_thread *t, union lib_pprof_stopCPU_0to2 *f)
{
    struct wire_buf b = {0};
    struct wire_sink sink = wire_buf_sink(&b);
    struct lib_prof *lp = lp_of(t);
    enum vm_status st;
    bool ok;

    vm_syscall_enter(t);
    ok = lib_prof_cpu_stop(lp, &sink, NULL) == RT_OK;
    vm_syscall_exit(t);
    st = ret_bytes(t, &f->out.text, &b, &ok);
    f->out.ok = ok;
    return st;
}

/* ---- runtime/pprof: labels --------------------------------------------------------------- */

/* label.go's types. */
struct go_label {
    struct rt_str key, value;
};

struct go_label_map {
    struct rt_slice list;
};

/* func setLabels(l unsafe.Pointer) */
enum vm_status
lib_pprof_setLabels(struct vm_thread *t, union lib_pprof_setLabels_1to0 *f)
{
    const struct go_label_map *m = f->in.l;
    uint32_t n = m == NULL ? 0 : (uint32_t)m->list.len;
    struct prof_labels *new = NULL, *old = t->g->prof.labels;

    if (n > 0) {
        const struct go_label *l = m->list.ptr;
        struct prof_pair *pairs = calloc(n, sizeof *pairs);

        if (pairs == NULL)
            return no_memory(t);
        for (uint32_t i = 0; i < n; i++)
            pairs[i] = (struct prof_pair){(const char *)l[i].key.ptr,
                (const char *)l[i].value.ptr, (size_t)l[i].key.len,
                (size_t)l[i].value.len};
        new = prof_labels_new(pairs, n);
        free(pairs);
        if (new == NULL)
            return no_memory(t);
    }
    t->g->prof.labels = new;
    prof_labels_unref(old);
    return VM_OK;
}

/* ---- runtime: rates ------------------------------------------------------------------------ */

/* func SetBlockProfileRate(rate int) */
enum vm_status
lib_runtime_SetBlockProfileRate(
    struct vm_thread *t, union lib_runtime_SetBlockProfileRate_1to0 *f)
{
    prof_set_block_rate(lp_of(t)->prof, f->in.rate);
    return VM_OK;
}

/* func SetMutexProfileFraction(rate int) int */
enum vm_status
lib_runtime_SetMutexProfileFraction(
    struct vm_thread *t, union lib_runtime_SetMutexProfileFraction_1to1 *f)
{
    f->out.r = prof_mutex_set_fraction(&lp_of(t)->prof->block, f->in.rate);
    return VM_OK;
}

/* func SetCPUProfileRate(hz int) */
enum vm_status
lib_runtime_SetCPUProfileRate(
    struct vm_thread *t, union lib_runtime_SetCPUProfileRate_1to0 *f)
{
    static const char busy[] = "runtime: cannot set CPU profile rate until "
                               "previous profile has finished.\n";
    struct lib_prof *lp = lp_of(t);
    int64_t hz = f->in.hz;
    bool ok = true;

    vm_syscall_enter(t);
    if (hz > 0)
        ok = lib_prof_rate_start(
            lp, hz > 1000000 ? 1000000 : (uint32_t)hz);
    else
        lib_prof_rate_stop(lp);
    if (!ok && write(2, busy, sizeof busy - 1) < 0)
        ok = true; /* nobody listens */
    vm_syscall_exit(t);
    return VM_OK;
}

/* func startRate() int */
enum vm_status
lib_runtime_startRate(struct vm_thread *t, union lib_runtime_startRate_0to1 *f)
{
    f->out.r = mprof_rate(&lp_of(t)->prof->mem);
    return VM_OK;
}

/* func memRateChanged() */
enum vm_status
lib_runtime_memRateChanged(
    struct vm_thread *t, union lib_runtime_memRateChanged_0to0 *f)
{
    struct mprof *mp = &lp_of(t)->prof->mem;
    int64_t rate = lib_prof_go_rate(t->vm, mprof_rate(mp));

    (void)f;
    if (rate == mprof_rate(mp))
        return VM_OK;
    sched_stop_world(t->m, STW_UNKNOWN);
    mprof_set_rate(mp, rate);
    gc_sample_reset(vm_heap(t->vm));
    sched_start_world(t->m);
    return VM_OK;
}

/* ---- runtime: records ----------------------------------------------------------------------- */

enum { GO_STACK = 32 };

struct go_stack_record {
    uint64_t stk[GO_STACK];
};

struct go_mem_record {
    int64_t alloc_bytes, free_bytes, alloc_objects, free_objects;
    uint64_t stk[GO_STACK];
};

struct go_block_record {
    int64_t count, cycles;
    uint64_t stk[GO_STACK];
};

static void
put_stack(uint64_t *out, const vpc *pcs, uint32_t n)
{
    if (n > GO_STACK)
        n = GO_STACK;
    memset(out, 0, GO_STACK * sizeof *out);
    memcpy(out, pcs, n * sizeof *out);
}

/* One kind of records: how the runtime gives them, and how Go has them. */
struct records {
    size_t size; /* of one of the runtime's */
    lib_read_fn *read;
    void (*put)(void *out, uint32_t i, const void *r);
};

static uint32_t
room_of(struct rt_slice s)
{
    return s.len > INT32_MAX ? INT32_MAX : (uint32_t)s.len;
}

/* Fills s if there is room for all; how many there are, -1 without memory. */
static int64_t
fill(struct vm_thread *t, struct rt_slice s, const struct records *k,
    bool flag)
{
    uint32_t room = room_of(s), n;
    char *r = calloc((size_t)room + 1, k->size);

    if (r == NULL)
        return -1;
    n = k->read(lp_of(t)->prof, flag, r, room);
    for (uint32_t i = 0; n <= room && i < n; i++)
        k->put(s.ptr, i, r + i * k->size);
    free(r);
    return n;
}

/* A native that fills its parameter p with records of a kind. */
#define FILL(fn, shape, kind, flag)                                          \
    enum vm_status lib_runtime_##fn(                                         \
        struct vm_thread *t, union lib_runtime_##fn##_##shape *f)            \
    {                                                                        \
        uint32_t room = room_of(f->in.p);                                    \
        int64_t n = fill(t, f->in.p, &(kind), flag);                         \
                                                                             \
        if (n < 0)                                                           \
            return no_memory(t);                                             \
        f->out.n = n;                                                        \
        f->out.ok = n <= room;                                               \
        return VM_OK;                                                        \
    }

static void
put_mem(void *out, uint32_t i, const void *rec)
{
    const struct mprof_record *r = rec;
    struct go_mem_record *o = (struct go_mem_record *)out + i;

    o->alloc_bytes = (int64_t)r->c.alloc_bytes;
    o->free_bytes = (int64_t)r->c.free_bytes;
    o->alloc_objects = (int64_t)r->c.allocs;
    o->free_objects = (int64_t)r->c.frees;
    put_stack(o->stk, r->stk, r->nstk);
}

static const struct records mem_records = {
    sizeof(struct mprof_record), lib_read_mem, put_mem};

FILL(memProfile, 2to2, mem_records, f->in.inuseZero != 0)

static void
put_block(void *out, uint32_t i, const void *rec)
{
    const struct prof_block_record *r = rec;
    struct go_block_record *o = (struct go_block_record *)out + i;

    o->count = r->count;
    o->cycles = r->cycles;
    put_stack(o->stk, r->stk, r->nstk);
}

static const struct records block_records = {
    sizeof(struct prof_block_record), lib_read_block, put_block};

FILL(blockProfile, 2to2, block_records, f->in.mutex != 0)

static void
put_thread(void *out, uint32_t i, const void *rec)
{
    const struct prof_stack *r = rec;

    put_stack(((struct go_stack_record *)out)[i].stk, r->pcs, r->n);
}

static const struct records thread_records = {
    sizeof(struct prof_stack), lib_read_threads, put_thread};

FILL(ThreadCreateProfile, 1to2, thread_records, false)

enum vm_status
lib_runtime_GoroutineProfile(
    struct vm_thread *t, union lib_runtime_GoroutineProfile_1to2 *f)
{
    struct go_stack_record *out = f->in.p.ptr;
    struct prof_gset *gs = NULL;
    uint32_t room = room_of(f->in.p), n = 0;

    if (prof_goroutines(lp_of(t)->prof, room, &n, &gs) != RT_OK)
        return no_memory(t);
    if (gs != NULL) {
        n = gs->n;
        for (uint32_t i = 0; i < n; i++)
            put_stack(out[i].stk, gs->v[i].stk, gs->v[i].nstk);
        prof_gset_free(gs);
    }
    f->out.n = n;
    f->out.ok = n <= room;
    return VM_OK;
}
