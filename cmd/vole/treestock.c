/* SPDX-License-Identifier: MIT */
/*
 * vole treestock PACK OUT: compiles what programs import most often of a packed
 * tree and writes the ready code to the file that is installed beside it
 * (runtime/lang/load/tree_stock.h).  Only the build runs this command.  It is
 * one of vole's because such code belongs to the very build that made it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/vole/vole_cmd.h"
#include "runtime/base/arena.h"
#include "runtime/host/library.h"
#include "runtime/lang/load/program.h"
#include "runtime/lang/load/tree_stock.h"
#include "runtime/lib/lib.h"

/* All of these is there, and of what they import.  What is rarely imported, or
 * is compiled faster than it is found, is left out. */
static const char *const packages[] = {
    "archive/tar", "archive/zip", "compress/gzip", "compress/zlib",
    "crypto/ed25519", "crypto/hmac", "crypto/md5", "crypto/rand",
    "crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/tls",
    "database/sql", "encoding/base64", "encoding/binary", "encoding/csv",
    "encoding/gob", "encoding/hex", "encoding/json", "encoding/pem",
    "encoding/xml", "expvar", "go/ast", "go/format", "go/parser", "go/token",
    "hash/crc32", "hash/fnv", "html/template", "image/png", "log/slog",
    "math/big", "mime/multipart", "net", "net/http", "net/http/cookiejar",
    "net/http/httptest", "net/http/httputil", "net/mail", "net/netip",
    "net/rpc", "net/smtp", "net/url", "os/exec", "os/signal", "os/user",
    "testing", "text/tabwriter", "text/template", NULL};

/* A program that imports them, as far as the tree has them. */
static char *
program_of(const struct tree *t, struct rt_arena *a)
{
    char *text = rt_arena_printf(a, "package main\nfunc main() {}\n");
    int i;

    for (i = 0; packages[i] != NULL && text != NULL; i++)
        if (tree_has(t, packages[i])) {
            const char *rest = strchr(text, '\n');

            text = rt_arena_printf(a, "package main\nimport _ \"%s\"%s",
                packages[i], rest);
        }
    return text;
}

/* Nothing but the tree is set. */
static const char *
variable(const char *name)
{
    return strcmp(name, "VOLEROOT") == 0 ? getenv(name) : NULL;
}

static enum rt_status
write_stock(const struct tree *t, const char *text, const char *out,
    struct rt_err *err)
{
    struct program_text source = {
        .name = "treestock.go", .text = text, .len = strlen(text)};
    struct program_options opt = {.library = host_library(),
        .stock = lib_stock, .env = variable, .text = &source};
    struct program *p = NULL;
    uint32_t *words = NULL;
    size_t n = 0;
    enum rt_status st = program_load(NULL, 0, &opt, &p, err);

    if (st == RT_OK)
        st = program_record(p, true, &words, &n, err);
    if (st != RT_OK && p != NULL)
        program_write_errors(p, stderr);
    if (st == RT_OK)
        st = tree_stock_write(out, t, words, n, err);
    free(words);
    program_free(p);
    return st;
}

/* An empty file stands for no stock. */
static int
write_none(const char *out)
{
    FILE *f = fopen(out, "wb");

    if (f != NULL && fclose(f) == 0)
        return 0;
    perror(out);
    return 1;
}

int
cmd_treestock(int argc, char **argv)
{
    struct rt_arena arena = {0};
    struct rt_err err = {0};
    struct tree *t;
    enum rt_status st;
    char *text;

    if (argc != 2) {
        fprintf(stderr, "vole treestock: PACK OUT\n");
        return 2;
    }
    if (tree_open(argv[0], &t, NULL) != RT_OK)
        return write_none(argv[1]); /* the pack is empty */
    text = program_of(t, &arena);
    if (text == NULL || setenv("VOLEROOT", argv[0], 1) != 0)
        st = rt_errf(&err, RT_ENOMEM, UINT64_MAX, "out of memory");
    else
        st = write_stock(t, text, argv[1], &err);
    tree_free(t);
    rt_arena_free(&arena);
    if (st == RT_OK)
        return 0;
    fprintf(stderr, "vole treestock: %s\n", err.text);
    return 1;
}
