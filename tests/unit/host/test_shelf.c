/* SPDX-License-Identifier: MIT */

/*
 * Code of the tree's packages that one program has left for another is the code
 * that is generated without it, and so is that which lies beside a packed tree:
 * the images are compared, field by field.  Where no tree of Go's sources is
 * found there is nothing to test.
 *
 * test-host-shelf PACK
 */
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/host/library.h"
#include "runtime/lang/load/tree_pack.h"
#include "runtime/lang/load/tree_stock.h"
#include "runtime/lib/lib.h"
#include "tests/unit/host/same_image.h"

static char folder[] = "/tmp/vole-shelf-XXXXXX";
static const char *built_pack; /* without a stock of this program's beside it */

/* Of the tree are encoding/json, text/template and what they import: with
 * literals, loops over functions, method values, instances, types without
 * names, variables with and without effects. */
static const char first[] =
    "package main\n"
    "import (\"encoding/json\"; \"os\")\n"
    "func main() {\n"
    "\tb, err := json.Marshal(map[string]any{\"a\": []int{1, 2}})\n"
    "\tos.Stdout.Write(b)\n"
    "\tprintln(err, json.Unmarshal(b, new(any)))\n"
    "}\n";

static const char second[] =
    "package main\n"
    "import (\"encoding/json\"; \"os\"; \"text/template\"; \"maps\";\n"
    "\t\"slices\"; \"sync/atomic\")\n"
    "type T struct{ A int; B []string `json:\"b\"` }\n"
    "func main() {\n"
    "\tvar p atomic.Pointer[T]\n"
    "\tp.Store(&T{})\n"
    "\tprintln(json.Unmarshal([]byte(`{\"A\":1,\"b\":[\"x\"]}`), p.Load()))\n"
    "\tt := template.Must(template.New(\"t\").Parse(`{{range .B}}{{.}}`+\n"
    "\t\t`{{end}}`))\n"
    "\tt.Execute(os.Stdout, p.Load())\n"
    "\tprintln(slices.IndexFunc([]*template.Template{t},\n"
    "\t\tfunc(*template.Template) bool { return true }))\n"
    "\tjson.NewEncoder(os.Stdout).Encode(slices.Sorted(maps.Keys(\n"
    "\t\tmap[string]bool{\"x\": true, \"y\": false})))\n"
    "}\n";

/* Has one function's name in common with them, but none of its types, nor the
 * packages of these. */
static const char third[] =
    "package main\n"
    "import (\"os\"; \"slices\"; \"text/tabwriter\")\n"
    "func main() {\n"
    "\tw := tabwriter.NewWriter(os.Stdout, 1, 8, 1, ' ', 0)\n"
    "\tprintln(slices.IndexFunc([]*tabwriter.Writer{w},\n"
    "\t\tfunc(*tabwriter.Writer) bool { return true }))\n"
    "}\n";

static const char *
variable(const char *name)
{
    return getenv(name);
}

/* NULL: there is no tree. */
static struct program *
load(const char *text, bool kept)
{
    struct program_text t = {
        .name = "prog.go", .text = text, .len = strlen(text)};
    struct program_options opt = {.library = host_library(),
        .stock = lib_stock, .env = variable, .text = &t,
        .cache = kept ? folder : NULL};
    struct program *p = NULL;
    struct rt_err err = {0};

    if (program_load(NULL, 0, &opt, &p, &err) != RT_OK) {
        program_write_errors(p, stdout);
        program_free(p);
        return NULL;
    }
    return p;
}

static struct program *
compile(const char *text, bool kept, const struct code_image **image)
{
    struct program *p = load(text, kept);
    struct rt_err err = {0};

    if (p != NULL)
        assert_int_equal(program_image(p, image, &err), RT_OK);
    return p;
}

static unsigned
count_stocks(void)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    unsigned n = 0;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        n += strstr(e->d_name, ".stock") != NULL;
    closedir(d);
    return n;
}

/* How many functions have a part that lies in a mapped stock. */
static unsigned
count_taken(const struct code_image *image)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4200];
    unsigned n = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        uintptr_t from, to;
        uint32_t i;

        if (strstr(line, ".stock") == NULL ||
            sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2)
            continue;
        for (i = 0; i < image->nfuncs; i++)
            n += (uintptr_t)image->funcs[i].ptrmask >= from &&
                (uintptr_t)image->funcs[i].ptrmask < to;
    }
    fclose(f);
    return n;
}

/* A program is the same with what another one has left. */
static void
same_with(const char *text, unsigned least)
{
    const struct code_image *a, *b;
    struct program *p = compile(text, true, &a);
    struct program *q = compile(text, false, &b);

    print_message("%u of %u are taken\n", count_taken(a), a->nfuncs);
    assert_true(count_taken(a) >= least);
    same_image(a, b);
    program_free(p);
    program_free(q);
}

static void
test_kept(void **state)
{
    const struct code_image *image;
    struct program *p;

    (void)state;
    p = compile(first, true, &image);
    if (p == NULL)
        skip();
    assert_int_equal(count_taken(image), 0);
    assert_int_equal(count_stocks(), 1);
    program_free(p);
    same_with(first, 150);
    assert_int_equal(count_stocks(), 1); /* nothing was new */
    same_with(second, 150);
    assert_int_equal(count_stocks(), 2);
    same_with(second, 400);
    assert_int_equal(count_stocks(), 2);
    same_with(third, 0);
}

/* ---- beside a packed tree ------------------------------------------------------ */

static const char *
in_folder(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A copy of the pack, in which byte `at` is another. */
static void
copy_pack(size_t at)
{
    FILE *in = fopen(built_pack, "rb");
    FILE *out = fopen(in_folder("gotree.pack"), "wb");
    size_t i;
    int c;

    assert_non_null(in);
    assert_non_null(out);
    for (i = 0; (c = getc(in)) != EOF; i++)
        putc(i == at ? c ^ 1 : c, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* The code of all that this program imports. */
static void
leave_stock(const char *text)
{
    struct program *p = load(text, false);
    struct rt_err err = {0};
    struct tree *t;
    uint32_t *words;
    size_t n;

    assert_non_null(p);
    assert_int_equal(program_record(p, true, &words, &n, &err), RT_OK);
    assert_int_equal(tree_open(in_folder("gotree.pack"), &t, &err), RT_OK);
    assert_int_equal(tree_stock_write(
        in_folder("gotree.stock"), t, words, n, &err), RT_OK);
    free(words);
    tree_free(t);
    program_free(p);
}

/* How many functions of a program are taken from stocks. */
static unsigned
taken_of(const char *text)
{
    const struct code_image *image;
    struct program *p = compile(text, false, &image);
    unsigned n;

    assert_non_null(p);
    n = count_taken(image);
    program_free(p);
    return n;
}

/* A program is the same without the stock, which another build has made of the
 * pack in its own place. */
static void
same_beside(const char *text, unsigned least)
{
    const struct code_image *a, *b;
    struct program *p, *q;

    p = compile(text, false, &a);
    assert_true(count_taken(a) >= least);
    setenv("VOLEROOT", built_pack, 1);
    q = compile(text, false, &b);
    print_message("%u of %u are taken\n", count_taken(a), a->nfuncs);
    same_image(a, b);
    program_free(p);
    assert_int_equal(count_taken(b), 0);
    program_free(q);
    setenv("VOLEROOT", in_folder("gotree.pack"), 1);
}

static void
test_beside(void **state)
{
    char marked[sizeof first + 16];
    struct tree *t = NULL;
    bool has_roots;

    (void)state;
    if (built_pack == NULL || tree_open(built_pack, &t, NULL) != RT_OK)
        skip();
    has_roots = tree_minor(t) >= 24;
    tree_free(t);
    copy_pack(SIZE_MAX);
    setenv("VOLEROOT", in_folder("gotree.pack"), 1);
    assert_int_equal(taken_of(first), 0);
    leave_stock(second);
    same_beside(first, 150);
    same_beside(second, 400);
    same_beside(third, 0); /* has none of the packages */

    /* A library that is another, because the program says so. */
    setenv("VOLETREE", "strings", 1);
    assert_int_equal(taken_of(first), 0);
    unsetenv("VOLETREE");
    snprintf(marked, sizeof marked, "%s// os.Root\n", first);
    assert_int_equal(taken_of(marked) == 0, has_roots);

    /* Of another tree; not all there. */
    copy_pack(offsetof(struct tree_pack_head, sum));
    assert_int_equal(taken_of(first), 0);
    copy_pack(SIZE_MAX);
    assert_true(taken_of(first) > 0);
    assert_int_equal(truncate(in_folder("gotree.stock"), 100000), 0);
    assert_int_equal(taken_of(first), 0);
    assert_int_equal(truncate(in_folder("gotree.stock"), 10), 0);
    assert_int_equal(taken_of(first), 0);
}

static int
make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int
remove_folder(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int
main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_beside),
    };

    built_pack = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
