/* SPDX-License-Identifier: MIT */
#include "profile/read/ptag.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/read/punit.h"

/* ---- ranges */

/* Reads "-12kb" at *p.  False where there is no number. */
static bool
bound(const char **p, int64_t *v, char *unit, size_t size)
{
    const char *s = *p;
    size_t n = 0;
    char *end;

    if (*s == '+' || *s == '-')
        s++;
    if (!isdigit((unsigned char)*s))
        return false;
    errno = 0;
    *v = strtoll(*p, &end, 10);
    if (errno != 0)
        return false;
    while (isalpha((unsigned char)end[n]))
        n++;
    if (n >= size)
        return false;
    memcpy(unit, end, n);
    unit[n] = '\0';
    *p = end + n;
    return true;
}

/* False where the text is no range; then it is a regular expression. */
static bool
range(struct ptag *t, const char *p)
{
    char u1[24] = "", u2[24] = "";
    const char *unit;
    int64_t v;

    t->low = -INFINITY;
    t->high = INFINITY;
    if (*p != ':') {
        if (!bound(&p, &v, u1, sizeof u1))
            return false;
        t->low = punit_scale(v, u1, u1, &unit);
        snprintf(t->unit, sizeof t->unit, "%s", unit);
        if (*p == '\0') {
            t->high = t->low;
            return true;
        }
        if (*p++ != ':')
            return false;
        if (*p == '\0')
            return true;
        if (!bound(&p, &v, u2, sizeof u2) || *p != '\0')
            return false;
        t->high = punit_scale(v, u2, t->unit, &unit);
        return strcmp(unit, t->unit) == 0;
    }
    p++;
    if (!bound(&p, &v, u1, sizeof u1) || *p != '\0')
        return false;
    t->high = punit_scale(v, u1, u1, &unit);
    snprintf(t->unit, sizeof t->unit, "%s", unit);
    return true;
}

/* A key's unit: the first that any sample gives, else what its name says. */
static const char *
unit_of(struct ptag *t, const struct pfile *f, const char *key)
{
    size_t i;

    if (t->known_key == key)
        return t->known_unit;
    t->known_key = t->known_unit = key;
    if (strcmp(key, "alignment") == 0 || strcmp(key, "request") == 0)
        t->known_unit = "bytes";
    for (i = 0; i < f->nlabels; i++) {
        const struct pfile_label *l = &f->labels[i];

        if (l->str == NULL && l->key == key && *l->unit != '\0') {
            t->known_unit = l->unit;
            break;
        }
    }
    return t->known_unit;
}

static bool
in_range(struct ptag *t, const struct pfile *f,
    const struct pfile_label *l)
{
    const char *from = *l->unit != '\0' ? l->unit : unit_of(t, f, l->key);
    const char *unit;
    double v = punit_scale(l->num, from, t->unit, &unit);

    return strcmp(unit, t->unit) == 0 && v >= t->low && v <= t->high;
}

/* ---- */

enum rt_status
ptag_compile(struct ptag *t, const char *option, const char *text,
    struct rt_err *e)
{
    const char *eq, *p;

    *t = (struct ptag){0};
    if (text == NULL || *text == '\0')
        return RT_OK;
    eq = strchr(text, '=');
    p = text;
    if (eq != NULL) {
        t->key = strndup(text, (size_t)(eq - text));
        if (t->key == NULL)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        p = eq + 1;
    }
    t->set = true;
    t->range = range(t, p);
    while (!t->range) {
        size_t n = strcspn(p, ",");
        char *one = strndup(p, n);
        enum rt_status st;

        if (one == NULL)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        if (t->nre == PTAG_MAX) {
            free(one);
            return rt_errf(e, RT_EFORMAT, UINT64_MAX,
                "%s: more than %d expressions", option, PTAG_MAX);
        }
        /* An empty one matches every label. */
        st = pregex_compile(&t->re[t->nre], option, n > 0 ? one : "()", e);
        free(one);
        if (st != RT_OK)
            return st;
        t->nre++;
        if (p[n] == '\0')
            break;
        p += n + 1;
    }
    return RT_OK;
}

static bool
any_label(const struct ptag *t, const struct pfile *f,
    const struct pfile_sample *s, const struct pregex *re)
{
    char pair[4096];
    uint32_t i;

    for (i = 0; i < s->nlabels; i++) {
        const struct pfile_label *l = &f->labels[s->label + i];

        if (l->str == NULL)
            continue;
        if (t->key != NULL) {
            if (strcmp(l->key, t->key) == 0 && pregex_match(re, l->str))
                return true;
            continue;
        }
        snprintf(pair, sizeof pair, "%s:%s", l->key, l->str);
        if (pregex_match(re, pair))
            return true;
    }
    return false;
}

bool
ptag_match(struct ptag *t, const struct pfile *f,
    const struct pfile_sample *s)
{
    uint32_t i;
    int k;

    for (i = 0; t->range && i < s->nlabels; i++) {
        const struct pfile_label *l = &f->labels[s->label + i];

        if (l->str == NULL && (t->key == NULL || strcmp(l->key, t->key) == 0)
            && in_range(t, f, l))
            return true;
    }
    /* With a key one of the expressions is enough, without all must match
     * (as in pprof). */
    for (k = 0; k < t->nre; k++) {
        if (any_label(t, f, s, &t->re[k]) == (t->key != NULL))
            return t->key != NULL;
    }
    return !t->range && t->key == NULL;
}

void
ptag_free(struct ptag *t)
{
    while (t->nre > 0)
        pregex_free(&t->re[--t->nre]);
    free(t->key);
    t->key = NULL;
    t->set = false;
}
