/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/semver.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum { PARTS = 3 };

struct version {
    const char *num[PARTS]; /* decimal digits */
    size_t len[PARTS];
    const char *pre; /* behind '-', npre bytes */
    size_t npre;
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_ident(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        c == '-';
}

/* Digits without a zero in front. */
static bool
number(const char **s, const char **start, size_t *n)
{
    *start = *s;
    while (is_digit(**s))
        ++*s;
    *n = (size_t)(*s - *start);
    return *n == 1 || (*n > 1 && **start != '0');
}

/* Identifiers with dots between them; those of digits alone have no zero in
 * front if `pre`. */
static bool
idents(const char **s, bool pre)
{
    for (;;) {
        const char *p = *s;
        bool digits = true;

        while (is_ident(**s)) {
            digits = digits && is_digit(**s);
            ++*s;
        }
        if (*s == p || (pre && digits && *s - p > 1 && *p == '0'))
            return false;
        if (**s != '.')
            return true;
        ++*s;
    }
}

static bool
parse(const char *s, struct version *v)
{
    int i;

    *v = (struct version){0};
    if (*s++ != 'v')
        return false;
    for (i = 0; i < PARTS; i++) {
        if (i > 0 && *s++ != '.')
            return false;
        if (!number(&s, &v->num[i], &v->len[i]))
            return false;
    }
    if (*s == '-') {
        v->pre = ++s;
        if (!idents(&s, true))
            return false;
        v->npre = (size_t)(s - v->pre);
    }
    if (*s == '+') {
        s++;
        if (!idents(&s, false))
            return false;
    }
    return *s == 0;
}

bool
semver_valid(const char *v)
{
    struct version p;

    return parse(v, &p);
}

static int
compare_bytes(const char *a, size_t n, const char *b, size_t m)
{
    int c = memcmp(a, b, n < m ? n : m);

    return c != 0 ? c : n < m ? -1 : n > m;
}

static int
compare_number(const char *a, size_t n, const char *b, size_t m)
{
    return n != m ? (n < m ? -1 : 1) : memcmp(a, b, n);
}

static bool
all_digits(const char *s, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        if (!is_digit(s[i]))
            return false;
    return true;
}

/* The parts behind '-'; none is newer than any. */
static int
compare_pre(const char *a, size_t n, const char *b, size_t m)
{
    const char *ae = a + n, *be = b + m;

    if (n == 0 || m == 0)
        return n == m ? 0 : n == 0 ? 1 : -1;
    for (;;) {
        const char *ad = memchr(a, '.', (size_t)(ae - a));
        const char *bd = memchr(b, '.', (size_t)(be - b));
        size_t an = (size_t)((ad == NULL ? ae : ad) - a);
        size_t bn = (size_t)((bd == NULL ? be : bd) - b);
        bool anum = all_digits(a, an), bnum = all_digits(b, bn);
        int c = anum != bnum ? (anum ? -1 : 1)
            : anum ? compare_number(a, an, b, bn)
                   : compare_bytes(a, an, b, bn);

        if (c != 0)
            return c;
        if (ad == NULL || bd == NULL)
            return ad == bd ? 0 : ad == NULL ? -1 : 1;
        a = ad + 1;
        b = bd + 1;
    }
}

int
semver_compare(const char *a, const char *b)
{
    struct version x, y;
    bool xok = parse(a, &x), yok = parse(b, &y);
    int i;

    if (!xok || !yok)
        return (int)xok - (int)yok;
    rt_assert(x.len[0] > 0 && y.len[0] > 0 && (x.pre != NULL || x.npre == 0));
    for (i = 0; i < PARTS; i++) {
        int c = compare_number(x.num[i], x.len[i], y.num[i], y.len[i]);

        if (c != 0)
            return c;
    }
    return compare_pre(x.pre, x.npre, y.pre, y.npre);
}

bool
semver_go_valid(const char *v)
{
    const char *s = v, *p;
    size_t n;

    if (!number(&s, &p, &n) || *s++ != '.' || !number(&s, &p, &n))
        return false;
    if (*s == '.') {
        s++;
        return number(&s, &p, &n) && *s == 0;
    }
    if (*s == 0)
        return true;
    if (strncmp(s, "rc", 2) == 0)
        s += 2;
    else if (strncmp(s, "beta", 4) == 0)
        s += 4;
    else
        return false;
    return number(&s, &p, &n) && *s == 0;
}

unsigned
semver_go_minor(const char *v)
{
    if (!semver_go_valid(v))
        return 0;
    return strncmp(v, "1.", 2) == 0 ? (unsigned)strtoul(v + 2, NULL, 10) : 0;
}

/* "1.21rc2" apart.  Since 1.21 the language's version without a patch comes
 * before all of its releases; before, it is that of the first. */
static bool
parse_go(const char *v, struct version *out)
{
    const char *s = v;

    *out = (struct version){.num = {"", "", ""}, .pre = ""};
    if (!semver_go_valid(v))
        return false;
    number(&s, &out->num[0], &out->len[0]);
    s++;
    number(&s, &out->num[1], &out->len[1]);
    if (*s == '.') {
        s++;
        number(&s, &out->num[2], &out->len[2]);
    } else if (*s != 0) {
        out->pre = s;
        out->npre = strcspn(s, "0123456789");
    } else if (semver_go_minor(v) < 21) {
        out->num[2] = "0";
        out->len[2] = 1;
    }
    return true;
}

int
semver_go_compare(const char *a, const char *b)
{
    struct version x, y;
    bool xok = parse_go(a, &x), yok = parse_go(b, &y);
    const char *p, *q;
    int i, c = (int)xok - (int)yok;

    for (i = 0; c == 0 && xok && i < PARTS; i++)
        c = compare_number(x.num[i], x.len[i], y.num[i], y.len[i]);
    if (c == 0 && xok)
        c = compare_bytes(x.pre, x.npre, y.pre, y.npre);
    if (c != 0 || !xok || x.npre == 0)
        return c;
    rt_assert(yok && x.npre == y.npre);
    p = x.pre + x.npre;
    q = y.pre + y.npre;
    return compare_number(p, strlen(p), q, strlen(q));
}

bool
semver_prerelease(const char *v)
{
    struct version x;

    return parse(v, &x) && x.npre != 0;
}

/* The last of the parts behind '-': 14 digits of a time, '-', and 12 of a
 * revision. */
bool
semver_pseudo(const char *v)
{
    enum { TIME = 14, REVISION = 12 };
    const char *end = v + strcspn(v, "+"), *p;
    ptrdiff_t i;

    if (end - v < TIME + REVISION + 2 || !semver_valid(v))
        return false;
    p = end - REVISION - 1;
    if (*p != '-' || strchr("-.", p[-TIME - 1]) == NULL)
        return false;
    for (i = 1; i <= TIME; i++)
        if (!is_digit(p[-i]))
            return false;
    return true;
}

unsigned
semver_path_major(const char *path)
{
    size_t n = strlen(path), i = n;
    bool gopkg = strncmp(path, "gopkg.in/", 9) == 0;

    while (i > 0 && is_digit(path[i - 1]))
        i--;
    if (i == n || i < 2 || path[i - 1] != 'v' || path[i] == '0')
        return 0;
    if (path[i - 2] != (gopkg ? '.' : '/'))
        return 0;
    if (!gopkg && n - i == 1 && path[i] == '1')
        return 0;
    return (unsigned)strtoul(path + i, NULL, 10);
}

bool
semver_fits_path(const char *v, const char *path)
{
    unsigned major = semver_path_major(path), have;
    struct version p;

    if (!parse(v, &p))
        return false;
    have = (unsigned)strtoul(p.num[0], NULL, 10);
    if (major == 0)
        return have <= 1 || strstr(v, "+incompatible") != NULL ||
            strncmp(path, "gopkg.in/", 9) == 0;
    return have == major ||
        (have == 0 && strncmp(path, "gopkg.in/", 9) == 0);
}
