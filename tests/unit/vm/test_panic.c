/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static struct rtype type_string = {
    .layout = { 16, 8, fake_mask1 },
    .kind = RK_STRING,
    .align = 8,
    .flags = RT_F_COMPARABLE,
    .slots = 2,
    .string = "string",
    .name = "string",
    .pkgpath = "",
};

static const struct rtype *const sig_results[] = { &type_string };
static struct rtype type_sig = {
    .layout = { 8, 8, fake_mask1 },
    .kind = RK_FUNC,
    .align = 8,
    .flags = RT_F_DIRECT,
    .slots = 1,
    .string = "func() string",
    .name = "",
    .pkgpath = "",
    .params = sig_results,
    .nresults = 1,
};

/* main.E, an int with a method Error (selector 0, function 3). */
static struct rmethod e_methods[] = {
    { "Error", NULL, &type_sig, 0, 3, true },
};
static const struct rsel e_mtab[] = { { 0, 3 } };
static struct rtype type_e = {
    .layout = { 8, 0, NULL },
    .kind = RK_INT,
    .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MEMEQ | RT_F_NAMED,
    .slots = 1,
    .string = "main.E",
    .name = "E",
    .pkgpath = "main",
    .methods = e_methods,
    .nmethods = 1,
    .mtab = e_mtab,
    .msize = 1,
};

enum { T_INT, T_STRING, T_E };

static void
begin(void)
{
    asm_init(&prog);
    asm_type(&prog, &fake_int);
    asm_type(&prog, &type_string);
    asm_type(&prog, &type_e);
    prog.im.type_string = T_STRING;
    prog.strings[0] = (struct rt_str){ (const uint8_t *)"a", 1 };
    prog.strings[1] = (struct rt_str){ (const uint8_t *)"b\nc", 3 };
    prog.strings[2] = (struct rt_str){ (const uint8_t *)"E speaks", 8 };
    prog.im.nstrings = 3;
    prog.selectors[0] = "Error";
    prog.im.nselectors = 1;
}

static void
has(const char *text)
{
    if (strstr(res.text, text) == NULL)
        fail_msg("no \"%s\" in:\n%s", text, res.text);
}

static void
starts(const char *text)
{
    if (strncmp(res.text, text, strlen(text)) != 0)
        fail_msg("does not start with \"%s\":\n%s", text, res.text);
}

/* panic(strings[0]) uncaught, two frames deep. */
static const struct code_ins panic_a[] = {
    AI(LDSTR, 0, 0),
    ABC(MKIFACE, 2, 0, 0),
    EXT(0, T_STRING),
    ABC(PANIC, 2, 0, 0),
};

static void
uncaught(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(CALL, 3, 1),
        ABC(RET, 0, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 1, 8, entry);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 2);
    assert_string_equal(res.text,
        "panic: a\n\ngoroutine 1 [running]:\n"
        "main.f()\n\t/src/prog.go:13 +0x18\n"
        "main.main()\n\t/src/prog.go:10 +0x0\n");
}

/* func f() (r int) { defer func() { recover(); ... }(); panic("a") } */
static const struct code_ins recoverer[] = {
    ABC(RECOVER, 0, 0, 0),
    ABC(RET, 0, 0, 0),
};

static void
set_defer(struct code_func *f, uint32_t off)
{
    f->flags |= CODE_F_DEFER;
    f->recover_off = off;
}

static void
recovered(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(CALL, 3, 1),
        ABC(ADDI, 0, 3, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins f[] = {
        AI(LDI, 5, 41),
        ABC(DEFER, 8, 0, 0),
        EXT(0, 2),
        AI(CALL, 8, 3),
        ABC(RUNDEFER, 8, 0, 0),
        ABC(RET1, 5, 0, 0), /* also where a recovered panic goes on */
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 1, 1, 8, entry);
    set_defer(ASM_FUNC(&prog, "main.f", 0, 1, 6, 10, f), 5);
    ASM_FUNC(&prog, "main.f.func1", 0, 0, 2, 2, recoverer);
    ASM_FUNC(&prog, "main.g", 0, 0, 4, 8, panic_a);
    fake_run(&prog, NULL, &res);
    assert_string_equal(res.text, "");
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 42);
}

/* Deferred calls in a loop run in reverse order, with their arguments. */
static const struct code_ins print_arg[] = {
    ABC(PRINT, 0, CODE_PRINT_INT, 0),
    ABC(PRINT, 0, CODE_PRINT_SPACE, 0),
    ABC(RET, 0, 0, 0),
};

static void
defer_loop(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 0),
        ABC(MOV, 6, 0, 0),
        ABC(DEFER, 6, 1, 0),
        EXT(0, 1),
        ABC(FORLTI, 0, 20, -4),
        ABC(RUNDEFER, 6, 0, 0),
        ABC(PRINT, 0, CODE_PRINT_NEWLINE, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 7);
    ASM_FUNC(&prog, "main.p", 1, 0, 1, 1, print_arg);
    fake_run(&prog, NULL, &res);
    assert_string_equal(res.text,
        "19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 \n");
}

/* A deferred call that panics anew. */
static const struct code_ins panic_b[] = {
    ABC(RECOVER, 0, 0, 0),
    AI(LDSTR, 0, 1),
    ABC(MKIFACE, 2, 0, 0),
    EXT(0, T_STRING),
    ABC(PANIC, 2, 0, 0),
};

static void
panic_in_defer(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        AI(CALL, 6, 2),
        ABC(RET, 0, 0, 0),
    };

    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 3);
    ASM_FUNC(&prog, "main.main.func1", 0, 0, 4, 8, panic_b);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 2);
    starts("panic: a [recovered]\n\tpanic: b\n\tc\n\n"
           "goroutine 1 [running]:\nmain.main.func1()\n");
    has("panic(...)\n\truntime/panic.go:1 +0x0\nmain.f()\n");
    has("main.main()\n");

    /* Without recover() the first one is not marked. */
    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 3);
    ASM_FUNC(&prog, "main.main.func1", 0, 0, 4, 8, panic_b);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    prog.funcs[1].code[0] = (struct code_ins)ABC(NOP, 0, 0, 0);
    fake_run(&prog, NULL, &res);
    starts("panic: a\n\tpanic: b\n\tc\n\ngoroutine 1 [running]:\n");
}

/* The same value again. */
static void
repanic(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        AI(CALL, 6, 2),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins again[] = {
        ABC(RECOVER, 0, 0, 0),
        ABC(PANIC, 0, 0, 0),
    };

    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 3);
    ASM_FUNC(&prog, "main.main.func1", 0, 0, 2, 2, again);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    fake_run(&prog, NULL, &res);
    starts("panic: a [recovered, repanicked]\n\n");
}

/* recover() in a function called by the deferred one does not count. */
static void
recover_too_deep(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        AI(CALL, 6, 2),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins outer[] = {
        AI(CALL, 3, 3),
        ABC(RET, 0, 0, 0),
    };

    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 3);
    ASM_FUNC(&prog, "main.main.func1", 0, 0, 1, 5, outer);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    ASM_FUNC(&prog, "main.g", 0, 0, 2, 2, recoverer);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 2);
    starts("panic: a\n\n");

    /* But through a wrapper it does. */
    static const struct code_ins wrap[] = { AI(TAILCALL, 0, 3) };
    begin();
    set_defer(ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry), 3);
    ASM_FUNC(&prog, "main.w", 0, 0, 0, 0, wrap);
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 8, panic_a);
    ASM_FUNC(&prog, "main.g", 0, 0, 2, 2, recoverer);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
}

static void
error_method(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 7),
        ABC(MKIFACE, 1, 0, 0),
        EXT(0, T_E),
        ABC(PANIC, 1, 0, 0),
    };
    static const struct code_ins nop[] = { ABC(RET, 0, 0, 0) };
    static const struct code_ins error[] = {
        AI(LDSTR, 1, 2),
        ABC(RET2, 1, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 3, 8, entry);
    ASM_FUNC(&prog, "main.x", 0, 0, 0, 0, nop);
    ASM_FUNC(&prog, "main.y", 0, 0, 0, 0, nop);
    ASM_FUNC(&prog, "main.E.Error", 1, 2, 3, 3, error);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 2);
    starts("panic: E speaks\n\ngoroutine 1 [running]:\nmain.main()\n");

    /* Without its code the value is printed as what it is. */
    begin();
    e_methods[0].func = CODE_NO_FUNC;
    type_e.msize = 0;
    ASM_FUNC(&prog, "main.main", 0, 0, 3, 8, entry);
    fake_run(&prog, NULL, &res);
    starts("panic: main.E(7)\n\n");
    e_methods[0].func = 3;
    type_e.msize = 1;
}

static void
runtime_errors(void **state)
{
    (void)state;
    static const struct {
        struct code_ins code[4];
        const char *want;
    } rows[] = {
        { { AI(LDI, 0, 0), ABC(LD64, 1, 0, 16), ABC(RET, 0, 0, 0),
              ABC(NOP, 0, 0, 0) },
            "panic: runtime error: invalid memory address or nil pointer "
            "dereference\n[signal SIGSEGV: segmentation violation code=0x1 "
            "addr=0x10 pc=0x" },
        { { AI(ZERO, 0, 3), AI(LDI, 3, 5), ABC(LDX64, 4, 0, 3),
              ABC(RET, 0, 0, 0) },
            "panic: runtime error: index out of range [5] with length 0\n" },
        { { AI(ZERO, 0, 3), AI(LDI, 3, -5), ABC(LDX64, 4, 0, 3),
              ABC(RET, 0, 0, 0) },
            "panic: runtime error: index out of range [-5]\n" },
        { { AI(ZERO, 0, 3), ABC(DIV, 1, 1, 0), ABC(RET, 0, 0, 0),
              ABC(NOP, 0, 0, 0) },
            "panic: runtime error: integer divide by zero\n" },
        { { AI(ZERO, 0, 3), ABC(PANIC, 0, 0, 0), ABC(RET, 0, 0, 0),
              ABC(NOP, 0, 0, 0) },
            "panic: panic called with nil argument" },
        { { AI(ZERO, 0, 3), AI(CHANCLOSE, 0, 0), ABC(RET, 0, 0, 0),
              ABC(NOP, 0, 0, 0) },
            "panic: close of nil channel\n" },
        { { AI(ZERO, 0, 3), ABC(ASSERT, 3, 0, 0), EXT(0, T_STRING),
              EXT(0, T_INT) },
            "panic: interface conversion: string is nil, not int\n" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        struct code_ins code[6];
        memcpy(code, rows[i].code, sizeof rows[i].code);
        code[4] = (struct code_ins)ABC(RET, 0, 0, 0);
        asm_func(&prog, "main.main", 0, 0, 5, 8, code, 5);
        fake_run(&prog, NULL, &res);
        assert_int_equal(res.status, 2);
        starts(rows[i].want);
    }
}

static enum vm_status
native_goexit(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    (void)fp;
    return VM_GOEXIT;
}

/* A goroutine that ends by Goexit runs its deferred calls; a panic recovered
 * on the way does not stop it. */
static void
goexit(void **state)
{
    (void)state;
    static const struct vm_native natives[] = {
        { "runtime.Goexit", native_goexit, NULL }, { NULL, NULL, NULL }
    };
    static const struct code_ins entry[] = {
        ABC(CHANMAKE, 1, 0, 0), /* r0 = junk capacity; see ZERO below */
        EXT(0, 3),
        ABC(MOV, 8, 1, 0),
        ABC(GO, 8, 1, 0),
        EXT(0, 1),
        ABC(CHANRECV, 2, 1, 0),
        EXT(0, 3),
        ABC(PRINT, 2, CODE_PRINT_INT, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins g[] = {
        ABC(MOV, 6, 0, 0),
        ABC(DEFER, 6, 1, 0),
        EXT(0, 2), /* send */
        ABC(DEFER, 6, 0, 0),
        EXT(0, 3), /* recover */
        ABC(DEFER, 6, 0, 0),
        EXT(0, 4), /* panic */
        AI(CALLN, 6, 0),
        ABC(PRINT, 0, CODE_PRINT_HEX, 0), /* not reached */
        ABC(RUNDEFER, 6, 0, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins send[] = {
        AI(LDI, 1, 77),
        ABC(CHANSEND, 0, 0, 1),
        EXT(0, 3),
        ABC(RET, 0, 0, 0),
    };
    begin();
    asm_type(&prog, &fake_chan);
    struct code_ins with_zero[sizeof entry / sizeof *entry + 1] = {
        AI(ZERO, 0, 3)
    };
    memcpy(with_zero + 1, entry, sizeof entry);
    asm_func(&prog, "main.main", 0, 0, 4, 12, with_zero,
        sizeof with_zero / sizeof *with_zero);
    set_defer(ASM_FUNC(&prog, "main.g", 1, 0, 2, 8, g), 10);
    ASM_FUNC(&prog, "main.g.func1", 1, 0, 2, 2, send);
    ASM_FUNC(&prog, "main.g.func2", 0, 0, 2, 2, recoverer);
    ASM_FUNC(&prog, "main.g.func3", 0, 0, 4, 8, panic_a);
    prog.natives[prog.im.nnatives++] =
        (struct code_native){ "runtime.Goexit", 0, 0 };
    fake_run(&prog, natives, &res);
    assert_string_equal(res.text, "77");
    assert_int_equal(res.status, 0);

    /* A parked main goroutine shows in the traceback of a deadlock. */
    prog.funcs[1].code[1] = (struct code_ins)ABC(NOP, 0, 0, 0);
    prog.funcs[1].code[2] = (struct code_ins)ABC(NOP, 0, 0, 0);
    fake_run(&prog, natives, &res);
    assert_true(res.deadlock);
    starts("fatal error: all goroutines are asleep - deadlock!\n\n"
           "goroutine 1 [chan receive]:\nmain.main()\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncaught),
        cmocka_unit_test(recovered),
        cmocka_unit_test(defer_loop),
        cmocka_unit_test(panic_in_defer),
        cmocka_unit_test(repanic),
        cmocka_unit_test(recover_too_deep),
        cmocka_unit_test(error_method),
        cmocka_unit_test(runtime_errors),
        cmocka_unit_test(goexit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
