/* SPDX-License-Identifier: MIT */
#include "profile/read/punit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/safetext.h"

struct unit {
    const char *name;      /* as printed */
    const char *alias[3];  /* as read: lower case, without plural */
    double factor;         /* in the kind's base unit */
};

struct kind {
    const struct unit *units;
    size_t n;
    const struct unit *other; /* where the wanted unit is of another kind */
};

static const struct unit bytes[] = {
    {"B", {"b", "byte"}, 1},
    {"kB", {"kb", "kbyte", "kilobyte"}, 0x1p10},
    {"MB", {"mb", "mbyte", "megabyte"}, 0x1p20},
    {"GB", {"gb", "gbyte", "gigabyte"}, 0x1p30},
    {"TB", {"tb", "tbyte", "terabyte"}, 0x1p40},
    {"PB", {"pb", "pbyte", "petabyte"}, 0x1p50},
};

static const struct unit times[] = {
    {"ns", {"ns", "nanosecond"}, 1},
    {"us", {"\316\274s", "us", "microsecond"}, 1e3},
    {"ms", {"ms", "millisecond"}, 1e6},
    {"s", {"s", "sec", "second"}, 1e9},
    {"hrs", {"hour", "hr"}, 3600e9},
};

static const struct unit gcus[] = {
    {"n*GCU", {"nanogcu"}, 1e-9},
    {"u*GCU", {"microgcu"}, 1e-6},
    {"m*GCU", {"milligcu"}, 1e-3},
    {"GCU", {"gcu"}, 1},
    {"k*GCU", {"kilogcu"}, 1e3},
    {"M*GCU", {"megagcu"}, 1e6},
    {"G*GCU", {"gigagcu"}, 1e9},
    {"T*GCU", {"teragcu"}, 1e12},
    {"P*GCU", {"petagcu"}, 1e15},
};

static const struct kind kinds[] = {
    {bytes, sizeof bytes / sizeof *bytes, &bytes[0]},
    {times, sizeof times / sizeof *times, &times[3]},
    {gcus, sizeof gcus / sizeof *gcus, &gcus[3]},
};

enum { NKINDS = sizeof kinds / sizeof *kinds };

static const struct unit *
find(const struct kind *k, const char *name)
{
    char low[24];
    size_t i, j, n = strlen(name);

    if (n >= sizeof low)
        return NULL;
    for (i = 0; i <= n; i++)
        low[i] = (char)tolower((unsigned char)name[i]);
    if (n > 2 && low[n - 1] == 's')
        low[n - 1] = '\0';
    for (i = 0; i < k->n; i++) {
        for (j = 0; j < 3 && k->units[i].alias[j] != NULL; j++) {
            if (strcmp(k->units[i].alias[j], low) == 0)
                return &k->units[i];
        }
    }
    return NULL;
}

static bool
automatic(const char *to)
{
    return strcmp(to, "auto") == 0 || strcmp(to, "minimum") == 0;
}

static double
convert(const struct kind *k, double v, const char *to, const char **unit)
{
    const struct unit *u = NULL;
    size_t i;

    if (automatic(to)) {
        for (i = 0; i < k->n; i++) {
            if (v / k->units[i].factor >= 1)
                u = &k->units[i];
        }
    } else {
        u = find(k, to);
    }
    if (u == NULL)
        u = k->other;
    *unit = u->name;
    return v / u->factor;
}

double
punit_scale(int64_t v, const char *from, const char *to, const char **unit)
{
    static const char *const dull[] = {"count", "sample", "unit", "minimum",
        "auto"};
    const struct unit *u;
    size_t i;

    if (v < 0 && v != INT64_MIN)
        return -punit_scale(-v, from, to, unit);
    for (i = 0; i < NKINDS; i++) {
        u = find(&kinds[i], from);
        if (u != NULL)
            return convert(&kinds[i], (double)v * u->factor, to, unit);
    }
    *unit = to;
    for (i = 0; i < sizeof dull / sizeof *dull; i++) {
        if (strcmp(to, dull[i]) == 0)
            *unit = "";
    }
    return (double)v;
}

char *
punit_label(char *buf, int64_t v, const char *from, const char *to)
{
    const char *unit;
    double x = punit_scale(v, from, to, &unit);
    int n = snprintf(buf, PUNIT_TEXT, "%.2f", x);

    if (n > 3 && n < PUNIT_TEXT && strcmp(buf + n - 3, ".00") == 0)
        buf[n - 3] = '\0';
    if (strcmp(buf, "0") == 0 || strcmp(buf, "-0") == 0) {
        snprintf(buf, PUNIT_TEXT, "0");
        return buf;
    }
    n = (int)strlen(buf);
    rt_safe_text(buf + n, (size_t)(PUNIT_TEXT - n), unit, strlen(unit));
    return buf;
}

char *
punit_percent(char *buf, int64_t v, int64_t total)
{
    double r = total != 0 ? fabs((double)v / (double)total) * 100 : 0;

    if (r >= 99.95 && r <= 100.05)
        snprintf(buf, PUNIT_TEXT, "  100%%");
    else if (r >= 1)
        snprintf(buf, PUNIT_TEXT, "%5.2f%%", r);
    else
        snprintf(buf, PUNIT_TEXT, "%5.2g%%", r);
    return buf;
}

bool
punit_compatible(const char *a, const char *b)
{
    size_t i;

    if (strcmp(a, b) == 0)
        return true;
    for (i = 0; i < NKINDS; i++) {
        if (find(&kinds[i], a) != NULL && find(&kinds[i], b) != NULL)
            return true;
    }
    return false;
}
