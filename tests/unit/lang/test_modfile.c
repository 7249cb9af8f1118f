/* SPDX-License-Identifier: MIT */
/* What is wanted was printed by package modfile of Go's module x/mod. */
#include "runtime/lang/load/modfile.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "tests/unit/lang/check.h"

static const char all[] =
    "// About it.\n"
    "module m // mine\n\n"
    "go 1.22\n\n"
    "require a.b/c v1.0.0 // kept\n"
    "require (\n"
    "\t// Above.\n"
    "\td.e/f v1.2.0\n"
    "\tg.h/i v0.1.0 // indirect\n"
    "\tj.k/l v0.3.0 // indirect; why\n"
    ")\n\n"
    "exclude x.y/z v1.0.0\n";

/* The text of a file after fn has changed it. */
static void
becomes(const char *text, void (*fn)(struct modfile *f), const char *want)
{
    struct rt_arena a = {0};
    struct modfile *f = modfile_parse(&a, text, strlen(text));
    size_t len;
    char *got;

    assert_true(modfile_valid(f));
    fn(f);
    assert_true(modfile_valid(f));
    got = modfile_format(f, &len);
    assert_string_equal(got, want);
    assert_int_equal(len, strlen(want));
    /* What was written is read as it is. */
    f = modfile_parse(&a, got, len);
    assert_string_equal(modfile_format(f, &len), want);
    rt_arena_free(&a);
}

static void
set_separate(struct modfile *f)
{
    static const struct module_require list[] = {
        {{"a.b/c", "v1.1.0"}, false}, {{"d.e/f", "v1.2.0"}, false},
        {{"g.h/i", "v0.1.0"}, false}, {{"j.k/l", "v0.4.0"}, true},
        {{"n.o/p", "v1.0.0"}, false}, {{"q.r/s", "v1.0.0"}, true}};

    modfile_set_requirements(f, list, 6, true);
}

static void
requirements_keep_their_places(void **state)
{
    (void)state;
    becomes(all, set_separate,
        "// About it.\n"
        "module m // mine\n\n"
        "go 1.22\n\n"
        "require a.b/c v1.1.0 // kept\n\n"
        "require (\n"
        "\t// Above.\n"
        "\td.e/f v1.2.0\n"
        "\tg.h/i v0.1.0\n"
        "\tj.k/l v0.4.0 // indirect; why\n"
        ")\n\n"
        "require n.o/p v1.0.0\n\n"
        "require q.r/s v1.0.0 // indirect\n\n"
        "exclude x.y/z v1.0.0\n");
}

static void
set_together(struct modfile *f)
{
    static const struct module_require list[] = {
        {{"a.b/c", "v1.1.0"}, false}, {{"g.h/i", "v0.2.0"}, true},
        {{"n.o/p", "v1.0.0"}, false}};

    modfile_set_requirements(f, list, 3, false);
}

static void
those_not_needed_go(void **state)
{
    (void)state;
    becomes(all, set_together,
        "// About it.\n"
        "module m // mine\n\n"
        "go 1.22\n\n"
        "require a.b/c v1.1.0 // kept\n\n"
        "require (\n"
        "\tg.h/i v0.2.0 // indirect\n"
        "\tn.o/p v1.0.0\n"
        ")\n\n"
        "exclude x.y/z v1.0.0\n");
}

static void
set_versions(struct modfile *f)
{
    modfile_set_go(f, "1.24");
    modfile_set_toolchain(f, "go1.26.0");
}

static void
take_toolchain_out(struct modfile *f)
{
    modfile_set_toolchain(f, NULL);
    modfile_set_requirements(f, NULL, 0, true);
}

static void
versions_come_and_go(void **state)
{
    (void)state;
    becomes("module m\n", set_versions,
        "module m\n\ngo 1.24\n\ntoolchain go1.26.0\n");
    becomes("module m\n\ngo 1.22\n\ntoolchain go1.23.1\n", set_versions,
        "module m\n\ngo 1.24\n\ntoolchain go1.26.0\n");
    becomes("module m\n\ngo 1.22\n\ntoolchain go1.23.1\n",
        take_toolchain_out, "module m\n\ngo 1.22\n");
    becomes("module m\n\ngo 1.22\n", take_toolchain_out,
        "module m\n\ngo 1.22\n");
}

static void
set_one(struct modfile *f)
{
    static const struct module_require list[] = {{{"a.b/c", "v1.2.0"}, false}};

    modfile_set_requirements(f, list, 1, true);
}

static void
leave(struct modfile *f)
{
    (void)f;
}

static void
blanks_are_the_go_commands(void **state)
{
    (void)state;
    becomes("module   m\nrequire(\n  a.b/c    v1.0.0\n\n\n)\n", leave,
        "module m\n\nrequire (\n\ta.b/c v1.0.0\n)\n");
    becomes("module   m\nrequire(\n  a.b/c    v1.0.0\n\n\n)\n", set_one,
        "module m\n\nrequire a.b/c v1.2.0\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requirements_keep_their_places),
        cmocka_unit_test(those_not_needed_go),
        cmocka_unit_test(versions_come_and_go),
        cmocka_unit_test(blanks_are_the_go_commands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
