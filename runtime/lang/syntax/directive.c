/* SPDX-License-Identifier: MIT */

/*
 * The //go: directives that Go's compiler knows, and where they may stand.  It
 * reports those that it knows in other places; what it does not know it
 * ignores.  go:linkname may stand anywhere, so the file has a list of them;
 * go:embed stands before a variable, where the loader looks for it.
 */

#include <stdio.h>
#include <string.h>

#include "runtime/lang/syntax/parse_int.h"

enum place {
    OF_FILE,    /* before the package clause */
    OF_FUNC,    /* before a function or method */
    OF_VAR,     /* before a variable */
    OF_RUNTIME, /* in Go's own runtime only */
    OF_LIBRARY  /* in Go's own library only */
};

static const struct {
    const char *name;
    enum place place;
} known[] = {
    {"go:build", OF_FILE},
    {"go:cgo_unsafe_args", OF_FUNC},
    {"go:embed", OF_VAR},
    {"go:nocheckptr", OF_FUNC},
    {"go:noescape", OF_FUNC},
    {"go:noinline", OF_FUNC},
    {"go:norace", OF_FUNC},
    {"go:nosplit", OF_FUNC},
    {"go:nowritebarrier", OF_RUNTIME},
    {"go:nowritebarrierrec", OF_RUNTIME},
    {"go:registerparams", OF_FUNC},
    {"go:systemstack", OF_RUNTIME},
    {"go:uintptrescapes", OF_FUNC},
    {"go:uintptrkeepalive", OF_LIBRARY},
    {"go:yeswritebarrierrec", OF_RUNTIME},
};

static size_t
name_length(const struct ast_directive *d)
{
    size_t n = 0;

    while (n < d->len && d->text[n] != ' ' && d->text[n] != '\t')
        n++;
    return n;
}

bool
ast_is_directive(const struct ast_directive *d, const char *name)
{
    size_t n = name_length(d);

    return n == strlen(name) && memcmp(d->text, name, n) == 0;
}

/* The index of d's name in the table, or -1. */
static int
find(const struct ast_directive *d)
{
    size_t i, n = name_length(d);

    for (i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == n &&
            memcmp(known[i].name, d->text, n) == 0)
            return (int)i;
    return -1;
}

/* Reports what only Go itself may use.  True if d may not stand in `place`. */
static int
is_misplaced(struct parser *p, const struct ast_directive *d, int place)
{
    int i = find(d);
    char text[80];

    if (i < 0 || (int)known[i].place == place)
        return 0;
    if (known[i].place != OF_RUNTIME && known[i].place != OF_LIBRARY)
        return 1;
    snprintf(text, sizeof text,
        known[i].place == OF_RUNTIME
            ? "//%s only allowed in runtime"
            : "//%s is only allowed in the standard library",
        known[i].name);
    parse_plain_error_at(p, d->pos + 2, text);
    return 0;
}

/* The next word of [*at, end), which is behind it then. */
static const char *
word(const char **at, const char *end, size_t *n)
{
    const char *s = *at;

    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    *at = s;
    while (*at < end && **at != ' ' && **at != '\t')
        ++*at;
    *n = (size_t)(*at - s);
    return s;
}

static void
linkname(struct parser *p, const struct ast_directive *d)
{
    static const char mark[] = "go:linkname";
    const char *at = d->text, *end = d->text + d->len, *local, *target;
    struct ast_linkname *l;
    size_t n, ntarget;
    char *copy;

    target = word(&at, end, &n);
    if (n != sizeof mark - 1 || memcmp(target, mark, n) != 0)
        return;
    local = word(&at, end, &n);
    target = word(&at, end, &ntarget);
    l = n == 0 ? NULL : parse_alloc(p, sizeof *l);
    if (l == NULL)
        return;
    l->local = lang_name_get(p->c->names, local, n);
    if (ntarget != 0 && (copy = parse_alloc(p, ntarget + 1)) != NULL) {
        memcpy(copy, target, ntarget);
        l->target = copy;
    }
    l->next = p->file->linknames;
    p->file->linknames = l;
}

static void
linknames(struct parser *p, const struct ast_directive *d)
{
    for (; d != NULL && p->file != NULL; d = d->next)
        linkname(p, d);
}

static const char *
misplaced_text(const struct ast_directive *d)
{
    return ast_is_directive(d, "go:embed") ? "misplaced go:embed directive"
                                           : "misplaced compiler directive";
}

void
parse_unused_directives(struct parser *p)
{
    const struct ast_directive *d = p->s.dirs;

    p->s.dirs = NULL;
    linknames(p, d);
    for (; d != NULL && !(p->flags & PARSE_LAZY_BODIES); d = d->next)
        if (is_misplaced(p, d, -1))
            parse_plain_error_at(p, d->pos + 2, misplaced_text(d));
}

const struct ast_directive *
parse_take_directives(struct parser *p, enum ast_decl_kind before)
{
    const struct ast_directive *all = p->s.dirs, *d;
    int place = before == DECL_FUNC ? OF_FUNC
        : before == DECL_VAR        ? OF_VAR
        : before == DECL_BAD        ? OF_FILE
                                    : -1;

    p->s.dirs = NULL;
    linknames(p, all);
    for (d = all; d != NULL && !(p->flags & PARSE_LAZY_BODIES); d = d->next) {
        struct ast_misplaced *m;

        if (!is_misplaced(p, d, place) || p->file == NULL)
            continue;
        m = parse_alloc(p, sizeof *m);
        if (m == NULL)
            break;
        m->pos = d->pos + 2;
        m->text = misplaced_text(d);
        m->next = p->file->misplaced;
        p->file->misplaced = m;
    }
    return all;
}
