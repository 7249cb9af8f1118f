/* SPDX-License-Identifier: MIT */

/*
 * Code of the tree's packages that one program has left for another is the code
 * that is generated without it: the images are compared, field by field.
 * Where no tree of Go's sources is found there is nothing to test.
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
#include "runtime/lib/lib.h"
#include "tests/unit/host/same_image.h"

static char folder[] = "/tmp/vole-shelf-XXXXXX";

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

/* Compiles; NULL: there is no tree. */
static struct program *
compile(const char *text, bool kept, const struct code_image **image)
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
    assert_non_null(mkdtemp(folder));
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

static int
remove_folder(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
