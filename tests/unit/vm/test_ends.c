/* SPDX-License-Identifier: MIT */

/* Ends of programs by signals, faults and want of memory, and the stacks that
 * are printed then. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

static bool no_memory;

void *
__wrap_calloc(size_t n, size_t size)
{
    return no_memory ? NULL : __real_calloc(n, size);
}

/* Runs a program that calls one native, from a function beside main.main. */
static void
run(const struct vm_native *natives)
{
    static const struct code_ins entry[] = {
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins calls[] = {
        AI(CALLN, 4, 0),
        ABC(RET, 0, 0, 0),
    };

    asm_init(&prog);
    prog.natives[0] = (struct code_native){ .name = natives[0].name };
    prog.im.nnatives = 1;
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    ASM_FUNC(&prog, "main.f", 0, 0, 2, 6, calls);
    fake_run(&prog, natives, &res);
}

static void
starts(const char *begin)
{
    if (strncmp(res.text, begin, strlen(begin)) != 0)
        fail_msg("does not start with \"%s\":\n%s", begin, res.text);
}

/* ---- SIGQUIT --------------------------------------------------------------------- */

static enum vm_status
quit(struct vm_thread *t, union rt_slot *fp)
{
    /* What lies in the buffer that is not written yet is not text. */
    void *dirt = malloc(1 << 16);

    (void)fp;
    memset(dirt, 'x', 1 << 16);
    free(dirt);
    a32_store_rlx(&t->vm->traceback, VM_TRACEBACK_CRASH);
    assert_false(vm_wants_abort(t->vm)); /* it lives */
    a32_store_rlx(&t->vm->traceback, VM_TRACEBACK_SINGLE);
    vm_quit(t->vm);
    assert_false(vm_wants_abort(t->vm));
    a32_store_rlx(&t->vm->traceback, VM_TRACEBACK_SYSTEM);
    assert_false(vm_wants_abort(t->vm));
    a32_store_rlx(&t->vm->traceback, VM_TRACEBACK_CRASH);
    assert_true(vm_wants_abort(t->vm));
    return VM_EXIT;
}

static void
by_sigquit(void **state)
{
    static const struct vm_native natives[] = {
        { "quit", quit, NULL },
        { NULL, NULL, NULL },
    };

    (void)state;
    run(natives);
    assert_int_equal(res.status, 2);
    starts("SIGQUIT: quit\n\ngoroutine 1 gp=0x");
}

/* ---- how long a goroutine has waited ------------------------------------------------ */

static char dump_text[512];

/* Whole minutes, from the first on. */
static enum vm_status
dump(struct vm_thread *t, union rt_slot *fp)
{
    static const struct {
        uint64_t seconds;
        const char *text;
    } rows[] = { { 59, "goroutine 1 [chan receive]:\n" },
        { 61, "goroutine 1 [chan receive, 1 minutes]:\n" },
        { 121, "goroutine 1 [chan receive, 2 minutes]:\n" } };

    struct sched_g *waiter = t->g;

    (void)fp;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t now = (uint64_t)rt_nanotime(), ago = rows[i].seconds *
            UINT64_C(1000000000);

        if (now <= ago)
            break; /* the machine has not been there for so long */
        a64_store_rlx(&waiter->wait_since, now - ago);
        waiter->wait_reason = WAIT_CHAN_RECV;
        a32_store_rlx(&waiter->state, G_WAITING);
        struct vm_dump *d = vm_dump_take(t->vm, NULL, true);
        a32_store_rlx(&waiter->state, G_RUNNING);
        assert_non_null(d);
        size_t n = vm_dump_next(d, dump_text, sizeof dump_text - 1);
        dump_text[n] = '\0';
        vm_dump_free(d);
        if (strncmp(dump_text, rows[i].text, strlen(rows[i].text)) != 0)
            fail_msg("%s", dump_text);
    }
    a64_store_rlx(&waiter->wait_since, 0);
    return VM_OK;
}

static void
minutes_of_waiting(void **state)
{
    static const struct vm_native natives[] = {
        { "dump", dump, NULL },
        { NULL, NULL, NULL },
    };

    (void)state;
    run(natives);
    assert_int_equal(res.status, 0);
}

/* ---- two ends at once ------------------------------------------------------------------ */

/* Another thread prints, and is done when this one has given up its P: a stop
 * of the world, which the printing may need, would wait for it. */
static void *
print_meanwhile(void *arg)
{
    struct vm *vm = arg;

    while (a32_load_acq(&fake_in_kernel) == 0)
        rt_cpu_relax();
    a32_store_rel(&vm->dying, 2);
    return NULL;
}

static enum vm_status
die_second(struct vm_thread *t, union rt_slot *fp)
{
    pthread_t other;

    (void)fp;
    a32_store_rel(&t->vm->dying, 1);
    assert_int_equal(
        pthread_create(&other, NULL, print_meanwhile, t->vm), 0);
    vm_fatalf(t, "the second one");
    pthread_join(other, NULL);
    assert_int_equal(a32_load_acq(&fake_in_kernel), 0);
    return VM_EXIT;
}

static void
two_at_once(void **state)
{
    static const struct vm_native natives[] = {
        { "die", die_second, NULL },
        { NULL, NULL, NULL },
    };

    (void)state;
    run(natives);
    assert_string_equal(res.text, "");
}

/* ---- want of memory ------------------------------------------------------------------- */

static enum vm_status
new_thread(struct vm_thread *t, union rt_slot *fp)
{
    struct sched_m m = { .sched = t->vm->sched };

    (void)fp;
    no_memory = true;
    assert_false(vm_sched_host.m_init(t->vm, &m));
    no_memory = false;
    assert_null(m.vt);
    vm_sched_host.m_free(t->vm, &m);
    return VM_EXIT;
}

static void
no_memory_for_a_thread(void **state)
{
    static const struct vm_native natives[] = {
        { "thread", new_thread, NULL },
        { NULL, NULL, NULL },
    };

    (void)state;
    run(natives);
    assert_int_equal(res.status, 2);
    starts("fatal error: runtime: out of memory\n");
}

/* A channel that no memory could hold is the program's mistake; that there is
 * none for a small one is not. */
static void
no_memory_for_a_channel(void **state)
{
    static const struct {
        int32_t size;
        bool no_memory;
        const char *text;
    } rows[] = {
        { -1, true, "panic: makechan: size out of range\n" },
        { -1, false, "panic: makechan: size out of range\n" },
        { 0, true, "fatal error: runtime: out of memory\n" },
        { 1000, true, "fatal error: runtime: out of memory\n" },
        { 1000, false, "" },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct code_ins entry[] = {
            AI(LDI, 0, rows[i].size),
            ABC(CHANMAKE, 1, 0, 0),
            EXT(0, 1),
            ABC(RET, 0, 0, 0),
        };

        asm_init(&prog);
        asm_type(&prog, &fake_int);
        asm_type(&prog, &fake_chan);
        ASM_FUNC(&prog, "main.main", 0, 0, 3, 6, entry);
        fake_no_memory = rows[i].no_memory;
        fake_run(&prog, NULL, &res);
        fake_no_memory = false;
        starts(rows[i].text);
        assert_int_equal(res.status, rows[i].text[0] == 0 ? 0 : 2);
    }
}

/* ---- faults in native code ------------------------------------------------------------- */

static int report_fd;

static enum vm_status
fault(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    t->vm->err_fd = report_fd;
    vm_catch_faults();
    *(volatile int *)(uintptr_t)0x1230 = 1;
    return VM_OK;
}

/* What happened comes first, then the thread's frames, then the goroutine's. */
static void
fault_in_native(void **state)
{
    static const struct vm_native natives[] = {
        { "fault", fault, NULL },
        { NULL, NULL, NULL },
    };
    int fds[2], status;
    size_t n = 0;
    ssize_t k;

    (void)state;
    if (RT_ASAN || RT_TSAN)
        skip(); /* they tell of faults themselves */
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        report_fd = fds[1];
        run(natives);
        _exit(0);
    }
    close(fds[1]);
    memset(&res, 0, sizeof res);
    while (n < sizeof res.text - 1 &&
        (k = read(fds[0], res.text + n, sizeof res.text - 1 - n)) > 0)
        n += (size_t)k;
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    starts("unexpected fault address 0x1230\n"
           "fatal error: unexpected signal during runtime execution\n");
    const char *stack = strstr(res.text, "\nruntime stack:\n");
    assert_non_null(stack);
    const char *g = strstr(stack, "\ngoroutine 1 gp=0x");
    assert_non_null(g);
    g = strstr(g, " [running]:\nmain.f()\n");
    assert_non_null(g);
    assert_non_null(strstr(g, "main.main()\n"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_sigquit),
        cmocka_unit_test(minutes_of_waiting),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(no_memory_for_a_thread),
        cmocka_unit_test(no_memory_for_a_channel),
        cmocka_unit_test(fault_in_native),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
