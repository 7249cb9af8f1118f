/* SPDX-License-Identifier: MIT */

/* Operations on interfaces, comparisons by type, allocation, closures. */

#include <string.h>

#include "runtime/value/alg.h"
#include "runtime/value/iface.h"
#include "runtime/vm/cells.h"
#include "runtime/vm/vm_int.h"

static RT_COLD enum vm_status
uncomparable(struct vm_thread *t, const struct rtype *bad)
{
    return vm_panicf(t, "comparing uncomparable type %s", bad->string);
}

static enum vm_status
answer(struct vm_thread *t, union rt_slot *r, enum alg_result res,
    const struct rtype *bad)
{
    if (rt_unlikely(res == ALG_PANIC))
        return uncomparable(t, bad);
    r->u = res == ALG_YES;
    return VM_OK;
}

VM_OP(eqiface)
{
    const struct rtype *bad = NULL;
    struct rt_iface x = { fp[pc->b].p, fp[pc->b + 1].p };
    struct rt_iface y = { fp[pc->c].p, fp[pc->c + 1].p };

    enum alg_result r = alg_equal_iface(x, y, &bad);

    return answer(t, &fp[pc->a], r, bad);
}

VM_OP(eqt)
{
    const struct rtype *bad = NULL;
    enum alg_result r =
        alg_equal(vm_ext_type(t, pc, 1), &fp[pc->b], &fp[pc->c], &bad);

    return answer(t, &fp[pc->a], r, bad);
}

VM_OP(eqmem)
{
    const struct rtype *bad = NULL;
    const void *x = fp[pc->b].p, *y = fp[pc->c].p;

    if ((uintptr_t)x < VM_NIL_PAGE || (uintptr_t)y < VM_NIL_PAGE)
        return vm_panic_nil(t, 0);
    enum alg_result r = alg_equal(vm_ext_type(t, pc, 1), x, y, &bad);

    return answer(t, &fp[pc->a], r, bad);
}

/* The interface of the value at src. */
static enum vm_status
make(struct vm_thread *t, union rt_slot *r, const struct rtype *ty,
    const void *src)
{
    void *data = iface_box(t->cache, ty, src);

    if (rt_unlikely(data == NULL && !rtype_direct(ty)))
        return vm_out_of_memory(t);
    r[0].p = (void *)ty;
    r[1].p = data;
    return VM_OK;
}

VM_OP(mkiface)
{
    return make(t, &fp[pc->a], vm_ext_type(t, pc, 1), &fp[pc->b]);
}

VM_OP(mkifacem)
{
    return make(t, &fp[pc->a], vm_ext_type(t, pc, 1), fp[pc->b].p);
}

/* The value of a concrete type out of an interface's data word. */
static void
unbox(union rt_slot *r, const struct rtype *ty, void *data)
{
    if (rtype_direct(ty))
        r->p = data;
    else
        alg_load(ty, r, data);
}

static RT_COLD enum vm_status
failed(struct vm_thread *t, const struct rtype *st, const struct rtype *have,
    const struct rtype *want, const struct rmethod *missing)
{
    char text[1024];

    iface_assert_text(text, sizeof text, st, have, want,
        missing == NULL ? NULL : missing->name);
    return vm_panic_error(t, VM_ERR_ASSERT, "%s", text);
}

VM_OP(assert)
{
    const struct rtype *have = fp[pc->b].p, *want = vm_ext_type(t, pc, 2);

    if (rt_unlikely(have != want))
        return failed(t, vm_ext_type(t, pc, 1), have, want, NULL);
    if (pc->a != CODE_NO_SLOT)
        unbox(&fp[pc->a], want, fp[pc->b + 1].p);
    return VM_OK;
}

VM_OP(assertok)
{
    const struct rtype *want = vm_ext_type(t, pc, 1);
    bool ok = fp[pc->b].p == want;
    void *data = fp[pc->b + 1].p;

    if (pc->a != CODE_NO_SLOT) {
        if (ok)
            unbox(&fp[pc->a], want, data);
        else
            memset(&fp[pc->a], 0, 8u * want->slots);
    }
    if (pc->c != CODE_NO_SLOT)
        fp[pc->c].u = ok;
    return VM_OK;
}

VM_OP(asserti)
{
    const struct rtype *have = fp[pc->b].p, *want = vm_ext_type(t, pc, 2);
    const struct rmethod *missing;
    union rt_slot data = fp[pc->b + 1];

    if (rt_unlikely(have == NULL))
        return failed(t, NULL, NULL, want, NULL);
    missing = iface_missing(&t->vm->ifaces, want, have);
    if (rt_unlikely(missing != NULL))
        return failed(t, NULL, have, want, missing);
    if (pc->a != CODE_NO_SLOT) {
        fp[pc->a].p = (void *)have;
        fp[pc->a + 1] = data;
    }
    return VM_OK;
}

VM_OP(assertiok)
{
    const struct rtype *have = fp[pc->b].p, *want = vm_ext_type(t, pc, 1);
    union rt_slot data = fp[pc->b + 1];
    bool ok =
        have != NULL && iface_missing(&t->vm->ifaces, want, have) == NULL;

    if (pc->a != CODE_NO_SLOT) {
        fp[pc->a].p = ok ? (void *)have : NULL;
        fp[pc->a + 1].p = ok ? data.p : NULL;
    }
    if (pc->c != CODE_NO_SLOT)
        fp[pc->c].u = ok;
    return VM_OK;
}

VM_OP(new)
{
    void *p = gc_alloc(t->cache, &t->vm->im->types[pc->imm]->layout);

    if (rt_unlikely(p == NULL))
        return vm_out_of_memory(t);
    fp[pc->a].p = p;
    return VM_OK;
}

VM_OP(cell)
{
    union rt_slot *block = &fp[pc->b];
    const struct code_func *f = &t->vm->im->funcs[pc[1].imm];

    rt_assert((pc->c + pc[1].a) * 8u <= f->cells.size);
    if (block->p == NULL) {
        block->p = vm_cells_push(vm_g_of(t), fp, &f->cells);
        if (rt_unlikely(block->p == NULL))
            return vm_out_of_memory(t);
    }
    fp[pc->a].p = memset((uint64_t *)block->p + pc->c, 0, 8u * pc[1].a);
    return VM_OK;
}

VM_OP(cellend)
{
    if (fp[pc->a].p != NULL)
        vm_cells_pop(vm_g_of(t), fp[pc->a].p);
    return VM_OK;
}

/* In a cell: no barrier. */
VM_OP(mkcloat)
{
    const struct code_func *f = &t->vm->im->funcs[pc[1].imm];
    union rt_slot *c = fp[pc->a].p;

    rt_assert(c != NULL && f->closure.size == 8u * (1u + pc->c));
    c[0].p = (void *)f;
    memcpy(c + 1, &fp[pc->b], 8u * pc->c);
    return VM_OK;
}

VM_OP(mkclo)
{
    const struct code_func *f = &t->vm->im->funcs[pc[1].imm];
    union rt_slot *c = gc_alloc(t->cache, &f->closure);

    rt_assert(f->closure.size == 8u * (1u + pc->c));
    if (rt_unlikely(c == NULL))
        return vm_out_of_memory(t);
    gc_write_barrier_range(t->cache, &f->closure, c, &fp[pc->b - 1], 1);
    c[0].p = (void *)f;
    memcpy(c + 1, &fp[pc->b], 8u * pc->c);
    fp[pc->a].p = c;
    return VM_OK;
}
