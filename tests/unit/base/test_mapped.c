/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/mapped.h"
#include "runtime/base/thread.h"

enum { PAGE = 4096 };

/* A file of two pages, mapped, of which `left` bytes are left. */
static char *
mapped(long left)
{
    char page[PAGE];
    FILE *f = tmpfile();
    char *at;

    assert_non_null(f);
    memset(page, 'x', sizeof page);
    assert_int_equal(fwrite(page, PAGE, 1, f), 1);
    assert_int_equal(fwrite(page, PAGE, 1, f), 1);
    assert_int_equal(fflush(f), 0);
    at = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fileno(f), 0);
    assert_true(at != MAP_FAILED);
    assert_int_equal(ftruncate(fileno(f), left), 0);
    fclose(f);
    return at;
}

struct reading {
    const volatile char *at;
    int first, last;
    const void *inner; /* where a call within has failed */
    bool inner_whole;
    bool same;         /* are the signals blocked that were before? */
};

static void
read_pages(void *arg)
{
    struct reading *r = arg;

    r->first = r->at[0];
    r->last = r->at[2 * PAGE - 1];
}

static void
read_within(void *arg)
{
    struct reading *r = arg;

    r->inner_whole = rt_mapped_call(read_pages, r, &r->inner);
    r->last = r->at[PAGE];
}

static void
test_whole(void **state)
{
    struct reading r = {.at = mapped(2 * PAGE)};
    const void *where = NULL;

    (void)state;
    assert_true(rt_mapped_call(read_pages, &r, &where));
    assert_int_equal(r.last, 'x');
    assert_null(where);
}

static void
test_cut(void **state)
{
    struct reading r = {.at = mapped(100)};
    const void *where = NULL;

    (void)state;
    for (int i = 0; i < 3; i++) {
        r.first = r.last = 0;
        assert_false(rt_mapped_call(read_pages, &r, &where));
        assert_int_equal(r.first, 'x');
        assert_int_equal(r.last, 0);
        assert_ptr_equal(where, r.at + 2 * PAGE - 1);
    }
}

static void
test_nested(void **state)
{
    struct reading r = {.at = mapped(100)};
    const void *where = NULL;

    (void)state;
    assert_false(rt_mapped_call(read_within, &r, &where));
    assert_false(r.inner_whole);
    assert_ptr_equal(r.inner, r.at + 2 * PAGE - 1);
    assert_ptr_equal(where, r.at + PAGE);
}

static void
call_cut(void *arg)
{
    const void *where = NULL;

    assert_false(rt_mapped_call(read_pages, arg, &where));
}

/* Where the signal is blocked it stays so. */
static void
check_thread(void *arg)
{
    struct reading *r = arg;
    sigset_t bus, before, now;

    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &bus, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    call_cut(arg);
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    r->same = true;
    for (int i = 1; i < NSIG; i++)
        r->same &= sigismember(&before, i) == sigismember(&now, i);
}

static void
test_thread(void **state)
{
    struct reading r = {.at = mapped(100)};
    struct sigaction before, after;
    struct rt_thread t;

    (void)state;
    sigaction(SIGBUS, NULL, &before);
    assert_int_equal(
        rt_thread_start(&t, check_thread, &r, 0, "reader", NULL), RT_OK);
    rt_thread_join(&t);
    sigaction(SIGBUS, NULL, &after);
    assert_true(r.same);
    assert_ptr_equal((void *)before.sa_handler, (void *)after.sa_handler);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
