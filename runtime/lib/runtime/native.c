/* SPDX-License-Identifier: MIT */

/*
 * Natives of package runtime.  A native stands at a safepoint: the
 * interpreter has saved the goroutine's state and scans the argument slots,
 * so a collection or a stop of the world may happen inside.
 */

#include "runtime/lib/runtime/hooks.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/base/goversion.h"
#include "runtime/code/code.h"
#include "runtime/code/opinfo.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/prof.h"
#include "runtime/race/race.h"
#include "runtime/value/alg.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

enum vm_status
lib_runtime_Gosched(struct vm_thread *t, union lib_runtime_Gosched_0to0 *f)
{
    (void)f;
    return sched_yield_wanted(t->m) ? VM_YIELD : VM_OK;
}

enum vm_status
lib_runtime_Goexit(struct vm_thread *t, union lib_runtime_Goexit_0to0 *f)
{
    (void)t;
    (void)f;
    return VM_GOEXIT;
}

enum vm_status
lib_runtime_Breakpoint(
    struct vm_thread *t, union lib_runtime_Breakpoint_0to0 *f)
{
    /* No debugger knows scripts, so this is what Go does without one. */
    (void)f;
    return vm_fatalf(t, "SIGTRAP: trace trap");
}

enum vm_status
lib_runtime_GOMAXPROCS(
    struct vm_thread *t, union lib_runtime_GOMAXPROCS_1to1 *f)
{
    int64_t n = f->in.n;
    int32_t want = n < 1 ? 0 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
    f->out.r = sched_gomaxprocs(t->m, want);
    return VM_OK;
}

enum vm_status
lib_runtime_NumCPU(struct vm_thread *t, union lib_runtime_NumCPU_0to1 *f)
{
    f->out.r = sched_cpus(vm_sched(t->vm));
    return VM_OK;
}

enum vm_status
lib_runtime_NumGoroutine(
    struct vm_thread *t, union lib_runtime_NumGoroutine_0to1 *f)
{
    f->out.r = sched_num_goroutine(vm_sched(t->vm));
    return VM_OK;
}

enum vm_status
lib_runtime_lockThread(
    struct vm_thread *t, union lib_runtime_lockThread_1to0 *f)
{
    sched_lock_thread(t->m, f->in.lock != 0);
    return VM_OK;
}

/* func gcBegun() uint64 */
enum vm_status
lib_runtime_gcBegun(struct vm_thread *t, union lib_runtime_gcBegun_0to1 *f)
{
    f->out.r = gc_begun(t->m->p->cache.heap);
    return VM_OK;
}

/* func gcStart(mark uint64) bool */
enum vm_status
lib_runtime_gcStart(struct vm_thread *t, union lib_runtime_gcStart_1to1 *f)
{
    f->out.r = sched_gc_start(t->m, f->in.mark);
    return VM_OK;
}

/* func gcWait(mark uint64) */
enum vm_status
lib_runtime_gcWait(struct vm_thread *t, union lib_runtime_gcWait_1to0 *f)
{
    return sched_gc_wait(t->m, f->in.mark) ? VM_OK : VM_PARK;
}

/* func gcSweep(mark uint64) bool */
enum vm_status
lib_runtime_gcSweep(struct vm_thread *t, union lib_runtime_gcSweep_1to1 *f)
{
    f->out.r = sched_gc_sweep(t->m, f->in.mark);
    return VM_OK;
}

/* func Stack(buf []byte, all bool) int */
enum vm_status
lib_runtime_Stack(struct vm_thread *t, union lib_runtime_Stack_2to1 *f)
{
    char *buf = f->in.buf.ptr;
    size_t n = 0, cap = (size_t)f->in.buf.len, k;
    struct vm_dump *d = vm_dump_take(t->vm, t->g, f->in.all != 0);

    if (d == NULL)
        return vm_out_of_memory(t);
    while (n < cap && (k = vm_dump_next(d, buf + n, cap - n)) > 0)
        n += k;
    vm_dump_free(d);
    f->out.r = (int64_t)n;
    return VM_OK;
}

/* func callers(skip int, pc []uintptr) int */
enum vm_status
lib_runtime_callers(struct vm_thread *t, union lib_runtime_callers_2to1 *f)
{
    int64_t skip = f->in.skip < 0 ? 0 : f->in.skip, n = f->in.pc.len;
    vpc *pcs = f->in.pc.ptr;
    unsigned k = 0;
    if (skip <= INT32_MAX && n > 0)
        k = vm_walk_callers(t->vm, t->g, (unsigned)skip, pcs,
            n > INT32_MAX ? INT32_MAX : (unsigned)n);
    f->out.r = k;
    return VM_OK;
}

static struct rt_str
c_str(const char *s)
{
    return (struct rt_str){(const uint8_t *)s, (int64_t)strlen(s)};
}

/* A word of a profile's stack that is no pc of the program. */
static enum vm_status
symbol_outside(struct vm_thread *t, union lib_runtime_symbol_1to5 *f)
{
    struct wire_frame w;
    char *own = NULL;
    struct rt_str name = {NULL, 0};
    bool ok = lib_prof_symbol(lib_state(t)->prof, f->in.pc, &w, &own) &&
        w.func != NULL;

    if (ok && own == NULL)
        name = c_str(w.func);
    else if (ok)
        name = vm_str(t, own, strlen(own));
    if (ok && own != NULL && name.ptr == NULL) {
        free(own);
        return VM_EXIT;
    }
    free(own);
    f->out.name = name;
    f->out.file = (struct rt_str){NULL, 0};
    f->out.line = 0;
    f->out.entry = ok ? w.entry : 0;
    f->out.ok = ok;
    return VM_OK;
}

static bool
is_call(const struct vm *vm, const struct code_ins *pc)
{
    uint32_t base, nargs;

    return code_call_area(vm_image(vm), pc, &base, &nargs);
}

static bool
calls(const struct vm *vm, const struct code_func *f)
{
    uint32_t i;

    for (i = 0; i < f->ncode; i += 1 + code_ext_words(&f->code[i]))
        if ((code_does(f->code[i].op) & CODE_ALLOCATES) != 0 ||
            is_call(vm, &f->code[i]))
            return true;
    return false;
}

/* Go's functions that call another or make memory, and closures, begin with
 * instructions of the line with the name: they make room on the stack.  But the
 * pc of a call that comes first stands for the call. */
static bool
at_prologue(const struct vm *vm, const struct vm_frame *at)
{
    const struct code_func *f = at->func;

    return at->off == 0 && f->line != 0 && f->ncode != 0 &&
        !is_call(vm, f->code) &&
        ((f->flags & CODE_F_CLOSURE) != 0 || calls(vm, f));
}

/* func symbol(pc uintptr) (name, file string, line int, entry uintptr, ok
 * bool); the strings live in the program's image. */
enum vm_status
lib_runtime_symbol(struct vm_thread *t, union lib_runtime_symbol_1to5 *f)
{
    struct vm_frame at;
    if (!vm_symbolize(t->vm, f->in.pc, &at) || at.func == NULL)
        return symbol_outside(t, f);
    f->out.name = c_str(at.func->name);
    f->out.file = c_str(at.file);
    f->out.line = at_prologue(t->vm, &at) ? at.func->line : at.line;
    if (at.func->flags & CODE_F_WRAPPER) {
        f->out.file = c_str("<autogenerated>");
        f->out.line = 1;
    }
    f->out.entry = vm_func_address(t->vm, at.func);
    f->out.ok = true;
    return VM_OK;
}

/* func funcOf(pc uintptr) *Func */
enum vm_status
lib_runtime_funcOf(struct vm_thread *t, union lib_runtime_funcOf_1to1 *frame)
{
    struct vm_frame f;
    bool ok = vm_symbolize(t->vm, frame->in.pc, &f);
    frame->out.r = ok ? (void *)f.func : NULL;
    return VM_OK;
}

/* func funcEntry(f *Func) uintptr */
enum vm_status
lib_runtime_funcEntry(
    struct vm_thread *t, union lib_runtime_funcEntry_1to1 *frame)
{
    const struct code_func *f = frame->in.f;
    if (f == NULL)
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    frame->out.r = vm_func_address(t->vm, f);
    return VM_OK;
}

/* Go's runtime.MemStats; the fields before enable_gc are gc_memstats's. */
struct go_memstats {
    unsigned char head[offsetof(struct gc_memstats, by_size)];
    bool enable_gc, debug_gc;
    struct {
        uint32_t size;
        uint64_t mallocs, frees;
    } by_size[61];
};

_Static_assert(offsetof(struct go_memstats, enable_gc) == 4304,
    "MemStats.EnableGC follows GCCPUFraction");
_Static_assert(sizeof(struct go_memstats) == 5776,
    "what ReadMemStats says that it writes");

/* func ReadMemStats(m *MemStats) */
enum vm_status
lib_runtime_ReadMemStats(
    struct vm_thread *t, union lib_runtime_ReadMemStats_1to0 *f)
{
    struct go_memstats *m = f->in.m;
    if (m == NULL)
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    struct gc_memstats s;
    sched_stop_world(t->m, STW_READ_MEMSTATS);
    gc_read_memstats(vm_heap(t->vm), &s);
    sched_start_world(t->m);
    s.stack_inuse = s.stack_sys = vm_stack_bytes(t->vm);
    s.sys += s.stack_sys;
    memset(m, 0, sizeof *m);
    memcpy(m->head, &s, sizeof m->head);
    m->enable_gc = true;
    for (size_t i = 0; i < 61 && i < GC_NCLASS; i++) {
        m->by_size[i].size = s.by_size[i].size;
        m->by_size[i].mallocs = s.by_size[i].mallocs;
        m->by_size[i].frees = s.by_size[i].frees;
    }
    return VM_OK;
}

/* What setFinalizer() answers; see runtime.go. */
enum {
    FIN_OK,
    FIN_NIL,
    FIN_NOT_POINTER,
    FIN_NOT_START,
    FIN_NOT_FUNC,
    FIN_BAD_ARG,
    FIN_AGAIN,
    FIN_NOT_HEAP,
    FIN_DOTS
};

static bool
is_global(struct vm *vm, const void *p)
{
    const uint8_t *g = vm_globals(vm), *at = p;

    return p == &gc_zero_object ||
        (at >= g && at < g + vm_image(vm)->globals.size);
}

/* Whether a finalizer of type fn may be called with a value of type obj. */
static bool
takes(const struct rtype *fn, const struct rtype *obj)
{
    if (fn->nparams != 1)
        return false;
    const struct rtype *p = fn->params[0];
    if (p == obj)
        return true;
    /* Any interface that asks for no method more than obj has: the checker
     * has no part in this, so compare names. */
    if (p->kind == RK_INTERFACE) {
        for (uint32_t i = 0; i < p->nmethods; i++) {
            bool found = false;
            for (uint32_t k = 0; k < obj->nmethods && !found; k++)
                found = p->methods[i].sel == obj->methods[k].sel;
            if (!found)
                return false;
        }
        return true;
    }
    /* A pointer type of the same elements, one of them without a name. */
    return p->kind == RK_POINTER && p->elem == obj->elem;
}

static int
set_finalizer(struct vm_thread *t, struct rt_iface obj, struct rt_iface fin)
{
    struct gc_object o;

    if (obj.type == NULL)
        return FIN_NIL;
    if (obj.type->kind != RK_POINTER)
        return FIN_NOT_POINTER;
    if (!gc_find_object(vm_heap(t->vm), obj.data, &o))
        /* Package variables and what has no size live for ever. */
        return is_global(t->vm, obj.data) ? FIN_OK : FIN_NOT_HEAP;
    /* An address inside may come from the tiny allocator. */
    if (o.base != obj.data && (rtype_has_pointers(obj.type->elem) ||
        rtype_size(obj.type->elem) >= 16 || !o.noscan || o.size != 16))
        return FIN_NOT_START;
    if (fin.type == NULL) {
        gc_clear_finalizer(t->cache, obj.data);
        return FIN_OK;
    }
    if (fin.type->kind != RK_FUNC)
        return FIN_NOT_FUNC;
    if ((fin.type->flags & RT_F_VARIADIC) != 0)
        return FIN_DOTS;
    if (!takes(fin.type, obj.type))
        return FIN_BAD_ARG;
    /* What the call needs to know comes back as the object's type, with the
     * lowest bit set where the function takes an interface. */
    uintptr_t info = (uintptr_t)obj.type;
    if (fin.type->params[0]->kind == RK_INTERFACE)
        info |= 1;
    switch (gc_set_finalizer(t->cache, obj.data, fin.data, (void *)info)) {
    case RT_OK:
        return FIN_OK;
    case RT_ESTATE:
        return FIN_AGAIN;
    case RT_ENOMEM:
        return -1;
    default:
        return FIN_NOT_START;
    }
}

/* func setFinalizer(obj, finalizer any) (what int, objType, finType string) */
enum vm_status
lib_runtime_setFinalizer(
    struct vm_thread *t, union lib_runtime_setFinalizer_2to3 *f)
{
    struct rt_iface obj = f->in.obj, fin = f->in.finalizer;
    int what = set_finalizer(t, obj, fin);
    if (what < 0)
        return vm_out_of_memory(t);
    f->out.what = what;
    f->out.objType = c_str(obj.type == NULL ? "nil" : obj.type->string);
    f->out.finType = c_str(fin.type == NULL ? "nil" : fin.type->string);
    return VM_OK;
}

/* func nextFinalizer() (obj any, fn unsafe.Pointer, iface, ok bool) */
enum vm_status
lib_runtime_nextFinalizer(
    struct vm_thread *t, union lib_runtime_nextFinalizer_0to4 *frame)
{
    struct gc_finalizer f = {NULL, NULL, NULL};
    bool ok = gc_finalizer_next(vm_heap(t->vm), t->cache, &f);
    sched_user_code(t->m, ok);
    if (t->race != NULL)
        race_acquire_mark(t->race);
    uintptr_t info = (uintptr_t)f.info;
    struct rt_iface obj = {(const struct rtype *)(info & ~(uintptr_t)1),
        f.obj};
    frame->out.obj = obj;
    frame->out.fn = f.fn;
    frame->out.iface = info & 1;
    frame->out.ok = ok;
    return VM_OK;
}

/* What attachCleanup() answers; see cleanup.go. */
enum { CLEAN_OK, CLEAN_NEVER, CLEAN_NOT_HEAP, CLEAN_IN_ARG, CLEAN_CLOSES };

/* Go's struct cleanup of cleanup.go. */
struct cleanup {
    struct rt_iface fn, arg;
};

/* Does the closure hold a pointer into the object? */
static bool
closes_over(const struct code_closure *c, const struct gc_object *o)
{
    const struct rt_layout *l = &c->fn->closure;
    const uint64_t *w = (const uint64_t *)c;

    if ((c->fn->flags & CODE_F_CLOSURE) == 0)
        return false;
    for (uint64_t i = 0; i < l->ptrdata / 8; i++)
        if (rt_layout_is_ptr(l, i) && w[i] - (uintptr_t)o->base < o->size)
            return true;
    return false;
}

/* A small argument without pointers gets a block of its own: it is a root
 * and must not share one with what waits to die. */
static bool
rebox(struct vm_thread *t, struct cleanup *c)
{
    const struct rtype *ty = c->arg.type;

    if (ty == NULL || rtype_direct(ty) || rtype_has_pointers(ty) ||
        rtype_size(ty) >= 16)
        return true;
    void *p = gc_alloc_noscan(t->cache, 16);
    if (p == NULL)
        return false;
    memcpy(p, c->arg.data, rtype_size(ty));
    vm_store_ptr(t, &c->arg.data, p);
    return true;
}

static int
attach_cleanup(struct vm_thread *t, void *ptr, struct cleanup *c, uint64_t *id)
{
    const struct rtype *p = c->fn.type->params[0];
    const uint8_t *arg = c->arg.data;
    struct gc_object o;

    if (!gc_find_object(vm_heap(t->vm), ptr, &o))
        return is_global(t->vm, ptr) ? CLEAN_NEVER : CLEAN_NOT_HEAP;
    /* Parts of a block of the tiny allocator have nothing to do with each
     * other. */
    bool tiny = o.noscan && o.size == 16;
    if ((p->kind == RK_POINTER || p->kind == RK_UNSAFE_POINTER) && !tiny &&
        arg >= o.base && arg < o.base + o.size)
        return CLEAN_IN_ARG;
    if (c->fn.data != NULL && closes_over(c->fn.data, &o))
        return CLEAN_CLOSES;
    if (!rebox(t, c) ||
        gc_add_cleanup(t->cache, ptr, c, id) == RT_ENOMEM)
        return -1;
    return CLEAN_OK;
}

/* func attachCleanup(ptr unsafe.Pointer, c *cleanup) (id uint64, what int) */
enum vm_status
lib_runtime_attachCleanup(
    struct vm_thread *t, union lib_runtime_attachCleanup_2to2 *f)
{
    uint64_t id = 0;
    int what = attach_cleanup(t, f->in.ptr, f->in.c, &id);

    if (what < 0)
        return vm_out_of_memory(t);
    f->out.id = id;
    f->out.what = what;
    return VM_OK;
}

/* func takesPointer(fn any) bool */
enum vm_status
lib_runtime_takesPointer(
    struct vm_thread *t, union lib_runtime_takesPointer_1to1 *f)
{
    const struct rtype *fn = f->in.fn.type;
    (void)t;
    f->out.r = fn->params[0]->kind == RK_POINTER ||
        fn->params[0]->kind == RK_UNSAFE_POINTER;
    return VM_OK;
}

/* func detachCleanup(ptr uintptr, id uint64) */
enum vm_status
lib_runtime_detachCleanup(
    struct vm_thread *t, union lib_runtime_detachCleanup_2to0 *f)
{
    gc_stop_cleanup(t->cache, (void *)(uintptr_t)f->in.ptr, f->in.id);
    return VM_OK;
}

/* func nextCleanup() *cleanup */
enum vm_status
lib_runtime_nextCleanup(
    struct vm_thread *t, union lib_runtime_nextCleanup_0to1 *f)
{
    f->out.r = gc_cleanup_next(t->cache);
    if (t->race != NULL)
        race_acquire_mark(t->race);
    return VM_OK;
}

/*
 * func spawn(fn, arg any): go fn(arg), where fn is a func(S) and arg an S.
 */
enum vm_status
lib_runtime_spawn(struct vm_thread *t, union lib_runtime_spawn_2to0 *f)
{
    enum { FEW = 32 };
    struct rt_iface fn = f->in.fn, arg = f->in.arg;
    const struct rtype *p = fn.type->params[0];
    union rt_slot few[FEW], *args = few;
    const struct code_closure *c = fn.data;

    if (c == NULL)
        return vm_fatalf(t, "go of nil func value");
    if (p->slots > FEW) {
        args = calloc(p->slots, sizeof *args);
        if (args == NULL)
            return vm_out_of_memory(t);
    }
    if (p->kind == RK_INTERFACE)
        vm_ret_iface(args, 0, arg);
    else if (rtype_direct(p))
        args[0].p = arg.data;
    else
        alg_load(p, args, arg.data);
    struct sched_g *g = sched_go(
        t->m, c, args, p->slots, 0, vpc_make(c->fn->id, 0));
    if (args != few)
        free(args);
    return g == NULL ? vm_out_of_memory(t) : VM_OK;
}

/* func Version() string */
enum vm_status
lib_runtime_Version(struct vm_thread *t, union lib_runtime_Version_0to1 *f)
{
    static const uint8_t text[] = RT_GO_VERSION;

    (void)t;
    f->out.r = (struct rt_str){text, sizeof text - 1};
    return VM_OK;
}

/* func GOROOT() string */
enum vm_status
lib_runtime_GOROOT(struct vm_thread *t, union lib_runtime_GOROOT_0to1 *f)
{
    const char *root = lib_state(t)->goroot;

    f->out.r = vm_str(t, root, strlen(root));
    return f->out.r.ptr == NULL && *root != 0 ? VM_EXIT : VM_OK;
}

/* func startSystem(f func()) */
enum vm_status
lib_runtime_startSystem(
    struct vm_thread *t, union lib_runtime_startSystem_1to0 *frame)
{
    const struct code_func *f = vm_closure_func(frame->in.f);
    if (sched_go_system(t->m, frame->in.f, vpc_make(f->id, 0)) == NULL)
        return vm_out_of_memory(t);
    return VM_OK;
}

/* func waitFinalizers(sema *uint32): or cleanups */
enum vm_status
lib_runtime_waitFinalizers(
    struct vm_thread *t, union lib_runtime_waitFinalizers_1to0 *f)
{
    bool got = sema_acquire(t->m, f->in.sema, false, WAIT_FINALIZER);
    return got ? VM_OK : VM_PARK;
}

/* func fatal(msg string) */
enum vm_status
lib_runtime_fatal(struct vm_thread *t, union lib_runtime_fatal_1to0 *f)
{
    struct rt_str s = f->in.msg;
    return vm_fatalf(t, "%.*s", (int)s.len, (const char *)s.ptr);
}

/* func first(p *uint32) bool */
enum vm_status
lib_runtime_first(struct vm_thread *t, union lib_runtime_first_1to1 *f)
{
    (void)t;
    f->out.r = a32_cas_full(f->in.p, 0, 1);
    return VM_OK;
}
