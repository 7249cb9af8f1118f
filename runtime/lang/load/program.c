/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/program.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/compiler.h"
#include "runtime/base/mapped.h"
#include "runtime/base/thread.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/buildinfo.h"
#include "runtime/lang/load/godebug.h"
#include "runtime/lang/load/program_int.h"
#include "runtime/lang/load/testmain.h"
#include "runtime/lang/types/const.h"

/* Bytes of C stack that a compilation gets; where there is no room for so many
 * addresses, fewer, down to the least. */
enum { MOST_STACK = 1 << 30, LEAST_STACK = PROGRAM_LEAST_STACK };

noreturn void
program_escape(void *arg)
{
    longjmp(*(jmp_buf *)arg, 1);
}

/* ---- the user's packages ------------------------------------------------------ */

/* Packages behind those that they import; what has errors, or imports what
 * has, is not there for others. */
static void
check_one(struct program *p, struct graph_package *g)
{
    unsigned i;

    for (i = 0; i < g->nimports; i++)
        g->failed |= g->imports[i]->failed;
    if (g->failed)
        return;
    /* As in Go, after messages that are not about the syntax the types are
     * checked, too. */
    if (!lang_diag_syntax(&g->diag)) {
        p->parse.diag = &g->diag;
        g->checked =
            check_package(p->check, g->code_path, g->files, g->nfiles);
    }
    g->failed = lang_diag_any(&g->diag);
    if (g->named && p->pkg == NULL) {
        p->pkg = g->checked;
        p->program = g;
    }
}

static enum rt_status
check_all(struct program *p, struct rt_err *err)
{
    bool failed = false, nomem = false;
    unsigned i;

    p->check = check_new(&p->parse, &p->host);
    const_begin(&p->check->cctx);
    for (i = 0; i < p->graph.norder; i++) {
        check_one(p, p->graph.order[i]);
        failed |= p->graph.order[i]->failed;
        nomem |= p->graph.order[i]->diag.nomem;
    }
    p->parse.diag = &p->diag;
    if (nomem)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    return failed ? rt_errf(err, RT_EFORMAT, UINT64_MAX, "errors") : RT_OK;
}

/* ---- what earlier runs have left ------------------------------------------------ */

/* The library's code is the same in all programs but those that are watched,
 * or are to have the same addresses as their last run. */
static bool
shares_code(const struct program_options *opt)
{
    return opt != NULL && !opt->race && opt->image_at == NULL;
}

static bool
keeps_code(const struct program_options *opt)
{
    return shares_code(opt) && opt->cache != NULL;
}

/* Images are those of plain programs that are made of files, wherever they may
 * lie. */
static bool
keeps_images(const struct program_options *opt)
{
    return keeps_code(opt) && opt->text == NULL && !opt->tests;
}

/* Has the program been compiled before? */
static bool
find_image(struct program *p, const struct program_options *opt)
{
    const char *more[3];

    if (p->kept.path == NULL || !keeps_images(opt) || !program_needs_tree(p))
        return false;
    more[0] = p->graph.tagflag;
    more[1] = rt_arena_printf(&p->front, "%u", opt->lang);
    more[2] = opt->env == NULL ? NULL : opt->env("VOLETREE");
    cache_name(&p->cache, &p->graph, &p->src, p->tree.tree, more, 3);
    p->image = cache_find(&p->cache, &p->kept);
    return p->image != NULL;
}

/* Was it this very program that the caller has compiled before?  Then nothing
 * is read of it. */
static bool
find_own(struct program *p, const struct program_options *opt)
{
    if (opt == NULL || opt->image_in == NULL || opt->image_at != NULL)
        return false;
    p->keeps_own = !opt->image_late;
    p->image = own_image_find(&p->own, opt->image_in, &p->godebug,
        &p->buildinfo, &p->tree.wanted);
    return p->image != NULL;
}

/* Does the program say by //go:linkname what the library's names stand for? */
static bool
has_linknames(const struct program *p)
{
    const struct graph *g = &p->graph;
    uint32_t i, k;

    for (i = 0; i < g->norder; i++)
        for (k = 0; k < g->order[i]->nfiles; k++)
            if (g->order[i]->files[k]->linknames != NULL)
                return true;
    return false;
}

/* The stocks of earlier programs; what is new will be left for later ones. */
static void
open_shelf(struct program *p, uint32_t **words, size_t *nwords)
{
    const char *asked;
    unsigned i;

    asked = p->tree.env == NULL ? NULL : p->tree.env("VOLETREE");
    shelf_open(&p->shelf, &p->kept, p->tree.tree,
        rt_arena_printf(&p->back, "%s %d %d", asked == NULL ? "" : asked,
            p->os_loaded, p->os_of_tree));
    if (!p->shelf.open)
        return;
    for (i = 0; i < p->shelf.n; i++)
        p->stocks[p->gen.nkept++] = p->shelf.stocks[i];
    p->gen.record = words;
    p->gen.nrecord = nwords;
    p->gen.least = SHELF_LEAST;
    p->gen.tree = true;
}

/* The tree's packages need not be generated where the build or earlier programs
 * have left their code. */
static void
open_stocks(struct program *p, uint32_t **words, size_t *nwords)
{
    if (!p->shares_code || p->tree.used.n == 0 || has_linknames(p) ||
        p->gen.record != NULL)
        return;
    p->gen.kept = p->stocks;
    if (program_is_usual(p))
        tree_stock_open(&p->installed, p->tree.tree);
    if (p->installed.words != NULL)
        p->stocks[p->gen.nkept++] = p->installed.words;
    if (p->kept.path != NULL)
        open_shelf(p, words, nwords);
    rt_assert(p->gen.nkept <= 1 + SHELF_MOST);
}

/* ---- loading ---------------------------------------------------------------------- */

enum rt_status
program_init(struct program *p, const struct program_options *opt,
    struct rt_err *err)
{
    own_image_init(&p->own);
    p->back.low = true;
    if (lang_names_init(&p->names, &p->front) != 0)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    lang_sources_init(&p->src);
    lang_diag_init(&p->diag, &p->src,
        opt != NULL && opt->all_errors ? 0 : LANG_DIAG_LIMIT);
    p->parse.arena = &p->front;
    p->parse.src = &p->src;
    p->parse.names = &p->names;
    p->parse.diag = &p->diag;
    p->library = opt == NULL ? NULL : opt->library;
    p->tree.env = opt == NULL ? NULL : opt->env;
    p->tree.patches = p->library;
    p->race = opt != NULL && opt->race;
    p->shares_code = shares_code(opt);
    if (keeps_code(opt))
        entry_begin(&p->kept, opt->cache);
    /* The ready code is that of a library which tells nobody of accesses. */
    if (p->library != NULL && !p->race)
        p->gen.stock = opt->stock;
    program_import_init(p,
        p->library != NULL && opt->text != NULL && opt->text->statements);
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
load_text(struct program *p, const struct program_text *t, bool made,
    struct rt_err *err)
{
    struct ast_file *tree;
    struct lang_file *f;
    enum rt_status st = add_text(p, t, &f, err);

    if (st != RT_OK)
        return st;
    if (parse_file(&p->parse, f, 0, &tree) != RT_OK)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "%s: out of memory",
            t->name);
    if (lang_diag_syntax(&p->diag))
        return rt_errf(err, RT_EFORMAT, UINT64_MAX, "syntax errors");
    return graph_add_text(&p->graph, tree, made, err);
}

/* The folder from which go.mod is looked for: that of what is loaded. */
static const char *
start_of(struct program *p, const struct job *j)
{
    struct rt_arena *a = &p->front;
    const char *cwd = paths_cwd(a);

    if (j->npaths == 0)
        return cwd;
    if (paths_is_dir(j->paths[0]))
        return paths_join(a, cwd, j->paths[0]);
    if (paths_ends(j->paths[0], ".go"))
        return paths_dir(a, paths_join(a, cwd, j->paths[0]));
    return cwd;
}

static enum rt_status
load_words(struct program *p, const struct job *j)
{
    enum rt_status st = RT_OK, st2;
    unsigned i;

    if (j->npaths > 0 && (paths_is_file(j->paths[0]) ||
            paths_ends(j->paths[0], ".go")))
        return graph_add_files(&p->graph, j->paths, j->npaths, j->err);
    for (i = 0; i < j->npaths; i++) {
        st2 = graph_add_word(&p->graph, j->paths[i], j->err);
        if (st2 != RT_OK && st2 != RT_EFORMAT)
            return st2;
        st = st2 == RT_OK ? st : st2;
    }
    return st;
}

/* A folder's tests, and the program that runs them. */
static enum rt_status
load_tests(struct program *p, const struct job *j)
{
    struct graph *g = &p->graph;
    struct graph_package *package, *xtest;
    struct program_text t = {.name = "_testmain.go"};
    enum rt_status st = graph_add_tests(
        g, start_of(p, j), &package, &xtest, j->err);

    if (st != RT_OK)
        return st;
    t.text = testmain_text(g, package != NULL ? package->path : xtest->path,
        package, xtest);
    if (t.text == NULL)
        return rt_errf(j->err, RT_EFORMAT, UINT64_MAX, "errors");
    t.len = strlen(t.text);
    return load_text(p, &t, true, j->err);
}

void
program_open_graph(struct job *j)
{
    struct program *p = j->p;
    struct graph *g = &p->graph;
    const struct program_options *o = j->opt;

    g->a = &p->front;
    g->parse = &p->parse;
    g->tree = &p->tree;
    g->std = program_std(p);
    g->limit = p->diag.limit;
    if (o != NULL && o->tests && o->cover != NULL) {
        g->cover = strcmp(o->cover, "atomic") == 0 ? COVER_ATOMIC
            : strcmp(o->cover, "count") == 0       ? COVER_COUNT
                                                   : COVER_SET;
        g->coverpkg = o->coverpkg;
        g->coverin = o->coverin;
    }
    g->lang = o == NULL ? 0 : o->lang;
    j->st = modset_open(&g->mods, &p->front, o == NULL ? NULL : o->env,
        start_of(p, j), o == NULL ? NULL : o->mod);
    g->tagflag = goenv_flag(
        &g->mods.env, "tags", o == NULL ? NULL : o->tags);
    g->tags = package_tags(&p->front, g->tagflag, p->race);
    if (j->st != RT_OK) {
        paths_push(g->a, &g->errors, g->mods.error);
        return;
    }
    p->tree.wanted = modset_newest(&g->mods);
}

static void
load_all(struct job *j)
{
    struct program *p = j->p;
    struct graph *g = &p->graph;
    const struct program_options *o = j->opt;

    program_open_graph(j);
    if (j->st != RT_OK)
        return;
    if (o != NULL && o->text != NULL)
        j->st = load_text(p, o->text, false, j->err);
    else if (o != NULL && o->tests)
        j->st = load_tests(p, j);
    else
        j->st = load_words(p, j);
    if (j->st != RT_OK)
        return;
    graph_sort(g);
    p->godebug = godebug_of(g);
    p->buildinfo = buildinfo_of(g);
    if (!find_image(p, o))
        j->st = check_all(p, j->err);
}

static void
load(void *arg)
{
    struct job *j = arg;
    struct program *p = j->p;
    jmp_buf out;

    parse_use_stack(&p->parse, p->stack);
    if (setjmp(out) == 0) {
        p->front.nomem = program_escape;
        p->front.nomem_arg = &out;
        load_all(j);
    } else {
        j->st = rt_errf(j->err, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    if (p->check != NULL)
        const_end();
    p->front.nomem = NULL;
}

/* A part of the work on a program, which reads mapped files. */
struct part {
    void (*fn)(void *arg);
    struct job *job;
};

/* Whose text was at an address, which is no longer there. */
static const char *
name_at(const struct program *p, const void *where)
{
    uint32_t i;

    for (i = 0; i < p->src.nfile; i++)
        if ((uintptr_t)where - (uintptr_t)p->src.file[i]->text <=
            p->src.file[i]->size)
            return p->src.file[i]->name;
    return "a file of Go's library";
}

static void
do_part(void *arg)
{
    const struct part *t = arg;
    struct program *p = t->job->p;
    const void *where;

    if (rt_mapped_call(t->fn, t->job, &where))
        return;
    const_end();
    p->front.nomem = p->back.nomem = NULL;
    t->job->st = rt_errf(t->job->err, RT_EIO, UINT64_MAX,
        "%s was cut short while it was read", name_at(p, where));
}

/* Does a part where there is stack for it; the job's status is its own. */
static enum rt_status
call_part(void (*fn)(void *arg), struct job *j)
{
    struct part t = {fn, j};

    return rt_thread_call(do_part, &t, j->p->stack, j->err);
}

/* What the deepest source of that size could need: a level of nesting takes a
 * byte, at least.  Small programs do without a thread for their stack. */
static size_t
stack_for(const struct job *j)
{
    const struct program_text *text = j->opt == NULL ? NULL : j->opt->text;
    size_t size = text != NULL ? text->len : 0;
    struct stat st;
    unsigned i;

    for (i = 0; text == NULL && i < j->npaths; i++) {
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
        .npaths = npaths, .opt = opt, .err = err};
    enum rt_status st;

    *out = j.p;
    if (j.p == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (opt != NULL)
        j.p->back.at = opt->image_at;
    st = program_init(j.p, opt, err);
    if (st != RT_OK || find_own(j.p, opt))
        return st;
    for (j.p->stack = stack_for(&j);; j.p->stack /= 4) {
        st = call_part(load, &j);
        if (st == RT_OK)
            return j.st;
        if (j.p->stack <= LEAST_STACK)
            return st;
    }
}

const char *
program_godebug(const struct program *p)
{
    return p->godebug == NULL || p->trimmed ? "" : p->godebug;
}

const char *
program_buildinfo(const struct program *p)
{
    return p->buildinfo == NULL || p->trimmed ? "" : p->buildinfo;
}

static void
generate(void *arg)
{
    struct job *j = arg;
    struct program *p = j->p;
    struct code_image *image;

    parse_use_stack(&p->parse, p->stack);
    j->st = gen_program(
        p->check, p->pkg, &p->back, &p->gen, &image, j->err);
    p->image = image;
}

/* Which files the image of this program depends on, if it is to be kept, or
 * code that was made for it. */
static void
collect(struct program *p)
{
    jmp_buf out;

    if (setjmp(out) == 0) {
        p->front.nomem = program_escape;
        p->front.nomem_arg = &out;
        entry_collect(&p->kept, &p->tree, &p->front);
    }
    p->front.nomem = NULL;
}

enum rt_status
program_image(struct program *p, const struct code_image **out,
    struct rt_err *err)
{
    struct job j = {.p = p, .err = err};
    uint32_t *words = NULL;
    size_t nwords = 0;
    enum rt_status st;

    if (p->image == NULL && p->pkg != NULL && !p->trimmed &&
        p->pkg->main == NULL) {
        const char *text = rt_arena_printf(&p->front,
            "package %s is not a main package",
            p->program->header ? p->program->path : p->pkg->name);

        if (text == NULL)
            return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
        paths_push(&p->front, &p->graph.errors, text);
        return rt_errf(err, RT_EFORMAT, UINT64_MAX, "%s", text);
    }
    if (p->image == NULL) {
        if (p->pkg == NULL || p->trimmed)
            return rt_errf(err, RT_ESTATE, UINT64_MAX, "nothing to generate");
        if (p->tree.tree != NULL)
            tree_rest(p->tree.tree); /* most functions are ready in a stock */
        open_stocks(p, &words, &nwords);
        st = call_part(generate, &j);
        if (st == RT_OK)
            st = j.st;
        if (st != RT_OK) {
            p->image = NULL;
            free(words);
            return st;
        }
        collect(p);
        if (words != NULL)
            shelf_add(&p->shelf, &p->kept, words, nwords);
        free(words);
    }
    *out = p->image;
    return RT_OK;
}

enum rt_status
program_record(struct program *p, bool tree, uint32_t **stock, size_t *n,
    struct rt_err *err)
{
    const struct code_image *image;

    *stock = NULL;
    p->gen = (struct gen_options){.stock = p->gen.stock,
        .record = stock, .nrecord = n, .tree = tree, .all = true};
    return program_image(p, &image, err);
}

const char *
program_goroot(struct program *p)
{
    const char *said = p->tree.env == NULL ? NULL : p->tree.env("GOROOT");

    if (said != NULL && *said != 0)
        return said;
    tree_load_has(&p->tree, "errors", NULL); /* looks for it */
    if (p->tree.tree == NULL || !paths_is_dir(tree_root(p->tree.tree)))
        return "";
    return tree_root(p->tree.tree);
}

void
program_keep(
    struct program *p, const char *godebug, const char *buildinfo)
{
    rt_assert(p->image != NULL);
    own_image_keep(
        &p->own, p->image, godebug, buildinfo, p->tree.wanted);
}

void
program_trim(struct program *p)
{
    if (p->trimmed)
        return;
    if (p->image != NULL && p->keeps_own)
        program_keep(p, program_godebug(p), program_buildinfo(p));
    p->trimmed = true;
    if (p->check != NULL)
        check_free(p->check);
    lang_diag_free(&p->diag);
    graph_free(&p->graph);
    lang_names_free(&p->names);
    lang_sources_free(&p->src);
    tree_load_free(&p->tree);
    rt_arena_free(&p->front);
    p->check = NULL;
    if (p->image != NULL)
        cache_store(&p->cache, &p->kept, p->image);
}

int
program_write_errors(struct program *p, FILE *out)
{
    const struct graph *g = &p->graph;
    unsigned i;

    if (p->trimmed)
        return 0;
    for (i = 0; i < g->errors.n; i++)
        fprintf(out, "%s\n", g->errors.at[i]);
    for (i = 0; i < g->norder && g->errors.n == 0; i++) {
        struct graph_package *q = g->order[i];

        if (!lang_diag_any(&q->diag))
            continue;
        if (q->header)
            fprintf(out, "# %s%s\n", q->path, q->title);
        lang_diag_write(&q->diag, out);
    }
    return lang_diag_write(&p->diag, out);
}

bool
program_has_errors(const struct program *p)
{
    unsigned i;

    if (p->trimmed)
        return false;
    for (i = 0; i < p->graph.norder; i++)
        if (lang_diag_any(&p->graph.order[i]->diag))
            return true;
    return p->graph.errors.n != 0 || lang_diag_any(&p->diag);
}

void
program_free(struct program *p)
{
    if (p == NULL)
        return;
    program_trim(p);
    cache_free(&p->cache);
    own_image_free(&p->own);
    shelf_close(&p->shelf);
    tree_stock_close(&p->installed);
    entry_end(&p->kept);
    rt_arena_free(&p->back);
    free(p);
}
