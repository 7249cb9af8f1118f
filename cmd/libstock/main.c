/* SPDX-License-Identifier: MIT */
/*
 * libstock OUT: generates the functions of the bundled library that small
 * programs use, and writes their ready code (runtime/lang/gen/stock.h) as a
 * table in C, which is linked into the library that runs programs.  Only the
 * build runs this program.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/library.h"
#include "runtime/lang/load/program.h"

/* What a program has to import so that all that is to be there is.  What main
 * calls comes first, so that what most programs use stands together: a hello
 * world looked at 10 pieces of 64 KB of the table, and looks at 4. */
static const char text[] =
    "package main\n"
    "import (\n"
    "_ \"bufio\"\n"
    "_ \"bytes\"\n"
    "_ \"context\"\n"
    "_ \"errors\"\n"
    "_ \"flag\"\n"
    "\"fmt\"\n"
    "_ \"io\"\n"
    "_ \"log\"\n"
    "_ \"math\"\n"
    "_ \"math/bits\"\n"
    "_ \"math/rand\"\n"
    "_ \"os\"\n"
    "_ \"path/filepath\"\n"
    "_ \"reflect\"\n"
    "_ \"regexp\"\n"
    "_ \"runtime\"\n"
    "_ \"runtime/debug\"\n"
    "_ \"sort\"\n"
    "_ \"strconv\"\n"
    "_ \"strings\"\n"
    "_ \"sync\"\n"
    "_ \"sync/atomic\"\n"
    "_ \"time\"\n"
    "_ \"unicode\"\n"
    "_ \"unicode/utf8\"\n"
    ")\n"
    "func main() { fmt.Println() }\n";

static void
stop(const char *what)
{
    fprintf(stderr, "libstock: %s\n", what);
    exit(1);
}

/* The code is the same whatever Go's tree is on the machine that builds. */
static const char *
no_tree(const char *name)
{
    return strcmp(name, "VOLEROOT") == 0 ? "/nonexistent" : NULL;
}

static void
write_table(FILE *out, const uint32_t *words, size_t n)
{
    size_t i;

    fputs("/* Made by libstock. */\n#include <stdint.h>\n\n"
          "extern const uint32_t lib_stock[];\n"
          "const uint32_t lib_stock[] = {", out);
    for (i = 0; i < n; i++)
        fprintf(out, "%s%u,", i % 16 == 0 ? "\n" : "", words[i]);
    fputs("\n};\n", out);
}

int
main(int argc, char **argv)
{
    static const struct program_text t = {
        .name = "stock.go", .text = text, .len = sizeof text - 1};
    struct program_options opt = {
        .library = host_library(), .text = &t, .env = no_tree};
    struct program *p;
    struct rt_err err = {0};
    uint32_t *words = NULL;
    size_t n = 0;
    FILE *out;

    if (argc != 2)
        stop("usage: libstock OUT");
    if (program_load(NULL, 0, &opt, &p, &err) != RT_OK ||
        program_record(p, false, &words, &n, &err) != RT_OK) {
        if (p != NULL)
            program_write_errors(p, stderr);
        stop(err.text);
    }
    out = fopen(argv[1], "w");
    if (out == NULL)
        stop("cannot write the table");
    write_table(out, words, n);
    if (fclose(out) != 0)
        stop("cannot write the table");
    free(words);
    program_free(p);
    return 0;
}
