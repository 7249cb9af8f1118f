/* SPDX-License-Identifier: MIT */

/* What is made of a program when it is loaded: where its points are, and that
 * the tables are large enough. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;

/* ---- blocks with something behind them ------------------------------------------- */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void __real_free(void *p);
void __wrap_free(void *p);

enum { BLOCKS = 256, BEHIND = 16, SIGN = 0xa5 };

static struct {
    uint8_t *p;
    size_t size;
} blocks[BLOCKS];

static bool guards;
static unsigned guarded;

void *
__wrap_calloc(size_t n, size_t size)
{
    uint8_t *p;

    if (!guards || (size != 0 && n > (SIZE_MAX - BEHIND) / size))
        return __real_calloc(n, size);
    p = __real_calloc(1, n * size + BEHIND);
    if (p == NULL)
        return NULL;
    memset(p + n * size, SIGN, BEHIND);
    for (unsigned i = 0; i < BLOCKS; i++)
        if (blocks[i].p == NULL) {
            blocks[i].p = p;
            blocks[i].size = n * size;
            guarded++;
            return p;
        }
    fail_msg("more than %d blocks", BLOCKS);
    return NULL;
}

void
__wrap_free(void *p)
{
    for (unsigned i = 0; p != NULL && i < BLOCKS; i++)
        if (blocks[i].p == p) {
            for (unsigned k = 0; k < BEHIND; k++)
                assert_int_equal(blocks[i].p[blocks[i].size + k], SIGN);
            blocks[i].p = NULL;
        }
    __real_free(p);
}

/* ---- loading --------------------------------------------------------------------- */

enum { NATIVES = 16 };

static enum vm_status
nothing(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    (void)fp;
    return VM_OK;
}

static const struct code_ins calls[] = {
    AI(CALLN, 4, 0),
    ABC(RET, 0, 0, 0),
};

static struct vm *
load(uint32_t nnatives, const char *name)
{
    static const char *const names[NATIVES] = { "a", "b", "c", "d", "e", "f",
        "g", "h", "i", "j", "k", "l", "m", "n", "o", "p" };
    static struct vm_native natives[NATIVES + 1];
    const struct vm_native *tables[] = { natives };
    struct rt_err err;
    struct vm *vm;

    asm_init(&prog);
    for (uint32_t i = 0; i < NATIVES; i++) {
        natives[i] = (struct vm_native){ names[i], nothing, NULL };
        prog.natives[i] = (struct code_native){ .name = names[i] };
    }
    prog.im.nnatives = nnatives;
    asm_func(&prog, name, 0, 0, 2, 6, nnatives == 0 ? calls + 1 : calls,
        nnatives == 0 ? 1 : 2);
    struct vm_config cfg = { .image = &prog.im,
        .natives = tables,
        .nnatives = 1,
        .err_fd = 2,
        .points = true };
    assert_int_equal(vm_load(&cfg, &vm, &err), RT_OK);
    return vm;
}

static void
tables_are_large_enough(void **state)
{
    (void)state;
    for (uint32_t n = 0; n <= NATIVES; n++) {
        guards = true;
        vm_free(load(n, "main.main"));
        guards = false;
        assert_true(guarded >= 5);
        for (unsigned i = 0; i < BLOCKS; i++)
            assert_null(blocks[i].p);
    }
}

/* What a native tells that package sync calls: the receiver. */
static void
natives_of_sync_tell(void **state)
{
    static const struct {
        const char *name;
        unsigned n;
        enum vm_sync_op op;
    } rows[] = { { "main.main", 0, VM_SYNC_NONE },
        { "sync.(*WaitGroup).Add", 1, VM_SYNC_TELL } };
    union rt_slot frame[2] = { { .p = frame }, { .p = NULL } };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vm *vm = load(1, rows[i].name);
        struct vm_g vg = { .fp = frame, .pc = prog.funcs[0].code };
        struct sched_g g = { .vg = &vg };
        struct vm_sync v[4] = { { VM_SYNC_NONE, NULL } };

        assert_int_equal(vm_sync_at(vm, &g, v, 4), rows[i].n);
        assert_int_equal(v[0].op, rows[i].op);
        assert_ptr_equal(v[0].obj, rows[i].n == 0 ? NULL : frame);
        vm_free(vm);
    }
}

/* ---- channels that stay open --------------------------------------------------- */

static struct rtype type_ptr = { .layout = { 8, 8, fake_mask1 },
    .kind = RK_POINTER, .align = 8, .slots = 1, .string = "*int", .name = "",
    .pkgpath = "", .elem = &fake_int };
static struct rtype type_chan = { .layout = { 8, 8, fake_mask1 },
    .kind = RK_CHAN, .align = 8, .slots = 1, .string = "chan int", .name = "",
    .pkgpath = "", .elem = &fake_int };
static struct rtype type_other = { .layout = { 8, 8, fake_mask1 },
    .kind = RK_CHAN, .align = 8, .slots = 1, .string = "chan *int",
    .name = "", .pkgpath = "", .elem = &type_ptr };

enum { T_INT, T_PTR, T_CHAN, T_OTHER };

/* A program of one instruction, to which `native` is the name of a native. */
static struct vm *
load_types(struct code_ins ins, const char *native, struct race *race)
{
    static const struct vm_native none[] = { { NULL, NULL, NULL } };
    const struct vm_native *tables[] = { none };
    const struct code_ins code[] = { ins, ABC(RET, 0, 0, 0) };
    struct rt_err err;
    struct vm *vm;

    asm_init(&prog);
    asm_type(&prog, &fake_int);
    asm_type(&prog, &type_ptr);
    asm_type(&prog, &type_chan);
    asm_type(&prog, &type_other);
    prog.natives[0] = (struct code_native){ .name = native };
    prog.im.nnatives = 1;
    asm_func(&prog, "main.main", 0, 0, 2, 6, code, 2);
    struct vm_config cfg = { .image = &prog.im,
        .natives = tables,
        .nnatives = 1,
        .err_fd = 2,
        .race = race };
    assert_int_equal(vm_load(&cfg, &vm, &err), RT_OK);
    return vm;
}

/* Of what elements a channel is says whether something can close it. */
static void
channels_that_nothing_closes_stay_open(void **state)
{
    static const struct code_ins nop = ABC(NOP, 0, 0, 0);
    static const struct code_ins one = AI(CHANCLOSE, 0, T_CHAN);
    static const struct code_ins call = AI(CALLN, 4, 0);
    static const struct {
        const struct code_ins *ins;
        const char *native;
        bool ints, ptrs; /* stay open */
    } rows[] = { { &nop, "a", true, true }, { &one, "a", false, true },
        { &call, "a", true, true },
        { &call, "internal/rt.Close", false, false },
        { &nop, "internal/rt.Close", true, true } };
    static uint8_t here; /* a detector that nobody asks */
    struct rtype made = type_ptr; /* while the program runs */

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vm *vm = load_types(*rows[i].ins, rows[i].native,
            (struct race *)(void *)&here);

        assert_int_equal(vm_race_stays_open(vm, &fake_int), rows[i].ints);
        assert_int_equal(vm_race_stays_open(vm, &type_ptr), rows[i].ptrs);
        made.id = T_PTR;
        assert_false(vm_race_stays_open(vm, &made));
        made.id = prog.im.ntypes;
        assert_false(vm_race_stays_open(vm, &made));
        vm_free(vm);
    }
    struct vm *vm = load_types(nop, "a", NULL);
    assert_false(vm_race_stays_open(vm, &fake_int));
    vm_free(vm);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_large_enough),
        cmocka_unit_test(natives_of_sync_tell),
        cmocka_unit_test(channels_that_nothing_closes_stay_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
