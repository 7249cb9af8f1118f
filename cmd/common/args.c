/* SPDX-License-Identifier: MIT */
#include "cmd/common/args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/throw.h"

bool
args_duration(const char *text, int64_t *ns)
{
    static const struct unit {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"\302\265s", 1e3}, {"ms", 1e6},
        {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
    double total = 0, v;
    char *end;
    size_t i, n;

    if (strcmp(text, "0") == 0) {
        *ns = 0;
        return true;
    }
    if (*text == '\0')
        return false;
    while (*text != '\0') {
        if (*text != '.' && (*text < '0' || *text > '9'))
            return false;
        v = strtod(text, &end);
        for (i = 0; i < sizeof units / sizeof *units; i++) {
            n = strlen(units[i].name);
            if (strncmp(end, units[i].name, n) == 0 &&
                (end[n] == '\0' || end[n] == '.' ||
                    (end[n] >= '0' && end[n] <= '9')))
                break;
        }
        if (i == sizeof units / sizeof *units)
            return false;
        total += v * units[i].ns;
        text = end + n;
    }
    if (!(total < 9e18))
        return false;
    *ns = (int64_t)total;
    return true;
}

static bool
set_bool(const char *text, bool *v)
{
    if (text == NULL || strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        *v = true;
    else if (strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
        *v = false;
    else
        return false;
    return true;
}

bool
args_number(const char *text, uint64_t *v)
{
    unsigned long long x;
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    x = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    *v = x;
    return true;
}

static bool
set(const struct arg_flag *f, const char *text, void *opts)
{
    void *var = (char *)opts + f->at;

    switch (f->kind) {
    case ARG_BOOL:
        return set_bool(text, var);
    case ARG_U64:
        return args_number(text, var);
    case ARG_DUR:
        return args_duration(text, var);
    case ARG_STR:
    case ARG_OUT:
        *(const char **)var = text;
        return true;
    case ARG_FIRST:
        break;
    }
    return false;
}

/* A name forgotten after an output flag makes the next word, the program, the
 * file that is overwritten. */
static bool
is_source(const char *path)
{
    size_t n = strlen(path);
    struct stat st;

    return n > 3 && strcmp(path + n - 3, ".go") == 0 && stat(path, &st) == 0;
}

static const struct arg_flag *
find(const struct arg_flag *flags, const char *name, size_t n)
{
    for (; flags->name != NULL; flags++) {
        if (strlen(flags->name) == n && memcmp(flags->name, name, n) == 0)
            return flags;
    }
    return NULL;
}

bool
args_parse(int argc, char **argv, int *at, const struct arg_flag *flags,
    void *opts, char *err, int size)
{
    bool ended;

    return args_parse_to(argc, argv, at, flags, opts, &ended, err, size);
}

bool
args_parse_to(int argc, char **argv, int *at, const struct arg_flag *flags,
    void *opts, bool *ended, char *err, int size)
{
    *ended = false;
    while (*at < argc) {
        const char *word = argv[*at], *name = word + 1, *value;
        const struct arg_flag *f;
        size_t n;

        if (word[0] != '-' || word[1] == '\0')
            return true;
        ++*at;
        *ended = strcmp(word, "--") == 0;
        if (*ended)
            return true;
        if (*name == '-')
            name++;
        value = strchr(name, '=');
        n = value == NULL ? strlen(name) : (size_t)(value - name);
        if (value != NULL)
            value++;
        f = find(flags, name, n);
        if (f == NULL && ((n == 1 && *name == 'h') ||
            (n == 4 && memcmp(name, "help", 4) == 0))) {
            snprintf(err, (size_t)size, "help");
            return false;
        }
        if (f == NULL) {
            snprintf(err, (size_t)size, "unknown flag -%.*s", (int)n, name);
            return false;
        }
        if (f->kind != ARG_BOOL && value == NULL) {
            if (*at == argc) {
                snprintf(err, (size_t)size, "flag -%s needs a value",
                    f->name);
                return false;
            }
            value = argv[(*at)++];
        }
        if (f->kind == ARG_OUT && is_source(value)) {
            snprintf(err, (size_t)size, "-%s would overwrite the Go source "
                "file %s", f->name, value);
            return false;
        }
        if (f->kind == ARG_FIRST) {
            snprintf(err, (size_t)size, "-%s must be the first flag", f->name);
            return false;
        }
        if (!set(f, value, opts)) {
            snprintf(err, (size_t)size, "invalid value \"%s\" for flag -%s",
                value, f->name);
            return false;
        }
    }
    return true;
}

bool
args_folder(int *argc, char **argv, int at, char *err, int size)
{
    const char *word = at < *argc ? argv[at] : "", *dir;
    int used = 1;

    word += word[0] == '-' && word[1] == '-';
    if (strcmp(word, "-C") == 0 && at + 1 == *argc) {
        snprintf(err, (size_t)size, "flag -C needs a value");
        return false;
    }
    if (strcmp(word, "-C") == 0) {
        dir = argv[at + 1];
        used = 2;
    } else if (strncmp(word, "-C=", 3) == 0) {
        dir = word + 3;
    } else {
        return true;
    }
    if (chdir(dir) != 0) {
        snprintf(err, (size_t)size, "chdir %s: %s", dir, strerror(errno));
        return false;
    }
    *argc -= used;
    memmove(argv + at, argv + at + used,
        (size_t)(*argc - at + 1) * sizeof *argv);
    return true;
}

/* "-name value" of a flag; returns its length. */
static int
left_column(const struct arg_flag *f, char *buf, int size)
{
    return snprintf(buf, (size_t)size, "-%s%s%s", f->name,
        f->arg != NULL ? " " : "", f->arg != NULL ? f->arg : "");
}

/* Bytes of text's next line of at most width bytes, cut between words. */
static int
line_length(const char *text, int width)
{
    int n = (int)strlen(text), cut = width;

    if (n <= width)
        return n;
    while (cut > 0 && text[cut] != ' ')
        cut--;
    return cut > 0 ? cut : width;
}

void
args_describe(const struct arg_flag *flags, char *buf, int size)
{
    char left[64];
    int at = 0, column = 0;

    buf[0] = '\0';
    for (const struct arg_flag *f = flags; f->name != NULL; f++) {
        int n = left_column(f, left, sizeof left);

        column = n > column ? n : column;
    }
    for (const struct arg_flag *f = flags; f->name != NULL; f++) {
        const char *text = f->help;

        /* Lines are broken here, to the width of this table. */
        rt_assert(strchr(text, '\n') == NULL);
        left_column(f, left, sizeof left);
        do {
            int n = line_length(text, 80 - 4 - column);

            if (at < size)
                at += snprintf(buf + at, (size_t)(size - at),
                    "  %-*s  %.*s\n", column, left, n, text);
            left[0] = '\0';
            text += n + (text[n] == ' ');
        } while (*text != '\0');
    }
}
