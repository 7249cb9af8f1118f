/* SPDX-License-Identifier: MIT */
/*
 * The compiler's thread of the background: it does what it is handed, also when
 * it has gone to sleep meanwhile; who waits for it is woken; and it ends in the
 * midst of its work.  A wake-up that is lost is a test that does not end.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/jit/jit_int.h"

/* Long enough for another thread to fall asleep, as a rule: where it has not,
 * there is less to see. */
static void
pause_a_bit(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
}

static struct jit *
new_jit(void)
{
    struct jit *jit = calloc(1, sizeof *jit);

    assert_non_null(jit);
    return jit;
}

static void
hand_over(struct jit *jit, void (*fn)(struct jit *jit))
{
    /* acq: what the thread has written before. */
    while (!a32_cas_acq(&jit->busy, 0, 1))
        sched_yield();
    assert_true(jit_later(jit, fn));
}

static void
slowly(struct jit *jit)
{
    assert_int_equal(a32_load_rlx(&jit->busy), 1);
    pause_a_bit();
    jit->nfuncs++;
}

static void
each_is_done_and_waited_for(void **state)
{
    struct jit *jit = new_jit();

    (void)state;
    for (uint32_t i = 1; i <= 4; i++) {
        hand_over(jit, slowly);
        jit_later_wait(jit);
        assert_int_equal(jit->nfuncs, i);
        assert_int_equal(jit->nlater, i);
        pause_a_bit();
    }
    jit_later_wait(jit); /* for nothing */
    jit_later_end(jit);
    jit_later_end(jit); /* again: nothing */
    free(jit);
}

/* Until the end, which it must be told of. */
static void
without_end(struct jit *jit)
{
    while (!jit_later_ends(jit))
        sched_yield();
    jit->nrefused++;
}

static void
it_ends_in_the_midst(void **state)
{
    struct jit *jit = new_jit();

    (void)state;
    hand_over(jit, without_end);
    pause_a_bit();
    assert_false(jit_later_ends(jit));
    jit_later_end(jit);
    assert_int_equal(jit->nrefused, 1);
    free(jit);
}

static void
it_ends_asleep(void **state)
{
    struct jit *jit = new_jit();

    (void)state;
    hand_over(jit, slowly);
    jit_later_wait(jit);
    pause_a_bit();
    jit_later_end(jit);
    free(jit);
}

static void
one_that_was_never_asked(void **state)
{
    struct jit *jit = new_jit();

    (void)state;
    jit_later_wait(jit);
    jit_later_end(jit);
    assert_false(jit_later_ends(jit));
    free(jit);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_done_and_waited_for),
        cmocka_unit_test(it_ends_in_the_midst),
        cmocka_unit_test(it_ends_asleep),
        cmocka_unit_test(one_that_was_never_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
