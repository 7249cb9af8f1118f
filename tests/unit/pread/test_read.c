/* SPDX-License-Identifier: MIT */
/* The profile reader: units, expressions, paths, decoding, merging, trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/read/gunzip.h"
#include "profile/read/pmerge.h"
#include "profile/read/pregex.h"
#include "profile/read/preport.h"
#include "profile/read/psource.h"
#include "profile/read/ptag.h"
#include "profile/read/ptree.h"
#include "profile/read/punit.h"

/* ---- units */

static void
labels_scale_like_pprofs(void **state)
{
    static const struct {
        int64_t v;
        const char *from, *to, *want;
    } rows[] = {
        {0, "nanoseconds", "auto", "0"}, {1, "count", "auto", "1"},
        {1500, "nanoseconds", "auto", "1.50us"},
        {999, "ns", "auto", "999ns"}, {60000000000, "ns", "auto", "60s"},
        {7200, "seconds", "auto", "2hrs"}, {-1500, "ms", "auto", "-1.50s"},
        {1024, "bytes", "auto", "1kB"}, {1023, "byte", "auto", "1023B"},
        {1 << 20, "Bytes", "kB", "1024kB"}, {10, "bytes", "ms", "10B"},
        {5, "parsecs", "auto", "5"}, {5, "parsecs", "parsecs", "5parsecs"},
        {1, "kilobytes", "MB", "0"}, {3, "GCU", "auto", "3GCU"},
        {INT64_MIN, "count", "auto", "-9223372036854775808"},
    };
    char buf[PUNIT_TEXT];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(punit_label(buf, rows[i].v, rows[i].from,
            rows[i].to), rows[i].want);
}

static void
percentages_have_two_digits_at_least(void **state)
{
    char buf[PUNIT_TEXT];

    (void)state;
    assert_string_equal(punit_percent(buf, 1, 3), "33.33%");
    assert_string_equal(punit_percent(buf, 1, 1000), "  0.1%");
    assert_string_equal(punit_percent(buf, 1, 1000000), "0.0001%");
    assert_string_equal(punit_percent(buf, 9996, 10000), "  100%");
    assert_string_equal(punit_percent(buf, -1, 2), "50.00%");
    assert_string_equal(punit_percent(buf, 5, 0), "    0%");
}

/* ---- expressions */

static void
regexes_are_gos(void **state)
{
    static const struct {
        const char *re, *text;
        int want; /* 1 matches, 0 does not, -1 is refused */
    } rows[] = {
        {"main\\.f", "main.f", 1}, {"main\\.f", "mainxf", 0},
        {"^a|b$", "ab", 1}, {"a+?b", "aab", 1}, {"(?:ab)+c", "ababc", 1},
        {"(?i)MAIN", "main.f", 1}, {"MAIN", "main.f", 0},
        {"\\d+", "f12", 1}, {"\\d+", "f", 0}, {"\\D", "12", 0},
        {"[\\d.]+$", "1.2", 1}, {"^[\\w.]+$", "a_b.c9", 1},
        {"^[^\\w]$", "-", 1}, {"[\\]]", "]", 1}, {"[\\]]", "\\", 0},
        {"[]]", "]", 1}, {"[\\^]", "^", 1}, {"[\\^]", "a", 0},
        {"[\\^\\-]", "-", 1}, {"[a\\-z]", "-", 1}, {"[a\\-z]", "m", 0},
        {"\\bf\\b", "a f b", 1}, {"\\bf\\b", "of", 0},
        {"\\Qa.b\\E", "a.b", 1}, {"\\Qa.b\\E", "axb", 0},
        {"x{2,3}", "xx", 1}, {"x{3}", "xx", 0}, {"{", "{", 1},
        {"a{,3}", "a{,3}", 1}, {"\\(\\*T\\)", "(*T)", 1},
        {"\\Aa\\z", "a", 1}, {"\\t", "\t", 1}, {"[[:upper:]]", "A", 1},
        {"(", "", -1}, {")", "", -1}, {"[a", "", -1}, {"a\\", "", -1},
        {"*a", "", -1}, {"\\1", "", -1}, {"\\pL", "", -1},
        {"(?P<n>a)", "", -1}, {"a{1000}", "", -1}, {"(a{50}){50}", "", -1},
        {"[[:x", "", -1}, {"[\\", "", -1},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pregex re;
        struct rt_err e;
        enum rt_status st = pregex_compile(&re, "-x", rows[i].re, &e);

        if (rows[i].want < 0) {
            assert_int_equal(st, RT_EFORMAT);
            continue;
        }
        if (st != RT_OK)
            print_message("%s: %s\n", rows[i].re, e.text);
        assert_int_equal(st, RT_OK);
        if (pregex_match(&re, rows[i].text) != rows[i].want)
            fail_msg("%s on %s", rows[i].re, rows[i].text);
        pregex_free(&re);
    }
}

static void
long_and_deep_regexes_are_refused(void **state)
{
    struct pregex re;
    struct rt_err e;
    char text[6000];

    (void)state;
    memset(text, 'a', sizeof text);
    text[5000] = '\0';
    assert_int_equal(pregex_compile(&re, "-x", text, &e), RT_EFORMAT);
    memset(text, '(', 200);
    memset(text + 200, ')', 200);
    text[400] = '\0';
    assert_int_equal(pregex_compile(&re, "-x", text, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "nested too deeply"));
}

/* ---- paths */

static void
paths_are_tidied(void **state)
{
    static const char *const rows[][2] = {{"a//b/./c", "a/b/c"},
        {"/../a", "/a"}, {"a/../..", ".."}, {"../../a", "../../a"},
        {"a/b/../../c", "c"}, {"", "."}, {"/", "/"}, {"./", "."},
        {"a/..", "."}, {"/a/../..", "/"}, {"../a/../b", "../b"},
        {"a/", "a"}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *s = psource_clean(rows[i][0]);

        assert_string_equal(s, rows[i][1]);
        free(s);
    }
    assert_string_equal(psource_trim("/b/proj/x.go", NULL, "/me/proj"),
        "x.go");
    assert_string_equal(psource_trim("/b/proj/x.go", "/c:/b/", "/me/proj"),
        "proj/x.go");
    assert_string_equal(psource_trim("/bb/x.go", "/b", NULL), "/bb/x.go");
    assert_string_equal(psource_trim("/proc/self/cwd/./x.c", NULL, NULL),
        "x.c");
}

/* ---- profiles: written by hand, byte by byte */

struct bytes {
    uint8_t b[4096];
    size_t n;
};

static void
num(struct bytes *o, unsigned field, uint64_t v)
{
    o->b[o->n++] = (uint8_t)(field << 3);
    for (; v >= 0x80; v >>= 7)
        o->b[o->n++] = (uint8_t)(v | 0x80);
    o->b[o->n++] = (uint8_t)v;
}

static void
body(struct bytes *o, unsigned field, const void *p, size_t n)
{
    o->b[o->n++] = (uint8_t)(field << 3 | 2);
    assert_true(n < 128);
    o->b[o->n++] = (uint8_t)n;
    memcpy(o->b + o->n, p, n);
    o->n += n;
}

static void
message(struct bytes *o, unsigned field, const struct bytes *m)
{
    body(o, field, m->b, m->n);
}

/* One sample type "n" of a unit; functions f1, f2, f3 with the location of
 * the same number; stacks of digits, leaf first, each with a value. */
static void
write_profile(struct bytes *o, const char *unit, const char *const *stacks,
    const int64_t *values, size_t n)
{
    static const char *const names[] = {"", "n", "f1", "f2", "f3"};
    struct bytes m = {.n = 0}, l;
    size_t i;
    unsigned k;

    o->n = 0;
    num(&m, 1, 1);
    num(&m, 2, 5);
    message(o, 1, &m);
    for (k = 1; k <= 3; k++) {
        m.n = l.n = 0;
        num(&m, 1, k);
        num(&m, 2, k + 1);
        message(o, 5, &m);
        m.n = 0;
        num(&l, 1, k);
        num(&m, 1, k);
        message(&m, 4, &l);
        message(o, 4, &m);
    }
    for (i = 0; i < n; i++) {
        const char *p;

        m.n = 0;
        for (p = stacks[i]; *p != '\0'; p++)
            num(&m, 1, (uint64_t)(*p - '0'));
        num(&m, 2, (uint64_t)values[i]);
        message(o, 2, &m);
    }
    for (i = 0; i < 5; i++)
        body(o, 6, names[i], strlen(names[i]));
    body(o, 6, unit, strlen(unit));
}

static struct pfile *
profile(const char *unit, const char *const *stacks, const int64_t *values,
    size_t n)
{
    struct bytes o;
    struct pfile *f;
    struct rt_err e;

    write_profile(&o, unit, stacks, values, n);
    assert_int_equal(pfile_parse(o.b, o.n, &f, &e), RT_OK);
    return f;
}

static const char *const stacks[] = {"123", "1213", "3", "23"};
static const int64_t values[] = {10, 5, 1, 100};

static void
every_prefix_is_refused_or_read(void **state)
{
    struct bytes o;
    struct pfile *f;
    struct rt_err e;
    size_t n;

    (void)state;
    write_profile(&o, "count", stacks, values, 4);
    for (n = 0; n < o.n; n++) {
        /* In a block of its own size, so that ASan sees a read beyond. */
        uint8_t *p = malloc(n + 1);

        memcpy(p, o.b, n);
        if (pfile_parse(p, n, &f, &e) == RT_OK)
            pfile_close(f);
        else
            assert_null(f);
        free(p);
    }
}

static const struct pgraph_node *
find(const struct pgraph *g, const char *name)
{
    size_t i;

    for (i = 0; i < g->nshown; i++) {
        if (strcmp(g->nodes[g->shown[i]].name, name) == 0)
            return &g->nodes[g->shown[i]];
    }
    return NULL;
}

static void
recursion_counts_once(void **state)
{
    struct preport_options opt = preport_defaults;
    struct preport r;
    struct rt_err e;

    (void)state;
    assert_int_equal(preport_open(&r, profile("count", stacks, values, 4),
        &opt, &e), RT_OK);
    assert_int_equal(r.total, 116);
    assert_int_equal(find(r.g, "f1")->flat, 15);
    assert_int_equal(find(r.g, "f1")->cum, 15);
    assert_int_equal(find(r.g, "f2")->flat, 100);
    assert_int_equal(find(r.g, "f2")->cum, 115);
    assert_int_equal(find(r.g, "f3")->flat, 1);
    assert_int_equal(find(r.g, "f3")->cum, 116);
    preport_close(&r);
}

static void
trimming_leaves_residual_edges(void **state)
{
    static const char *const through[] = {"123", "1", "3"};
    static const int64_t each[] = {5, 10, 10};
    struct preport_options opt = preport_defaults;
    struct preport r;
    struct rt_err e;

    (void)state;
    /* f2 is the smallest; the call through it remains as one of f1 by f3. */
    opt.kind = PREPORT_TREE;
    opt.nodecount = 2;
    assert_int_equal(preport_open(&r, profile("count", through, each, 3),
        &opt, &e), RT_OK);
    assert_int_equal(r.g->nshown, 2);
    assert_int_equal(r.g->whole, 3);
    assert_null(find(r.g, "f2"));
    assert_int_equal(find(r.g, "f1")->flat, 15);
    assert_int_equal(r.g->nedges, 1);
    assert_int_equal(r.g->edges[0].weight, 5);
    assert_true(r.g->edges[0].residual);
    preport_close(&r);
}

static void
tree_sums_up(void **state)
{
    struct preport_options opt = preport_defaults;
    struct preport r;
    struct ptree t;
    struct rt_err e;
    size_t i, leaves = 0;

    (void)state;
    opt.kind = PREPORT_FLAME;
    assert_int_equal(preport_open(&r, profile("count", stacks, values, 4),
        &opt, &e), RT_OK);
    assert_int_equal(ptree_build(&t, r.g, 100, &e), RT_OK);
    /* 3, 3>2, 3>2>1, 3>1, 3>1>2, 3>1>2>1 and the root. */
    assert_int_equal(t.n, 7);
    assert_int_equal(t.cum[0], 116);
    for (i = 0; i < t.n; i++)
        leaves += (size_t)t.self[i];
    assert_int_equal(leaves, 116);
    ptree_free(&t);
    /* Only the largest three. */
    assert_int_equal(ptree_build(&t, r.g, 3, &e), RT_OK);
    assert_int_equal(t.n, 3);
    assert_int_equal(t.dropped, 4);
    assert_int_equal(t.cum[2], 110);
    ptree_free(&t);
    preport_close(&r);
}

/* ---- merging */

#define DAMAGED(valid, x, place, value) \
    do { \
        __typeof__(place) was = place; \
        place = value; \
        assert_false(valid(x)); \
        place = was; \
        assert_true(valid(x)); \
    } while (0)

/* What the validators must notice. */
static void
damage_is_noticed(void **state)
{
    struct pfile *f = profile("nanoseconds", stacks, values, 4);
    struct pgraph_options opt = {.by = PGRAPH_FUNCTIONS};
    struct pgraph_trim trim = {0};
    struct pgraph *g;
    struct ptree t;
    struct rt_err e;
    uint32_t k;

    (void)state;
    assert_true(pfile_valid(f));
    DAMAGED(pfile_valid, f, f->stack[1], (uint32_t)f->nlocs);
    DAMAGED(pfile_valid, f, f->samples[1].loc, f->samples[1].loc - 1);
    DAMAGED(pfile_valid, f, f->samples[3].nlocs, f->samples[3].nlocs + 1);
    DAMAGED(pfile_valid, f, f->locs[1].line, 0);
    DAMAGED(pfile_valid, f, f->locs[0].mapping, (uint32_t)f->nmappings);
    DAMAGED(pfile_valid, f, f->locs[0].id, 0);
    DAMAGED(pfile_valid, f, f->lines[0].func, (uint32_t)f->nfuncs);
    DAMAGED(pfile_valid, f, f->funcs[0].name, NULL);
    DAMAGED(pfile_valid, f, f->types[0].unit, NULL);
    DAMAGED(pfile_valid, f, f->ntypes, 0);
    DAMAGED(pfile_valid, f, f->names.n, f->names.n - 1);
    for (k = 0; f->names.index.at[k] == 0; k++)
        ;
    DAMAGED(pfile_valid, f, f->names.index.tag[k],
        f->names.index.tag[k] + 32);
    DAMAGED(phash_valid, &f->names.index, f->names.index.at[k], 0);

    assert_int_equal(pgraph_new(f, &opt, &g, &e), RT_OK);
    assert_int_equal(pgraph_count(g, &trim, &e), RT_OK);
    assert_true(g->nedges > 1);
    DAMAGED(pgraph_valid, g, g->edges[0].dst, (uint32_t)g->nnodes);
    DAMAGED(pgraph_valid, g, g->edges[1].src, g->edges[1].src ^ 1);
    DAMAGED(pgraph_valid, g, g->nodes[g->edges[0].dst].in, PHASH_NONE);
    k = g->nodes[g->edges[1].src].out;
    DAMAGED(pgraph_valid, g, g->edges[k].next_out, k); /* for ever */
    DAMAGED(pgraph_valid, g, g->line_node[0], (uint32_t)g->nnodes);

    assert_int_equal(ptree_build(&t, g, 1000, &e), RT_OK);
    assert_true(ptree_valid(&t) && t.n > 3);
    DAMAGED(ptree_valid, &t, t.cum[1], t.cum[1] + 1);
    DAMAGED(ptree_valid, &t, t.self[2], t.self[2] - 1);
    DAMAGED(ptree_valid, &t, t.nodes[2].parent, 2);
    DAMAGED(ptree_valid, &t, t.nodes[3].frame, (uint32_t)g->nnodes);
    DAMAGED(ptree_valid, &t, t.nodes[0].frame, 0);
    ptree_free(&t);
    pgraph_free(g);
    pfile_close(f);
}

static void
equal_samples_cancel(void **state)
{
    struct pfile *a = profile("ms", stacks, values, 4);
    struct pfile *b = profile("ms", stacks, values, 3);
    struct pmerge_source in[] = {{a, PMERGE_ADD}, {b, PMERGE_SUBTRACT}};
    struct pfile *f;
    struct rt_err e;

    (void)state;
    assert_int_equal(pmerge_all(in, 2, &f, &e), RT_OK);
    assert_int_equal(f->nsamples, 1);
    assert_int_equal(f->values[0], 100);
    pfile_close(f);
    in[1].role = PMERGE_COMPARE;
    assert_int_equal(pmerge_all(in, 2, &f, &e), RT_OK);
    assert_int_equal(f->nsamples, 7);
    assert_int_equal(pgraph_total(f, 0), 16);
    pfile_close(f);
    in[1].role = PMERGE_ADD;
    assert_int_equal(pmerge_all(in, 2, &f, &e), RT_OK);
    assert_int_equal(f->nsamples, 4);
    assert_int_equal(pgraph_total(f, 0), 132);
    pfile_close(f);
    pfile_close(a);
    pfile_close(b);
}

static void
units_become_the_finer_one(void **state)
{
    struct pfile *a = profile("ms", stacks, values, 4);
    struct pfile *b = profile("us", stacks, values, 4);
    struct pmerge_source in[] = {{a, PMERGE_ADD}, {b, PMERGE_ADD}};
    struct pfile *f;
    struct rt_err e;

    (void)state;
    assert_int_equal(pmerge_all(in, 2, &f, &e), RT_OK);
    assert_string_equal(f->types[0].unit, "us");
    assert_int_equal(pgraph_total(f, 0), 116 * 1001);
    pfile_close(f);
    pfile_close(b);
    in[1].f = b = profile("bytes", stacks, values, 4);
    assert_int_equal(pmerge_all(in, 2, &f, &e), RT_EFORMAT);
    assert_null(f);
    pfile_close(a);
    pfile_close(b);
}

/* ---- gunzip */

/* gzip of "hello\n", from the gzip program. */
static const uint8_t hello[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb,
    0x48, 0xcd, 0xc9, 0xc9, 0xe7, 2, 0, 0x20, 0x30, 0x3a, 0x36, 6, 0, 0, 0};

static void
gunzip_has_a_limit(void **state)
{
    uint8_t twice[2 * sizeof hello], *out;
    struct rt_err e;
    size_t n, i;

    (void)state;
    memcpy(twice, hello, sizeof hello);
    memcpy(twice + sizeof hello, hello, sizeof hello);
    assert_int_equal(gunzip_all(twice, sizeof twice, 12, &out, &n, &e),
        RT_OK);
    assert_int_equal(n, 12);
    assert_memory_equal(out, "hello\nhello\n", 12);
    free(out);
    assert_int_equal(gunzip_all(twice, sizeof twice, 11, &out, &n, &e),
        RT_ELIMIT);
    assert_null(out);
    for (i = 0; i < sizeof hello; i++)
        assert_int_equal(gunzip_all(hello, i, 100, &out, &n, &e),
            RT_EFORMAT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_scale_like_pprofs),
        cmocka_unit_test(percentages_have_two_digits_at_least),
        cmocka_unit_test(regexes_are_gos),
        cmocka_unit_test(long_and_deep_regexes_are_refused),
        cmocka_unit_test(paths_are_tidied),
        cmocka_unit_test(every_prefix_is_refused_or_read),
        cmocka_unit_test(recursion_counts_once),
        cmocka_unit_test(trimming_leaves_residual_edges),
        cmocka_unit_test(tree_sums_up),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(equal_samples_cancel),
        cmocka_unit_test(units_become_the_finer_one),
        cmocka_unit_test(gunzip_has_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
