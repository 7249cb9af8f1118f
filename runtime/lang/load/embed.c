/* SPDX-License-Identifier: MIT */
/*
 * The rules of the go command: a pattern that fits a folder takes what is
 * below it but for names with . or _ in front (all: takes these too); what
 * could not be part of a module is never taken.
 */
#include "runtime/lang/load/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/glob.h"
#include "runtime/lang/syntax/scan.h"

struct finder {
    struct rt_arena *a;
    const char *dir;         /* of the package */
    struct lang_diag *diag;  /* for what is wrong with the comment */
    struct paths_list files; /* from there */
    const char *why;         /* what is wrong, or NULL */
};

/* ---- names ---------------------------------------------------------------------- */

/* Names that no module may have are those of version control, and those that
 * some system does not allow. */
static bool
is_bad_name(const char *name)
{
    static const char *const bad[] = {"", ".bzr", ".hg", ".git", ".svn"};
    size_t i, n = strlen(name);

    for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (strcmp(name, bad[i]) == 0)
            return true;
    if (name[n - 1] == '.')
        return true;
    for (i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f ||
            strchr("\"'*<>?`|/\\:;", name[i]) != NULL)
            return true;
    return false;
}

/* Elements between single slashes, none of them "." or "..". */
static bool
is_valid_path(const char *p)
{
    while (true) {
        size_t n = strcspn(p, "/");

        if (n == 0 || (n <= 2 && strncmp(p, "..", n) == 0))
            return false;
        if (p[n] == 0)
            return true;
        p += n + 1;
    }
}

static const char *
base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* ---- files ------------------------------------------------------------------------ */

static bool
begins_module(struct finder *f, const char *rel)
{
    return paths_exists(
        paths_join(f->a, f->dir, paths_join(f->a, rel, "go.mod")));
}

/* Adds what is in a folder, and its folders to `left`. */
static void
add_entries(
    struct finder *f, const char *rel, bool all, struct paths_list *left)
{
    struct paths_list names = {0};
    unsigned i;

    paths_entries(f->a, paths_join(f->a, f->dir, rel), &names);
    for (i = 0; i < names.n; i++) {
        const char *name = names.at[i];
        const char *path = paths_join(f->a, rel, name);
        struct stat st;

        if (is_bad_name(name) || (!all && (*name == '.' || *name == '_')) ||
            lstat(paths_join(f->a, f->dir, path), &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && !begins_module(f, path))
            paths_push(f->a, left, path);
        else if (S_ISREG(st.st_mode))
            paths_push(f->a, &f->files, path);
    }
}

/* Adds what is below a folder; how many files that are.  Their order is made
 * by those who use the list. */
static unsigned
add_folder(struct finder *f, const char *rel, bool all)
{
    struct paths_list left = {0};
    unsigned before = f->files.n;

    paths_push(f->a, &left, rel);
    while (left.n > 0)
        add_entries(f, left.at[--left.n], all, &left);
    return f->files.n - before;
}

/* May it be taken, where it lies?  If not, f->why says so. */
static bool
is_allowed(struct finder *f, const char *rel, const char *what)
{
    const char *at;

    for (at = rel; strcmp(at, ".") != 0; at = paths_dir(f->a, at)) {
        if (begins_module(f, at))
            f->why = rt_arena_printf(f->a,
                "cannot embed %s %s: in different module", what, rel);
        else if (is_bad_name(base(at)))
            f->why = rt_arena_printf(f->a, "cannot embed %s %s: %s %s", what,
                rel, at == rel ? "invalid name" : "in invalid directory",
                base(at));
        if (f->why != NULL)
            return false;
    }
    return true;
}

static void
add_match(struct finder *f, const char *rel, bool all)
{
    struct stat st;

    if (lstat(paths_join(f->a, f->dir, rel), &st) != 0 ||
        !is_allowed(f, rel, S_ISDIR(st.st_mode) ? "directory" : "file"))
        return;
    if (S_ISREG(st.st_mode))
        paths_push(f->a, &f->files, rel);
    else if (!S_ISDIR(st.st_mode))
        f->why = rt_arena_printf(f->a, "cannot embed irregular file %s", rel);
    else if (add_folder(f, rel, all) == 0)
        f->why = rt_arena_printf(f->a,
            "cannot embed directory %s: contains no embeddable files", rel);
}

static void
add_pattern(struct finder *f, const char *pattern)
{
    bool all = paths_starts(pattern, "all:");
    const char *glob = pattern + (all ? 4 : 0);
    struct paths_list found = {0};
    unsigned i;

    if (!is_valid_path(glob) || !glob_valid(glob)) {
        f->why = "invalid pattern syntax";
    } else if (!glob_elements_valid(f->a, glob)) {
        f->why = "syntax error in pattern"; /* as go says at this point */
    } else {
        glob_find(f->a, f->dir, glob, &found);
        if (found.n == 0)
            f->why = "no matching files found";
    }
    for (i = 0; i < found.n && f->why == NULL; i++)
        add_match(f, found.at[i], all);
    if (f->why != NULL)
        f->why = rt_arena_printf(f->a, "pattern %s: %s", pattern, f->why);
}

const char *
embed_pattern(struct rt_arena *a, const char *dir, const char *pattern,
    struct paths_list *out)
{
    struct finder f = {.a = a, .dir = dir, .files = *out};

    add_pattern(&f, pattern);
    *out = f.files;
    return f.why;
}

/* ---- the comment ------------------------------------------------------------------ */

/* The word at p, unquoted; *after is behind it.  NULL: it was reported. */
static const char *
take_word(struct finder *f, lang_pos pos, const char *p, const char *end,
    const char **after)
{
    const char *s = p;
    char *out;

    if (*p != '"' && *p != '`') {
        while (p < end && *p != ' ' && *p != '\t')
            p++;
        *after = p;
        return rt_arena_strndup(f->a, s, (size_t)(p - s));
    }
    for (p++; p < end && *p != *s; p++)
        p += *s == '"' && *p == '\\' && p + 1 < end;
    if (p == end ||
        (p + 1 < end && p[1] != ' ' && p[1] != '\t')) {
        lang_errf(f->diag, pos, "invalid quoted string in //go:embed: %.*s",
            (int)(end - s), s);
        *after = end;
        return NULL;
    }
    *after = p + 1;
    out = rt_arena_alloc(f->a, (size_t)(*after - s) + 1);
    scan_unquote(s, (size_t)(*after - s), out);
    return out;
}

/* The patterns of one comment; *where is that of the one that failed. */
static bool
add_comment(
    struct finder *f, const struct ast_directive *d, lang_pos *where)
{
    const char *end = d->text + d->len, *p = d->text + strlen("go:embed");
    bool any = false;

    for (;;) {
        const char *pattern;

        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        *where = d->pos + 2 + (lang_pos)(p - d->text);
        if (p == end)
            break;
        pattern = take_word(f, d->pos + 2, p, end, &p);
        any = true;
        if (pattern != NULL)
            add_pattern(f, pattern);
        if (f->why != NULL)
            return false;
    }
    if (!any)
        lang_errf(f->diag, d->pos + 2, "usage: //go:embed pattern...");
    return true;
}

/* ---- the list ----------------------------------------------------------------------- */

/* Where the last element begins. */
static size_t
element_at(const char *name)
{
    size_t n = strlen(name) - 1; /* a slash at the end does not count */

    while (n > 0 && name[n - 1] != '/')
        n--;
    return n;
}

/* Compares texts of n and m bytes. */
static int
compare(const char *s, size_t n, const char *t, size_t m)
{
    int c = memcmp(s, t, n < m ? n : m);

    return c != 0 ? c : n < m ? -1 : n > m;
}

/* Package embed searches by folder, which is "." for the first, then by name,
 * without the slash of a folder. */
static int
by_place(const void *a, const void *b)
{
    const struct ast_embedded *x = a, *y = b;
    size_t nx = element_at(x->name), ny = element_at(y->name);
    int c = compare(nx == 0 ? "." : x->name, nx == 0 ? 1 : nx - 1,
        ny == 0 ? "." : y->name, ny == 0 ? 1 : ny - 1);

    return c != 0 ? c
                  : compare(x->name + nx, strcspn(x->name + nx, "/"),
                        y->name + ny, strcspn(y->name + ny, "/"));
}

static bool
read_file(struct finder *f, struct ast_embedded *e, const char *rel)
{
    e->name = rel;
    e->data = paths_read(f->a, paths_join(f->a, f->dir, rel), &e->len);
    if (e->data == NULL)
        f->why = rt_arena_printf(
            f->a, "open %s: %s", rel, paths_error(f->a, errno));
    return e->data != NULL;
}

/* All of f->files once, and the folders that they are in; *n of them. */
static struct ast_embedded *
make_list(struct finder *f, uint32_t *n)
{
    struct paths_list folders = {0};
    struct ast_embedded *list;
    unsigned i, k = 0, m;

    paths_sort(&f->files);
    for (i = 0; i < f->files.n; i++) {
        const char *at = paths_dir(f->a, f->files.at[i]);

        for (; strcmp(at, ".") != 0; at = paths_dir(f->a, at))
            paths_push(f->a, &folders, at);
    }
    paths_sort(&folders);
    list = rt_arena_array(f->a, f->files.n + folders.n + 1, sizeof *list);
    for (i = 0; i < f->files.n; i++)
        if ((i == 0 || strcmp(f->files.at[i - 1], f->files.at[i]) != 0) &&
            !read_file(f, &list[k++], f->files.at[i]))
            return NULL;
    for (i = 0, m = k; i < folders.n; i++)
        if (i == 0 || strcmp(folders.at[i - 1], folders.at[i]) != 0)
            list[m++] = (struct ast_embedded){
                rt_arena_printf(f->a, "%s/", folders.at[i]), "", 0};
    qsort(list, m, sizeof *list, by_place);
    rt_assert(k > 0 && m >= k);
    *n = m;
    return list;
}

/* ---- variables ------------------------------------------------------------------------ */

/* The comments of a declaration, the first one first. */
static bool
embed_decl(const struct finder *from, struct ast_decl *decl, lang_pos *where,
    const char **why)
{
    struct finder f = *from;
    const struct ast_directive *d, *list[64];
    struct ast_embed *em;
    unsigned n = 0;

    for (d = decl->dir; d != NULL && n < 64; d = d->next)
        if (ast_is_directive(d, "go:embed"))
            list[n++] = d;
    if (n == 0)
        return true;
    em = rt_arena_alloc(f.a, sizeof *em);
    while (n > 0 && f.why == NULL)
        add_comment(&f, list[--n], where);
    if (f.why == NULL && f.files.n != 0)
        em->files = make_list(&f, &em->n);
    *why = f.why;
    decl->var.embed = em;
    return f.why == NULL;
}

bool
embed_files(struct rt_arena *a, const char *dir, struct ast_file *f,
    struct lang_diag *diag, lang_pos *where, const char **why)
{
    const struct finder finder = {.a = a, .dir = dir, .diag = diag};
    bool imported = false;
    uint32_t i;

    for (i = 0; i < f->nimport; i++)
        imported |= f->decls.at[i]->import.value != NULL &&
            strcmp(f->decls.at[i]->import.value, "embed") == 0;
    for (i = f->nimport; imported && i < f->decls.n; i++)
        if (f->decls.at[i]->kind == DECL_VAR &&
            !embed_decl(&finder, f->decls.at[i], where, why))
            return false;
    return true;
}
