/* SPDX-License-Identifier: MIT */
/* Locks, notes, throws, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/cstack.h"
#include "runtime/base/futex.h"
#include "runtime/base/lock.h"
#include "runtime/base/note.h"
#include "runtime/base/thread.h"
#include "runtime/base/throw.h"

/* Runs fn in a child process that must die of a throw; what it printed goes
 * to out. */
static void
expect_throw(void (*fn)(void), char *out, size_t size)
{
    int fd[2];
    int status;
    size_t n = 0;
    ssize_t r;

    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fd[1], STDERR_FILENO);
        fn();
        _exit(0);
    }
    close(fd[1]);
    while (n + 1 < size && (r = read(fd[0], out + n, size - 1 - n)) > 0)
        n += (size_t)r;
    out[n] = '\0';
    close(fd[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void
throw_plainly(void)
{
    rt_throw("all is lost");
}

static void
hook(void)
{
    rt_printerr("goroutines come here\n");
}

static void
throw_with_values(void)
{
    rt_throw_set_hook(hook);
    rt_throwf("value %d", 42);
}

static void
a_throw_tells_why_and_where(void **state)
{
    char out[8192];

    (void)state;
    expect_throw(throw_plainly, out, sizeof out);
    assert_ptr_equal(strstr(out, "fatal error: vole: all is lost\n"), out);
    assert_non_null(strstr(out, "\nnative stack:\n\t"));
    assert_non_null(strstr(out, "main+0x"));
    expect_throw(throw_with_values, out, sizeof out);
    assert_ptr_equal(strstr(out, "fatal error: vole: value 42\n"), out);
    assert_non_null(strstr(out, "goroutines come here\n"));
}

static void
break_check(void)
{
    volatile int one = 1;

    rt_check(one == 1, "wrong");
    rt_check(one == 2, "right");
}

static void
unlock_free(void)
{
    struct rt_lock l;

    rt_lock_init(&l, RANK_LEAF);
    rt_unlock(&l);
}

static void
signal_twice(void)
{
    struct rt_note n;

    rt_note_clear(&n);
    rt_note_wakeup(&n);
    rt_note_wakeup(&n);
}

/* A number that the kernel would take for one. */
static void
wake_too_many(void)
{
    a_u32 a = A_INIT(0);

    rt_futex_wake(&a, UINT32_MAX);
}

static void
misuse_throws(void **state)
{
    char out[8192];

    (void)state;
    expect_throw(break_check, out, sizeof out);
    assert_non_null(strstr(out, "vole: right\n"));
    expect_throw(unlock_free, out, sizeof out);
    assert_non_null(strstr(out, "unlock of "));
    expect_throw(signal_twice, out, sizeof out);
    assert_non_null(strstr(out, "note signalled twice"));
    expect_throw(wake_too_many, out, sizeof out);
}

#if VOLE_LOCKRANK
static void
take_wrong_order(void)
{
    struct rt_lock outer, inner;

    rt_lock_init(&outer, RANK_SCHED);
    rt_lock_init(&inner, RANK_GC_HEAP);
    rt_lock(&inner);
    rt_lock(&outer);
}

static void
take_channels_down(void)
{
    struct rt_lock l[2];

    rt_lock_init(&l[0], RANK_CHAN);
    rt_lock_init(&l[1], RANK_CHAN);
    rt_lock(&l[1]);
    rt_lock(&l[0]);
}

static void
take_twice(void)
{
    struct rt_lock a, b;

    rt_lock_init(&a, RANK_SCHED);
    rt_lock_init(&b, RANK_SCHED);
    rt_lock(&a);
    rt_lock(&b);
}
#endif

static void
ranks_are_checked(void **state)
{
    (void)state;
#if VOLE_LOCKRANK
    char out[8192];
    struct rt_lock l[3];

    expect_throw(take_wrong_order, out, sizeof out);
    assert_non_null(strstr(out, "taking SCHED "));
    assert_non_null(strstr(out, " under GC_HEAP "));
    assert_non_null(strstr(out, "lock ordering problem"));
    expect_throw(take_channels_down, out, sizeof out);
    assert_non_null(strstr(out, "taking CHAN "));
    expect_throw(take_twice, out, sizeof out);
    assert_non_null(strstr(out, "taking SCHED "));
    rt_lock_init(&l[0], RANK_CHAN);
    rt_lock_init(&l[1], RANK_CHAN);
    rt_lock_init(&l[2], RANK_GC_HEAP);
    rt_assert_no_locks();
    rt_lock(&l[0]);
    rt_lock(&l[1]);
    rt_lock(&l[2]);
    rt_assert_held(&l[1]);
    rt_unlock(&l[0]);
    rt_unlock(&l[2]);
    /* A lock that is only tried may be of any rank. */
    rt_lock(&l[2]);
    assert_true(rt_trylock(&l[0]));
    rt_unlock(&l[0]);
    rt_unlock(&l[2]);
    rt_unlock(&l[1]);
    rt_assert_no_locks();
#else
    assert_string_equal(rt_lockrank_name(RANK_GC_HEAP), "GC_HEAP");
    assert_string_equal(rt_lockrank_name(RANK_COUNT), "?");
#endif
}

enum { THREADS = 4, ROUNDS = 20000 };

struct shared {
    struct rt_lock lock;
    uint64_t plain; /* guarded by lock: two words that must agree */
    uint64_t twin;
    a_u32 tried;
    bool torn;
};

static void
hammer(void *arg)
{
    struct shared *s = arg;

    for (int i = 0; i < ROUNDS; i++) {
        if (i % 3 == 0) {
            if (!rt_trylock(&s->lock)) {
                a32_add_rlx(&s->tried, 1);
                rt_lock(&s->lock);
            }
        } else {
            rt_lock(&s->lock);
        }
        if (s->plain != s->twin)
            s->torn = true;
        s->plain++;
        s->twin++;
        rt_unlock(&s->lock);
    }
}

static void
a_lock_excludes(void **state)
{
    struct shared s = { .plain = 0 };
    struct rt_thread t[THREADS];

    (void)state;
    rt_lock_init(&s.lock, RANK_LEAF);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(rt_thread_start(&t[i], hammer, &s, 0, "hammer",
            NULL), RT_OK);
    for (int i = 0; i < THREADS; i++)
        rt_thread_join(&t[i]);
    assert_int_equal(s.plain, THREADS * ROUNDS);
    assert_false(s.torn);
    rt_lock(&s.lock);
    assert_false(rt_trylock(&s.lock));
    rt_unlock(&s.lock);
}

struct pong {
    struct rt_note a, b;
    int value; /* passes through the notes */
};

static void
answer(void *arg)
{
    struct pong *p = arg;

    for (int i = 0; i < 1000; i++) {
        rt_note_sleep(&p->a);
        rt_note_clear(&p->a);
        p->value++;
        rt_note_wakeup(&p->b);
    }
}

static void
notes_pass_the_ball(void **state)
{
    struct pong p = { .value = 0 };
    struct rt_thread t;

    (void)state;
    rt_note_clear(&p.a);
    rt_note_clear(&p.b);
    assert_int_equal(rt_thread_start(&t, answer, &p, 0, "answer", NULL),
        RT_OK);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(p.value, i);
        rt_note_wakeup(&p.a);
        if (i % 2)
            rt_note_sleep(&p.b);
        else
            assert_true(rt_note_tsleep(&p.b, 60000000000));
        rt_note_clear(&p.b);
    }
    rt_thread_join(&t);
}

static void
a_note_times_out(void **state)
{
    struct rt_note n;

    (void)state;
    rt_note_clear(&n);
    int64_t t0 = rt_nanotime();
    assert_false(rt_note_tsleep(&n, 3000000));
    assert_true(rt_nanotime() - t0 >= 3000000);
    assert_false(rt_note_tsleep(&n, 0));
    rt_note_wakeup(&n);
    assert_true(rt_note_tsleep(&n, 0));
    assert_true(rt_note_tsleep(&n, -1));
    assert_true(rt_note_done(&n));
}

static void
stacks_have_frames(void **state)
{
    uintptr_t pcs[32];

    (void)state;
    int n = rt_cstack_capture(pcs, 32, 0);
    assert_in_range(n, 2, 32);
    for (int i = 0; i < n; i++)
        assert_int_not_equal(pcs[i], 0);
    assert_int_equal(rt_cstack_capture(pcs, 1, 0), 1);
    uintptr_t first = pcs[0];
    /* This very function, not the unwinder. */
    assert_in_range(first, (uintptr_t)stacks_have_frames,
        (uintptr_t)stacks_have_frames + 4096);
}

static void
atomics_return_what_they_promise(void **state)
{
    a_u32 a = A_INIT(5);
    a_i64 b = A_INIT((AO_t)-3);
    a_ptr p = A_INIT(0);
    a_bool8 c = A_INIT(0);
    int x;

    (void)state;
    assert_int_equal(a32_add_full(&a, 3), 5);
    assert_int_equal(a32_or_full(&a, 16), 8);
    assert_int_equal(a32_and_full(&a, 16), 24);
    assert_int_equal(a32_swap_full(&a, 1), 16);
    assert_false(a32_cas_full(&a, 2, 3));
    assert_true(a32_cas_acq(&a, 1, 3));
    assert_int_equal(ai64_add_rlx(&b, -4), -3);
    assert_int_equal(ai64_load_acq(&b), -7);
    assert_true(aptr_cas_rel(&p, NULL, &x));
    assert_ptr_equal(aptr_swap_full(&p, NULL), &x);
    assert_int_equal(a8_or_full(&c, 1), 0);
    assert_true(a8_cas_full(&c, 1, 0));
    a8_store_rel(&c, 7);
    assert_int_equal(a8_load_acq(&c), 7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_return_what_they_promise),
        cmocka_unit_test(a_throw_tells_why_and_where),
        cmocka_unit_test(misuse_throws),
        cmocka_unit_test(ranks_are_checked),
        cmocka_unit_test(a_lock_excludes),
        cmocka_unit_test(notes_pass_the_ball),
        cmocka_unit_test(a_note_times_out),
        cmocka_unit_test(stacks_have_frames)
    };

    return cmocka_run_group_tests_name("base/lock", tests, NULL, NULL);
}
