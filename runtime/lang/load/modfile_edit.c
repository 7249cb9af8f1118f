/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/modfile.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/modfile_int.h"
#include "runtime/lang/load/semver.h"

enum { SORTED_EXCLUDES_SINCE = 21 };

static struct stmt *
new_block(struct modfile *f, const char *verb)
{
    struct stmt *x = modfile_stmt(f, BLOCK);

    paths_push(f->a, &x->word, verb);
    return x;
}

/* ---- order -------------------------------------------------------------------------- */

static int
by_words(const struct line *x, const struct line *y)
{
    unsigned i;
    int c;

    for (i = 0; i < x->word.n && i < y->word.n; i++) {
        c = strcmp(x->word.at[i], y->word.at[i]);
        if (c != 0)
            return c;
    }
    return (x->word.n > y->word.n) - (x->word.n < y->word.n);
}

static int
by_version(const struct line *x, const struct line *y)
{
    int c;

    if (x->word.n != 2 || y->word.n != 2)
        return by_words(x, y);
    c = strcmp(x->word.at[0], y->word.at[0]);
    return c != 0 ? c : semver_compare(x->word.at[1], y->word.at[1]);
}

/* The older or newer end of "v1" or "[v1, v2]". */
static const char *
retracted(const struct line *x, bool newer)
{
    if (x->word.n == 5)
        return x->word.at[newer ? 3 : 1];
    return x->word.n == 0 ? "" : x->word.at[0];
}

static int
by_retraction(const struct line *x, const struct line *y)
{
    int c = semver_compare(retracted(y, false), retracted(x, false));

    return c != 0
        ? c : semver_compare(retracted(y, true), retracted(x, true));
}

/* Stable, and quick on lines that are in order. */
static void
sort_lines(struct modfile *f, struct lines *l,
    int (*compare)(const struct line *, const struct line *))
{
    struct line **from = l->at, **to, **swap;
    unsigned width, i;

    to = rt_arena_array(f->a, l->n + 1, sizeof(*to));
    for (width = 1; width < l->n; width *= 2) {
        for (i = 0; i < l->n; i += 2 * width) {
            unsigned mid = i + width < l->n ? i + width : l->n;
            unsigned end = mid + width < l->n ? mid + width : l->n;
            unsigned x = i, y = mid, k = i;

            while (x < mid || y < end)
                if (y == end || (x < mid && compare(from[x], from[y]) <= 0))
                    to[k++] = from[x++];
                else
                    to[k++] = from[y++];
        }
        swap = from;
        from = to;
        to = swap;
    }
    if (from != l->at)
        memcpy(l->at, from, l->n * sizeof(*from));
}

/* ---- lines that say the same ------------------------------------------------------- */

struct repeat {
    const char *verb;
    struct line *line;
    unsigned place; /* in the file */
};

/* Where the arguments of a line begin. */
static unsigned
first_word(const struct line *x)
{
    return x->in_block ? 0 : 1;
}

/* By what lines exclude, replace, use or ignore, to the "=>"; 0: the same. */
static int
by_subject(const struct repeat *p, const struct repeat *q)
{
    const struct line *x = p->line, *y = q->line;
    unsigned i = first_word(x), k = first_word(y);
    int c = strcmp(p->verb, q->verb);

    for (; c == 0 && i < x->word.n && k < y->word.n; i++, k++) {
        c = strcmp(x->word.at[i], y->word.at[k]);
        if (c == 0 && strcmp(x->word.at[i], "=>") == 0)
            return 0;
    }
    if (c != 0)
        return c;
    return (i < x->word.n) - (k < y->word.n);
}

/* Those about the same one behind the other, in the order of the file. */
static int
by_subject_and_place(const void *a, const void *b)
{
    const struct repeat *p = a, *q = b;
    int c = by_subject(p, q);

    return c != 0 ? c : (p->place > q->place) - (p->place < q->place);
}

static void
add_repeat(struct repeat *list, unsigned *n, const char *verb, struct line *x)
{
    static const char *const verbs[] = {"exclude", "replace", "tool", "ignore"};
    size_t i;

    for (i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (x->word.n != 0 && strcmp(verb, verbs[i]) == 0) {
            list[*n] = (struct repeat){verbs[i], x, *n};
            ++*n;
        }
}

/* Of lines about the same, the last replacement counts, of others the first
 * stays. */
static void
drop_repeats(struct modfile *f)
{
    struct repeat *list;
    unsigned i, k, end, keep, n = 0;

    for (i = 0; i < f->n; i++)
        n += f->at[i]->kind == BLOCK ? f->at[i]->lines.n : 1;
    list = rt_arena_array(f->a, n + 1, sizeof *list);
    n = 0;
    for (i = 0; i < f->n; i++) {
        struct stmt *x = f->at[i];

        if (x->kind == LINE && x->line->word.n != 0)
            add_repeat(list, &n, x->line->word.at[0], x->line);
        for (k = 0; k < x->lines.n; k++)
            add_repeat(list, &n, x->word.at[0], x->lines.at[k]);
    }
    if (n > 1)
        qsort(list, n, sizeof *list, by_subject_and_place);
    for (i = 0; i < n; i = end) {
        for (end = i + 1;
             end < n && by_subject(&list[i], &list[end]) == 0; end++)
            continue;
        keep = strcmp(list[i].verb, "replace") == 0 ? end - 1 : i;
        for (k = i; k < end; k++)
            if (k != keep)
                list[k].line->word.n = 0;
    }
}

/* The word behind "go" or another verb that stands alone; NULL: no line. */
static struct line *
find_line(struct modfile *f, const char *verb)
{
    unsigned i;

    for (i = 0; i < f->n; i++)
        if (f->at[i]->kind == LINE && f->at[i]->line->word.n != 0 &&
            strcmp(f->at[i]->line->word.at[0], verb) == 0)
            return f->at[i]->line;
    return NULL;
}

static void
sort_blocks(struct modfile *f)
{
    const struct line *go = find_line(f, "go");
    bool versions = go != NULL && go->word.n > 1 &&
        semver_go_minor(go->word.at[1]) >= SORTED_EXCLUDES_SINCE;
    unsigned i;

    drop_repeats(f);
    for (i = 0; i < f->n; i++) {
        struct stmt *x = f->at[i];

        if (x->kind != BLOCK)
            continue;
        if (strcmp(x->word.at[0], "exclude") == 0 && versions)
            sort_lines(f, &x->lines, by_version);
        else if (strcmp(x->word.at[0], "retract") == 0)
            sort_lines(f, &x->lines, by_retraction);
        else
            sort_lines(f, &x->lines, by_words);
    }
}

/* ---- single lines ---------------------------------------------------------------------- */

static struct line *
new_line(struct modfile *f, const char *verb, const char *word)
{
    struct line *x = rt_arena_alloc(f->a, sizeof *x);

    paths_push(f->a, &x->word, verb);
    paths_push(f->a, &x->word, word);
    return x;
}

/* Sets a line of two words, which stands behind that of the first of `behind`
 * that there is. */
static void
set_line(struct modfile *f, const char *verb, const char *word,
    const char *const *behind)
{
    struct line *x = find_line(f, verb), *hint = NULL;
    struct stmt *new;
    unsigned i = f->n, k;

    if (x != NULL) {
        x->word.at[1] = word;
        x->word.n = 2;
        return;
    }
    for (; *behind != NULL && hint == NULL; behind++)
        hint = find_line(f, *behind);
    for (k = 0; hint != NULL && k < f->n; k++)
        if (f->at[k]->line == hint)
            i = k + 1;
    new = modfile_stmt(f, LINE);
    new->line = new_line(f, verb, word);
    modfile_insert(f, i, new);
}

void
modfile_set_go(struct modfile *f, const char *version)
{
    static const char *const behind[] = {"module", NULL};

    rt_assert(version != NULL);
    set_line(f, "go", version, behind);
}

void
modfile_set_toolchain(struct modfile *f, const char *name)
{
    static const char *const behind[] = {"go", "module", NULL};
    struct line *x;

    if (name != NULL) {
        set_line(f, "toolchain", name, behind);
        return;
    }
    x = find_line(f, "toolchain");
    if (x != NULL)
        x->word.n = 0;
}

/* ---- requirements ------------------------------------------------------------------------ */

struct want {
    const struct module_require *r;
    bool done;
};

struct edit {
    struct modfile *f;
    struct want *want; /* by path */
    unsigned n;
};

static int
by_path(const void *key, const void *elem)
{
    return strcmp(key, ((const struct want *)elem)->r->mod.path);
}

static bool
is_require(const struct stmt *x)
{
    if (x->kind == LINE)
        return x->line->word.n > 0 &&
            strcmp(x->line->word.at[0], "require") == 0;
    return x->kind == BLOCK && strcmp(x->word.at[0], "require") == 0;
}

/* What a comment says, without slashes and blanks. */
static const char *
text_of(const char *comment)
{
    comment += 2;
    return comment + strspn(comment, " \t");
}

static bool
is_indirect(const struct line *x)
{
    static const char mark[] = "indirect";
    const char *s = x->suffix.n == 0 ? "" : text_of(x->suffix.at[0]);

    if (!paths_starts(s, mark))
        return false;
    s += sizeof mark - 1;
    return *s == 0 || (*s == ';' && strpbrk(s + 1, " \t") == s + 1);
}

static void
set_indirect(struct modfile *f, struct line *x, bool indirect)
{
    const char *s = x->suffix.n == 0 ? "" : text_of(x->suffix.at[0]);

    if (is_indirect(x) == indirect)
        return;
    if (x->suffix.n == 0)
        paths_push(f->a, &x->suffix, "");
    if (indirect)
        x->suffix.at[0] = *s == 0
            ? "// indirect" : rt_arena_printf(f->a, "// indirect; %s", s);
    else if (strcmp(s, "indirect") == 0)
        x->suffix.n = 0;
    else
        x->suffix.at[0] =
            rt_arena_printf(f->a, "//%s", strchr(s, ';') + 1);
}

static bool
has_comments(
    const struct paths_list *before, const struct paths_list *suffix)
{
    return before->n > 0 || suffix->n > 1 ||
        (suffix->n == 1 && strcmp(text_of(suffix->at[0]), "indirect") != 0);
}

/* A path as it stands in a file, without quotes. */
static const char *
path_of(struct modfile *f, const struct line *x)
{
    const char *s = x->word.at[first_word(x)];

    return *s == '"' || *s == '`'
        ? rt_arena_strndup(f->a, s + 1, strlen(s) - 2) : s;
}

/* What a line is to say; NULL: it is to go. */
static struct want *
want_of(struct edit *e, const struct line *x)
{
    const char *path = path_of(e->f, x);
    struct want *w = e->n == 0
        ? NULL : bsearch(path, e->want, e->n, sizeof *e->want, by_path);

    return w == NULL || w->done ? NULL : w;
}

static void
update(struct edit *e, struct line *x, struct want *w)
{
    unsigned i = first_word(x) + 1;

    w->done = true;
    if (x->in_block && x->before.n == 1 && *x->before.at[0] == 0)
        x->before.n = 0;
    if (x->word.n > i)
        x->word.at[i] = w->r->mod.version;
    set_indirect(e->f, x, w->r->indirect);
}

static struct line *
make_line(struct edit *e, const struct module_require *r)
{
    struct line *x = new_line(e->f, r->mod.path, r->mod.version);

    x->in_block = true;
    set_indirect(e->f, x, r->indirect);
    return x;
}

/* Makes a block of a line. */
static struct stmt *
ensure_block(struct modfile *f, struct stmt *x)
{
    struct line *line = x->line;
    struct stmt block = {.kind = BLOCK};

    if (x->kind == BLOCK)
        return x;
    rt_assert(line->word.n > 1);
    paths_push(f->a, &block.word, line->word.at[0]);
    line->word.at++;
    line->word.n--;
    line->word.cap--;
    line->in_block = true;
    modfile_push(f, &block.lines, line);
    *x = block;
    return x;
}

/* Before Go 1.17: new requirements come behind those of the last line or
 * block. */
static void
set_mixed(struct edit *e)
{
    struct modfile *f = e->f;
    struct stmt *last = NULL;
    struct want *w;
    unsigned i, k;

    for (i = 0; i < f->n; i++) {
        struct stmt *x = f->at[i];
        unsigned n = x->kind == BLOCK ? x->lines.n : 1;

        if (!is_require(x))
            continue;
        for (k = 0; k < n; k++) {
            struct line *l = x->kind == BLOCK ? x->lines.at[k] : x->line;

            w = want_of(e, l);
            if (w == NULL)
                l->word.n = 0;
            else
                update(e, l, w);
        }
        if (is_require(x)) /* a line may be gone */
            last = x;
    }
    for (i = 0; i < e->n; i++) {
        if (e->want[i].done)
            continue;
        if (last == NULL) {
            last = new_block(f, "require");
            modfile_insert(f, f->n, last);
        }
        last = ensure_block(f, last);
        modfile_push(f, &last->lines, make_line(e, e->want[i].r));
    }
}

/* ---- requirements in two blocks ---------------------------------------------------- */

struct layout {
    int direct, indirect, last; /* statements, -1: none */
    unsigned count;             /* of requirements' lines and blocks */
};

static void
look_at(const struct stmt *x, int i, struct layout *l)
{
    bool direct, indirect;
    unsigned k;

    l->last = i;
    l->count++;
    if (x->kind == LINE) {
        if (!has_comments(&x->line->before, &x->line->suffix))
            *(is_indirect(x->line) ? &l->indirect : &l->direct) = i;
        return;
    }
    direct = indirect =
        x->lines.n > 0 && !has_comments(&x->before, &x->suffix);
    for (k = 0; k < x->lines.n; k++) {
        const struct line *y = x->lines.at[k];
        bool more = has_comments(&y->before, &y->suffix);

        direct &= !more && !is_indirect(y);
        indirect &= !more && is_indirect(y);
    }
    if (direct)
        l->direct = i;
    if (indirect)
        l->indirect = i;
}

/* Moves a line into a block, if it is not there. */
static void
move(struct modfile *f, struct line *x, struct stmt *to)
{
    struct line *new = rt_arena_alloc(f->a, sizeof *new);

    *new = *x;
    if (!new->in_block) {
        new->word.at++;
        new->word.n--;
        new->word.cap--;
    }
    new->in_block = true;
    x->word = (struct paths_list){0};
    modfile_push(f, &to->lines, new);
}

static struct stmt *
block_at(struct modfile *f, int at, bool there)
{
    if (there)
        return ensure_block(f, f->at[at]);
    modfile_insert(f, (unsigned)at, new_block(f, "require"));
    return f->at[at];
}

/* A requirement's line, and the block in which it was found. */
struct spot {
    struct line *line;
    const struct stmt *block; /* NULL: in none */
};

static struct spot *
spots_of(struct modfile *f, unsigned *n)
{
    struct spot *out;
    unsigned i, k, room = f->n;

    for (i = 0; i < f->n; i++)
        room += f->at[i]->lines.n;
    out = rt_arena_array(f->a, room + 1, sizeof *out);
    *n = 0;
    for (i = 0; i < f->n; i++) {
        struct stmt *x = f->at[i];

        if (is_require(x) && x->kind == LINE)
            out[(*n)++] = (struct spot){x->line, NULL};
        for (k = 0; is_require(x) && k < x->lines.n; k++)
            out[(*n)++] = (struct spot){x->lines.at[k], x};
    }
    return out;
}

/* Changes the requirements that there are; `flat`: all go to one of the two
 * blocks. */
static void
update_all(struct edit *e, const struct spot *at, unsigned n, bool flat,
    struct stmt *direct, struct stmt *indirect)
{
    unsigned i;

    for (i = 0; i < n; i++) {
        struct line *l = at[i].line;
        struct want *w = want_of(e, l);

        if (w == NULL) {
            l->word.n = 0;
            continue;
        }
        update(e, l, w);
        if (w->r->indirect && (flat || at[i].block == direct))
            move(e->f, l, indirect);
        else if (!w->r->indirect && (flat || at[i].block == indirect))
            move(e->f, l, direct);
    }
}

static void
set_separate(struct edit *e)
{
    struct modfile *f = e->f;
    struct layout l = {-1, -1, -1, 0};
    struct stmt *direct, *indirect, *last;
    struct spot *at;
    bool flat = false, have;
    unsigned i, n;

    at = spots_of(f, &n);
    for (i = 0; i < f->n; i++)
        if (is_require(f->at[i]))
            look_at(f->at[i], (int)i, &l);
    if (l.count == 1) {
        last = f->at[l.last];
        flat = last->kind == LINE
            ? !has_comments(&last->line->before, &last->line->suffix)
            : !has_comments(&last->before, &last->suffix);
    }
    have = l.direct >= 0;
    if (!have && l.indirect >= 0)
        l.direct = l.indirect++;
    else if (!have)
        l.direct = l.last >= 0 ? l.last + 1 : (int)f->n;
    direct = block_at(f, l.direct, have);
    have = l.indirect >= 0;
    indirect = block_at(f, have ? l.indirect : l.direct + 1, have);
    rt_assert(direct != indirect);
    update_all(e, at, n, flat, direct, indirect);
    for (i = 0; i < e->n; i++)
        if (!e->want[i].done) {
            last = e->want[i].r->indirect ? indirect : direct;
            modfile_push(f, &last->lines, make_line(e, e->want[i].r));
        }
}

void
modfile_set_requirements(struct modfile *f, const struct module_require *list,
    unsigned n, bool separate)
{
    struct edit e = {.f = f, .n = n};
    unsigned i;

    e.want = rt_arena_array(f->a, n + 1, sizeof *e.want);
    for (i = 0; i < n; i++) {
        rt_assert(
            i == 0 || strcmp(list[i - 1].mod.path, list[i].mod.path) < 0);
        e.want[i].r = &list[i];
    }
    if (separate)
        set_separate(&e);
    else
        set_mixed(&e);
    sort_blocks(f);
    modfile_clean(f);
}
