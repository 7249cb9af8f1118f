/* SPDX-License-Identifier: MIT */
/*
 * The files of a package's folder by kind, and what their heads say.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/goversion.h"
#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/clause.h"
#include "runtime/lang/load/embed.h"
#include "runtime/lang/load/list.h"
#include "runtime/lang/load/tree_int.h"

struct folder {
    struct list *l;
    struct list_package *p;
    struct build_tags tags;
    struct paths_list imports[3]; /* pairs: path, place */
    struct paths_list patterns[3]; /* pairs: pattern, place */
    const char *first[3];    /* file that gave the package its name */
    const char *doc;
};

static const enum list_field go_field[] = {
    [PACKAGE_PLAIN] = LIST_GO_FILES,
    [PACKAGE_TEST] = LIST_TEST_GO,
    [PACKAGE_XTEST] = LIST_XTEST_GO};
static const enum list_field import_field[] = {
    [PACKAGE_PLAIN] = LIST_IMPORTS,
    [PACKAGE_TEST] = LIST_TEST_IMPORTS,
    [PACKAGE_XTEST] = LIST_XTEST_IMPORTS};
static const enum list_field pattern_field[] = {
    [PACKAGE_PLAIN] = LIST_EMBED_PATTERNS,
    [PACKAGE_TEST] = LIST_TEST_EMBED_PATTERNS,
    [PACKAGE_XTEST] = LIST_XTEST_EMBED_PATTERNS};

static void
put(struct folder *f, enum list_field field, const char *name)
{
    paths_push(f->l->a, &f->p->field[field], name);
}

/* A package has one error: the first. */
static void
fail(struct folder *f, const char *pos, const char *text)
{
    struct list_error *e;

    if (f->p->error != NULL)
        return;
    e = rt_arena_alloc(f->l->a, sizeof *e);
    e->pos = pos;
    e->text = text;
    f->p->error = e;
}

static const char *
shown(struct folder *f, const char *name)
{
    if (*f->p->dir == 0) /* packed */
        return rt_arena_printf(f->l->a, "%s/%s", f->p->path, name);
    return paths_rel(
        f->l->a, f->l->g->mods.cwd, paths_join(f->l->a, f->p->dir, name));
}

/* ---- files that are not Go ------------------------------------------------------- */

static int
other_field(const char *name)
{
    static const struct {
        const char *ext;
        int field;
    } kinds[] = {{".c", LIST_C}, {".cc", LIST_CXX}, {".cpp", LIST_CXX},
        {".cxx", LIST_CXX}, {".m", LIST_M}, {".h", LIST_H}, {".hh", LIST_H},
        {".hpp", LIST_H}, {".hxx", LIST_H}, {".f", LIST_F}, {".F", LIST_F},
        {".for", LIST_F}, {".f90", LIST_F}, {".s", LIST_S},
        {".S", LIST_IGNORED_OTHER}, {".sx", LIST_IGNORED_OTHER},
        {".swig", LIST_SWIG}, {".swigcxx", LIST_SWIGCXX},
        {".syso", LIST_SYSO}};
    const char *dot = strrchr(name, '.');
    size_t i;

    for (i = 0; dot != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(dot, kinds[i].ext) == 0)
            return kinds[i].field;
    return -1;
}

/* ---- //go:embed ------------------------------------------------------------------- */

/* Takes the next word of a comment, which may be quoted; NULL: none. */
static const char *
next_pattern(struct rt_arena *a, const char **p)
{
    const char *s = *p + strspn(*p, " \t"), *end;

    if (*s == 0 || *s == '\n' || *s == '\r')
        return NULL;
    if (*s == '"' || *s == '`') {
        end = strchr(s + 1, *s);
        if (end == NULL)
            return NULL;
        *p = end + 1;
        return rt_arena_strndup(a, s + 1, (size_t)(end - s) - 1);
    }
    *p = s + strcspn(s, " \t\r\n");
    return rt_arena_strndup(a, s, (size_t)(*p - s));
}

static void
embeds(struct folder *f, const struct clause *c, const char *name,
    const char *text, enum package_role role)
{
    static const char mark[] = "//go:embed";
    struct rt_arena *a = f->l->a;
    bool wanted = false;
    const char *p, *line = text, *pattern;
    unsigned i, n = 1;

    for (i = 0; i < c->nimports; i++)
        wanted |= strcmp(c->imports[i].path, "embed") == 0;
    for (; wanted && *line != 0; line += *line != 0, n++) {
        const char *end = line + strcspn(line, "\n");

        p = line + strspn(line, " \t");
        if (line > c->rest && paths_starts(p, mark)) {
            p += sizeof mark - 1;
            while ((*p == ' ' || *p == '\t')) {
                const char *at;

                p += strspn(p, " \t");
                at = p;
                pattern = next_pattern(a, &p);
                if (pattern == NULL)
                    break;
                paths_push(a, &f->patterns[role], pattern);
                paths_push(a, &f->patterns[role],
                    rt_arena_printf(a, "%s:%u:%u", shown(f, name), n,
                        (unsigned)(at - line) + 1));
            }
        }
        line = end;
    }
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts pairs by their first texts, those of the same text in their order. */
static void
sort_pairs(struct rt_arena *a, struct paths_list *l)
{
    struct pair {
        const char *text, *more;
        unsigned index;
    };
    struct paths_list order = {0};
    struct paths_list out = {0};
    unsigned i, k;

    for (i = 0; i < l->n; i += 2)
        if (!paths_has(&order, l->at[i]))
            paths_push(a, &order, l->at[i]);
    if (order.n > 1)
        qsort(order.at, order.n, sizeof *order.at, compare);
    for (i = 0; i < order.n; i++)
        for (k = 0; k < l->n; k += 2)
            if (strcmp(l->at[k], order.at[i]) == 0) {
                paths_push(a, &out, l->at[k]);
                paths_push(a, &out, l->at[k + 1]);
                break;
            }
    *l = out;
}

static const enum list_field embed_field[] = {
    [PACKAGE_PLAIN] = LIST_EMBED_FILES,
    [PACKAGE_TEST] = LIST_TEST_EMBED_FILES,
    [PACKAGE_XTEST] = LIST_XTEST_EMBED_FILES};

/* Adds the files that one pattern takes; the words that say why not. */
static const char *
embed_one(struct list *l, struct list_package *p, const char *pattern,
    struct paths_list *found)
{
    if (p->standard && *p->dir == 0)
        return NULL; /* it is packed, without such files */
    return embed_pattern(l->a, p->dir, pattern, found);
}

static void
set_embed_files(struct list *l, struct list_package *p,
    enum package_role role, struct paths_list *found)
{
    unsigned i;

    paths_sort(found);
    for (i = 0; i < found->n; i++)
        if (i == 0 || strcmp(found->at[i - 1], found->at[i]) != 0)
            paths_push(l->a, &p->field[embed_field[role]], found->at[i]);
}

static void
set_embeds(struct folder *f, enum package_role role)
{
    struct paths_list *pairs = &f->patterns[role], found = {0};
    unsigned i;

    sort_pairs(f->l->a, pairs);
    for (i = 0; i < pairs->n; i += 2) {
        const char *why = NULL;

        put(f, pattern_field[role], pairs->at[i]);
        if (role == PACKAGE_PLAIN)
            why = embed_one(f->l, f->p, pairs->at[i], &found);
        if (why != NULL)
            fail(f, pairs->at[i + 1], why);
    }
    set_embed_files(f->l, f->p, role, &found);
}

void
list_read_test_embeds(struct list *l, struct list_package *p)
{
    enum package_role role;

    for (role = PACKAGE_TEST; role <= PACKAGE_XTEST; role++) {
        const struct paths_list *patterns = &p->field[pattern_field[role]];
        struct paths_list found = {0};
        unsigned i;

        for (i = 0; i < patterns->n; i++)
            embed_one(l, p, patterns->at[i], &found);
        set_embed_files(l, p, role, &found);
    }
}

/* ---- Go files ---------------------------------------------------------------------- */

static const char *
join_debug(struct rt_arena *a, const char *have, const char *more)
{
    if (have == NULL || *have == 0)
        return more;
    return *more == 0 ? have : rt_arena_printf(a, "%s,%s", have, more);
}

/* Is the file of the same package as those before it? */
static void
check_name(struct folder *f, const char *name, const struct clause *c,
    enum package_role role)
{
    struct list_package *p = f->p;
    const char *own = c->package;

    if (role == PACKAGE_XTEST)
        own = rt_arena_strndup(f->l->a, own, strlen(own) - 5);
    if (p->name == NULL) {
        p->name = own;
        f->first[0] = name;
    } else if (strcmp(p->name, own) != 0) {
        put(f, LIST_INVALID_GO, name);
        fail(f, "", rt_arena_printf(f->l->a,
            "found packages %s (%s) and %s (%s) in %s", p->name, f->first[0],
            own, name, p->dir));
    }
}

/* Does an import path begin there that begins with the name of a host? */
static bool
is_hosted(const char *s)
{
    size_t n = strcspn(s, "/ ]");

    return s[n] == '/' && memchr(s, '.', n) != NULL;
}

/* Links of a comment to packages, "[runtime]", are shown without brackets. */
static const char *
without_links(struct folder *f, const char *doc)
{
    char *out = paths_dup(f->l->a, doc), *p = out, *end;

    while ((p = strchr(p, '[')) != NULL) {
        const char *path;

        end = p + 1 + strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789/");
        path = rt_arena_strndup(f->l->a, p + 1, (size_t)(end - p) - 1);
        if (*end == '.')
            end += strcspn(end, " ]");
        if (is_hosted(p + 1))
            end = p + strcspn(p, " ]");
        if (*end == ']' && *path != 0 &&
            (is_hosted(p + 1) ||
                tree_load_has(f->l->g->tree, path, NULL) == RT_OK)) {
            memmove(end, end + 1, strlen(end));
            memmove(p, p + 1, strlen(p));
        }
        p++;
    }
    return out;
}

/* A file that does not begin with a package clause. */
static void
no_clause(struct folder *f, const char *name, const char *text,
    const char *at)
{
    struct rt_arena *a = f->l->a;
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
    unsigned line = 1, col;
    const char *found, *bol = text;

    for (; text < at; text++)
        if (*text == '\n') {
            line++;
            bol = text + 1;
        }
    col = (unsigned)(at - bol) + 1;
    if (*at == 0)
        found = "'EOF'";
    else
        found = rt_arena_printf(
            a, n == 0 ? "'%.*s'" : "%.*s", n == 0 ? 1 : (int)n, at);
    fail(f, rt_arena_printf(a, "%s:%u:%u", shown(f, name), line, col),
        rt_arena_printf(a, "expected 'package', found %s", found));
}

static void
add_go(struct folder *f, const char *name, const char *text)
{
    struct rt_arena *a = f->l->a;
    struct list_package *p = f->p;
    enum package_role role = PACKAGE_PLAIN;
    struct clause c;
    unsigned i;

    clause_read(a, text, &c);
    if (*c.package == 0) {
        put(f, LIST_INVALID_GO, name);
        put(f, LIST_GO_FILES, name);
        no_clause(f, name, text, c.rest);
        return;
    }
    if (strcmp(c.package, "documentation") == 0 ||
        (c.cgo && !f->l->o->any_tags)) {
        put(f, LIST_IGNORED_GO, name);
        return;
    }
    if (paths_ends(name, "_test.go"))
        role = paths_ends(c.package, "_test") ? PACKAGE_XTEST : PACKAGE_TEST;
    check_name(f, name, &c, role);
    if (role == PACKAGE_PLAIN && *p->doc == 0)
        p->doc = without_links(f, c.doc);
    if (role == PACKAGE_PLAIN)
        p->debug = join_debug(a, p->debug, clause_debug(a, text));
    else
        p->test_debug = join_debug(a, p->test_debug, clause_debug(a, text));
    put(f, go_field[role], name);
    for (i = 0; i < c.nimports; i++) {
        paths_push(a, &f->imports[role], c.imports[i].path);
        paths_push(a, &f->imports[role],
            rt_arena_printf(a, "%s:%u:%u", shown(f, name), c.imports[i].line,
                c.imports[i].col));
    }
    embeds(f, &c, name, text, role);
}

static void
add_file(struct folder *f, const char *name, const char *text)
{
    int other = other_field(name);
    bool go = paths_ends(name, ".go"), fits;
    const char *why = "";

    if (*name == '.' || *name == '_' || (!go && other < 0))
        return;
    fits = f->l->o->any_tags || build_name_fits(&f->tags, name);
    if (fits && text == NULL) {
        size_t len;

        text = paths_read(
            f->l->a, paths_join(f->l->a, f->p->dir, name), &len);
    }
    if (fits && text != NULL && !paths_ends(name, ".syso")) {
        enum build_fit fit = build_text_fits(
            &f->tags, (const uint8_t *)text, strlen(text), &why);

        if (fit == BUILD_BAD) {
            fail(f, "", rt_arena_printf(f->l->a,
                "%s: parsing //go:build line: %s", shown(f, name), why));
            return;
        }
        fits = fit == BUILD_FITS;
    }
    if (!fits)
        put(f, go ? LIST_IGNORED_GO : LIST_IGNORED_OTHER, name);
    else if (go && text != NULL)
        add_go(f, name, text);
    else if (!go)
        put(f, (enum list_field)other, name);
}

/* ---- all of it ----------------------------------------------------------------------- */

/* Tests of the library import what it has copies of, under the names of
 * these. */
static void
show_brought(struct folder *f, enum list_field field)
{
    struct paths_list *im = &f->p->field[field];
    unsigned i;

    for (i = 0; i < im->n; i++)
        im->at[i] = list_brought(f->l, im->at[i]);
    paths_sort(im);
}

static void
set_imports(struct folder *f, enum package_role role)
{
    struct list_package *p = f->p;
    unsigned i, n;

    sort_pairs(f->l->a, &f->imports[role]);
    n = f->imports[role].n / 2;
    p->where[role] =
        rt_arena_array(f->l->a, n + 1, sizeof *p->where[role]);
    p->nwhere[role] = n;
    for (i = 0; i < n; i++) {
        p->where[role][i] = (struct list_import){
            f->imports[role].at[2 * i], f->imports[role].at[2 * i + 1]};
        put(f, import_field[role], f->imports[role].at[2 * i]);
    }
    if (p->standard && role != PACKAGE_PLAIN)
        show_brought(f, import_field[role]);
}

static void
finish(struct folder *f)
{
    struct list_package *p = f->p;
    struct rt_arena *a = f->l->a;
    unsigned go = p->field[LIST_GO_FILES].n;
    unsigned tests = p->field[LIST_TEST_GO].n + p->field[LIST_XTEST_GO].n;
    enum package_role role;

    for (role = PACKAGE_PLAIN; role <= PACKAGE_XTEST; role++) {
        set_imports(f, role);
        set_embeds(f, role);
    }
    if (go + tests == 0 && p->field[LIST_IGNORED_GO].n == 0)
        fail(f, "", rt_arena_printf(a, "no Go files in %s", p->dir));
    else if (go + tests == 0)
        fail(f, "", rt_arena_printf(a,
            "build constraints exclude all Go files in %s", p->dir));
    if (p->field[LIST_C].n != 0 && go != 0 && !p->standard) {
        const struct paths_list *c = &p->field[LIST_C];
        const char *names = c->at[0];
        unsigned i;

        for (i = 1; i < c->n; i++)
            names = rt_arena_printf(a, "%s %s", names, c->at[i]);
        fail(f, "", rt_arena_printf(a, "C source files not allowed when not "
            "using cgo or SWIG: %s", names));
    }
    if (f->l->o->compiled)
        p->field[LIST_COMPILED] = p->field[LIST_GO_FILES];
    if (p->name == NULL)
        p->name = "";
}

/* Go's own packages are chosen among by what its build takes for granted. */
static void
set_tags(struct folder *f)
{
    static const char *const latest[] = {"gc", "goexperiment.regabiwrappers",
        "goexperiment.regabiargs", "goexperiment.dwarf5",
        "goexperiment.greenteagc", "goexperiment.randomizedheapbase64", NULL};
    static const char *const before[] = {"gc", "goexperiment.regabiwrappers",
        "goexperiment.regabiargs", "goexperiment.aliastypeparams",
        "goexperiment.swissmap", "goexperiment.spinbitmutex", NULL};
    const struct tree *t = f->l->g->tree->tree;

    f->tags = (struct build_tags){
        .minor = RT_GO_MINOR, .more = f->l->tags, .any = f->l->o->any_tags};
    if (f->p->standard && t != NULL) {
        f->tags.minor = tree_minor(t);
        f->tags.more = tree_minor(t) >= 26 ? latest : before;
    }
}

enum rt_status
list_read_folder(struct list *l, struct list_package *p, struct rt_err *err)
{
    struct folder f = {.l = l, .p = p};
    struct paths_list names = {0};
    struct tree_file *files;
    unsigned i, n;

    set_tags(&f);
    p->doc = "";
    if (p->standard && *p->dir == 0) { /* packed: chosen already */
        if (l->g->tree->tree == NULL ||
            tree_read(l->g->tree->tree, p->path, l->a, &files, &n, NULL) !=
                RT_OK)
            n = 0;
        for (i = 0; i < n; i++)
            add_go(&f, strrchr(files[i].name, '/') + 1, files[i].text);
        if (n != 0)
            finish(&f);
        return RT_OK;
    }
    if (!paths_entries(l->a, p->dir, &names))
        return rt_err_os(err, errno, "%s", p->dir);
    for (i = 0; i < names.n; i++)
        if (paths_is_file(paths_join(l->a, p->dir, names.at[i])))
            add_file(&f, names.at[i], NULL);
    finish(&f);
    return RT_OK;
}

enum rt_status
list_read_files(struct list *l, struct list_package *p,
    const char *const *files, unsigned n, struct rt_err *err)
{
    struct folder f = {.l = l, .p = p};
    unsigned i;

    set_tags(&f);
    p->doc = "";
    for (i = 0; i < n; i++) {
        const char *slash = strrchr(files[i], '/');
        size_t len;
        char *text = paths_read(l->a, files[i], &len);

        if (text == NULL)
            return rt_err_os(err, errno, "%s", files[i]);
        add_go(&f, slash == NULL ? files[i] : slash + 1, text);
    }
    finish(&f);
    return RT_OK;
}
