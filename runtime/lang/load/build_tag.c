/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/build_tag.h"

#include <string.h>

#include "runtime/base/goversion.h"

enum { NEST_MAX = 1000 }; /* of parentheses and negations */

static const char *const systems[] = {"aix", "android", "darwin", "dragonfly",
    "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
    "openbsd", "plan9", "solaris", "wasip1", "windows", "zos", NULL};
static const char *const processors[] = {"386", "amd64", "amd64p32", "arm",
    "arm64", "arm64be", "armbe", "loong64", "mips", "mips64", "mips64le",
    "mips64p32", "mips64p32le", "mipsle", "ppc", "ppc64", "ppc64le", "riscv",
    "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm", NULL};

static const char *const of_programs[] = {"vole", NULL};
const struct build_tags build_tags_program = {
    .minor = RT_GO_MINOR, .more = of_programs};

struct word {
    const char *s;
    size_t n;
};

static bool
is(struct word w, const char *s)
{
    return strlen(s) == w.n && memcmp(w.s, s, w.n) == 0;
}

static bool
among(struct word w, const char *const *list)
{
    for (; *list != NULL; list++)
        if (is(w, *list))
            return true;
    return false;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* go1.N of a release that there has been. */
static bool
is_release(const struct build_tags *tags, struct word w)
{
    unsigned n = 0;

    if (w.n < 5 || w.n > 6 || memcmp(w.s, "go1.", 4) != 0 || w.s[4] == '0')
        return false;
    for (size_t i = 4; i < w.n; i++) {
        if (!is_digit(w.s[i]))
            return false;
        n = 10 * n + (unsigned)(w.s[i] - '0');
    }
    return n <= tags->minor;
}

static bool
holds(const struct build_tags *tags, struct word tag)
{
    return is(tag, "linux") || is(tag, "unix") ||
        (!tags->no_arch && is(tag, "amd64")) || is_release(tags, tag) ||
        (tags->more != NULL && among(tag, tags->more));
}

/* What decides when any tag may or may not hold: all but "ignore" are as they
 * are wanted. */
static bool
holds_as_wanted(const struct build_tags *tags, struct word tag, bool wanted)
{
    return tags->any && !is(tag, "ignore") ? wanted : holds(tags, tag);
}

/* ---- names ------------------------------------------------------------------------ */

/* Takes the part behind the last '_' off; none is left before the first. */
static bool
last_part(struct word *rest, struct word *part)
{
    size_t i = rest->n;

    while (i > 0 && rest->s[i - 1] != '_')
        i--;
    if (i == 0)
        return false;
    *part = (struct word){rest->s + i, rest->n - i};
    rest->n = i - 1;
    return true;
}

bool
build_name_fits(const struct build_tags *tags, const char *name)
{
    struct word rest = {name, strcspn(name, ".")}, last, before;

    /* What stands before the first '_' is no system, in linux.go neither. */
    if (!last_part(&rest, &last))
        return true;
    if (is(last, "test") && !last_part(&rest, &last))
        return true;
    if (among(last, processors) && last_part(&rest, &before) &&
        among(before, systems))
        return !tags->no_arch && is(last, "amd64") && is(before, "linux");
    if (among(last, processors))
        return !tags->no_arch && is(last, "amd64");
    return !among(last, systems) || is(last, "linux");
}

/* ---- expressions ------------------------------------------------------------------ */

struct expr {
    const struct build_tags *tags;
    const char *p, *end;
    const char *why; /* NULL: no error yet */
    unsigned depth;
    bool negated;    /* an odd number of negations stands before */
};

static void
skip_blanks(struct expr *e)
{
    while (e->p < e->end && (*e->p == ' ' || *e->p == '\t'))
        e->p++;
}

static bool
eat(struct expr *e, const char *token)
{
    size_t n = strlen(token);

    skip_blanks(e);
    if ((size_t)(e->end - e->p) < n || memcmp(e->p, token, n) != 0)
        return false;
    e->p += n;
    return true;
}

static bool
tag_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
        c == '_' || c == '.' || ((unsigned char)c & 0x80) != 0;
}

static bool either(struct expr *e);

static bool
bad(struct expr *e, const char *why)
{
    if (e->why == NULL)
        e->why = why;
    return false;
}

static bool
not(struct expr *e)
{
    struct word w;
    bool v;

    if (e->depth++ > NEST_MAX)
        return bad(e, "expression is nested too deeply");
    if (eat(e, "!")) {
        e->negated = !e->negated;
        v = !eat(e, "!") ? !not(e)
                         : bad(e, "double negation not allowed");
        e->negated = !e->negated;
    } else if (eat(e, "(")) {
        v = either(e);
        if (!eat(e, ")"))
            v = bad(e, "missing close paren");
    } else {
        w.s = e->p;
        while (e->p < e->end && tag_char(*e->p))
            e->p++;
        w.n = (size_t)(e->p - w.s);
        v = w.n > 0 ? holds_as_wanted(e->tags, w, !e->negated)
            : e->p == e->end ? bad(e, "unexpected end of expression")
                             : bad(e, "unexpected token");
    }
    e->depth--;
    return v;
}

/* Both sides are always read: an error counts wherever it is. */
static bool
both(struct expr *e)
{
    bool v = not(e);

    while (e->why == NULL && eat(e, "&&"))
        v = not(e) && v;
    return v;
}

static bool
either(struct expr *e)
{
    bool v = both(e);

    while (e->why == NULL && eat(e, "||"))
        v = both(e) || v;
    return v;
}

/* ---- the line ---------------------------------------------------------------------- */

/* The first //go:build line before anything but blanks and comments. */
static bool
find_line(const char *p, const char *end, struct expr *e)
{
    static const char mark[] = "//go:build";
    enum { MARK = sizeof mark - 1 };

    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *stop = nl == NULL ? end : nl;

        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (stop - p > MARK && memcmp(p, mark, MARK) == 0 &&
            (p[MARK] == ' ' || p[MARK] == '\t')) {
            while (stop > p && stop[-1] == '\r')
                stop--;
            e->p = p + MARK;
            e->end = stop;
            return true;
        }
        if (stop - p >= 2 && memcmp(p, "/*", 2) == 0) {
            p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
            if (p == NULL)
                return false;
            p += 2;
            continue;
        }
        if (p < stop && (stop - p < 2 || memcmp(p, "//", 2) != 0))
            return false;
        p = nl == NULL ? end : nl + 1;
    }
    return false;
}

/* ---- lines of before Go 1.17 ------------------------------------------------------- */

/* "a,!b": all of them. */
static bool
option_holds(const struct build_tags *tags, const char *p, const char *end)
{
    bool all = true;

    while (p < end) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma == NULL ? end : comma;
        bool negated = *p == '!';
        struct word w = {p + negated, (size_t)(stop - p) - negated};

        all = all && w.n != 0 &&
            holds_as_wanted(tags, w, !negated) != negated;
        p = stop + 1;
    }
    return all;
}

/* The words behind "+build": one of them. */
static bool
options_hold(const struct build_tags *tags, const char *p, const char *end)
{
    bool one = false;

    while (p < end) {
        const char *s = p;

        while (p < end && strchr(" \t\r", *p) == NULL)
            p++;
        one = one || (p > s && option_holds(tags, s, p));
        p += p < end;
    }
    return one;
}

/*
 * What the `// +build` lines say, all of which must hold, of a text that has
 * no //go:build line.  Only those count that an empty line separates from the
 * package clause and its comment.
 */
static bool
old_lines_hold(const struct build_tags *tags, const char *p, const char *end)
{
    static const char mark[] = "+build";
    enum { MARK = sizeof mark - 1 };
    bool all = true, pending = true; /* pending: of those behind the last
                                        empty line */

    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *stop = nl == NULL ? end : nl, *s = p;

        while (s < stop && (*s == ' ' || *s == '\t' || *s == '\r'))
            s++;
        if (s == stop) {
            all = all && pending;
            pending = true;
            p = nl == NULL ? end : nl + 1;
            continue;
        }
        if (stop - s >= 2 && memcmp(s, "/*", 2) == 0) {
            s = memmem(s + 2, (size_t)(end - s - 2), "*/", 2);
            if (s == NULL)
                break;
            p = s + 2;
            continue;
        } else if (stop - s < 2 || memcmp(s, "//", 2) != 0) {
            break;
        }
        for (s += 2; s < stop && (*s == ' ' || *s == '\t'); s++)
            ;
        if (stop - s > MARK && memcmp(s, mark, MARK) == 0 &&
            (s[MARK] == ' ' || s[MARK] == '\t'))
            pending = options_hold(tags, s + MARK, stop) && pending;
        p = nl == NULL ? end : nl + 1;
    }
    return all;
}

enum build_fit
build_text_fits(const struct build_tags *tags, const uint8_t *text, size_t n,
    const char **why)
{
    const char *begin = (const char *)text, *end = begin + n;
    struct expr e = {.tags = tags};
    bool v;

    *why = NULL;
    if (n == 0)
        return BUILD_FITS;
    if (!find_line(begin, end, &e))
        return old_lines_hold(tags, begin, end) ? BUILD_FITS : BUILD_OTHER;
    v = either(&e);
    skip_blanks(&e);
    if (e.why == NULL && e.p != e.end)
        bad(&e, "unexpected token");
    *why = e.why;
    return e.why != NULL ? BUILD_BAD : v ? BUILD_FITS : BUILD_OTHER;
}

/* ---- the version that a line implies ------------------------------------------------ */

/* What `x` of an expression implies: the least N of go1.N; -1 is nothing.
 * `sign` is false below an odd number of negations. */
static int implied(struct expr *e, bool sign);

static int
implied_operand(struct expr *e, bool sign)
{
    const char *s;
    int v = 0;

    if (e->depth++ > NEST_MAX)
        return -1;
    if (eat(e, "!")) {
        v = implied_operand(e, !sign);
    } else if (eat(e, "(")) {
        v = implied(e, sign);
        eat(e, ")");
    } else {
        s = e->p;
        while (e->p < e->end && tag_char(*e->p))
            e->p++;
        if (!sign || e->p - s < 5 || memcmp(s, "go1.", 4) != 0)
            v = sign && e->p - s == 3 && memcmp(s, "go1", 3) == 0 ? 0 : -1;
        else
            for (s += 4; s < e->p && v >= 0 && v < 1000; s++)
                v = is_digit(*s) ? 10 * v + (*s - '0') : -1;
    }
    e->depth--;
    return v;
}

/* Both sides of && hold: the greater counts; of ||, one: the lesser.  Below a
 * negation it is the other way. */
static int
implied_both(struct expr *e, bool sign)
{
    int v = implied_operand(e, sign);

    while (eat(e, "&&")) {
        int w = implied_operand(e, sign);

        v = (w > v) == sign ? w : v;
    }
    return v;
}

static int
implied(struct expr *e, bool sign)
{
    int v = implied_both(e, sign);

    while (eat(e, "||")) {
        int w = implied_both(e, sign);

        v = (w < v) == sign ? w : v;
    }
    return v;
}

unsigned
build_text_version(const uint8_t *text, size_t n)
{
    struct expr e = {.tags = &build_tags_program};
    int v;

    if (n == 0 ||
        !find_line((const char *)text, (const char *)text + n, &e))
        return 0;
    v = implied(&e, true);
    return v > 0 ? (unsigned)v : 0;
}
