/* SPDX-License-Identifier: MIT */
/*
 * The writers of profiles.  With the arguments "write DIR" it writes one file
 * of each kind there for wire_test.py, which has them read by the real Go.
 */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "profile/wire/count.h"
#include "profile/wire/pb.h"
#include "profile/wire/pprof.h"
#include "profile/wire/tab.h"
#include "profile/wire/text.h"

/* ---- a program of a few functions ---------------------------------------- */

/* Word: function * 0x100 + line; functions below 3 are the runtime's. */
static bool
symbolize(void *arg, uint64_t pc, struct wire_frame *f)
{
    static const char *const names[] = { "?", "runtime.mallocgc",
        "runtime.goexit", "main.main", "main.worker",
        "main.(*T).method", "main.größe" };
    uint64_t fn = pc >> 8;

    (void)arg;
    f->addr = 0x400000 + pc;
    f->entry = 0x400000 + (fn << 8);
    if (fn == 0 || fn >= sizeof names / sizeof *names)
        return false;
    f->func = names[fn];
    f->file = fn < 3 ? "runtime/x.go" : "/src/prog.go";
    f->line = (uint32_t)(pc & 0xff);
    f->start_line = fn < 3 ? 0 : 1;
    return true;
}

static const struct wire_syms syms = { symbolize, NULL, "/src/prog.go" };

#define FN(f, line) ((uint64_t)(f) << 8 | (line))

static const uint64_t deep[] = { FN(1, 9), FN(4, 20), FN(3, 30) };
static const uint64_t flat[] = { FN(5, 11), FN(3, 31) };
static const uint64_t utf8[] = { FN(6, 5), FN(2, 1) };
static const uint64_t dark[] = { FN(99, 1), FN(3, 32) };
static const uint64_t only_runtime[] = { FN(1, 8), FN(2, 2) };

#define STACK(a) { a, sizeof a / sizeof *a }

/* ---- protocol buffers -------------------------------------------------------- */

static void
check_bytes(struct wire_buf *b, const char *want, size_t n)
{
    assert_false(b->failed);
    assert_int_equal(b->n, n);
    assert_memory_equal(b->data, want, n);
    wire_buf_free(b);
}

static void
messages_are_encoded_as_the_format_says(void **state)
{
    struct wire_buf b = { 0 };
    const uint64_t u[] = { 1, 300, 0 };
    const int64_t i[] = { -1, 5 };

    (void)state;
    wire_pb_u64(&b, 1, 0);
    wire_pb_u64(&b, 1, 150);
    wire_pb_i64(&b, 2, -2);
    wire_pb_bool(&b, 3, true);
    wire_pb_bool(&b, 3, false);
    check_bytes(&b, "\x08\x96\x01"
        "\x10\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x18\x01", 16);
    wire_pb_bytes(&b, 6, "", 0);
    wire_pb_bytes(&b, 16, "ab", 2);
    check_bytes(&b, "\x32\x00\x82\x01\x02" "ab", 7);
    wire_pb_packed_u64(&b, 1, u, 3);
    wire_pb_packed_i64(&b, 2, i, 2);
    wire_pb_packed_i64(&b, 2, i, 0);
    check_bytes(&b, "\x0a\x04\x01\xac\x02\x00"
        "\x12\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05", 19);
    size_t outer = wire_pb_begin(&b, 1), inner;
    wire_pb_u64(&b, 1, 1);
    inner = wire_pb_begin(&b, 2);
    wire_pb_u64(&b, 1, 2);
    wire_pb_end(&b, inner);
    wire_pb_end(&b, outer);
    check_bytes(&b, "\x0a\x06\x08\x01\x12\x02\x08\x02", 8);
    /* A length that takes two bytes moves what it counts. */
    outer = wire_pb_begin(&b, 1);
    for (int k = 0; k < 100; k++)
        wire_pb_u64(&b, 1, 1);
    wire_pb_end(&b, outer);
    assert_int_equal(b.n, 203);
    assert_memory_equal(b.data, "\x0a\xc8\x01\x08\x01\x08", 6);
    wire_buf_free(&b);
}

static void
gzip_can_be_read_back(void **state)
{
    enum { N = 300000 };
    uint8_t *in = malloc(N), *out = malloc(N + 1);
    struct wire_buf z = { 0 };
    z_stream zs;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        in[i] = (uint8_t)((i * 2654435761u) >> (24 + i % 8));
    assert_int_equal(wire_gzip(&z, in, N), RT_OK);
    assert_memory_equal(z.data, "\x1f\x8b", 2);
    memset(&zs, 0, sizeof zs);
    assert_int_equal(inflateInit2(&zs, MAX_WBITS + 16), Z_OK);
    zs.next_in = z.data;
    zs.avail_in = (unsigned)z.n;
    zs.next_out = out;
    zs.avail_out = N + 1;
    assert_int_equal(inflate(&zs, Z_FINISH), Z_STREAM_END);
    assert_int_equal(zs.total_out, N);
    assert_memory_equal(in, out, N);
    inflateEnd(&zs);
    wire_buf_free(&z);
    /* Nothing is a file too. */
    assert_int_equal(wire_gzip(&z, NULL, 0), RT_OK);
    assert_true(z.n > 10);
    wire_buf_free(&z);
    free(in);
    free(out);
}

/* ---- scaling -------------------------------------------------------------------- */

static void
samples_are_scaled(void **state)
{
    int64_t o = 14, b = 1490944;

    (void)state;
    wire_scale_heap(&o, &b, 524288);
    assert_int_equal(o, 76);
    assert_int_equal(b, 8110723);
    o = 3, b = 48;
    wire_scale_heap(&o, &b, 1);
    assert_int_equal(o, 3);
    assert_int_equal(b, 48);
    o = 3, b = 0;
    wire_scale_heap(&o, &b, 524288);
    assert_int_equal(o, 0);
    o = 0, b = 3;
    wire_scale_heap(&o, &b, 524288);
    assert_int_equal(b, 0);
}

/* ---- columns: what Go's text/tabwriter makes of the same ------------------------ */

static void
columns_are_gos(void **state)
{
    struct wire_tab t = { 0 };

    (void)state;
    wire_tabf(&t, "heap profile: %d: 2\n1 @ 0x1 0x2\n", 1);
    wire_tabf(&t, "#\t0x1\tmain.f+0x1\t/src/p.go:10\n");
    wire_tabf(&t,
        "#\t0x123456\tmain.(*T).veryLongName.func1+0x10\t/src/q.go:7\n");
    wire_tabf(&t, "#\t0x99\n");
    wire_tabf(&t, "#\t0x2\tmain.größe+0x12345678\t");
    wire_tabf(&t, "/src/größe.go:1\n#\t0x3\tmain.g+0x0\t/src/p.go:1\n");
    wire_tabf(&t, "\n");
    wire_tabf(&t, "a\tb\tc\naaaaaaa\tb\naaaaaaaa\tbbbbbbbbb\tc\td\n");
    wire_tabf(&t, "\t\tx\nplain\nx\ty\n");
    assert_true(wire_tab_flush(&t));
    wire_buf_put(&t.out, "", 1);
    assert_string_equal((char *)t.out.data,
        "heap profile: 1: 2\n"
        "1 @ 0x1 0x2\n"
        "#\t0x1\t\tmain.f+0x1\t\t\t\t/src/p.go:10\n"
        "#\t0x123456\tmain.(*T).veryLongName.func1+0x10\t/src/q.go:7\n"
        "#\t0x99\n"
        "#\t0x2\tmain.größe+0x12345678\t/src/größe.go:1\n"
        "#\t0x3\tmain.g+0x0\t\t/src/p.go:1\n"
        "\n"
        "a\t\tb\tc\n"
        "aaaaaaa\t\tb\n"
        "aaaaaaaa\tbbbbbbbbb\tc\td\n"
        "\t\t\t\tx\n"
        "plain\n"
        "x\ty\n");
    wire_tab_free(&t);
}

/* ---- the profiles ------------------------------------------------------------------ */

static const struct wire_heap heap[] = {
    { STACK(deep), 14, 1490944, 4, 425984 },
    { STACK(flat), 3, 3 << 20, 0, 0 },
    { STACK(utf8), 5, 80, 5, 80 },
    { STACK(dark), 1, 1000, 0, 0 },
    { STACK(only_runtime), 2, 64, 0, 0 },
};

static const struct wire_label labels[] = {
    { "k\"ey", "v\\al\n", 0, NULL }, { "z", "größe", 0, NULL }
};

static const struct wire_count count[] = {
    { STACK(flat), NULL, 0 },
    { STACK(deep), labels, 2 },
    { STACK(flat), NULL, 0 },
    { STACK(deep), labels, 1 },
    { STACK(flat), NULL, 0 },
    { STACK(deep), labels, 2 },
};

static const struct wire_cycles cycles[] = {
    { STACK(flat), 3, 3000 }, { STACK(deep), 1, 5000000000 }
};

static const struct wire_timed cpu[] = {
    { STACK(flat), NULL, 0, NULL, 7 }, { STACK(deep), labels, 2, NULL, 5 }
};

static const struct wire_timed wall[] = {
    { STACK(flat), NULL, 0, "chan receive", 9 },
    { STACK(deep), labels, 2, "running", 4 }
};

static uint64_t pauses[256] = { 1, 2 };

static struct wire_memstats
memstats(void)
{
    struct wire_memstats m = { .alloc = 1, .total_alloc = 2, .sys = 3,
        .lookups = 4, .mallocs = 5, .frees = 6, .heap_alloc = 7,
        .heap_sys = 8, .heap_idle = 9, .heap_inuse = 10,
        .heap_released = 11, .heap_objects = 12, .stack_inuse = 13,
        .stack_sys = 14, .mspan_inuse = 15, .mspan_sys = 16,
        .mcache_inuse = 17, .mcache_sys = 18, .buck_hash_sys = 19,
        .gc_sys = 20, .other_sys = 21, .next_gc = 22, .last_gc = 23,
        .num_gc = 24, .num_forced_gc = 25, .gc_cpu_fraction = 0.00012345,
        .max_rss = 26 };

    m.pause_ns = m.pause_end = pauses;
    return m;
}

#define N(a) (sizeof a / sizeof *a)

static enum rt_status
write_kind(const char *kind, const struct wire_sink *s)
{
    struct wire_memstats m = memstats();

    if (strcmp(kind, "heap") == 0)
        return wire_write_heap(s, &syms, heap, N(heap), 524288, false, 1);
    if (strcmp(kind, "allocs") == 0)
        return wire_write_heap(s, &syms, heap, N(heap), 1, true, 1);
    if (strcmp(kind, "goroutine") == 0)
        return wire_write_count(s, &syms, kind, count, N(count), 1);
    if (strcmp(kind, "block") == 0)
        return wire_write_cycles(s, &syms, cycles, N(cycles), 1000000, 1);
    if (strcmp(kind, "cpu") == 0)
        return wire_write_timed(s, &syms, kind, cpu, N(cpu), 10000000,
            1700000000000000000, 1500000000);
    if (strcmp(kind, "wall") == 0)
        return wire_write_timed(s, &syms, kind, wall, N(wall), 10000000,
            1700000000000000000, 5);
    if (strcmp(kind, "empty") == 0)
        return wire_write_timed(s, &syms, "cpu", cpu, 0, 10000000, 1, 1);
    if (strcmp(kind, "heap.txt") == 0)
        return wire_text_heap(s, &syms, heap, N(heap), 524288, &m);
    if (strcmp(kind, "goroutine.txt") == 0)
        return wire_text_count(s, &syms, "goroutine", count, N(count));
    if (strcmp(kind, "block.txt") == 0)
        return wire_text_cycles(
            s, &syms, "contention", cycles, N(cycles), 1000000, 1);
    assert_string_equal(kind, "mutex.txt");
    return wire_text_cycles(
        s, &syms, "mutex", cycles, N(cycles), 1000000, 7);
}

static const char *const kinds[] = { "heap", "allocs", "goroutine", "block",
    "cpu", "wall", "empty", "heap.txt", "goroutine.txt", "block.txt",
    "mutex.txt" };

static char *
text_of(const char *kind)
{
    struct wire_buf b = { 0 };
    struct wire_sink s = wire_buf_sink(&b);

    assert_int_equal(write_kind(kind, &s), RT_OK);
    wire_buf_put(&b, "", 1);
    return (char *)b.data;
}

static void
texts_have_gos_form(void **state)
{
    char *s = text_of("goroutine.txt");

    (void)state;
    assert_string_equal(s,
        "goroutine profile: total 6\n"
        "3 @ 0x40050c 0x400320\n"
        "#\t0x40050b\tmain.(*T).method+0xb\t/src/prog.go:11\n"
        "#\t0x40031f\tmain.main+0x1f\t\t/src/prog.go:31\n"
        "\n"
        "2 @ 0x40010a 0x400415 0x40031f\n"
        "# labels: {\"k\\\"ey\":\"v\\\\al\\n\", \"z\":\"größe\"}\n"
        "#\t0x400414\tmain.worker+0x14\t/src/prog.go:20\n"
        "#\t0x40031e\tmain.main+0x1e\t\t/src/prog.go:30\n"
        "\n"
        "1 @ 0x40010a 0x400415 0x40031f\n"
        "# labels: {\"k\\\"ey\":\"v\\\\al\\n\"}\n"
        "#\t0x400414\tmain.worker+0x14\t/src/prog.go:20\n"
        "#\t0x40031e\tmain.main+0x1e\t\t/src/prog.go:30\n"
        "\n");
    free(s);
    s = text_of("mutex.txt");
    assert_string_equal(s,
        "--- mutex:\n"
        "cycles/second=1000000\n"
        "sampling period=7\n"
        "5000000000 1 @ 0x40010a 0x400415 0x40031f\n"
        "#\t0x400109\truntime.mallocgc+0x9\truntime/x.go:9\n"
        "#\t0x400414\tmain.worker+0x14\t/src/prog.go:20\n"
        "#\t0x40031e\tmain.main+0x1e\t\t/src/prog.go:30\n"
        "\n"
        "3000 3 @ 0x40050c 0x400320\n"
        "#\t0x40050b\tmain.(*T).method+0xb\t/src/prog.go:11\n"
        "#\t0x40031f\tmain.main+0x1f\t\t/src/prog.go:31\n"
        "\n");
    free(s);
    s = text_of("block.txt");
    assert_memory_equal(s, "--- contention:\ncycles/second=1000000\n5", 39);
    free(s);
}

static void
the_heap_text_has_gos_form(void **state)
{
    char *s = text_of("heap.txt"), *stats;

    (void)state;
    static const char head[] =
        "heap profile: 16: 4211752 [25: 4637816] @ heap/1048576\n"
        "3: 3145728 [3: 3145728] @ 0x40050c 0x400320\n"
        "#\t0x40050b\tmain.(*T).method+0xb\t/src/prog.go:11\n"
        "#\t0x40031f\tmain.main+0x1f\t\t/src/prog.go:31\n"
        "\n"
        "10: 1064960 [14: 1490944] @ 0x40010a 0x400415 0x40031f\n"
        "#\t0x400414\tmain.worker+0x14\t/src/prog.go:20\n"
        "#\t0x40031e\tmain.main+0x1e\t\t/src/prog.go:30\n"
        "\n"
        "1: 1000 [1: 1000] @ 0x406302 0x400321\n"
        "#\t0x406301\n"
        "#\t0x400320\tmain.main+0x20\t/src/prog.go:32\n"
        "\n"
        "2: 64 [2: 64] @ 0x400109 0x400203\n"
        "#\t0x400108\truntime.mallocgc+0x8\truntime/x.go:8\n"
        "\n"
        "0: 0 [5: 80] @ 0x400606 0x400202\n"
        "#\t0x400605\tmain.größe+0x5\t/src/prog.go:5\n"
        "\n";
    assert_memory_equal(s, head, sizeof head - 1);
    stats = s + sizeof head - 1;
    assert_memory_equal(
        stats, "\n# runtime.MemStats\n# Alloc = 1\n# TotalAlloc = 2\n", 49);
    assert_non_null(strstr(stats, "\n# HeapObjects = 12\n# Stack = 13 / 14\n"
        "# MSpan = 15 / 16\n# MCache = 17 / 18\n# BuckHashSys = 19\n"
        "# GCSys = 20\n# OtherSys = 21\n# NextGC = 22\n# LastGC = 23\n"
        "# PauseNs = [1 2 0 0 "));
    assert_non_null(strstr(stats, " 0]\n# NumGC = 24\n# NumForcedGC = 25\n"
        "# GCCPUFraction = 0.00012345\n# DebugGC = false\n# MaxRSS = 26\n"));
    free(s);
}

static void
equal_stacks_are_counted_together(void **state)
{
    struct wire_group *g;
    size_t n;

    (void)state;
    assert_int_equal(wire_group(count, N(count), &g, &n), RT_OK);
    assert_int_equal(n, 3);
    assert_int_equal(g[0].count, 3);
    assert_ptr_equal(g[0].of, &count[0]);
    assert_int_equal(g[1].count, 2);
    assert_int_equal(g[2].count, 1);
    free(g);
    assert_int_equal(wire_group(count, 0, &g, &n), RT_OK);
    assert_int_equal(n, 0);
    free(g);
}

/* ---- sinks that fail ------------------------------------------------------------------ */

static bool
refuse(void *arg, const void *data, size_t n)
{
    (void)arg;
    (void)data;
    (void)n;
    return false;
}

static void
a_sink_that_fails_is_reported(void **state)
{
    struct wire_sink s = { refuse, NULL };

    (void)state;
    for (size_t i = 0; i < N(kinds); i++)
        assert_int_equal(write_kind(kinds[i], &s), RT_EIO);
}

/* ---- for wire_test.py --------------------------------------------------------------------- */

static int
write_files(const char *dir)
{
    for (size_t i = 0; i < N(kinds); i++) {
        struct wire_buf b = { 0 };
        struct wire_sink s = wire_buf_sink(&b);
        char path[4096];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", dir, kinds[i]);
        if (write_kind(kinds[i], &s) != RT_OK ||
            (f = fopen(path, "w")) == NULL)
            return 1;
        fwrite(b.data, 1, b.n, f);
        if (fclose(f) != 0)
            return 1;
        wire_buf_free(&b);
    }
    return 0;
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_encoded_as_the_format_says),
        cmocka_unit_test(gzip_can_be_read_back),
        cmocka_unit_test(samples_are_scaled),
        cmocka_unit_test(columns_are_gos),
        cmocka_unit_test(texts_have_gos_form),
        cmocka_unit_test(the_heap_text_has_gos_form),
        cmocka_unit_test(equal_stacks_are_counted_together),
        cmocka_unit_test(a_sink_that_fails_is_reported),
    };
    if (argc == 3 && strcmp(argv[1], "write") == 0)
        return write_files(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
