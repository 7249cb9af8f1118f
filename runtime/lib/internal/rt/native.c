/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/rt: types through their descriptors, values through
 * their address and type.  A type is one slot, the address of its struct
 * rtype.  Texts of descriptors are returned without copying: the program
 * image outlives every string.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/value/alg.h"
#include "runtime/value/map.h"
#include "runtime/value/slice.h"
#include "runtime/value/types.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static struct rt_str
cstr(const char *s)
{
    size_t n = s == NULL ? 0 : strlen(s);

    return (struct rt_str){(const uint8_t *)s, (int64_t)n};
}

/* What rt.go reads without natives: desc, part and the bits. */
#define AT(field, off)                                                       \
    _Static_assert(offsetof(struct rtype, field) == (off), "rt.desc")
AT(kind, 0);
AT(align, 1);
AT(flags, 2);
AT(chan_dir, 3);
AT(layout.size, 16);
AT(elem, 72);
AT(key, 80);
AT(len, 88);
AT(ptr_to, 96);
AT(fields, 104);
AT(nfields, 112);
AT(params, 120);
AT(nparams, 128);
AT(nresults, 132);
AT(nmethods, 144);
_Static_assert(sizeof(struct rfield) == 48 &&
        offsetof(struct rfield, name) == 0 &&
        offsetof(struct rfield, type) == 16 &&
        offsetof(struct rfield, tag) == 24 &&
        offsetof(struct rfield, offset) == 32 &&
        offsetof(struct rfield, embedded) == 40 &&
        offsetof(struct rfield, exported) == 41,
    "rt.part");
_Static_assert(RT_F_DIRECT == 1 && RT_F_COMPARABLE == 2 &&
        RT_F_VARIADIC == 16,
    "rt.desc.flags");

/* A native whose result is an expression of the type ty. */
#define PROPERTY(fn, shape, expr)                                            \
    enum vm_status lib_rt_##fn(                                              \
        struct vm_thread *t, union lib_rt_##fn##_##shape *f)                 \
    {                                                                        \
        const struct rtype *ty = f->in.t;                                    \
                                                                             \
        (void)t;                                                             \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

PROPERTY(TypeString, 1to1, cstr(ty->string))
PROPERTY(Name, 1to1, cstr(ty->name))
PROPERTY(PkgPath, 1to1, cstr(ty->pkgpath))

enum vm_status
lib_rt_TypeOf(struct vm_thread *t, union lib_rt_TypeOf_1to1 *f)
{
    (void)t;
    f->out.r = (void *)f->in.x.type;
    return VM_OK;
}

static enum vm_status
too_many(struct vm_thread *t)
{
    return vm_panic_plain(t, "reflect: too many arguments or results");
}

enum vm_status
lib_rt_Caller(struct vm_thread *t, union lib_rt_Caller_2to1 *f)
{
    f->out.r = (void *)vm_caller_of(t->vm, f->in.t, f->in.method != 0);
    return f->out.r == NULL ? too_many(t) : VM_OK;
}

enum vm_status
lib_rt_FuncCode(struct vm_thread *t, union lib_rt_FuncCode_2to1 *f)
{
    const struct code_func *fn = vm_func_made(t->vm, f->in.t, f->in.body);

    f->out.r = (uintptr_t)fn;
    return fn == NULL ? too_many(t) : VM_OK;
}

static void *
method_code(struct vm_thread *t, const struct rmethod *m)
{
    const struct code_image *im = vm_image(t->vm);

    return m->func == CODE_NO_FUNC ? NULL : (void *)&im->funcs[m->func].self;
}

enum vm_status
lib_rt_MethodCode(struct vm_thread *t, union lib_rt_MethodCode_2to1 *f)
{
    const struct rtype *ty = f->in.t;

    f->out.r = method_code(t, &ty->methods[f->in.i]);
    return VM_OK;
}

/* The function declared for the type that f calls with what an interface
 * holds; f itself where it was promoted. */
static const struct code_func *
declared(const struct code_image *im, const struct code_func *f)
{
    for (uint32_t i = 0; i < f->ncode; i++) {
        const struct code_func *to = f->code[i].op == OP_TAILCALL
            ? &im->funcs[f->code[i].imm] : NULL;

        if (to != NULL && strcmp(to->name, f->name) == 0)
            return to;
    }
    return f;
}

enum vm_status
lib_rt_MethodPC(struct vm_thread *t, union lib_rt_MethodPC_2to1 *f)
{
    const struct code_image *im = vm_image(t->vm);
    const struct rtype *ty = f->in.t;
    uint32_t id = ty->methods[f->in.i].func;

    f->out.r = id == CODE_NO_FUNC
        ? 0 : vm_func_address(t->vm, declared(im, &im->funcs[id]));
    return VM_OK;
}

enum vm_status
lib_rt_IfaceCode(struct vm_thread *t, union lib_rt_IfaceCode_3to1 *f)
{
    const struct rtype *iface = f->in.iface, *ty = f->in.t;
    uint32_t sel = iface->methods[f->in.i].sel;
    uint32_t i = 0;

    while (i < ty->nmethods && ty->methods[i].sel != sel)
        i++;
    f->out.r = i == ty->nmethods ? NULL : method_code(t, &ty->methods[i]);
    return VM_OK;
}

/* The type with a structure into a result. */
static enum vm_status
ret_type(struct vm_thread *t, void **r, const struct types_key *k)
{
    *r = (void *)vm_type_get(t->vm, k);
    return *r != NULL ? VM_OK : vm_out_of_memory(t);
}

enum vm_status
lib_rt_PtrTo(struct vm_thread *t, union lib_rt_PtrTo_1to1 *f)
{
    return ret_type(t, &f->out.r,
        &(struct types_key){ .kind = RK_POINTER, .elem = f->in.t });
}

enum vm_status
lib_rt_SliceOf(struct vm_thread *t, union lib_rt_SliceOf_1to1 *f)
{
    return ret_type(t, &f->out.r,
        &(struct types_key){ .kind = RK_SLICE, .elem = f->in.t });
}

enum vm_status
lib_rt_ArrayOf(struct vm_thread *t, union lib_rt_ArrayOf_2to1 *f)
{
    /* NULL: too large, or the mask of its pointers is. */
    f->out.r = (void *)vm_type_get(t->vm, &(struct types_key){
        .kind = RK_ARRAY, .len = f->in.n, .elem = f->in.t });
    return VM_OK;
}

enum vm_status
lib_rt_MapOf(struct vm_thread *t, union lib_rt_MapOf_2to1 *f)
{
    return ret_type(t, &f->out.r, &(struct types_key){ .kind = RK_MAP,
        .key = f->in.key, .elem = f->in.t });
}

enum vm_status
lib_rt_ChanOf(struct vm_thread *t, union lib_rt_ChanOf_2to1 *f)
{
    return ret_type(t, &f->out.r, &(struct types_key){ .kind = RK_CHAN,
        .dir = (enum rchan_dir)f->in.dir, .elem = f->in.t });
}

/* func FuncOf(types []Type, nin int, variadic bool) Type */
enum vm_status
lib_rt_FuncOf(struct vm_thread *t, union lib_rt_FuncOf_3to1 *f)
{
    struct rt_slice types = f->in.types;

    return ret_type(t, &f->out.r, &(struct types_key){ .kind = RK_FUNC,
        .params = types.ptr, .nparams = (uint32_t)f->in.nin,
        .nresults = (uint32_t)(types.len - f->in.nin),
        .variadic = f->in.variadic != 0 });
}

/* A Made, as Go lays it out. */
struct made {
    const char *name, *pkg;
    const struct rtype *type;
    const char *tag;
    int64_t flags;
};

enum vm_status
lib_rt_StructOf(struct vm_thread *t, union lib_rt_StructOf_1to1 *f)
{
    const struct made *in = f->in.fields.ptr;
    uint32_t n = (uint32_t)f->in.fields.len;
    struct rfield *fields = calloc(n + 1u, sizeof *fields);

    if (fields == NULL)
        return vm_out_of_memory(t);
    for (uint32_t i = 0; i < n; i++)
        fields[i] = (struct rfield){ .name = in[i].name, .pkg = in[i].pkg,
            .type = in[i].type, .tag = in[i].tag,
            .exported = (in[i].flags & 1) != 0,
            .embedded = (in[i].flags & 2) != 0 };
    /* NULL: too large, as Go's code says. */
    f->out.r = (void *)vm_type_get(t->vm, &(struct types_key){
        .kind = RK_STRUCT, .fields = fields, .nfields = n });
    free(fields);
    return VM_OK;
}

enum vm_status
lib_rt_Addr(struct vm_thread *t, union lib_rt_Addr_1to1 *f)
{
    struct rt_iface x = f->in.x;
    void *cell = x.data;

    if (x.type != NULL && rtype_direct(x.type)) {
        cell = vm_new(t, x.type);
        if (cell == NULL)
            return VM_EXIT;
        vm_store_ptr(t, cell, x.data);
    }
    f->out.r = cell;
    return VM_OK;
}

enum vm_status
lib_rt_Unpack(struct vm_thread *t, union lib_rt_Unpack_1to2 *f)
{
    struct rt_iface x = f->in.x;

    (void)t;
    f->out.t = (void *)x.type;
    f->out.p = x.data;
    return VM_OK;
}

enum vm_status
lib_rt_Make(struct vm_thread *t, union lib_rt_Make_2to1 *f)
{
    const struct rtype *ty = f->in.t;

    if (ty->kind == RK_INTERFACE)
        f->out.r = *(const struct rt_iface *)f->in.p;
    else
        f->out.r = vm_box(t, ty, f->in.p);
    return VM_OK;
}

enum vm_status
lib_rt_Field(struct vm_thread *t, union lib_rt_Field_2to4 *frame)
{
    const struct rtype *ty = frame->in.t;
    const struct rfield *f = &ty->fields[frame->in.i];

    (void)t;
    frame->out.name = cstr(f->name);
    frame->out.ft = (void *)f->type;
    frame->out.off = f->offset;
    frame->out.flags = (f->exported ? 1 : 0) | (f->embedded ? 2 : 0);
    return VM_OK;
}

enum vm_status
lib_rt_FieldNamed(struct vm_thread *t, union lib_rt_FieldNamed_2to2 *frame)
{
    const struct rtype *ty = frame->in.t;
    struct rt_str name = frame->in.name;
    bool embeds = false;

    (void)t;
    for (uint32_t i = 0; i < ty->nfields; i++) {
        const struct rfield *f = &ty->fields[i];

        if (strlen(f->name) == (size_t)name.len &&
            memcmp(f->name, name.ptr, (size_t)name.len) == 0) {
            frame->out.i = i;
            frame->out.embeds = false;
            return VM_OK;
        }
        embeds |= f->embedded;
    }
    frame->out.i = -1;
    frame->out.embeds = embeds;
    return VM_OK;
}

enum vm_status
lib_rt_FieldTag(struct vm_thread *t, union lib_rt_FieldTag_2to2 *frame)
{
    const struct rtype *ty = frame->in.t;
    const struct rfield *f = &ty->fields[frame->in.i];

    (void)t;
    frame->out.tag = cstr(f->tag);
    frame->out.pkg = cstr(f->pkg);
    return VM_OK;
}

enum vm_status
lib_rt_Method(struct vm_thread *t, union lib_rt_Method_2to3 *f)
{
    const struct rtype *ty = f->in.t;
    const struct rmethod *m = &ty->methods[f->in.i];

    (void)t;
    f->out.name = cstr(m->name);
    f->out.mt = (void *)m->type;
    f->out.exported = m->exported;
    return VM_OK;
}

enum vm_status
lib_rt_MethodPkg(struct vm_thread *t, union lib_rt_MethodPkg_2to1 *f)
{
    const struct rtype *ty = f->in.t;

    (void)t;
    f->out.r = cstr(ty->methods[f->in.i].pkg);
    return VM_OK;
}

static bool
has_method(const struct rtype *ty, uint32_t sel)
{
    for (uint32_t i = 0; i < ty->nmethods; i++) {
        if (ty->methods[i].sel == sel)
            return true;
    }
    return false;
}

enum vm_status
lib_rt_implements(struct vm_thread *t, union lib_rt_implements_2to1 *f)
{
    const struct rtype *ty = f->in.t, *iface = f->in.iface;
    bool all = true;

    (void)t;
    for (uint32_t i = 0; all && i < iface->nmethods; i++)
        all = has_method(ty, iface->methods[i].sel);
    f->out.r = all;
    return VM_OK;
}

enum vm_status
lib_rt_MakeMap(struct vm_thread *t, union lib_rt_MakeMap_2to1 *f)
{
    const struct map_type *mt = vm_map_type(t->vm, f->in.t);
    struct map *m;

    if (mt == NULL)
        return vm_panicf(t, "not a map type of the program");
    /* The address space is random enough to seed the hash. */
    m = map_new(t->cache, mt, f->in.n, (uintptr_t)f * 0x9e3779b97f4a7c15u);
    if (m == NULL)
        return vm_out_of_memory(t);
    f->out.r = m;
    return VM_OK;
}

enum vm_status
lib_rt_MapLen(struct vm_thread *t, union lib_rt_MapLen_1to1 *f)
{
    (void)t;
    f->out.r = map_len(f->in.m);
    return VM_OK;
}

enum vm_status
lib_rt_MapEntries(struct vm_thread *t, union lib_rt_MapEntries_2to3 *f)
{
    const struct rtype *ty = f->in.t;
    struct map *m = f->in.m;
    int64_t n = map_len(m), i = 0;
    struct map_iter it;
    uint8_t *keys, *vals;

    keys = vm_new_array(t, ty->key, n);
    vals = vm_new_array(t, ty->elem, n);
    if (keys == NULL || vals == NULL)
        return VM_EXIT;
    memset(&it, 0, sizeof it);
    map_iter_begin(t->cache, &it, m, 0);
    while (i < n) {
        enum map_status st = map_iter_next(t->cache, &it);

        if (st != MAP_OK)
            return vm_map_failed(t, st, NULL);
        if (it.key == NULL)
            break;
        vm_store(
            t, ty->key, keys + (uint64_t)i * rtype_size(ty->key), it.key);
        vm_store(
            t, ty->elem, vals + (uint64_t)i * rtype_size(ty->elem), it.elem);
        i++;
    }
    f->out.keys = keys;
    f->out.vals = vals;
    f->out.n = i;
    return VM_OK;
}

enum vm_status
lib_rt_MapGet(struct vm_thread *t, union lib_rt_MapGet_3to1 *f)
{
    struct map *m = f->in.m;
    const void *elem = NULL;
    const struct rtype *bad = NULL;

    (void)f->in.t; /* the map knows its own */
    if (m != NULL) {
        enum map_status st = map_get(m->mt, m, f->in.k, &elem, &bad);

        if (st != MAP_OK)
            return vm_map_failed(t, st, bad);
    }
    f->out.r = (void *)elem;
    return VM_OK;
}

enum vm_status
lib_rt_MapSet(struct vm_thread *t, union lib_rt_MapSet_4to0 *f)
{
    const struct rtype *bad = NULL;
    enum map_status st;

    (void)f->in.t; /* the map knows its own */
    if (f->in.m == NULL)
        return vm_panic_plain(t, "assignment to entry in nil map");
    st = map_set(t->cache, f->in.m, f->in.k, f->in.v, &bad);
    return st == MAP_OK ? VM_OK : vm_map_failed(t, st, bad);
}

enum vm_status
lib_rt_MapDelete(struct vm_thread *t, union lib_rt_MapDelete_3to0 *f)
{
    struct map *m = f->in.m;
    const struct rtype *bad = NULL;

    (void)f->in.t; /* the map knows its own */
    if (m == NULL)
        return VM_OK;
    enum map_status st = map_delete(t->cache, m->mt, m, f->in.k, &bad);
    return st == MAP_OK ? VM_OK : vm_map_failed(t, st, bad);
}

enum vm_status
lib_rt_MapClear(struct vm_thread *t, union lib_rt_MapClear_2to0 *f)
{
    enum map_status st = MAP_OK;

    (void)f->in.t; /* the map knows its own */
    if (f->in.m != NULL)
        st = map_clear(t->cache, f->in.m);
    return st == MAP_OK ? VM_OK : vm_map_failed(t, st, NULL);
}

/* A Comm, as Go lays it out. */
struct comm {
    void *chan, *cell;
    bool send;
};

enum vm_status
lib_rt_Select(struct vm_thread *t, union lib_rt_Select_2to0 *f)
{
    enum { FEW = 8 };
    const struct comm *in = f->in.comms.ptr;
    uint32_t n = (uint32_t)f->in.comms.len;
    struct chan_case few[FEW] = { { NULL, NULL, false } }, *cases = few;

    if (n > FEW) {
        cases = malloc(n * sizeof *cases);
        if (cases == NULL)
            return vm_out_of_memory(t);
    }
    for (uint32_t i = 0; i < n; i++)
        cases[i] = (struct chan_case){ .chan = in[i].chan,
            .elem = in[i].cell, .send = in[i].send };
    enum chan_status st = chan_select(t->m, cases, n, f->in.block == 0);
    bool send = n > 0 && cases[0].send;
    if (cases != few)
        free(cases);
    if (st == CHAN_CLOSED)
        return vm_panic_plain(t, "send on closed channel");
    if (st == CHAN_OUTSIDE)
        return vm_fatalf(t, "%s synctest channel from outside bubble",
            n != 1 ? "select on" : send ? "send on" : "receive on");
    /* The cells are kept by the arguments, which stay where they are. */
    return st == CHAN_PARK ? VM_PARK : VM_OK;
}

enum vm_status
lib_rt_Selected(struct vm_thread *t, union lib_rt_Selected_0to2 *f)
{
    f->out.chosen = t->g->sel_index;
    f->out.ok = t->g->wake_ok;
    return VM_OK;
}

enum vm_status
lib_rt_MakeChan(struct vm_thread *t, union lib_rt_MakeChan_2to1 *f)
{
    const struct rtype *elem = ((const struct rtype *)f->in.t)->elem;

    if (!gc_array_fits(&elem->layout, (uint64_t)f->in.n))
        return vm_panic_plain(t, "makechan: size out of range");
    f->out.r = chan_make(
        t->m, &elem->layout, alg_extend_kind(elem), f->in.n);
    return f->out.r == NULL ? vm_out_of_memory(t) : VM_OK;
}

/* runtime/vm knows it by name: vm_race_find_closed(). */
enum vm_status
lib_rt_Close(struct vm_thread *t, union lib_rt_Close_1to0 *f)
{
    switch (chan_close(t->m, f->in.c)) {
    case CHAN_CLOSED:
        return vm_panic_plain(t, "close of closed channel");
    case CHAN_NIL:
        return vm_panic_plain(t, "close of nil channel");
    case CHAN_OUTSIDE:
        return vm_fatalf(t, "close of synctest channel from outside bubble");
    default:
        return VM_OK;
    }
}

enum vm_status
lib_rt_ChanLen(struct vm_thread *t, union lib_rt_ChanLen_1to1 *f)
{
    (void)t;
    f->out.r = chan_len(f->in.c);
    return VM_OK;
}

enum vm_status
lib_rt_ChanCap(struct vm_thread *t, union lib_rt_ChanCap_1to1 *f)
{
    (void)t;
    f->out.r = chan_cap(f->in.c);
    return VM_OK;
}

enum vm_status
lib_rt_New(struct vm_thread *t, union lib_rt_New_2to1 *f)
{
    const struct rtype *ty = f->in.t;

    if (!gc_array_fits(&ty->layout, (uint64_t)f->in.n))
        return vm_panic_plain(t, "runtime: allocation size out of range");
    void *p = vm_new_array(t, ty, f->in.n);
    if (p == NULL)
        return VM_EXIT;
    f->out.r = p;
    return VM_OK;
}

enum vm_status
lib_rt_Grow(struct vm_thread *t, union lib_rt_Grow_3to0 *f)
{
    struct rt_slice *s = f->in.s, grown;

    if (f->in.n <= s->cap - s->len)
        return VM_OK;
    switch (slice_grow(t->cache, f->in.t, *s, f->in.n, &grown)) {
    case SLICE_OK:
        vm_store_ptr(t, &s->ptr, grown.ptr);
        s->cap = grown.cap;
        return VM_OK;
    case SLICE_NOMEM:
        return vm_out_of_memory(t);
    default:
        return vm_panicf(t, "growslice: len out of range");
    }
}

enum vm_status
lib_rt_Copy(struct vm_thread *t, union lib_rt_Copy_3to0 *f)
{
    vm_store(t, f->in.t, f->in.dst, f->in.src);
    return VM_OK;
}

enum vm_status
lib_rt_SetIface(struct vm_thread *t, union lib_rt_SetIface_3to0 *f)
{
    struct rt_iface x = f->in.x;

    vm_store(t, f->in.t, f->in.dst, &x);
    return VM_OK;
}

enum vm_status
lib_rt_Swap(struct vm_thread *t, union lib_rt_Swap_3to0 *f)
{
    const struct rtype *ty = f->in.t;
    uint64_t left = rtype_size(ty);
    uint8_t *p = f->in.p, *q = f->in.q, tmp[64];

    gc_write_barrier_range(t->cache, &ty->layout, p, q, 1);
    gc_write_barrier_range(t->cache, &ty->layout, q, p, 1);
    while (left > 0) {
        size_t n = left < sizeof tmp ? left : sizeof tmp;

        memcpy(tmp, p, n);
        memcpy(p, q, n);
        memcpy(q, tmp, n);
        p += n;
        q += n;
        left -= n;
    }
    return VM_OK;
}

enum vm_status
lib_rt_Equal(struct vm_thread *t, union lib_rt_Equal_3to1 *f)
{
    const struct rtype *bad = NULL;
    enum alg_result r = alg_equal(f->in.t, f->in.p, f->in.q, &bad);

    if (r == ALG_PANIC)
        return vm_panicf(t, "comparing uncomparable type %s", bad->string);
    f->out.r = r == ALG_YES;
    return VM_OK;
}

enum vm_status
lib_rt_SwapPointer(struct vm_thread *t, union lib_rt_SwapPointer_2to1 *f)
{
    a_ptr *slot = f->in.p;
    void *new = f->in.new_, *old;

    do {
        old = aptr_load_acq(slot); /* acq: pairs with the cas below */
        gc_write_barrier(t->cache, f->in.p, new);
    } while (!aptr_cas_full(slot, old, new));
    f->out.r = old;
    return VM_OK;
}

/* func FuncPC(fn unsafe.Pointer) uintptr */
enum vm_status
lib_rt_FuncPC(struct vm_thread *t, union lib_rt_FuncPC_1to1 *f)
{
    f->out.r = f->in.fn == NULL ? 0 : vm_closure_pc(t->vm, f->in.fn);
    return VM_OK;
}
