/* SPDX-License-Identifier: MIT */
/* Text for a descriptor that takes some of it, is interrupted, or fails. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/vm/vm_int.h"

enum { OUT_FD = 1000 }; /* stands for the descriptor below */

ssize_t __real_write(int fd, const void *data, size_t n);
ssize_t __wrap_write(int fd, const void *data, size_t n);

static struct {
    char text[4096];
    size_t n, most; /* at most so much in one call */
    unsigned calls, interrupts, fails_at;
} out;

ssize_t
__wrap_write(int fd, const void *data, size_t n)
{
    if (fd != OUT_FD)
        return __real_write(fd, data, n);
    assert_true(n > 0);
    if (++out.calls == out.fails_at) {
        errno = EIO;
        return -1;
    }
    if (out.interrupts > 0) {
        out.interrupts--;
        errno = EINTR;
        return -1;
    }
    n = n < out.most ? n : out.most;
    assert_true(out.n + n <= sizeof out.text);
    memcpy(out.text + out.n, data, n);
    out.n += n;
    return (ssize_t)n;
}

static const char text[] = "one, two, three, four";

static void
write_text(size_t most, unsigned interrupts, unsigned fails_at)
{
    char buf[64];
    struct vm_out o = {OUT_FD, buf, 0, sizeof buf, NULL };

    memset(&out, 0, sizeof out);
    out.most = most;
    out.interrupts = interrupts;
    out.fails_at = fails_at;
    vm_out_bytes(&o, text, sizeof text - 1);
    assert_int_equal(out.calls, 0);
    vm_out_flush(&o);
    assert_int_equal(o.n, 0);
}

static void
test_parts(void **state)
{
    (void)state;
    for (size_t most = 1; most <= sizeof text; most++) {
        size_t calls = (sizeof text - 2) / most + 1;

        write_text(most, 0, 0);
        assert_int_equal(out.n, sizeof text - 1);
        assert_memory_equal(out.text, text, out.n);
        assert_int_equal(out.calls, calls);
    }
}

static void
test_interrupted(void **state)
{
    (void)state;
    write_text(5, 3, 0);
    assert_int_equal(out.n, sizeof text - 1);
    assert_memory_equal(out.text, text, out.n);
    assert_int_equal(out.calls, 3 + 5);
}

/* What cannot be written is not tried for ever. */
static void
test_fails(void **state)
{
    (void)state;
    write_text(5, 0, 3);
    assert_int_equal(out.n, 10);
    assert_memory_equal(out.text, text, out.n);
    assert_int_equal(out.calls, 3);
}

/* More than the buffer holds goes out in between; without a descriptor the
 * rest is left out. */
static void
test_room(void **state)
{
    char buf[8];
    struct vm_out o = {OUT_FD, buf, 0, sizeof buf, NULL };

    (void)state;
    memset(&out, 0, sizeof out);
    out.most = sizeof out.text;
    vm_out_bytes(&o, text, sizeof text - 1);
    vm_out_flush(&o);
    assert_int_equal(out.n, sizeof text - 1);
    assert_memory_equal(out.text, text, out.n);
    o.fd = -1;
    vm_out_bytes(&o, text, sizeof text - 1);
    vm_out_flush(&o);
    assert_int_equal(o.n, sizeof buf);
    assert_memory_equal(buf, text, sizeof buf);
}

/* The shortest digits, with an exponent where that is below -4 or above 5. */
static void
test_floats(void **state)
{
    static const struct {
        double x;
        const char *text;
        unsigned bits;
    } rows[] = {{0, "0", 64}, {1, "1", 64}, {-2.5, "-2.5", 64},
        {0.001, "0.001", 64}, {0.0001, "0.0001", 64},
        {0.00012, "0.00012", 64}, {0.00001, "1e-05", 64},
        {-0.0000123, "-1.23e-05", 64}, {100000, "100000", 64},
        {123456, "123456", 64}, {1000000, "1e+06", 64},
        {1234567, "1.234567e+06", 64},
        /* A digit is left out only where the number stays the same, of as many
         * bits as it has. */
        {0.1 + 0.2, "0.30000000000000004", 64}, {0.1, "0.1", 64},
        {0.1f, "0.10000000149011612", 64}, {0.1f, "0.1", 32},
        {16777217, "1.6777217e+07", 64}, {16777216, "1.6777216e+07", 32},
        /* Numbers below a power of two are nearer to it than those above; and
         * of two texts that are as near, Go's. */
        {0x1p90, "1.2379401e+27", 32}, {0x1p-44, "5.684341886080802e-14", 64},
        {-0x1p-12, "-0.00024414063", 32}, {-0.0, "-0", 64}};

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buf[64];
        struct vm_out o = {-1, buf, 0, sizeof buf, NULL };

        vm_out_float(&o, rows[i].x, rows[i].bits);
        buf[o.n] = '\0';
        assert_string_equal(buf, rows[i].text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_fails),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
