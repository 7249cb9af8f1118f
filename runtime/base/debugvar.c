/* SPDX-License-Identifier: MIT */
#include "runtime/base/debugvar.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    int64_t dflt;
    const char *layer;
    const char *help;
} vars[] = {
#define DEBUGVAR(name, dflt, layer, help) \
    { #name, offsetof(struct rt_debugvars, name), dflt, layer, help },
#include "runtime/base/debugvar.def"
#undef DEBUGVAR
};

enum { NVARS = sizeof vars / sizeof vars[0] };

static int64_t *
slot(struct rt_debugvars *v, size_t i)
{
    return (int64_t *)(void *)((char *)v + vars[i].offset);
}

static void
print_help(rt_text_fn say, void *arg)
{
    char line[160];

    if (say == NULL)
        return;
    say(arg, "VOLEDEBUG=name=value,...:");
    for (size_t i = 0; i < NVARS; i++) {
        snprintf(line, sizeof line, "  %-15s %-8s %s", vars[i].name,
            vars[i].layer, vars[i].help);
        say(arg, line);
    }
}

static void
warn(rt_text_fn say, void *arg, const char *what, const char *s, size_t n)
{
    char line[160];

    if (say == NULL)
        return;
    snprintf(line, sizeof line, "VOLEDEBUG: %s: %.*s", what,
        (int)(n < 80 ? n : 80), s);
    say(arg, line);
}

static bool
parse_value(const char *s, size_t n, int64_t *out)
{
    char buf[32];
    char *end;

    if (n == 0 || n >= sizeof buf)
        return false;
    memcpy(buf, s, n);
    buf[n] = '\0';
    errno = 0;
    long long x = strtoll(buf, &end, 0);
    if (errno != 0 || *end != '\0')
        return false;
    *out = x;
    return true;
}

static void
parse_one(struct rt_debugvars *v, const char *s, size_t n, rt_text_fn say,
    void *arg)
{
    const char *eq = memchr(s, '=', n);
    size_t len = eq == NULL ? n : (size_t)(eq - s);
    int64_t val = 1;

    if (len == 4 && memcmp(s, "help", 4) == 0) {
        print_help(say, arg);
        return;
    }
    for (size_t i = 0; i < NVARS; i++) {
        if (strlen(vars[i].name) != len || memcmp(vars[i].name, s, len) != 0)
            continue;
        if (eq != NULL && !parse_value(eq + 1, n - len - 1, &val))
            warn(say, arg, "value is not a number", s, n);
        else
            *slot(v, i) = val;
        return;
    }
    warn(say, arg, "unknown name", s, len);
}

void
rt_debugvars_parse(struct rt_debugvars *v, const char *text, rt_text_fn say,
    void *arg)
{
    for (size_t i = 0; i < NVARS; i++)
        *slot(v, i) = vars[i].dflt;
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, ",");
        if (n > 0)
            parse_one(v, text, n, say, arg);
        text += n + (text[n] == ',');
    }
}
