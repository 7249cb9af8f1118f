/* SPDX-License-Identifier: MIT */
/*
 * What a program left open and mapped is closed and unmapped, and nothing
 * else.
 */
#include "runtime/lib/support/held.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static bool
is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void
descriptors(void **state)
{
    struct held h;
    int i, fd[200], far;

    (void)state;
    held_init(&h);
    for (i = 0; i < 200; i++) {
        fd[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        assert_true(fd[i] >= 0);
        assert_true(held_add_fd(&h, fd[i]));
    }
    far = fcntl(fd[0], F_DUPFD_CLOEXEC, 900);
    assert_true(held_add_fd(&h, far));
    /* These were given back, and are somebody else's now. */
    held_drop_fd(&h, fd[3]);
    held_drop_fd(&h, fd[130]);
    held_drop_fd(&h, -1);
    held_drop_fd(&h, 1 << 20);
    held_fini(&h);
    for (i = 0; i < 200; i++)
        assert_int_equal(is_open(fd[i]), i == 3 || i == 130);
    assert_false(is_open(far));
    assert_true(is_open(1));
    close(fd[3]);
    close(fd[130]);
}

/* Whether the page at p is mapped. */
static bool
is_mapped(char *p)
{
    unsigned char v;

    return mincore(p, 1, &v) == 0;
}

static void
memory(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    /* Pages of one mapping: . = given back and mapped by somebody else. */
    static const char want[] = "xx.xx...xx";
    size_t n = sizeof want - 1, i;
    struct held h;
    char *p;

    (void)state;
    p = mmap(NULL, n * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    held_init(&h);
    for (i = 0; i < 20; i++) /* others, which are given back at once */
        assert_true(held_add_map(&h, (void *)((i + 1) * page), 1));
    assert_true(held_add_map(&h, p, 8 * page - 5));
    assert_true(held_add_map(&h, p + 8 * page, 2 * page));
    held_drop_map(&h, (void *)page, 20 * page);
    held_drop_map(&h, p + 2 * page, 1);         /* a hole */
    held_drop_map(&h, p + 7 * page, page);      /* an end */
    held_drop_map(&h, p + 5 * page, 2 * page);  /* the end that is left */
    assert_int_equal(h.nmaps, 3);
    held_fini(&h);
    for (i = 0; i < n; i++)
        assert_int_equal(is_mapped(p + i * page), want[i] == '.');
    munmap(p, n * page);
}

static void
beginnings(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct held h;
    char *p;

    (void)state;
    p = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    held_init(&h);
    assert_true(held_add_map(&h, p, 2 * page));
    held_drop_map(&h, p, page);
    held_fini(&h);
    assert_true(is_mapped(p));
    assert_false(is_mapped(p + page));
    munmap(p, page);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),
        cmocka_unit_test(memory),
        cmocka_unit_test(beginnings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
