/* SPDX-License-Identifier: MIT */

/* Stores while the collector marks, and memory that only a frame knows of. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <malloc.h>

#include "gc/gc_int.h"
#include "runtime/vm/cells.h"
#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static const uint8_t mask1[] = { 1 };
static const struct rt_layout one_pointer = { 8, 8, mask1 };

static void
begin(void)
{
    asm_init(&prog);
}

static void *
object(struct vm_thread *t)
{
    void *p = gc_alloc(t->cache, &one_pointer);

    assert_non_null(p);
    return p;
}

static uint64_t shaded; /* objects, since the marking began */

static void
mark_begins(struct vm_thread *t)
{
    t->cache->barrier = true;
    shaded = t->cache->marker->objects;
}

static void
mark_ends(struct vm_thread *t)
{
    shaded = t->cache->marker->objects - shaded;
    t->cache->barrier = false;
}

/* ---- a pointer that a native stores -------------------------------------------------- */

static enum vm_status
store(struct vm_thread *t, union rt_slot *fp)
{
    void **holder = object(t), *old = object(t), *new = object(t);

    (void)fp;
    vm_store_ptr(t, holder, old);
    mark_begins(t);
    vm_store_ptr(t, holder, new);
    mark_ends(t);
    assert_ptr_equal(*holder, new);
    return VM_OK;
}

static void
a_native_shades_old_and_new(void **state)
{
    static const struct vm_native natives[] = {
        { "store", store, NULL },
        { NULL, NULL, NULL },
    };
    static const struct code_ins entry[] = {
        AI(CALLN, 4, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    prog.natives[0] = (struct code_native){ .name = "store" };
    prog.im.nnatives = 1;
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(shaded, 2);
}

/* ---- what a closure captures ------------------------------------------------------------ */

/* Three objects, at R[1] to R[3]. */
static enum vm_status
prepare(struct vm_thread *t, union rt_slot *fp)
{
    for (int i = 0; i < 3; i++)
        fp[i].p = object(t);
    mark_begins(t);
    return VM_OK;
}

static enum vm_status
captured(struct vm_thread *t, union rt_slot *fp)
{
    const union rt_slot *c = fp[0].p;

    mark_ends(t);
    assert_ptr_equal(c[1].p, fp[1].p);
    return VM_OK;
}

/* That alone, and not what stands beside it. */
static void
a_closure_shades_what_it_captures(void **state)
{
    static const struct vm_native natives[] = {
        { "prepare", prepare, NULL },
        { "captured", captured, NULL },
        { NULL, NULL, NULL },
    };
    static const struct code_ins entry[] = {
        AI(ZERO, 0, 8),
        AI(CALLN, 6, 0),
        ABC(MOV, 2, 6, 0), /* beside it: R[1] is nil */
        ABC(MOV, 3, 7, 0),
        ABC(MOV, 4, 8, 0),
        ABC(MKCLO, 5, 2, 1),
        EXT(0, 1),
        ABC(MOV, 6, 5, 0),
        ABC(MOV, 7, 2, 0),
        AI(CALLN, 6, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins closure[] = {
        ABC(RET, 0, 0, 0),
    };
    static const uint8_t mask2[] = { 2 };

    (void)state;
    begin();
    prog.natives[0] = (struct code_native){ .name = "prepare" };
    prog.natives[1] = (struct code_native){ .name = "captured" };
    prog.im.nnatives = 2;
    ASM_FUNC(&prog, "main.main", 0, 0, 8, 12, entry);
    struct code_func *f =
        ASM_FUNC(&prog, "main.main.func1", 0, 0, 2, 4, closure);
    f->flags |= CODE_F_CLOSURE;
    f->closure = (struct rt_layout){ 16, 16, mask2 };
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(shaded, 1);
}

/* ---- cells ---------------------------------------------------------------------------- */

static const void *cell;
static unsigned in, out;

static enum vm_status
look_inside(struct vm_thread *t, union rt_slot *fp)
{
    cell = fp[0].p;
    in += vm_private_to(t->g, cell);
    return VM_OK;
}

static enum vm_status
look_outside(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    out += !vm_private_to(t->g, cell);
    assert_true(vm_cells_valid(vm_g_of(t)));
    return VM_OK;
}

/* They are the frame's until it gives them back. */
static void
cells_are_given_back(void **state)
{
    static const struct vm_native natives[] = {
        { "inside", look_inside, NULL },
        { "outside", look_outside, NULL },
        { NULL, NULL, NULL },
    };
    static const struct code_ins entry[] = {
        AI(LDI, 0, 0),
        AI(CALL, 4, 1),
        AI(CALLN, 4, 1),
        ABC(FORLTI, 0, 5, -3),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins makes[] = {
        AI(ZERO, 0, 2),
        ABC(CELL, 1, 0, 0),
        EXT(2, 1),
        ABC(MOV, 6, 1, 0),
        AI(CALLN, 6, 0),
        ABC(CELLEND, 0, 0, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    prog.natives[0] = (struct code_native){ .name = "inside" };
    prog.natives[1] = (struct code_native){ .name = "outside" };
    prog.im.nnatives = 2;
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry);
    struct code_func *f = ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, makes);
    f->cells = (struct rt_layout){ 16, 0, NULL };
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(in, 5);
    assert_int_equal(out, 5);
}

/* A goroutine that has had many and waits with few holds little memory for
 * them. */
static void
cells_that_wait_are_small(void **state)
{
    enum { DEEP = 400, KEPT = 2, MOST = 1024 };
    static const struct rt_layout layout = { 32, 0, NULL };
    static union rt_slot slots[DEEP];
    static struct vm_g vg;
    uint64_t *block[DEEP];

    (void)state;
    vg.stack = slots;
    vg.nslots = DEEP;
    for (unsigned i = 0; i < DEEP; i++) {
        block[i] = vm_cells_push(&vg, &slots[i], &layout);
        assert_non_null(block[i]);
        block[i][3] = i;
        if (i + 1 == KEPT)
            assert_true(malloc_usable_size(vg.cells) <= MOST);
    }
    assert_true(vm_cells_valid(&vg));
    for (unsigned i = 0; i < DEEP; i++)
        assert_int_equal(block[i][3], i);
    for (unsigned i = DEEP; i > KEPT; i--)
        vm_cells_pop(&vg, block[i - 1]);
#if !RT_ASAN && !RT_TSAN
    size_t before = mallinfo2().uordblks;
    vm_cells_trim(&vg);
    assert_true(before - mallinfo2().uordblks >= MOST);
#endif
    vm_cells_trim(&vg);
    assert_true(malloc_usable_size(vg.cells) <= MOST);
    assert_true(vm_cells_valid(&vg));
    assert_int_equal(block[KEPT - 1][3], KEPT - 1);
    assert_non_null(vm_cells_push(&vg, &slots[KEPT], &layout));
    vm_cells_free(&vg);
    assert_null(vg.cells);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_native_shades_old_and_new),
        cmocka_unit_test(a_closure_shades_what_it_captures),
        cmocka_unit_test(cells_are_given_back),
        cmocka_unit_test(cells_that_wait_are_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
