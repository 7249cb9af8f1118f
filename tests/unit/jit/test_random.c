/* SPDX-License-Identifier: MIT */

/*
 * Random bytecode, run by the interpreter and as machine code: with all
 * registers, with two, with none, and with every Nth instruction left to the
 * interpreter, which then looks at all slots that are live there.  At its end
 * each program makes one number of all its slots, so all of them are live
 * throughout.
 *
 * Slots are of a class each: integers, floats, 32-bit floats, loop counters.
 * All instructions that say in opcode.def that they touch nothing but such
 * slots take part, by what they say there of their operands; besides, there
 * are loops, jumps forward and calls of other functions, small ones too, which
 * are spliced in.
 *
 * Usage: test-jit-random [FIRST-SEED N]
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/jit.h"
#include "tests/unit/vm/fake.h"

enum {
    INTS = 6,
    FLOATS = 5,
    FLOATS32 = 3,
    VALUES = INTS + FLOATS + FLOATS32,
    COUNTERS = 3,
    NSLOTS = VALUES + COUNTERS + 1, /* the last is a closure's */
    BASE = NSLOTS + 2,              /* of calls */
    EXTENT = BASE + VALUES,
    FUNCS = 5,
    WORDS = 300, /* of a function, at most */
    TURNS = 5
};

static uint64_t state;

/* xorshift64* */
static uint32_t
pick(uint32_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

static struct asm_prog prog;
static struct code_ins code[WORDS + 64];
static uint32_t ncode;
static bool inside[WORDS + 64]; /* a call's sequence: nothing leads there */

static void
put(struct code_ins w)
{
    assert_true(ncode < sizeof code / sizeof code[0]);
    inside[ncode] = false;
    code[ncode++] = w;
}

static void
put_inside(struct code_ins w)
{
    put(w);
    inside[ncode - 1] = true;
}

/* ---- operands ----------------------------------------------------------- */

struct class {
    uint16_t first, n;
};

static const struct class classes[] = {
    {0, INTS}, {INTS, FLOATS}, {INTS + FLOATS, FLOATS32}};

/* n slots side by side of a class: letter as in opcode.def; x: of `any`. */
static uint16_t
slots(char letter, uint16_t n, const struct class *any)
{
    const struct class *k = letter == 'i' ? &classes[0]
        : letter == 'f'                   ? &classes[1]
        : letter == 'h'                   ? &classes[2]
                                          : any;

    assert_true(n <= k->n);
    return (uint16_t)(k->first + pick(k->n - n + 1u));
}

static bool
is_slots(const char *col)
{
    return strchr("dum", col[0]) != NULL;
}

/* Whether the operand is one that is understood here. */
static bool
is_known(const char *col)
{
    if (!is_slots(col))
        return strchr("-ij", col[0]) != NULL;
    return col[1] >= '1' && col[1] <= '3' && strchr("ifhx", col[2]) != NULL &&
        col[3] == '\0';
}

/* What is made otherwise, or is not executed as it stands. */
static bool
is_special(unsigned op)
{
    switch (op) {
    case OP_EXT:
    case OP_RECVOK: /* the scheduler's answers */
    case OP_SELIDX:
    case OP_FRAME:
    case OP_FORLT:
    case OP_FORLTI:
    case OP_RET:
    case OP_RET1:
    case OP_RET2:
    case OP_SWITCH:
        return true;
    default:
        return op >= OP_FX8U && op <= OP_FS32; /* parts of slots */
    }
}

static bool
is_usable(unsigned op)
{
    const struct code_opinfo *o = code_opinfo(op);

    if (o == NULL || is_special(op) || o->ext != 0 ||
        strcmp(o->access, "no") != 0 ||
        strspn(o->does, "-PH") != strlen(o->does))
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (!is_known(o->col[i]))
            return false;
    return o->fmt != CODE_FMT_I || o->col[0][0] == 'j' ||
        o->col[1][0] == 'j' || op == OP_NOP;
}

/* A constant that the instruction may have. */
static int32_t
constant(unsigned op)
{
    static const int16_t some[] = {0, 1, 2, 3, 5, 7, 8, 10, 100, 127, 128, 255,
        1000, 4096, 32767, -1, -2, -7, -128, -32768};

    switch (op) {
    case OP_DIVI:
    case OP_REMI:
    case OP_UDIVI:
    case OP_UREMI:
        return 1 + (int32_t)pick(op == OP_UDIVI ? 65535 : 1000);
    case OP_SHLI:
    case OP_SHRI:
    case OP_USHRI:
        return (int32_t)pick(64);
    case OP_LEADZ:
    case OP_TRAILZ:
        return (int32_t)pick(65);
    case OP_SHLIU32:
        return (int32_t)pick(32);
    case OP_CHKIDX:
        return 1 << 30;
    default:
        return some[pick(sizeof some / sizeof some[0])];
    }
}

/* How far jumps lead; those beyond the end are shortened. */
static int32_t
distance(void)
{
    return (int32_t)pick(7);
}

/* Those that take part. */
static uint16_t usable[OP_COUNT];
static uint32_t nusable;

static void
find_usable(void)
{
    for (uint16_t op = 0; op < OP_COUNT; op++)
        if (is_usable(op))
            usable[nusable++] = op;
    assert_true(nusable > 90);
}

static void
put_any(void)
{
    struct code_ins w = {0};
    uint16_t *slot[3] = {&w.a, &w.b, &w.c};
    bool compares;

    do
        w.op = usable[pick(nusable)];
    while ((code_does(w.op) & CODE_PANICS) != 0 && pick(8) != 0);
    const struct code_opinfo *o = code_opinfo(w.op);
    const struct class *any = &classes[pick(3)];
    /* NaNs have many representations, which nobody shall see. */
    compares = o->col[1][0] != 'u' || o->col[0][0] != 'd' ||
        o->col[0][2] != 'x';
    if (compares)
        any = &classes[0];
    for (unsigned i = 0; i < 3; i++) {
        const char *col = o->col[i];
        int32_t v;

        if (is_slots(col)) {
            *slot[i] = slots(col[2], (uint16_t)(col[1] - '0'), any);
            continue;
        }
        if (col[0] == '-')
            continue;
        v = col[0] == 'j' ? distance() : constant(w.op);
        if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
            w.imm = v;
        else
            *slot[i] = (uint16_t)v;
    }
    put(w);
}

/* ---- functions ---------------------------------------------------------- */

/* Jumps out of the code so far lead to its end, and those into a call to where
 * that begins. */
static void
shorten(uint32_t from)
{
    for (uint32_t i = from; i < ncode; i++) {
        const struct code_opinfo *o = code_opinfo(code[i].op);
        int32_t most = (int32_t)(ncode - i - 1), disp;

        if (!code_jump(&code[i], &disp) || disp < 0)
            continue;
        if (disp > most)
            disp = most;
        while (disp < most && inside[i + 1 + (uint32_t)disp])
            disp--;
        if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
            code[i].imm = disp;
        else
            code[i].c = (uint16_t)disp;
    }
}

static void put_body(uint32_t func, uint32_t n, unsigned depth);

/* Its counter has been set, also where a jump leads into it: it never goes
 * beyond the end. */
static void
put_loop(uint32_t func, uint32_t n, unsigned depth)
{
    uint16_t counter = (uint16_t)(VALUES + depth);
    uint32_t begin;

    put((struct code_ins)AI(LDI, counter, 0));
    begin = ncode;
    put_body(func, n, depth + 1);
    shorten(begin);
    put((struct code_ins)ABC(FORLTI, counter, TURNS,
        (int32_t)begin - (int32_t)ncode - 1));
}

static void
put_call(uint32_t func)
{
    uint32_t callee = func + 1 + pick(FUNCS - func - 1);
    uint16_t at = (uint16_t)pick(VALUES), n = (uint16_t)pick(VALUES - at + 1u);

    put((struct code_ins)ABC(MOVN, BASE, 0, VALUES));
    put_inside((struct code_ins)AI(CALL, BASE, (int32_t)callee));
    if (n > 0)
        put_inside((struct code_ins)ABC(MOVN, at, BASE + at, n));
}

static void
put_body(uint32_t func, uint32_t n, unsigned depth)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t what = pick(20);

        if (what == 0 && depth < COUNTERS && n > 3)
            put_loop(func, n / 8 + 3, depth);
        else if (what == 1 && func + 1 < FUNCS)
            put_call(func);
        else
            put_any();
    }
}

/* The last ones are small enough to be spliced in. */
static void
make_func(uint32_t func)
{
    static char names[FUNCS][16];
    static const uint8_t none[8];
    bool entry = func == 0;

    ncode = 0;
    for (uint16_t i = 0; i < COUNTERS; i++)
        put((struct code_ins)AI(LDI, VALUES + i, 0));
    for (uint16_t i = 0; entry && i < VALUES; i++)
        put((struct code_ins)AI(LDK, i, (int32_t)pick(16)));
    put_body(func, entry        ? 30 + pick(30)
            : func < 3        ? 20 + pick(25)
                              : 2 + pick(8),
        0);
    shorten(0);
    if (entry) {
        /* All slots in one number; one NaN is as good as another. */
        for (uint16_t i = INTS; i < VALUES; i++) {
            if (i >= INTS + FLOATS)
                put((struct code_ins)ABC(F322F, i, i, 0));
            put((struct code_ins)ABC(JEQF, i, i, 1));
            put((struct code_ins)AI(LDI, i, 7));
        }
        for (uint16_t i = 1; i < VALUES; i++) {
            put((struct code_ins)ABC(MULI, 0, 0, 31));
            put((struct code_ins)ABC(XOR, 0, 0, i));
        }
        put((struct code_ins)ABC(RET1, 0, 0, 0));
    } else {
        put((struct code_ins)ABC(RETN, 0, VALUES, 0));
    }
    snprintf(names[func], sizeof names[func], "main.f%" PRIu32, func);
    assert_true(prog.im.ncode + ncode <= ASM_CODE);
    struct code_func *f = asm_func(&prog, entry ? "main.main" : names[func],
        entry ? 0 : VALUES, entry ? 1 : VALUES, NSLOTS, EXTENT, code, ncode);
    f->ptrmask = none;
}

static void
make_program(uint64_t seed)
{
    static const double floats[] = {0.0, -0.0, 1.5, -2.75, 1e300, -1e-300,
        9.3e18, 0.1};

    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    asm_init(&prog);
    for (unsigned i = 0; i < 8; i++)
        memcpy(&prog.consts[i], &floats[i], 8);
    for (unsigned i = 8; i < 16; i++)
        prog.consts[i] = (uint64_t)((int64_t)((uint64_t)pick(1u << 31) << 33 |
            pick(1u << 31)) >> pick(64));
    prog.im.nconsts = 16;
    for (uint32_t i = 0; i < FUNCS; i++)
        make_func(i);
}

/* ---- runs --------------------------------------------------------------- */

static struct jit_config cfg;
static struct jit *jit;

static void
attach(struct vm *vm)
{
    jit = jit_new(vm, &cfg);
}

static void
detach(struct vm *vm)
{
    (void)vm;
    jit_free(jit);
}

static void
run(const struct jit_config *how, struct fake_result *res)
{
    cfg = *how;
    fake_on_vm = attach;
    fake_off_vm = detach;
    fake_run(&prog, NULL, res);
    fake_on_vm = NULL;
    fake_off_vm = NULL;
}

static const struct jit_config ways[] = {
    {.mode = JIT_STRESS},
    {.mode = JIT_STRESS, .regs = 2},
    {.mode = JIT_STRESS, .memory = true},
    {.mode = JIT_STRESS, .exits = 4},
    {.mode = JIT_STRESS, .exits = 11},
    {.mode = JIT_STRESS, .exits = 17},
    {.mode = JIT_STRESS, .exits = 29},
    {.mode = JIT_STRESS, .exits = 41, .regs = 3},
    {.mode = JIT_STRESS, .exits = 15, .memory = true},
    {.mode = JIT_STRESS, .later = true},
};

static uint64_t first_seed = 1, nseeds = 250;

static void
machine_code_is_the_interpreter(void **unused)
{
    static struct fake_result want, got;
    uint64_t panics = 0;

    (void)unused;
    if (!jit_available())
        skip();
    find_usable();
    for (uint64_t seed = first_seed; seed < first_seed + nseeds; seed++) {
        make_program(seed);
        run(&(struct jit_config){.mode = JIT_OFF}, &want);
        panics += want.status != 0;
        for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            run(&ways[i], &got);
            if (got.status != want.status || strcmp(got.text, want.text) != 0 ||
                (got.status == 0 && got.r[0].i != want.r[0].i))
                fail_msg("seed %" PRIu64 ", way %u: status %d, %" PRIx64
                    ", interpreted %d, %" PRIx64 "\n%s\n%s", seed, i,
                    got.status, got.r[0].u, want.status, want.r[0].u, got.text,
                    want.text);
        }
    }
    /* Neither all nor none. */
    assert_true(nseeds < 100 || (panics > 0 && panics < nseeds / 2));
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_code_is_the_interpreter),
    };

    if (argc == 3) {
        first_seed = strtoull(argv[1], NULL, 10);
        nseeds = strtoull(argv[2], NULL, 10);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
