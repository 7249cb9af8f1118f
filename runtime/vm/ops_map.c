/* SPDX-License-Identifier: MIT */

/* Operations on maps. */

#include <string.h>

#include "runtime/value/alg.h"
#include "runtime/value/map.h"
#include "runtime/vm/vm_int.h"

RT_COLD enum vm_status
vm_map_failed(
    struct vm_thread *t, enum map_status st, const struct rtype *bad)
{
    switch (st) {
    case MAP_UNHASHABLE_EMPTY:
        return vm_panic_error(t, VM_ERR_UNHASHABLE, "%s", bad->string);
    case MAP_UNHASHABLE:
        return vm_panicf(t, "hash of unhashable type %s", bad->string);
    case MAP_RACE_WRITES:
        return vm_fatalf(t, "concurrent map writes");
    case MAP_RACE_READ:
        return vm_fatalf(t, "concurrent map read and map write");
    case MAP_RACE_ITER:
        return vm_fatalf(t, "concurrent map iteration and map write");
    default:
        return vm_out_of_memory(t);
    }
}

uint64_t
vm_random(struct vm_thread *t)
{
    return rt_rand_u64(&vm_m_of(t)->rand);
}

static const struct map_type *
ext_map(struct vm_thread *t, const struct code_ins *pc, unsigned i)
{
    rt_assert((uint32_t)pc[i].imm < t->vm->im->ntypes);
    rt_assert(t->vm->maps[pc[i].imm].type != NULL);
    return &t->vm->maps[pc[i].imm];
}

VM_OP(mapmake)
{
    const struct map_type *mt = ext_map(t, pc, 1);
    int64_t hint = fp[pc->b].i;
    /* Go ignores a hint that no map could satisfy. */
    if (hint < 0 || !gc_array_fits(&mt->group, (uint64_t)hint / MAP_GROUP))
        hint = 0;
    struct map *m = map_new(t->cache, mt, hint, vm_random(t));

    if (rt_unlikely(m == NULL))
        return vm_out_of_memory(t);
    fp[pc->a].p = m;
    return VM_OK;
}

/* An element, NULL: none, to its slots. */
static inline void
load_elem(const struct map_type *mt, union rt_slot *dst, const void *elem)
{
    if (elem == NULL)
        memset(dst, 0, 8u * mt->elem->slots);
    else if (rtype_size(mt->elem) == 8)
        memcpy(dst, elem, 8);
    else
        alg_load(mt->elem, dst, elem);
}

VM_OP(mapget)
{
    const struct map_type *mt = ext_map(t, pc, 1);
    const struct rtype *bad;
    const void *elem;
    enum map_status st =
        map_get(mt, fp[pc->b].p, &fp[pc->c], &elem, &bad);

    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, bad);
    if (pc->a == CODE_NO_SLOT)
        return VM_OK;
    load_elem(mt, &fp[pc->a], elem);
    return VM_OK;
}

VM_OP(mapgetok)
{
    const struct map_type *mt = ext_map(t, pc, 1);
    const struct rtype *bad;
    const void *elem;
    enum map_status st =
        map_get(mt, fp[pc->b].p, &fp[pc->c], &elem, &bad);

    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, bad);
    if (pc->a != CODE_NO_SLOT)
        load_elem(mt, &fp[pc->a], elem);
    if (pc[1].a != CODE_NO_SLOT)
        fp[pc[1].a].u = elem != NULL;
    return VM_OK;
}

VM_OP(mapset)
{
    struct map *m = fp[pc->b].p;
    const struct rtype *bad;

    if (rt_unlikely(m == NULL))
        return vm_panic_plain(t, "assignment to entry in nil map");
    enum map_status st =
        map_set(t->cache, m, &fp[pc->c], &fp[pc->a], &bad);
    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, bad);
    return VM_OK;
}

VM_OP(mapref)
{
    struct map *m = fp[pc->b].p;
    const struct rtype *bad;
    void *elem;

    if (rt_unlikely(m == NULL))
        return vm_panic_plain(t, "assignment to entry in nil map");
    rt_assert(!rtype_has_pointers(m->mt->elem));
    enum map_status st = map_ref(t->cache, m, &fp[pc->c], &elem, &bad);
    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, bad);
    fp[pc->a].p = elem;
    return VM_OK;
}

VM_OP(mapdel)
{
    const struct rtype *bad;
    enum map_status st = map_delete(
        t->cache, ext_map(t, pc, 1), fp[pc->b].p, &fp[pc->c], &bad);

    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, bad);
    return VM_OK;
}

VM_OP(mapclr)
{
    enum map_status st = map_clear(t->cache, fp[pc->b].p);

    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, NULL);
    return VM_OK;
}

VM_OP(mapiter)
{
    struct map_iter *it = gc_alloc(t->cache, &map_iter_layout);

    if (rt_unlikely(it == NULL))
        return vm_out_of_memory(t);
    map_iter_begin(t->cache, it, fp[pc->b].p, vm_random(t));
    fp[pc->a].p = it;
    return VM_OK;
}

VM_OP(mapnext)
{
    const struct map_type *mt = ext_map(t, pc, 2);
    struct map_iter *it = fp[pc->a].p;
    rt_assert(it != NULL && (it->map == NULL || it->map->mt->slot == mt->slot));
    enum map_status st = map_iter_next(t->cache, it);

    if (rt_unlikely(st != MAP_OK))
        return vm_map_failed(t, st, NULL);
    if (it->key == NULL)
        return VM_YIELD;
    if (pc->b != CODE_NO_SLOT)
        alg_load(mt->key, &fp[pc->b], it->key);
    if (pc->c != CODE_NO_SLOT)
        alg_load(mt->elem, &fp[pc->c], it->elem);
    return VM_OK;
}
