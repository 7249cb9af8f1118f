/* SPDX-License-Identifier: MIT */
#include "tests/unit/lang/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check.h"
#include "tests/unit/lang/check.h"

void
fixture_begin(struct fixture *f, unsigned limit)
{
    memset(f, 0, sizeof *f);
    lang_sources_init(&f->src);
    assert_int_equal(lang_names_init(&f->names, &f->arena), 0);
    lang_diag_init(&f->diag, &f->src, limit);
    f->ctx.arena = &f->arena;
    f->ctx.src = &f->src;
    f->ctx.names = &f->names;
    f->ctx.diag = &f->diag;
}

void
fixture_end(struct fixture *f)
{
    lang_diag_free(&f->diag);
    lang_names_free(&f->names);
    lang_sources_free(&f->src);
    rt_arena_free(&f->arena);
}

void
fixture_add(struct fixture *f, const char *name, const void *text, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    struct rt_err err;

    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = 0;
    assert_int_equal(
        lang_sources_add(&f->src, name, copy, size, &f->file, &err), RT_OK);
    f->file->owns_text = 1;
}

struct ast_file *
fixture_parse(struct fixture *f, const char *text, unsigned flags)
{
    struct ast_file *file = NULL;
    enum rt_status r;

    fixture_add(f, "x.go", text, strlen(text));
    r = parse_file(&f->ctx, f->file, flags, &file);
    if (r == RT_ENOMEM)
        return NULL;
    assert_int_equal(r, RT_OK);
    return file;
}

char *
fixture_messages(struct fixture *f)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(lang_diag_write(&f->diag, out), 0);
    fclose(out);
    return text;
}

char *
fixture_repeat(const char *head, const char *s, size_t times, const char *tail)
{
    size_t nh = strlen(head), ns = strlen(s), nt = strlen(tail), i;
    char *text = malloc(nh + ns * times + nt + 1), *p = text;

    assert_non_null(text);
    p = (char *)memcpy(p, head, nh) + nh;
    for (i = 0; i < times; i++)
        p = (char *)memcpy(p, s, ns) + ns;
    memcpy(p, tail, nt + 1);
    return text;
}

/* Packages with the one name that the programs need of them. */
static enum rt_status
load(void *ctx, const char *path, struct ast_file ***files, uint32_t *n,
    struct rt_err *err)
{
    struct fixture *f = ctx;
    char text[200];

    (void)err;
    snprintf(text, sizeof text, "package %s\nfunc Println()\n", path);
    *files = rt_arena_array(&f->arena, 1, sizeof **files);
    (*files)[0] = fixture_parse(f, text, PARSE_LAZY_BODIES);
    *n = 1;
    return RT_OK;
}

char *
fixture_check(const char *src)
{
    struct fixture f;
    struct check_host host = {.ctx = &f, .load = load};
    struct ast_file *file;
    struct check *c;
    char *got;

    fixture_begin(&f, 0);
    file = fixture_parse(&f, src, 0);
    c = check_new(&f.ctx, &host);
    assert_non_null(c);
    check_package(c, "p", &file, 1);
    check_free(c);
    got = fixture_messages(&f);
    fixture_end(&f);
    return got;
}
