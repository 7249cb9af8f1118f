/* SPDX-License-Identifier: MIT */

/*
 * Code from the stock is the code that is generated without it: the images of
 * all scripts in some folders are compared, field by field.  One of the two is
 * compared as it comes out of bytes in which it was packed, when all that it
 * was packed from is gone.
 *
 * test-host-stock FOLDER...
 */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/code/pack.h"
#include "runtime/host/library.h"
#include "runtime/lib/lib.h"
#include "tests/unit/host/same_image.h"

enum { MAX_FILES = 4000 };

static char *files[MAX_FILES];
static unsigned nfiles;

static const char *
variable(const char *name)
{
    return getenv(name);
}

/* The image of a file, NULL where it has errors. */
static struct program *
compile(const char *file, bool stocked, const struct code_image **image)
{
    struct program_options opt = {.library = host_library(),
        .stock = stocked ? lib_stock : NULL, .env = variable};
    struct program *p = NULL;
    struct rt_err err = {0};

    *image = NULL;
    if (program_load(&file, 1, &opt, &p, &err) == RT_OK &&
        program_image(p, image, &err) != RT_OK)
        *image = NULL;
    return p;
}

static void
compare(const char *file, unsigned *n)
{
    const struct code_image *a, *b;
    struct program *p = compile(file, true, &a);
    struct program *q = compile(file, false, &b);
    struct code_packed packed = {NULL, 0};

    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_true(code_pack(a, &packed));
    program_free(p);
    if (a != NULL) {
        a = code_unpack(packed.at, packed.size);
        assert_non_null(a);
        same_image(a, b);
        ++*n;
    }
    free(packed.at);
    program_free(q);
}

/* Bytes that were damaged anywhere, or cut short, are no image. */
static void
test_damaged(void **state)
{
    static const char text[] = "package main\nfunc main() { println(1) }\n";
    static const struct program_text t = {
        .name = "damaged.go", .text = text, .len = sizeof text - 1};
    struct program_options opt = {
        .library = host_library(), .stock = lib_stock, .text = &t};
    const struct code_image *image;
    struct code_packed packed;
    struct program *p;
    struct rt_err err = {0};
    size_t i, step;

    (void)state;
    assert_int_equal(program_load(NULL, 0, &opt, &p, &err), RT_OK);
    assert_int_equal(program_image(p, &image, &err), RT_OK);
    assert_true(code_pack(image, &packed));
    step = packed.size / 500 + 1;
    for (i = 0; i < packed.size; i += i < 100 ? 1 : step) {
        packed.at[i] ^= 1;
        assert_null(code_unpack(packed.at, packed.size));
        packed.at[i] ^= 1;
    }
    assert_null(code_unpack(packed.at, packed.size - 8));
    assert_null(code_unpack(packed.at, 8));
    image = code_unpack(packed.at, packed.size);
    assert_non_null(image);
    assert_string_equal(image->funcs[image->main].name, "main.main");
    free(packed.at);
    program_free(p);
}

static void
test_same(void **state)
{
    unsigned i, n = 0;

    (void)state;
    for (i = 0; i < nfiles; i++) {
        print_message("%s\n", files[i]);
        compare(files[i], &n);
    }
    assert_true(n > nfiles / 2);
}

/* That the comparison is not one of two images made in the same way. */
static void
test_used(void **state)
{
    static const char text[] =
        "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }\n";
    static const struct program_text t = {
        .name = "used.go", .text = text, .len = sizeof text - 1};
    struct program_options opt = {
        .library = host_library(), .stock = lib_stock, .text = &t};
    const struct code_image *image;
    const uint8_t *end = (const uint8_t *)(lib_stock + lib_stock[1]);
    struct program *p;
    struct rt_err err = {0};
    uint32_t i, n = 0;

    (void)state;
    assert_int_equal(program_load(NULL, 0, &opt, &p, &err), RT_OK);
    assert_int_equal(program_image(p, &image, &err), RT_OK);
    for (i = 0; i < image->nfuncs; i++)
        n += image->funcs[i].ptrmask >= (const uint8_t *)lib_stock &&
            image->funcs[i].ptrmask < end;
    assert_true(n > image->nfuncs * 3 / 4);
    program_free(p);
}

static int
found(const char *path, const struct stat *st, int type, struct FTW *f)
{
    size_t n = strlen(path);

    (void)st;
    (void)f;
    if (type == FTW_F && n > 3 && strcmp(path + n - 3, ".go") == 0 &&
        nfiles < MAX_FILES)
        files[nfiles++] = strdup(path);
    return 0;
}

int
main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_same),
    };
    int i, failed;

    for (i = 1; i < argc; i++)
        nftw(argv[i], found, 20, FTW_PHYS);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    while (nfiles > 0)
        free(files[--nfiles]);
    return failed;
}
