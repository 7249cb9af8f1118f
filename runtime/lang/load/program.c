/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/program.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/arena.h"
#include "runtime/base/compiler.h"
#include "runtime/base/thread.h"
#include "runtime/lang/gen/gen.h"
#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/tree_load.h"
#include "runtime/lang/syntax/parse.h"
#include "runtime/lang/types/check.h"
#include "runtime/lang/types/const.h"

/* Bytes of C stack that a compilation gets; where there is no room for so many
 * addresses, fewer, down to the least. */
enum {
    MOST_STACK = 1 << 30,
    LEAST_STACK = (RT_ASAN || RT_TSAN ? 16 : 4) << 20
};

struct program {
    struct rt_arena front; /* tree, types: gone after program_trim() */
    struct rt_arena back;  /* the image */
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag;
    struct parse_ctx parse;
    const struct program_library *library; /* const after init; may be NULL */
    struct tree_load tree;
    struct check_host host;
    struct check *check;
    struct check_pkg *pkg;
    size_t stack; /* that the tree was made for */
    struct code_image *image;
    bool trimmed;
};

/* ---- which files ------------------------------------------------------------ */

struct names {
    char **at;
    unsigned n, cap;
    const char *dir; /* they are what this directory has; NULL: were given */
};

static bool
push_name(struct names *l, const char *dir, const char *name)
{
    size_t n = (dir ? strlen(dir) + 1 : 0) + strlen(name) + 1;
    char *s = malloc(n);

    if (l->n == l->cap) {
        unsigned cap = l->cap ? l->cap * 2 : 8;
        char **p = realloc(l->at, cap * sizeof *p);

        if (p == NULL) {
            free(s);
            return false;
        }
        l->at = p;
        l->cap = cap;
    }
    if (s == NULL)
        return false;
    if (dir != NULL)
        snprintf(s, n, "%s/%s", dir, name);
    else
        snprintf(s, n, "%s", name);
    l->at[l->n++] = s;
    return true;
}

static void
free_names(struct names *l)
{
    unsigned i;

    for (i = 0; i < l->n; i++)
        free(l->at[i]);
    free(l->at);
}

static bool
ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), t = strlen(tail);

    return n >= t && strcmp(s + n - t, tail) == 0;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum rt_status
list_dir(const char *dir, struct names *out, struct rt_err *err)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    bool ok = true;

    if (d == NULL)
        return rt_err_os(err, errno, "%s", dir);
    while (ok && (e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.' || e->d_name[0] == '_' ||
            !ends_with(e->d_name, ".go") || ends_with(e->d_name, "_test.go") ||
            !build_name_fits(&build_tags_program, e->d_name))
            continue;
        ok = push_name(out, dir, e->d_name);
    }
    closedir(d);
    if (!ok)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (out->n == 0)
        return rt_errf(
            err, RT_EIO, UINT64_MAX, "no Go files in %s", dir);
    qsort(out->at, out->n, sizeof *out->at, by_name);
    out->dir = dir;
    return RT_OK;
}

static enum rt_status
collect(const char *const *paths, unsigned n, struct names *out,
    struct rt_err *err)
{
    struct stat st;
    unsigned i;

    if (n == 1 && stat(paths[0], &st) == 0 && S_ISDIR(st.st_mode))
        return list_dir(paths[0], out, err);
    for (i = 0; i < n; i++)
        if (!push_name(out, NULL, paths[i]))
            return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    return RT_OK;
}

/* ---- the library as the checker's importer ------------------------------------- */

/* The bundled package with that path, unless another is to take its place. */
static const void *
find_bundled(struct program *p, const char *path)
{
    if (p->library == NULL || strncmp(path, "tree/", 5) == 0 ||
        tree_load_prefers(&p->tree, path))
        return NULL;
    return p->library->find(path);
}

static enum rt_status
load_package(void *ctx, const char *path, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err)
{
    struct program *p = ctx;
    const struct program_library *lib = p->library;
    const void *package = find_bundled(p, path);
    struct program_source s;
    struct ast_file **list = NULL;
    unsigned i, n = 0;

    if (package == NULL)
        return tree_load_package(
            &p->tree, &p->parse, path, files, nfiles, err);
    while (lib->file(package, n, &s))
        n++;
    list = rt_arena_alloc(&p->front, n * sizeof *list);
    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    for (i = 0; i < n && lib->file(package, i, &s); i++) {
        struct lang_file *f;
        enum rt_status st = lang_sources_add(&p->src, s.name,
            (const uint8_t *)s.text, s.len, &f, err);

        if (st == RT_OK)
            st = parse_file(&p->parse, f, PARSE_LAZY_BODIES, &list[i]);
        if (st == RT_ENOMEM)
            rt_arena_nomem(&p->front); /* no fault of the import */
        if (st != RT_OK)
            return st;
    }
    *files = list;
    *nfiles = n;
    return RT_OK;
}

static enum rt_status
load_more(void *ctx, const struct check_pkg *pkg, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err)
{
    struct program *p = ctx;
    enum rt_status st;

    *nfiles = 0;
    if (find_bundled(p, pkg->path) == NULL)
        return RT_OK;
    st = tree_load_more(&p->tree, &p->parse, pkg->path, pkg->files,
        pkg->nfiles, files, nfiles, err);
    if (st == RT_ENOMEM)
        rt_arena_nomem(&p->front);
    return st;
}

/* Packages of the library are known to do with the variables that a program
 * reaches; those of a tree are not. */
static bool
is_eager(void *ctx, const char *path)
{
    return find_bundled(ctx, path) == NULL;
}

static const char *
package_called(void *ctx, const char *name)
{
    struct program *p = ctx;

    return p->library->called(name);
}

/* ---- out of memory -----------------------------------------------------------

 * The checker has no way to go on without memory; it leaves for here.  All
 * that it holds is in the arena.
 */

static noreturn void
escape(void *arg)
{
    longjmp(*(jmp_buf *)arg, 1);
}

static enum rt_status
check_all(struct program *p, struct ast_file **list, uint32_t n,
    struct rt_err *err)
{
    jmp_buf out;

    if (setjmp(out) == 0) {
        p->front.nomem = escape;
        p->front.nomem_arg = &out;
        p->check = check_new(&p->parse, &p->host);
        const_begin(&p->check->cctx);
        p->pkg = check_package(p->check, "main", list, n);
    } else {
        p->pkg = NULL;
    }
    const_end();
    p->front.nomem = NULL;
    if (p->pkg == NULL || p->diag.nomem)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    return RT_OK;
}

/* ---- loading ---------------------------------------------------------------------- */

static enum rt_status
init(struct program *p, const struct program_options *opt, struct rt_err *err)
{
    if (lang_names_init(&p->names, &p->front) != 0)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    lang_sources_init(&p->src);
    lang_diag_init(&p->diag, &p->src,
        opt != NULL && opt->all_errors ? 0 : LANG_DIAG_LIMIT);
    p->parse.arena = &p->front;
    p->parse.src = &p->src;
    p->parse.names = &p->names;
    p->parse.diag = &p->diag;
    p->host.ctx = p;
    p->host.load = load_package;
    p->host.eager = is_eager;
    p->host.more = load_more;
    p->library = opt == NULL ? NULL : opt->library;
    p->tree.env = opt == NULL ? NULL : opt->env;
    p->tree.patches = p->library;
    if (p->library != NULL && opt->text != NULL && opt->text->statements)
        p->host.called = package_called;
    return RT_OK;
}

/* The files that make up the package, *n of them.  As in Go, files that were
 * named one by one belong to it whatever their //go:build lines say. */
static enum rt_status
parse_all(struct program *p, const struct names *files,
    struct ast_file ***out, uint32_t *n, struct rt_err *err)
{
    struct ast_file **list =
        rt_arena_alloc(&p->front, files->n * sizeof *list);
    const char *why;
    unsigned i;

    *n = 0;
    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    for (i = 0; i < files->n; i++) {
        struct lang_file *f;
        enum build_fit fit = BUILD_FITS;
        enum rt_status st = lang_sources_read(
            &p->src, files->at[i], files->at[i], &f, err);

        if (st != RT_OK)
            return st;
        if (files->dir != NULL)
            fit = build_text_fits(
                &build_tags_program, f->text, f->size, &why);
        if (fit == BUILD_BAD)
            return rt_errf(err, RT_EIO, UINT64_MAX,
                "%s: parsing //go:build line: %s", files->at[i], why);
        if (fit == BUILD_OTHER)
            continue;
        st = parse_file(&p->parse, f, 0, &list[(*n)++]);
        if (st != RT_OK)
            return rt_errf(err, st, UINT64_MAX, "%s: out of memory",
                files->at[i]);
    }
    if (*n == 0)
        return rt_errf(err, RT_EIO, UINT64_MAX,
            "build constraints exclude all Go files in %s", files->dir);
    *out = list;
    return RT_OK;
}

/* A text as a file.  Statements get the rest of a program around them; the
 * places in messages are theirs. */
static enum rt_status
add_text(struct program *p, const struct program_text *t,
    struct lang_file **out, struct rt_err *err)
{
    static const char before[] = "package main;func main(){", after[] = "\n}";
    size_t head = t->statements ? sizeof before - 1 : 0;
    size_t tail = t->statements ? sizeof after - 1 : 0;
    size_t n = head + t->len + tail;
    char *text = rt_arena_alloc(&p->front, n + 1);
    const char *name = rt_arena_strndup(&p->front, t->name, strlen(t->name));
    enum rt_status st;

    if (text == NULL || name == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    memcpy(text, before, head);
    memcpy(text + head, t->text, t->len);
    memcpy(text + head + t->len, after, tail);
    text[n] = 0;
    st = lang_sources_add(
        &p->src, name, (const uint8_t *)text, n, out, err);
    if (st == RT_OK && t->statements)
        st = lang_file_line_dir(*out, (uint32_t)head, name, 1, 1);
    return st;
}

static enum rt_status
parse_text(struct program *p, const struct program_text *t,
    struct ast_file ***out, uint32_t *n, struct rt_err *err)
{
    struct ast_file **list = rt_arena_alloc(&p->front, sizeof *list);
    struct lang_file *f;
    enum rt_status st;

    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    st = add_text(p, t, &f, err);
    if (st == RT_OK && parse_file(&p->parse, f, 0, &list[0]) != RT_OK)
        st = rt_errf(err, RT_ENOMEM, UINT64_MAX, "%s: out of memory", t->name);
    *out = list;
    *n = 1;
    return st;
}

/* The parameters of program_load() and program_image(), and what they return:
 * both work where there is stack enough for a source of the greatest depth. */
struct job {
    struct program *p;
    const char *const *paths;
    unsigned npaths;
    const struct program_text *text; /* instead of paths, or NULL */
    struct rt_err *err;
    enum rt_status st;
};

static void
load(void *arg)
{
    struct job *j = arg;
    struct program *p = j->p;
    struct rt_err *err = j->err;
    struct names files = {0};
    struct ast_file **list = NULL;
    enum rt_status st;
    uint32_t n;

    parse_use_stack(&p->parse, p->stack);
    if (j->text != NULL) {
        st = parse_text(p, j->text, &list, &n, err);
    } else {
        st = collect(j->paths, j->npaths, &files, err);
        if (st == RT_OK)
            st = parse_all(p, &files, &list, &n, err);
    }
    /* As in Go, after messages that are not about the syntax the types are
     * checked, too. */
    if (st == RT_OK && lang_diag_syntax(&p->diag)) {
        st = rt_errf(err, RT_EFORMAT, UINT64_MAX, "syntax errors");
    } else if (st == RT_OK) {
        st = check_all(p, list, n, err);
        if (st == RT_OK && lang_diag_any(&p->diag))
            st = rt_errf(err, RT_EFORMAT, UINT64_MAX, "type errors");
    }
    free_names(&files);
    j->st = st;
}

/* What the deepest source of that size could need: a level of nesting takes a
 * byte, at least.  Small programs do without a thread for their stack. */
static size_t
stack_for(const struct job *j)
{
    size_t size = j->text != NULL ? j->text->len : 0;
    struct stat st;
    unsigned i;

    for (i = 0; j->text == NULL && i < j->npaths; i++) {
        if (stat(j->paths[i], &st) != 0 || !S_ISREG(st.st_mode))
            return MOST_STACK;
        size += (size_t)st.st_size;
    }
    if (size >= MOST_STACK / AST_LEVEL_BYTES)
        return MOST_STACK;
    size *= AST_LEVEL_BYTES;
    return size < LEAST_STACK ? LEAST_STACK : size;
}

enum rt_status
program_load(const char *const *paths, unsigned npaths,
    const struct program_options *opt, struct program **out,
    struct rt_err *err)
{
    struct job j = {.p = calloc(1, sizeof *j.p), .paths = paths,
        .npaths = npaths, .text = opt == NULL ? NULL : opt->text, .err = err};
    enum rt_status st;

    *out = j.p;
    if (j.p == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    st = init(j.p, opt, err);
    if (st != RT_OK)
        return st;
    for (j.p->stack = stack_for(&j);; j.p->stack /= 4) {
        st = rt_thread_call(load, &j, j.p->stack, err);
        if (st == RT_OK)
            return j.st;
        if (j.p->stack <= LEAST_STACK)
            return st;
    }
}

static void
generate(void *arg)
{
    struct job *j = arg;

    parse_use_stack(&j->p->parse, j->p->stack);
    j->st = gen_program(j->p->check, j->p->pkg, &j->p->back, &j->p->image,
        j->err);
}

enum rt_status
program_image(struct program *p, const struct code_image **out,
    struct rt_err *err)
{
    struct job j = {.p = p, .err = err};
    enum rt_status st;

    if (p->image == NULL && p->pkg != NULL && !p->trimmed &&
        p->pkg->main == NULL)
        return rt_errf(err, RT_EFORMAT, UINT64_MAX,
            "package %s is not a main package", p->pkg->name);
    if (p->image == NULL) {
        if (p->pkg == NULL || p->trimmed)
            return rt_errf(err, RT_ESTATE, UINT64_MAX, "nothing to generate");
        st = rt_thread_call(generate, &j, p->stack, err);
        if (st == RT_OK)
            st = j.st;
        if (st != RT_OK) {
            p->image = NULL;
            return st;
        }
    }
    *out = p->image;
    return RT_OK;
}

void
program_trim(struct program *p)
{
    if (p->trimmed)
        return;
    p->trimmed = true;
    if (p->check != NULL)
        check_free(p->check);
    lang_diag_free(&p->diag);
    lang_names_free(&p->names);
    lang_sources_free(&p->src);
    tree_load_free(&p->tree);
    rt_arena_free(&p->front);
    p->check = NULL;
}

int
program_write_errors(struct program *p, FILE *out)
{
    return p->trimmed ? 0 : lang_diag_write(&p->diag, out);
}

bool
program_has_errors(const struct program *p)
{
    return !p->trimmed && lang_diag_any(&p->diag);
}

void
program_free(struct program *p)
{
    if (p == NULL)
        return;
    program_trim(p);
    rt_arena_free(&p->back);
    free(p);
}
