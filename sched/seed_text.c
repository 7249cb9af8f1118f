/* SPDX-License-Identifier: MIT */
/* Plans as text: seed.h has the grammar. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/seed.h"

enum { DEFAULT_DEPTH = 3, DEFAULT_STEPS = 1000 };

/* A number at *s, which moves behind it; false: there is none, or it is more
 * than `most`. */
static bool
number(const char **s, uint64_t most, uint64_t *out)
{
    uint64_t n = 0;
    const char *p = *s;

    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (n > (most - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    if (p == *s)
        return false;
    *s = p;
    *out = n;
    return true;
}

/* Whether the word stands at *s, which then moves behind it. */
static bool
word(const char **s, const char *w)
{
    size_t n = strlen(w);

    if (strncmp(*s, w, n) != 0)
        return false;
    *s += n;
    return true;
}

/* "pct" and perhaps "3" or "3x200". */
static bool
pct(const char **s, struct seed_plan *p)
{
    uint64_t depth = DEFAULT_DEPTH, steps = DEFAULT_STEPS;

    if (**s >= '0' && **s <= '9') {
        if (!number(s, SEED_MAX_DEPTH, &depth) || depth == 0)
            return false;
        if (word(s, "x") && (!number(s, UINT32_MAX, &steps) || steps == 0))
            return false;
    }
    p->kind = SEED_PCT;
    p->depth = (uint32_t)depth;
    p->steps = (uint32_t)steps;
    return true;
}

/* "12:1,40:2" up to the end. */
static bool
deviations(const char **s, struct seed_plan *p, struct seed_dev **out)
{
    uint32_t cap = 1;

    for (const char *c = *s; *c != 0; c++)
        cap += *c == ',';
    struct seed_dev *v = *out = malloc(cap * sizeof *v);
    if (v == NULL)
        return false;
    p->kind = SEED_SCRIPT;
    p->devs = v;
    while (**s != 0) {
        uint64_t at, rank;

        if ((p->ndevs > 0 && !word(s, ",")) || !number(s, UINT32_MAX, &at) ||
            !word(s, ":") || !number(s, SEED_MAX_RANK, &rank) ||
            (p->ndevs > 0 && v[p->ndevs - 1].at >= at))
            return false;
        v[p->ndevs++] = (struct seed_dev){(uint32_t)at, (uint32_t)rank};
    }
    return true;
}

static bool
parse(const char *s, struct seed_plan *p, struct seed_dev **devs)
{
    if (!number(&s, UINT64_MAX, &p->seed))
        return false;
    if (word(&s, ".pct")) {
        if (!pct(&s, p))
            return false;
    } else if (word(&s, ".pos")) {
        p->kind = SEED_POS;
    } else {
        (void)word(&s, ".random");
    }
    p->early = word(&s, ".early");
    p->closed = word(&s, ".closed");
    if (p->kind == SEED_RANDOM && word(&s, "@"))
        return deviations(&s, p, devs);
    return *s == 0;
}

enum rt_status
seed_parse(const char *text, struct seed_plan *out, struct seed_dev **devs,
    struct rt_err *err)
{
    *out = (struct seed_plan){.kind = SEED_RANDOM};
    *devs = NULL;
    if (parse(text, out, devs))
        return RT_OK;
    free(*devs);
    *devs = NULL;
    return rt_errf(err, RT_EFORMAT, UINT64_MAX,
        "\"%s\" is no schedule; 7, 7.pos, 7.pct3x200, 7.early, 7.closed "
        "and 7@12:1,40:2 are", text);
}

/* Appends at *len, as far as there is room, and counts all of it. */
__attribute__((format(printf, 4, 5))) static void
append(char *buf, size_t n, size_t *len, const char *fmt, ...)
{
    va_list ap;
    int k;

    va_start(ap, fmt);
    k = vsnprintf(*len < n ? buf + *len : NULL, *len < n ? n - *len : 0, fmt,
        ap);
    va_end(ap);
    *len += k < 0 ? 0 : (size_t)k;
}

size_t
seed_print(const struct seed_plan *p, char *buf, size_t n)
{
    size_t len = 0;

    append(buf, n, &len, "%" PRIu64, p->seed);
    if (p->kind == SEED_PCT)
        append(buf, n, &len, ".pct%" PRIu32 "x%" PRIu32, p->depth, p->steps);
    else if (p->kind == SEED_POS)
        append(buf, n, &len, ".pos");
    else if (p->kind == SEED_RANDOM && !p->early)
        append(buf, n, &len, ".random");
    if (p->early)
        append(buf, n, &len, ".early");
    if (p->closed)
        append(buf, n, &len, ".closed");
    for (uint32_t i = 0; p->kind == SEED_SCRIPT && i <= p->ndevs; i++) {
        if (i == 0)
            append(buf, n, &len, "@");
        if (i < p->ndevs)
            append(buf, n, &len, "%s%" PRIu32 ":%" PRIu32, i > 0 ? "," : "",
                p->devs[i].at, p->devs[i].rank);
    }
    return len;
}
