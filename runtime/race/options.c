/* SPDX-License-Identifier: MIT */
/* The environment variable GORACE. */
#include "runtime/race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/bits.h"
#include "runtime/base/throw.h"

static bool
is(const char *word, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(word, name, n) == 0;
}

static bool
number(const char *s, size_t n, int *out)
{
    char buf[16], *end;

    if (n == 0 || n >= sizeof buf)
        return false;
    memcpy(buf, s, n);
    buf[n] = 0;
    long v = strtol(buf, &end, 10);
    *out = (int)v;
    return *end == 0 && v >= 0 && v <= 255;
}

static bool
text(const char *s, size_t n, char *out, size_t cap)
{
    if (n >= cap)
        return false;
    memcpy(out, s, n);
    out[n] = 0;
    return true;
}

/* One word; false: its value makes no sense.  *known: whether there is such an
 * option. */
static bool
option(const char *name, size_t n, const char *value, size_t m,
    struct race_options *out, bool *known)
{
    int v = 0;

    *known = true;
    if (is(name, n, "exitcode"))
        return number(value, m, &out->exitcode);
    if (is(name, n, "log_path"))
        return text(value, m, out->log_path, sizeof out->log_path);
    if (is(name, n, "strip_path_prefix"))
        return text(value, m, out->strip, sizeof out->strip);
    if (is(name, n, "halt_on_error")) {
        if (!number(value, m, &v) || v > 1)
            return false;
        out->halt_on_error = v != 0;
        return true;
    }
    /* What these are about, vole does not have: histories are exact, and
     * there is nothing to wait for at the end. */
    if (is(name, n, "history_size") || is(name, n, "atexit_sleep_ms"))
        return true;
    *known = false;
    return false;
}

enum rt_status
race_options_parse(
    const char *s, struct race_options *out, struct rt_err *err)
{
    static const char *const between = " \t\n,:";

    *out = (struct race_options){
        .exitcode = RACE_DEFAULT_EXIT, .log_path = "stderr"};
    if (s == NULL)
        return RT_OK;
    while (*(s += strspn(s, between)) != 0) {
        size_t n = strcspn(s, between);
        const char *eq = memchr(s, '=', n);
        size_t len = eq == NULL ? n : (size_t)(eq - s);
        bool known = true;

        if (eq == NULL)
            return rt_errf(err, RT_EFORMAT, UINT64_MAX,
                "GORACE: %.*s has no value", (int)n, s);
        if (!option(s, len, eq + 1, n - len - 1, out, &known))
            return rt_errf(err, RT_EFORMAT, UINT64_MAX, known
                ? "GORACE: bad value in %.*s"
                : "GORACE: there is no option %.*s",
                known ? (int)n : (int)len, s);
        s += n;
    }
    return RT_OK;
}
