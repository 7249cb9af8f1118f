/* SPDX-License-Identifier: MIT */
#include "profile/read/pfilter.h"

#include <stdlib.h>
#include <string.h>

#include "profile/read/pregex.h"
#include "profile/read/ptag.h"

/* What the filters found out about a location. */
enum { FOCUSED = 1, IGNORED = 2, HIDDEN = 4, FROM = 8, BENEATH = 16,
    PRUNED = 32 };

static enum rt_status
nomem(struct rt_err *e)
{
    return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

/* ---- matching */

static bool
func_matches(const struct pfile *f, const struct pfile_line *l,
    const struct pregex *re)
{
    const struct pfile_func *fn = &f->funcs[l->func];

    return pregex_match(re, fn->name) || pregex_match(re, fn->file);
}

static bool
mapping_matches(const struct pfile *f, const struct pfile_loc *l,
    const struct pregex *re)
{
    return l->mapping != PFILE_NONE &&
        pregex_match(re, f->mappings[l->mapping].file);
}

static bool
loc_matches(const struct pfile *f, const struct pfile_loc *l,
    const struct pregex *re)
{
    uint32_t i;

    for (i = 0; i < l->nlines; i++) {
        if (func_matches(f, &f->lines[l->line + i], re))
            return true;
    }
    return mapping_matches(f, l, re);
}

/* Keeps the lines that match, or those that do not.  A location's lines are
 * its own, so they can be moved together. */
static void
keep_lines(struct pfile *f, struct pfile_loc *l, const struct pregex *re,
    bool matching)
{
    uint32_t i, n = 0;

    if (mapping_matches(f, l, re)) {
        if (!matching)
            l->nlines = 0;
        return;
    }
    for (i = 0; i < l->nlines; i++) {
        struct pfile_line *x = &f->lines[l->line + i];

        if (func_matches(f, x, re) == matching)
            f->lines[l->line + n++] = *x;
    }
    l->nlines = n;
}

/* ---- by name */

struct names {
    struct pregex focus, ignore, hide, show;
};

static uint8_t
mark_loc(struct pfile *f, struct pfile_loc *l, const struct names *r,
    unsigned *seen)
{
    uint8_t m = 0;

    if (r->ignore.set && loc_matches(f, l, &r->ignore)) {
        *seen |= PFILTER_IGNORE;
        m |= IGNORED;
    } else if (!r->focus.set || loc_matches(f, l, &r->focus)) {
        *seen |= PFILTER_FOCUS;
        m |= FOCUSED;
    }
    if (r->hide.set && loc_matches(f, l, &r->hide)) {
        *seen |= PFILTER_HIDE;
        keep_lines(f, l, &r->hide, false);
        if (l->nlines == 0)
            m |= HIDDEN;
    }
    if (r->show.set) {
        keep_lines(f, l, &r->show, true);
        if (l->nlines == 0)
            m |= HIDDEN;
        else
            *seen |= PFILTER_SHOW;
    }
    return m;
}

/* Moves sample `from` to place `to`. */
static void
move_sample(struct pfile *f, size_t to, size_t from)
{
    if (to == from)
        return;
    f->samples[to] = f->samples[from];
    memmove(&f->values[to * f->ntypes], &f->values[from * f->ntypes],
        f->ntypes * sizeof *f->values);
}

/* Whether the sample stays; takes its hidden frames out. */
static bool
keep_named(struct pfile *f, struct pfile_sample *s, const uint8_t *mark)
{
    uint32_t *at = &f->stack[s->loc];
    bool focused = false, hidden = false;
    uint32_t i, n = 0;

    for (i = 0; i < s->nlocs; i++) {
        if (mark[at[i]] & IGNORED)
            return false;
        focused |= (mark[at[i]] & FOCUSED) != 0;
        hidden |= (mark[at[i]] & HIDDEN) != 0;
    }
    if (!focused || !hidden)
        return focused;
    for (i = 0; i < s->nlocs; i++) {
        if (!(mark[at[i]] & HIDDEN))
            at[n++] = at[i];
    }
    s->nlocs = n;
    return n > 0;
}

static enum rt_status
by_name(struct pfile *f, const struct pfilter *p, unsigned *seen,
    struct rt_err *e)
{
    struct names r = {0};
    uint8_t *mark = NULL;
    enum rt_status st = pregex_compile(&r.focus, "-focus", p->focus, e);
    size_t i, n = 0;

    if (st == RT_OK)
        st = pregex_compile(&r.ignore, "-ignore", p->ignore, e);
    if (st == RT_OK)
        st = pregex_compile(&r.hide, "-hide", p->hide, e);
    if (st == RT_OK)
        st = pregex_compile(&r.show, "-show", p->show, e);
    if (st == RT_OK && (r.focus.set || r.ignore.set || r.hide.set ||
        r.show.set)) {
        mark = calloc(f->nlocs + 1, 1);
        if (mark == NULL)
            st = nomem(e);
    }
    if (mark != NULL) {
        for (i = 0; i < f->nlocs; i++)
            mark[i] = mark_loc(f, &f->locs[i], &r, seen);
        for (i = 0; i < f->nsamples; i++) {
            if (keep_named(f, &f->samples[i], mark))
                move_sample(f, n++, i);
        }
        f->nsamples = n;
    }
    free(mark);
    pregex_free(&r.focus);
    pregex_free(&r.ignore);
    pregex_free(&r.hide);
    pregex_free(&r.show);
    return st;
}

/* ---- show_from: the root side of a stack goes */

static bool
cut_from(struct pfile *f, struct pfile_loc *l, const struct pregex *re)
{
    uint32_t i;

    if (mapping_matches(f, l, re))
        return true;
    for (i = l->nlines; i > 0; i--) {
        if (func_matches(f, &f->lines[l->line + i - 1], re)) {
            l->nlines = i;
            return true;
        }
    }
    return false;
}

static enum rt_status
show_from(struct pfile *f, const char *text, unsigned *seen, struct rt_err *e)
{
    struct pregex re;
    enum rt_status st = pregex_compile(&re, "-show_from", text, e);
    uint8_t *mark;
    size_t i, n = 0;

    if (st != RT_OK || !re.set)
        return st;
    mark = calloc(f->nlocs + 1, 1);
    if (mark == NULL) {
        pregex_free(&re);
        return nomem(e);
    }
    for (i = 0; i < f->nlocs; i++) {
        if (cut_from(f, &f->locs[i], &re)) {
            mark[i] = FROM;
            *seen |= PFILTER_SHOW_FROM;
        }
    }
    for (i = 0; i < f->nsamples; i++) {
        struct pfile_sample *s = &f->samples[i];

        while (s->nlocs > 0 && !mark[f->stack[s->loc + s->nlocs - 1]])
            s->nlocs--;
        if (s->nlocs > 0)
            move_sample(f, n++, i);
    }
    f->nsamples = n;
    free(mark);
    pregex_free(&re);
    return RT_OK;
}

/* ---- pruning: the leaf side of a stack goes */

/* The name up to its arguments, in buf; "(anonymous namespace)" and
 * "operator()" are parts of names. */
static const char *
bare_name(char *buf, size_t size, const char *name)
{
    size_t i = 0;

    if (*name == '.')
        name++;
    while (name[i] != '\0' && i + 1 < size) {
        if (name[i] == '(') {
            if (strncmp(name + i, "(anonymous namespace)", 21) != 0 &&
                !(i >= 8 && strncmp(name + i - 8, "operator()", 10) == 0))
                break;
        }
        buf[i] = name[i];
        i++;
    }
    buf[i] = '\0';
    return buf;
}

static bool
bare_matches(const struct pfile *f, const struct pfile_line *l,
    const struct pregex *re)
{
    char buf[4096];
    const char *name = f->funcs[l->func].name;

    return *name != '\0' &&
        pregex_match(re, bare_name(buf, sizeof buf, name));
}

static void
drop_below(struct pfile *f, struct pfile_sample *s, const uint8_t *mark)
{
    bool user = false;
    uint32_t i;

    /* From the root: what is there before the first ordinary frame stays,
     * else nothing might be left. */
    for (i = s->nlocs; i > 0; i--) {
        uint8_t m = mark[f->stack[s->loc + i - 1]];

        if (m == 0) {
            user = true;
        } else if (user) {
            uint32_t cut = m & PRUNED ? i : i - 1;

            s->loc += cut;
            s->nlocs -= cut;
            return;
        }
    }
}

enum rt_status
pfilter_drop(struct pfile *f, struct rt_err *e)
{
    struct pregex drop = {0}, keep = {0};
    uint8_t *mark;
    size_t i;

    if (*f->drop_frames == '\0' ||
        pregex_compile_whole(&drop, "drop_frames", f->drop_frames, NULL) !=
            RT_OK)
        return RT_OK;
    if (pregex_compile_whole(&keep, "keep_frames", f->keep_frames, NULL) !=
        RT_OK) {
        pregex_free(&drop);
        return RT_OK;
    }
    mark = calloc(f->nlocs + 1, 1);
    for (i = 0; mark != NULL && i < f->nlocs; i++) {
        struct pfile_loc *l = &f->locs[i];
        uint32_t k = l->nlines;

        while (k > 0 && (!bare_matches(f, &f->lines[l->line + k - 1], &drop) ||
            bare_matches(f, &f->lines[l->line + k - 1], &keep)))
            k--;
        if (k == 0)
            continue;
        mark[i] = BENEATH;
        if (k == l->nlines) {
            mark[i] |= PRUNED;
        } else {
            l->line += k;
            l->nlines -= k;
        }
    }
    for (i = 0; mark != NULL && i < f->nsamples; i++)
        drop_below(f, &f->samples[i], mark);
    pregex_free(&drop);
    pregex_free(&keep);
    if (mark == NULL)
        return nomem(e);
    free(mark);
    return RT_OK;
}

static enum rt_status
prune_from(struct pfile *f, const char *text, struct rt_err *e)
{
    struct pregex re;
    enum rt_status st = pregex_compile(&re, "-prune_from", text, e);
    uint8_t *mark;
    size_t i;
    uint32_t k;

    if (st != RT_OK || !re.set)
        return st;
    mark = calloc(f->nlocs + 1, 1);
    for (i = 0; mark != NULL && i < f->nlocs; i++) {
        struct pfile_loc *l = &f->locs[i];

        for (k = 0; k < l->nlines; k++) {
            if (bare_matches(f, &f->lines[l->line + k], &re)) {
                mark[i] = BENEATH;
                l->line += k;
                l->nlines -= k;
                break;
            }
        }
    }
    for (i = 0; mark != NULL && i < f->nsamples; i++) {
        struct pfile_sample *s = &f->samples[i];

        for (k = 0; k < s->nlocs && !mark[f->stack[s->loc + k]]; k++)
            ;
        if (k < s->nlocs) {
            s->loc += k;
            s->nlocs -= k;
        }
    }
    pregex_free(&re);
    if (mark == NULL)
        return nomem(e);
    free(mark);
    return RT_OK;
}

/* ---- labels */

static enum rt_status
by_tag(struct pfile *f, const struct pfilter *p, unsigned *seen,
    struct rt_err *e)
{
    struct ptag focus = {0}, ignore = {0};
    enum rt_status st = ptag_compile(&focus, "-tagfocus", p->tagfocus, e);
    size_t i, n = 0;

    if (st == RT_OK)
        st = ptag_compile(&ignore, "-tagignore", p->tagignore, e);
    for (i = 0; st == RT_OK && i < f->nsamples; i++) {
        const struct pfile_sample *s = &f->samples[i];
        bool in = !focus.set || ptag_match(&focus, f, s);
        bool out = ignore.set && ptag_match(&ignore, f, s);

        *seen |= (in ? PFILTER_TAGFOCUS : 0) | (out ? PFILTER_TAGIGNORE : 0);
        if (in && !out)
            move_sample(f, n++, i);
    }
    if (st == RT_OK)
        f->nsamples = n;
    ptag_free(&focus);
    ptag_free(&ignore);
    return st;
}

/* ---- */

static bool
given(const char *s)
{
    return s != NULL && *s != '\0';
}

enum rt_status
pfilter_apply(struct pfile *f, const struct pfilter *p, unsigned *missed,
    struct rt_err *e)
{
    unsigned asked = 0, seen = 0;
    enum rt_status st = by_name(f, p, &seen, e);

    asked |= given(p->focus) ? PFILTER_FOCUS : 0;
    asked |= given(p->ignore) ? PFILTER_IGNORE : 0;
    asked |= given(p->hide) ? PFILTER_HIDE : 0;
    asked |= given(p->show) ? PFILTER_SHOW : 0;
    asked |= given(p->show_from) ? PFILTER_SHOW_FROM : 0;
    asked |= given(p->tagfocus) ? PFILTER_TAGFOCUS : 0;
    asked |= given(p->tagignore) ? PFILTER_TAGIGNORE : 0;
    if (st == RT_OK)
        st = show_from(f, p->show_from, &seen, e);
    if (st == RT_OK)
        st = by_tag(f, p, &seen, e);
    if (st == RT_OK)
        st = prune_from(f, p->prune_from, e);
    *missed = asked & ~seen;
    return st;
}

/* ---- names of C++ */

static bool
like_cplusplus(const char *s)
{
    /* Java's class.<init> and Go's (*T[...]).m are not. */
    if (strstr(s, ".<") != NULL || strstr(s, "]).") != NULL)
        return false;
    return strpbrk(s, "<>[]") != NULL || strstr(s, "::") != NULL;
}

/* Takes what is between open and close out of s, in place, up to the first
 * close that has no open. */
static void
take_out(char *s, char open, char close)
{
    size_t n = 0, start = 0, depth = 0;
    const char *p;

    for (p = s; *p != '\0'; p++) {
        if (*p == close && depth == 0)
            break;
        if (*p == open && depth++ == 0)
            start = n;
        s[n++] = *p;
        if (*p == close && --depth == 0)
            n = start;
    }
    memmove(s + n, p, strlen(p) + 1);
}

enum rt_status
pfilter_simplify(struct pfile *f, struct rt_err *e)
{
    size_t i;

    for (i = 0; i < f->nfuncs; i++) {
        struct pfile_func *fn = &f->funcs[i];
        char *s;

        if (*fn->name != '\0' && fn->name != fn->system)
            continue;
        fn->name = fn->system;
        if (!like_cplusplus(fn->name))
            continue;
        s = strdup(fn->name);
        if (s == NULL)
            return nomem(e);
        take_out(s, '(', ')');
        take_out(s, '<', '>');
        fn->name = pfile_name(&f->names, s, strlen(s));
        free(s);
        if (fn->name == NULL)
            return nomem(e);
    }
    return RT_OK;
}
