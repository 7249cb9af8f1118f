/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/testmain.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/example.h"

/* What a function of a test file is. */
enum kind { TEST, BENCHMARK, FUZZ, EXAMPLE, NKINDS };

static const struct {
    const char *prefix, *param, *type;
} kinds[NKINDS] = {{"Test", "T", "InternalTest"},
    {"Benchmark", "B", "InternalBenchmark"},
    {"Fuzz", "F", "InternalFuzzTarget"},
    {"Example", NULL, "InternalExample"}};

struct writer {
    struct graph *g;
    struct rt_arena_text list[NKINDS]; /* the elements of the slices */
    const char *main;         /* "_test.TestMain" or NULL */
    const char *name;         /* of the package being read: "_test" */
    bool used;                /* something of it is named */
    bool bad;
};

static const char *
text(const struct rt_arena_text *t)
{
    return t->n == 0 ? "" : t->at;
}

/* ---- names ------------------------------------------------------------------------- */

/* Is it the prefix, with nothing or no lower-case letter behind it? */
static bool
has_prefix(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    const uint8_t *rest = (const uint8_t *)name + n;

    if (strncmp(name, prefix, n) != 0)
        return false;
    if (*rest < 0x80)
        return !(*rest >= 'a' && *rest <= 'z');
    return true;
}

/* ---- signatures -------------------------------------------------------------------- */

/* Is the type *testing.X, or *X of an import with a dot?  The checker looks
 * closer. */
static bool
is_pointer_to(const struct ast_expr *t, const char *name)
{
    const struct ast_expr *x;

    if (t->kind != EXPR_STAR)
        return false;
    x = t->x;
    if (x->kind == EXPR_NAME)
        return strcmp(x->name->text, name) == 0;
    return x->kind == EXPR_SELECTOR &&
        strcmp(x->selector.sel.name->text, name) == 0;
}

static bool
has_signature(const struct ast_decl *d, const char *param)
{
    const struct ast_signature *sig = d->func.func.sig;

    if (sig->results.n != 0 || d->func.recv != NULL)
        return false;
    if (param == NULL)
        return sig->params.n == 0;
    return sig->params.n == 1 && is_pointer_to(sig->params.at[0]->type, param);
}

static void
wrong(struct writer *w, const struct ast_decl *d, enum kind k)
{
    struct lang_place at =
        lang_pos_place(w->g->parse->src, d->func.name.pos);
    const char *p = kinds[k].param;
    char low = p == NULL ? 0 : (char)(*p | 0x20);

    w->bad = true;
    paths_push(w->g->a, &w->g->errors, rt_arena_printf(w->g->a,
        "%s:%u:%u: wrong signature for %s, must be: func %s(%c *testing.%s)",
        at.file, at.line, at.col, d->func.name.name->text,
        d->func.name.name->text, low, p));
}

/* ---- examples ------------------------------------------------------------------------ */

/* As a string of Go's, whatever is in it. */
static const char *
quoted(struct rt_arena *a, const char *s)
{
    char *out = rt_arena_alloc(a, 4 * strlen(s) + 3), *o = out;

    *o++ = '"';
    for (; *s != 0; s++)
        o += sprintf(o, "\\x%02x", (unsigned char)*s);
    memcpy(o, "\"", 2);
    return out;
}

static void
add_example(struct writer *w, const struct ast_decl *d)
{
    const struct lang_file *f = d->file->src;
    const char *text = (const char *)f->text;
    const struct ast_func *fn = &d->func.func;
    const char *out, *name = d->func.name.name->text;
    bool unordered;

    if (fn->body == NULL || fn->rbrace <= fn->lbrace)
        return;
    out = example_output(w->g->a, text + (fn->lbrace - f->base) + 1,
        text + (fn->rbrace - f->base), &unordered);
    if (out == NULL)
        return; /* it is compiled, that is all */
    w->used = true;
    rt_arena_add(w->g->a, &w->list[EXAMPLE],
        "\t{\"%s\", %s.%s, %s, %s},\n", name, w->name, name,
        quoted(w->g->a, out), unordered ? "true" : "false");
}

/* ---- functions ----------------------------------------------------------------------- */

static void
add_func(struct writer *w, const struct ast_decl *d)
{
    const char *name = d->func.name.name->text;
    int k;

    if (strcmp(name, "TestMain") == 0 && has_signature(d, "M")) {
        w->main = rt_arena_printf(w->g->a, "%s.TestMain", w->name);
        w->used = true;
        return;
    }
    for (k = 0; k < NKINDS && !has_prefix(name, kinds[k].prefix); k++)
        ;
    if (k == NKINDS)
        return;
    if (k == EXAMPLE) {
        if (has_signature(d, NULL))
            add_example(w, d);
        return;
    }
    if (!has_signature(d, kinds[k].param)) {
        wrong(w, d, (enum kind)k);
        return;
    }
    w->used = true;
    rt_arena_add(w->g->a, &w->list[k], "\t{\"%s\", %s.%s},\n", name, w->name,
        name);
}

static void
add_package(
    struct writer *w, const struct graph_package *p, const char *name)
{
    uint32_t i, k;

    w->name = name;
    w->used = false;
    if (p == NULL)
        return;
    for (i = 0; i < p->nfiles; i++) {
        if (!paths_ends(p->files[i]->src->name, "_test.go"))
            continue;
        for (k = 0; k < p->files[i]->decls.n; k++) {
            const struct ast_decl *d = p->files[i]->decls.at[k];

            if (d->kind == DECL_FUNC && d->func.recv == NULL &&
                d->func.name.name != NULL)
                add_func(w, d);
        }
    }
}

static const char *
import_line(struct writer *w, const struct graph_package *p, bool used)
{
    if (p == NULL || p->nfiles == 0)
        return "";
    return rt_arena_printf(w->g->a, "\t%s \"%s\"\n", used ? w->name : "_",
        p->path);
}

/* ---- coverage ----------------------------------------------------------------------- */

/* The counters and blocks of a package whose name here is given. */
static void
cover_package(struct writer *w, const struct graph_package *p,
    const char *name, struct rt_arena_text *counters,
    struct rt_arena_text *blocks)
{
    struct rt_arena *a = w->g->a;
    unsigned i, k;

    for (i = 0; i < p->ncover; i++) {
        const struct cover_file *f = &p->cover[i];

        rt_arena_add(a, counters,
            "\t\"%s/%s\": %s.VoleCover[%u:%u],\n", p->path, f->name, name,
            f->first, f->first + f->n);
        rt_arena_add(a, blocks, "\t\"%s/%s\": {", p->path, f->name);
        for (k = 0; k < f->n; k++)
            cover_add_block(a, blocks, f, k);
        rt_arena_add(a, blocks, "},\n");
    }
}

/* The function that registers them, *imports with the packages that it
 * needs. */
static const char *
cover_func(struct writer *w, const char **imports)
{
    static const char *const modes[] = {[COVER_SET] = "set",
        [COVER_COUNT] = "count", [COVER_ATOMIC] = "atomic"};
    struct graph *g = w->g;
    struct rt_arena_text counters = {NULL, 0, 0}, blocks = {NULL, 0, 0};
    const char *name;
    unsigned i;

    if (g->cover == COVER_OFF)
        return "";
    for (i = 0; i < g->norder; i++) {
        struct graph_package *p = g->order[i];

        if (p->ncover == 0)
            continue;
        name = rt_arena_printf(g->a, "_cover%u", i);
        *imports = rt_arena_printf(
            g->a, "%s\t%s \"%s\"\n", *imports, name, p->path);
        cover_package(w, p, name, &counters, &blocks);
    }
    return rt_arena_printf(g->a,
        "\nfunc init() {\n\ttesting.RegisterCover(testing.Cover{\n"
        "Mode: \"%s\",\nCounters: map[string][]uint32{\n%s},\n"
        "Blocks: map[string][]testing.CoverBlock{\n%s},\n"
        "CoveredPackages: %s%s})\n}\n", modes[g->cover], text(&counters),
        text(&blocks),
        g->coverin == NULL ? "" : "\" in \" + ",
        g->coverin == NULL ? "\"\"" : quoted(g->a, g->coverin));
}

const char *
testmain_text(struct graph *g, const char *path,
    const struct graph_package *package, const struct graph_package *xtest)
{
    struct writer w = {.g = g};
    const char *imports, *cover;

    add_package(&w, package, "_test");
    imports = import_line(&w, package, w.used);
    add_package(&w, xtest, "_xtest");
    imports = rt_arena_printf(
        g->a, "%s%s", imports, import_line(&w, xtest, w.used));
    if (w.bad)
        return NULL;
    cover = cover_func(&w, &imports);
    return rt_arena_printf(g->a,
        "package main\n\nimport (\n\t\"os\"\n\t\"regexp\"\n\t\"testing\"\n%s)\n"
        "\nvar tests = []testing.InternalTest{\n%s}\n"
        "\nvar benchmarks = []testing.InternalBenchmark{\n%s}\n"
        "\nvar fuzz = []testing.InternalFuzzTarget{\n%s}\n"
        "\nvar examples = []testing.InternalExample{\n%s}\n"
        "%s\nfunc match(pat, str string) (bool, error) {\n"
        "\tre, err := regexp.Compile(pat)\n\tif err != nil {\n"
        "\t\treturn false, err\n\t}\n\treturn re.MatchString(str), nil\n}\n"
        "\nfunc main() {\n\tm := testing.MainStart(match, \"%s\", tests, "
        "benchmarks, fuzz, examples)\n%s%s%s}\n", imports, text(&w.list[TEST]),
        text(&w.list[BENCHMARK]), text(&w.list[FUZZ]),
        text(&w.list[EXAMPLE]), cover, path,
        w.main == NULL ? "\tos.Exit(m.Run())\n" : "\t",
        w.main == NULL ? "" : w.main,
        w.main == NULL ? "" : "(m)\n\tos.Exit(m.ExitCode())\n");
}
