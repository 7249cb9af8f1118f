/* SPDX-License-Identifier: MIT */
/*
 * A packed tree: its packages are read where the file is, and of a file that
 * is damaged anywhere none is read that is not what was packed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/tree_pack.h"

static char path[] = "/tmp/vole-test-pack-XXXXXX";

static const struct {
    const char *path;
    const char *name[2], *text[2];
    unsigned n;
} packages[] = {
    {"a/b", {"one.go", "two.go"}, {"package b\n", ""}, 2},
    {"c", {"c.go", NULL}, {"package c\n\nvar X = 1\n", NULL}, 1},
};

enum { N = 2, MOST = 1024 };

static uint8_t file[MOST];
static size_t size;

static void
put(const void *at, size_t n)
{
    assert_true(size + n <= MOST);
    memcpy(file + size, at, n);
    size += n;
}

static void
put_package(unsigned i, struct tree_pack_entry *e)
{
    unsigned k;

    e->at = size;
    for (k = 0; k < packages[i].n; k++) {
        struct tree_pack_file f = {
            .name_len = (uint32_t)strlen(packages[i].name[k]),
            .text_len = (uint32_t)strlen(packages[i].text[k])};

        put(&f, sizeof f);
        put(packages[i].name[k], f.name_len);
        put(packages[i].text[k], f.text_len + 1u);
    }
    e->nfiles = packages[i].n;
    e->size = (uint32_t)(size - e->at);
    e->hash = tree_pack_hash(file + e->at, e->size);
}

static void
make(void)
{
    struct tree_pack_head h = {.version = TREE_PACK_VERSION, .minor = 26,
        .n = N};
    struct tree_pack_entry e[N] = {0};
    unsigned i;

    memcpy(h.magic, TREE_PACK_MAGIC, sizeof h.magic);
    size = sizeof h + sizeof e;
    for (i = 0; i < N; i++) {
        e[i].name = h.names;
        e[i].name_len = (uint32_t)strlen(packages[i].path);
        h.names += e[i].name_len;
        put(packages[i].path, e[i].name_len);
    }
    for (i = 0; i < N; i++)
        put_package(i, &e[i]);
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, e, sizeof e);
}

static struct tree_pack *
opened(size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    return tree_pack_open(path);
}

/* What is read is what was packed; how many packages that are. */
static unsigned
read_all(const struct tree_pack *p)
{
    struct rt_arena a = {0};
    struct tree_file *f;
    struct rt_err err;
    unsigned i, k, n, good = 0;
    char name[32];

    for (i = 0; i < N; i++) {
        if (tree_pack_read(p, packages[i].path, &a, &f, &n, &err) != RT_OK)
            continue;
        good++;
        assert_int_equal(n, packages[i].n);
        for (k = 0; k < n; k++) {
            snprintf(name, sizeof name, "%s/%s", packages[i].path,
                packages[i].name[k]);
            assert_string_equal(f[k].name, name);
            assert_string_equal(f[k].text, packages[i].text[k]);
            assert_int_equal(f[k].len, strlen(f[k].text));
        }
    }
    rt_arena_free(&a);
    return good;
}

static void
test_read(void **state)
{
    struct tree_pack *p;
    struct rt_arena a = {0};
    struct tree_file *f;
    unsigned n;

    (void)state;
    make();
    p = opened(size);
    assert_non_null(p);
    assert_int_equal(tree_pack_minor(p), 26);
    assert_true(tree_pack_has(p, "c"));
    assert_false(tree_pack_has(p, "a"));
    assert_int_equal(
        tree_pack_read(p, "a", &a, &f, &n, NULL), RT_EUNSUP);
    assert_int_equal(read_all(p), N);
    tree_pack_rest(p);
    assert_int_equal(read_all(p), N);
    rt_arena_free(&a);
    tree_pack_free(p);
}

/* Where files lie, and all that is in them, is under a package's hash. */
static void
test_damaged(void **state)
{
    size_t i, body = sizeof(struct tree_pack_head) +
        N * sizeof(struct tree_pack_entry);
    unsigned bit;

    (void)state;
    make();
    for (i = 0; i < size; i++)
        for (bit = 0; bit < 8; bit++) {
            struct tree_pack *p;

            file[i] ^= (uint8_t)(1u << bit);
            p = opened(size);
            if (p != NULL && read_all(p) == N)
                assert_true(i < body); /* the sum, which nobody asked */
            tree_pack_free(p);
            file[i] ^= (uint8_t)(1u << bit);
        }
    for (i = 0; i < size; i++) {
        struct tree_pack *p = opened(i);

        assert_true(p == NULL || read_all(p) < N);
        tree_pack_free(p);
    }
}

/* A package that says itself what it is not, under a hash that is right. */
static void
test_made_up(void **state)
{
    struct tree_pack_entry e[N];
    struct tree_pack_file f;
    uint32_t lens[] = {0, 1, 1u << 20, UINT32_MAX - 1, UINT32_MAX};
    unsigned i;

    (void)state;
    for (i = 0; i < 2 * sizeof lens / sizeof *lens; i++) {
        struct tree_pack *p;

        make();
        memcpy(e, file + sizeof(struct tree_pack_head), sizeof e);
        memcpy(&f, file + e[1].at, sizeof f);
        *(i % 2 != 0 ? &f.name_len : &f.text_len) = lens[i / 2];
        memcpy(file + e[1].at, &f, sizeof f);
        e[1].hash = tree_pack_hash(file + e[1].at, e[1].size);
        memcpy(file + sizeof(struct tree_pack_head), e, sizeof e);
        p = opened(size);
        assert_non_null(p);
        assert_int_equal(read_all(p), 1);
        tree_pack_free(p);
    }
}

static int
make_file(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 || close(fd) != 0;
}

static int
remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_made_up),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
