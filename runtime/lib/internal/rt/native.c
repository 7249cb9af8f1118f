/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/rt: types through their descriptors, values through
 * their address and type.  A type is one slot, the address of its struct
 * rtype.  Texts of descriptors are returned without copying: the program
 * image outlives every string.
 */

#include "runtime/lib/lib.h"

#include <string.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/value/alg.h"
#include "runtime/value/map.h"
#include "runtime/value/types.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static const struct rtype *
type_arg(const union rt_slot *fp, unsigned i)
{
    return fp[i].p;
}

static void
ret_cstr(union rt_slot *fp, unsigned i, const char *s)
{
    size_t n = s == NULL ? 0 : strlen(s);

    vm_ret_str(fp, i, (struct rt_str){(const uint8_t *)s, (int64_t)n});
}

/* A native whose one-slot result is an expression of the type ty. */
#define PROPERTY(fn, field, expr)                                            \
    enum vm_status lib_rt_##fn(struct vm_thread *t, union rt_slot *fp)       \
    {                                                                        \
        const struct rtype *ty = type_arg(fp, 0);                            \
                                                                             \
        (void)t;                                                             \
        fp[0].field = (expr);                                                \
        return VM_OK;                                                        \
    }

PROPERTY(TypeOf, p, (void *)ty)
PROPERTY(KindOf, i, ty == NULL ? RK_INVALID : ty->kind)
PROPERTY(Size, u, rtype_size(ty))
PROPERTY(Align, i, ty->align)
PROPERTY(Comparable, u, (ty->flags & RT_F_COMPARABLE) != 0)
PROPERTY(Elem, p, (void *)ty->elem)
PROPERTY(Key, p, (void *)ty->key)
PROPERTY(Len, i, (int64_t)ty->len)
PROPERTY(ChanDir, i, ty->chan_dir)
PROPERTY(NumField, i, ty->nfields)
PROPERTY(NumMethod, i, ty->nmethods)
PROPERTY(NumIn, i, ty->nparams)
PROPERTY(NumOut, i, ty->nresults)
PROPERTY(In, p, (void *)ty->params[fp[1].i])
PROPERTY(Variadic, u, (ty->flags & RT_F_VARIADIC) != 0)

/* The same for a string. */
#define TEXT(fn, expr)                                                       \
    enum vm_status lib_rt_##fn(struct vm_thread *t, union rt_slot *fp)       \
    {                                                                        \
        const struct rtype *ty = type_arg(fp, 0);                            \
                                                                             \
        (void)t;                                                             \
        ret_cstr(fp, 0, (expr));                                             \
        return VM_OK;                                                        \
    }

TEXT(TypeString, ty->string)
TEXT(Name, ty->name)
TEXT(PkgPath, ty->pkgpath)

/* The type with a structure into result 0. */
static enum vm_status
ret_type(struct vm_thread *t, union rt_slot *fp, const struct types_key *k)
{
    fp[0].p = (void *)vm_type_get(t->vm, k);
    return fp[0].p != NULL ? VM_OK : vm_fatalf(t, "runtime: out of memory");
}

enum vm_status
lib_rt_PtrTo(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *ty = type_arg(fp, 0);

    if (ty->ptr_to != NULL) {
        fp[0].p = (void *)ty->ptr_to;
        return VM_OK;
    }
    return ret_type(t, fp,
        &(struct types_key){ .kind = RK_POINTER, .elem = ty });
}

enum vm_status
lib_rt_SliceOf(struct vm_thread *t, union rt_slot *fp)
{
    return ret_type(t, fp,
        &(struct types_key){ .kind = RK_SLICE, .elem = type_arg(fp, 0) });
}

enum vm_status
lib_rt_ArrayOf(struct vm_thread *t, union rt_slot *fp)
{
    /* NULL: too large, or the mask of its pointers is. */
    fp[0].p = (void *)vm_type_get(t->vm, &(struct types_key){
        .kind = RK_ARRAY, .len = fp[0].u, .elem = type_arg(fp, 1) });
    return VM_OK;
}

enum vm_status
lib_rt_MapOf(struct vm_thread *t, union rt_slot *fp)
{
    return ret_type(t, fp, &(struct types_key){ .kind = RK_MAP,
        .key = type_arg(fp, 0), .elem = type_arg(fp, 1) });
}

enum vm_status
lib_rt_ChanOf(struct vm_thread *t, union rt_slot *fp)
{
    return ret_type(t, fp, &(struct types_key){ .kind = RK_CHAN,
        .dir = (enum rchan_dir)fp[0].i, .elem = type_arg(fp, 1) });
}

/* func FuncOf(types []Type, nin int, variadic bool) Type */
enum vm_status
lib_rt_FuncOf(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_slice types = vm_arg_slice(fp, 0);

    return ret_type(t, fp, &(struct types_key){ .kind = RK_FUNC,
        .params = types.ptr, .nparams = (uint32_t)fp[3].i,
        .nresults = (uint32_t)(types.len - fp[3].i),
        .variadic = fp[4].u != 0 });
}

enum vm_status
lib_rt_Addr(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_iface x = vm_arg_iface(fp, 0);
    void *cell = x.data;

    if (x.type != NULL && rtype_direct(x.type)) {
        cell = vm_new(t, x.type);
        if (cell == NULL)
            return VM_EXIT;
        vm_store_ptr(t, cell, x.data);
    }
    fp[0].p = cell;
    return VM_OK;
}

enum vm_status
lib_rt_Make(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *ty = type_arg(fp, 0);

    if (ty->kind == RK_INTERFACE)
        vm_ret_iface(fp, 0, *(const struct rt_iface *)fp[1].p);
    else
        vm_ret_iface(fp, 0, vm_box(t, ty, fp[1].p));
    return VM_OK;
}

enum vm_status
lib_rt_Field(struct vm_thread *t, union rt_slot *fp)
{
    const struct rfield *f = &type_arg(fp, 0)->fields[fp[1].i];

    (void)t;
    ret_cstr(fp, 0, f->name);
    fp[2].p = (void *)f->type;
    fp[3].u = f->offset;
    fp[4].i = (f->exported ? 1 : 0) | (f->embedded ? 2 : 0);
    return VM_OK;
}

enum vm_status
lib_rt_FieldTag(struct vm_thread *t, union rt_slot *fp)
{
    const struct rfield *f = &type_arg(fp, 0)->fields[fp[1].i];

    (void)t;
    ret_cstr(fp, 0, f->tag);
    ret_cstr(fp, 2, f->pkg);
    return VM_OK;
}

enum vm_status
lib_rt_Method(struct vm_thread *t, union rt_slot *fp)
{
    const struct rmethod *m = &type_arg(fp, 0)->methods[fp[1].i];

    (void)t;
    ret_cstr(fp, 0, m->name);
    fp[2].p = (void *)m->type;
    fp[3].u = m->exported;
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
lib_rt_Implements(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *ty = type_arg(fp, 0), *iface = type_arg(fp, 1);
    bool all = true;

    (void)t;
    for (uint32_t i = 0; all && i < iface->nmethods; i++)
        all = has_method(ty, iface->methods[i].sel);
    fp[0].u = all;
    return VM_OK;
}

enum vm_status
lib_rt_MakeMap(struct vm_thread *t, union rt_slot *fp)
{
    const struct map_type *mt = vm_map_type(t->vm, type_arg(fp, 0));
    struct map *m;

    if (mt == NULL)
        return vm_panicf(t, "not a map type of the program");
    /* The address space is random enough to seed the hash. */
    m = map_new(t->cache, mt, fp[1].i, (uintptr_t)fp * 0x9e3779b97f4a7c15u);
    if (m == NULL)
        return vm_fatalf(t, "runtime: out of memory");
    fp[0].p = m;
    return VM_OK;
}

enum vm_status
lib_rt_MapLen(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].i = map_len(fp[0].p);
    return VM_OK;
}

enum vm_status
lib_rt_MapEntries(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *ty = type_arg(fp, 0);
    struct map *m = fp[1].p;
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
    fp[0].p = keys;
    fp[1].p = vals;
    fp[2].i = i;
    return VM_OK;
}

enum vm_status
lib_rt_MapGet(struct vm_thread *t, union rt_slot *fp)
{
    struct map *m = fp[1].p;
    const void *elem = NULL;
    const struct rtype *bad = NULL;

    if (m != NULL) {
        enum map_status st = map_get(m->mt, m, fp[2].p, &elem, &bad);

        if (st != MAP_OK)
            return vm_map_failed(t, st, bad);
    }
    fp[0].p = (void *)elem;
    return VM_OK;
}

enum vm_status
lib_rt_MapSet(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *bad = NULL;
    enum map_status st;

    if (fp[1].p == NULL)
        return vm_panic_plain(t, "assignment to entry in nil map");
    st = map_set(t->cache, fp[1].p, fp[2].p, fp[3].p, &bad);
    return st == MAP_OK ? VM_OK : vm_map_failed(t, st, bad);
}

enum vm_status
lib_rt_MapDelete(struct vm_thread *t, union rt_slot *fp)
{
    struct map *m = fp[1].p;
    const struct rtype *bad = NULL;

    if (m == NULL)
        return VM_OK;
    enum map_status st = map_delete(t->cache, m->mt, m, fp[2].p, &bad);
    return st == MAP_OK ? VM_OK : vm_map_failed(t, st, bad);
}

enum vm_status
lib_rt_ChanLen(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].i = chan_len(fp[0].p);
    return VM_OK;
}

enum vm_status
lib_rt_ChanCap(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].i = chan_cap(fp[0].p);
    return VM_OK;
}

enum vm_status
lib_rt_New(struct vm_thread *t, union rt_slot *fp)
{
    void *p = vm_new_array(t, type_arg(fp, 0), fp[1].i);

    if (p == NULL)
        return VM_EXIT;
    fp[0].p = p;
    return VM_OK;
}

enum vm_status
lib_rt_Copy(struct vm_thread *t, union rt_slot *fp)
{
    vm_store(t, type_arg(fp, 0), fp[1].p, fp[2].p);
    return VM_OK;
}

enum vm_status
lib_rt_SetIface(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_iface x = vm_arg_iface(fp, 2);

    vm_store(t, type_arg(fp, 0), fp[1].p, &x);
    return VM_OK;
}

enum vm_status
lib_rt_Swap(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *ty = type_arg(fp, 0);
    uint64_t left = rtype_size(ty);
    uint8_t *p = fp[1].p, *q = fp[2].p, tmp[64];

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
lib_rt_Equal(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *bad = NULL;
    enum alg_result r = alg_equal(type_arg(fp, 0), fp[1].p, fp[2].p, &bad);

    if (r == ALG_PANIC)
        return vm_panicf(t, "comparing uncomparable type %s", bad->string);
    fp[0].u = r == ALG_YES;
    return VM_OK;
}

enum vm_status
lib_rt_SwapPointer(struct vm_thread *t, union rt_slot *fp)
{
    a_ptr *slot = fp[0].p;
    void *new = fp[1].p, *old;

    do {
        old = aptr_load_acq(slot); /* acq: pairs with the cas below */
        gc_write_barrier(t->cache, fp[0].p, new);
    } while (!aptr_cas_full(slot, old, new));
    fp[0].p = old;
    return VM_OK;
}

/* func FuncPC(fn unsafe.Pointer) uintptr */
enum vm_status
lib_rt_FuncPC(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = fp[0].p == NULL
                  ? 0
                  : vpc_make(vm_closure_func(fp[0].p)->id, 0);
    return VM_OK;
}
