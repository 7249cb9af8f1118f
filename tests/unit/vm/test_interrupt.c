/* SPDX-License-Identifier: MIT */

/* What a signal's handler finds out about the goroutine that it has
 * interrupted. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "profile/record/pc.h"
#include "profile/record/profile.h"
#include "runtime/base/cstack.h"
#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

enum { MAX = 64 };

static struct {
    struct vm_thread *t;
    vpc pcs[MAX];
    unsigned n;   /* of the goroutine's frames */
    struct prof_where w;
} hit;

static void
note(const void *ucontext)
{
    vpc pcs[MAX];

    memset(&hit.w, 0, sizeof hit.w);
    vm_interrupted(hit.t->vm, ucontext, pcs, MAX, &hit.w);
    hit.n = 0;
    for (uint32_t i = 0; i < hit.w.n; i++)
        if (!prof_pc_is_native(pcs[i]))
            hit.pcs[hit.n++] = pcs[i];
}

static void
on_signal(int sig, siginfo_t *si, void *ucontext)
{
    (void)sig;
    (void)si;
    note(ucontext);
}

static void
catch(int sig, void (*fn)(int, siginfo_t *, void *))
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = fn;
    sa.sa_flags = SA_SIGINFO;
    assert_int_equal(sigaction(sig, &sa, NULL), 0);
}

static enum vm_status
interrupted(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    hit.t = t;
    raise(SIGUSR1);
    return VM_OK;
}

static const struct vm_native natives[] = {
    { "interrupted", interrupted, NULL },
    { NULL, NULL, NULL },
};

static void
begin(void)
{
    asm_init(&prog);
    prog.natives[0] = (struct code_native){ .name = natives[0].name };
    prog.im.nnatives = 1;
    memset(&hit, 0, sizeof hit);
    rt_cstack_prepare();
    catch(SIGUSR1, on_signal);
}

static void
stands_at(const vpc *pcs, unsigned n)
{
    assert_int_equal(hit.w.goid, 1);
    assert_int_equal(hit.n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(hit.pcs[i], pcs[i]);
}

/* In a native, three calls deep; the one in the middle, which the compiler has
 * made, is left out. */
static void
frames_below_a_native(void **state)
{
    static const struct code_ins entry[] = {
        ABC(NOP, 0, 0, 0),
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins wrapper[] = {
        AI(CALL, 6, 2),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins calls[] = {
        ABC(NOP, 0, 0, 0),
        ABC(NOP, 0, 0, 0),
        AI(CALLN, 5, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    ASM_FUNC(&prog, "main.T.f", 0, 0, 2, 8, wrapper)->flags |=
        CODE_F_WRAPPER;
    ASM_FUNC(&prog, "main.(*T).f", 0, 0, 2, 8, calls);
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
    stands_at((vpc[]){ vpc_make(2, 2), vpc_make(0, 1) }, 2);
}

/* As what goes from machine code back to the interpreter does: first it is not
 * known where the goroutine stands, then it is where its caller has called. */
static enum vm_status
leaving(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_m *vt = vm_m_of(t);

    (void)fp;
    hit.t = t;
    vm_stands(t, VM_STANDS_AWAY);
    raise(SIGUSR1);
    assert_int_equal(hit.w.goid, 1);
    assert_int_equal(hit.n, 0);
    vt->at_fp = vm_g_of(t)->fp - 4; /* as main.main calls */
    vt->at_pc = t->vm->im->funcs[0].code + 1;
    vm_stands(t, VM_STANDS_AT);
    raise(SIGUSR1);
    stands_at((vpc[]){ vpc_make(0, 1) }, 1);
    vm_stands(t, VM_STANDS_LOOP);
    raise(SIGUSR1);
    return VM_OK;
}

static void
between_machine_code_and_the_loop(void **state)
{
    static const struct vm_native leaves[] = {
        { "interrupted", leaving, NULL },
        { NULL, NULL, NULL },
    };
    static const struct code_ins entry[] = {
        ABC(NOP, 0, 0, 0),
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins calls[] = {
        AI(CALLN, 5, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    ASM_FUNC(&prog, "main.f", 0, 0, 2, 8, calls);
    fake_run(&prog, leaves, &res);
    assert_int_equal(res.status, 0);
    stands_at((vpc[]){ vpc_make(1, 0), vpc_make(0, 1) }, 2);
}

#if defined __x86_64__ && !RT_ASAN && !RT_TSAN
/* ---- a fault in machine code ------------------------------------------------- */

/* Stands for machine code: sets the register that holds the frame, and comes
 * to an instruction that there is not. */
__attribute__((noinline, section("vole_test_leaf"))) static void
leaf(const union rt_slot *fp)
{
    __asm__ volatile("mov %0, %%rbx\n\tud2" : : "r"(fp) : "rbx", "memory");
}

extern const char __start_vole_test_leaf[], __stop_vole_test_leaf[];

/* Where the callee's frame begins, from its caller's, and its callee's. */
enum { RBX = 3, BASE = 4, BASE_2 = 9 };

static bool
part(void *jit, uintptr_t *lo, uintptr_t *hi, int *reg)
{
    (void)jit;
    *lo = (uintptr_t)__start_vole_test_leaf;
    *hi = (uintptr_t)__stop_vole_test_leaf;
    *reg = RBX;
    return true;
}

/* In a leaf that has no frame of its own, in another function that has
 * none. */
static bool
at(void *jit, uintptr_t addr, struct vm_jit_spot *out)
{
    const struct code_func *f = jit;

    (void)addr;
    *out = (struct vm_jit_spot){
        .pc = f[2].code,
        .nframes = 2,
        .frames = { { f[1].code + 1, BASE_2 }, { f[0].code + 2, BASE } } };
    return true;
}

/* Not in a function's code: in a stub, or where none is finished. */
static bool
nowhere(void *jit, uintptr_t addr, struct vm_jit_spot *out)
{
    (void)jit;
    (void)addr;
    (void)out;
    return false;
}

static uintptr_t
after_fault(void *jit)
{
    (void)jit;
    return 1;
}

static const struct vm_jit_host jit_host = {
    .part = part,
    .at = at,
    .fault = after_fault,
};

static const struct vm_jit_host jit_nowhere = {
    .part = part,
    .at = nowhere,
    .fault = after_fault,
};

static sigjmp_buf back;
static bool returns;

static void
on_fault(int sig, siginfo_t *si, void *ucontext)
{
    (void)sig;
    (void)si;
    note(ucontext);
    returns = vm_interrupted_return(hit.t->vm, ucontext);
    siglongjmp(back, 1);
}

/* The leaf gets the frame that it has been spared, and so does its caller: from
 * there a panic finds the callers. */
static enum vm_status
faults(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);
    const struct code_func *f = t->vm->im->funcs;
    union rt_slot *frame = vg->stack + 2, *callee = frame + BASE;
    union rt_slot *inner = frame + BASE_2;

    (void)fp;
    hit.t = t;
    vm_set_jit(t->vm, &jit_host, (void *)(uintptr_t)f);
    callee[-1].u = callee[-2].u = callee[-3].u = 77;
    inner[-1].u = inner[-2].u = inner[-3].u = 78;
    if (sigsetjmp(back, 1) == 0)
        leaf(frame);
    assert_true(returns);
    assert_ptr_equal(vg->fp, inner);
    assert_ptr_equal(vg->pc, f[2].code);
    assert_ptr_equal(inner[-1].p, f[1].code + 1);
    assert_null(inner[-2].p);
    assert_int_equal(inner[-3].u, 78);
    assert_ptr_equal(callee[-1].p, f[0].code + 2);
    assert_null(callee[-2].p);
    assert_int_equal(callee[-3].u, 77);
    stands_at((vpc[]){ vpc_make(2, 0), vpc_make(1, 0), vpc_make(0, 1) }, 3);
    return VM_EXIT;
}

static const struct vm_native faulting[] = {
    { "interrupted", faults, NULL },
    { NULL, NULL, NULL },
};

/* What is not known cannot become a panic, and stays as it was. */
static enum vm_status
faults_nowhere(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);
    union rt_slot *frame = vg->fp;
    const struct code_ins *pc = vg->pc;

    hit.t = t;
    returns = true;
    vm_set_jit(t->vm, &jit_nowhere, NULL);
    if (sigsetjmp(back, 1) == 0)
        leaf(fp);
    assert_false(returns);
    assert_ptr_equal(vg->fp, frame);
    assert_ptr_equal(vg->pc, pc);
    stands_at(NULL, 0);
    return VM_EXIT;
}

static const struct vm_native faulting_nowhere[] = {
    { "interrupted", faults_nowhere, NULL },
    { NULL, NULL, NULL },
};

static void
fault_nowhere(void **state)
{
    static const struct code_ins entry[] = {
        AI(CALLN, 6, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    catch(SIGILL, on_fault);
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 10, entry);
    fake_run(&prog, faulting_nowhere, &res);
    signal(SIGILL, SIG_DFL);
    assert_false(returns);
}

static void
fault_in_a_leaf(void **state)
{
    static const struct code_ins entry[] = {
        AI(CALLN, 6, 0),
        AI(CALL, BASE, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins between[] = {
        AI(CALL, BASE_2 - BASE, 2),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins leaf_of_it[] = {
        ABC(NOP, 0, 0, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    catch(SIGILL, on_fault);
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 14, entry);
    ASM_FUNC(&prog, "main.between", 0, 0, 2, 8, between);
    ASM_FUNC(&prog, "main.leaf", 0, 0, 1, 2, leaf_of_it);
    fake_run(&prog, faulting, &res);
    signal(SIGILL, SIG_DFL);
    assert_true(returns);
}
#endif

/* ---- where the interpreter's loops lie -------------------------------------------- */

extern const char __start_vole_interp[], __stop_vole_interp[];
extern const char __start_vole_points[], __stop_vole_points[];
extern const char __start_vole_race[], __stop_vole_race[];

/* To the byte: their parts of the program may lie beside each other. */
static void
addresses_of_the_loops(void **state)
{
    const struct {
        const char *start, *stop;
    } loops[] = { { __start_vole_interp, __stop_vole_interp },
        { __start_vole_points, __stop_vole_points },
        { __start_vole_race, __stop_vole_race } };
    uintptr_t at[8];
    unsigned n = 0;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(loops[i].start < loops[i].stop);
        assert_true(vm_is_interp((uintptr_t)loops[i].start));
        assert_true(vm_is_interp((uintptr_t)loops[i].stop - 1));
        at[n++] = (uintptr_t)loops[i].start - 1;
        at[n++] = (uintptr_t)loops[i].stop;
    }
    at[n++] = (uintptr_t)addresses_of_the_loops;
    at[n++] = 0;
    for (unsigned k = 0; k < n; k++) {
        bool inside = false;
        for (unsigned i = 0; i < 3; i++)
            inside |= at[k] >= (uintptr_t)loops[i].start &&
                at[k] < (uintptr_t)loops[i].stop;
        assert_int_equal(vm_is_interp(at[k]), inside);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_below_a_native),
        cmocka_unit_test(between_machine_code_and_the_loop),
        cmocka_unit_test(addresses_of_the_loops),
#if defined __x86_64__ && !RT_ASAN && !RT_TSAN
        cmocka_unit_test(fault_in_a_leaf),
        cmocka_unit_test(fault_nowhere),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
