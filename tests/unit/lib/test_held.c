/* SPDX-License-Identifier: MIT */
/*
 * What a program left open and mapped is closed and unmapped, and nothing
 * else.
 */
#include "runtime/lib/support/held.h"

#include <errno.h>
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
    /* Pages of one mapping: three times three that were added, and two that
     * nobody has added; . = unmapped in the end. */
    static const char want[] = "...xxx...xx";
    size_t n = sizeof want - 1, i;
    struct held h;
    char *p;

    (void)state;
    p = mmap(NULL, n * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    held_init(&h);
    for (i = 0; i < 20; i++) /* others, so that the list grows */
        assert_true(held_add_map(&h, (char *)1, i));
    for (i = 0; i < 9; i += 3)
        assert_true(held_add_map(&h, p + i * page, 3 * page - 5));
    /* What is not just what was added stays. */
    assert_int_equal(held_unmap(&h, p, 3 * page), EINVAL);
    assert_int_equal(held_unmap(&h, p + page, 2 * page - 5), EINVAL);
    assert_int_equal(held_unmap(&h, p + 9 * page, page), EINVAL);
    for (i = 0; i < n; i++)
        assert_true(is_mapped(p + i * page));
    assert_int_equal(held_unmap(&h, p + 3 * page, 3 * page - 5), 0);
    for (i = 0; i < n; i++)
        assert_int_equal(is_mapped(p + i * page), i / 3 != 1);
    /* Somebody else's by now. */
    assert_ptr_equal(mmap(p + 3 * page, 3 * page, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
        p + 3 * page);
    assert_int_equal(held_unmap(&h, p + 3 * page, 3 * page - 5), EINVAL);
    /* What the kernel refuses is still the program's. */
    assert_int_equal(held_unmap(&h, (char *)1, 1), EINVAL);
    assert_int_equal(h.nmaps, 22);
    held_fini(&h);
    for (i = 0; i < n; i++)
        assert_int_equal(is_mapped(p + i * page), want[i] == 'x');
    munmap(p, n * page);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),
        cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
