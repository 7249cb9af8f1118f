/* SPDX-License-Identifier: MIT */
/*
 * go.mod and go.work: lines of words.  A line is a directive, or opens or
 * closes a block of lines that belong to the directive before "(".
 */
#include "runtime/lang/load/module.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/semver.h"

enum { WORDS_MAX = 64, DEFAULT_MINOR = 16 };

struct reader {
    struct rt_arena *a;
    const char *name;
    enum module_kind kind;
    struct module_file *out;
    const char *p, *end;
    unsigned line, col; /* of the first word of the line */
    const char *block; /* the directive whose block is open, or NULL */
    const char *word[WORDS_MAX]; /* of the line, without its directive */
    unsigned n;
    bool indirect;     /* the line's comment says so */
    const char *above, *behind, *of_block; /* comments, without slashes */
    const char *errors; /* "" if there are none */
    bool has_module, has_go, has_toolchain;
};

/* ---- messages ------------------------------------------------------------- */

static void
complain(struct reader *r, const char *text)
{
    const char *col =
        r->col > 1 ? rt_arena_printf(r->a, ":%u", r->col) : "";

    r->errors = rt_arena_printf(r->a, "%s%s%s:%u%s: %s", r->errors,
        *r->errors == 0 ? "" : "\n", r->name, r->line, col, text);
}

static void
usage(struct reader *r, const char *verb, const char *args)
{
    complain(r, rt_arena_printf(r->a, "usage: %s %s", verb, args));
}

/* ---- words ------------------------------------------------------------------ */

static void
skip_blanks(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
}

static bool
at_comment(const struct reader *r)
{
    return r->end - r->p >= 2 && r->p[0] == '/' && r->p[1] == '/';
}

/* A comment, to the end of the line.  "// indirect" and "// indirect; more"
 * say something. */
static void
read_comment(struct reader *r)
{
    static const char mark[] = "indirect";
    const char *s = r->p + 2, *end;

    while (r->p < r->end && *r->p != '\n')
        r->p++;
    while (s < r->p && (*s == ' ' || *s == '\t'))
        s++;
    for (end = r->p; end > s && strchr(" \t\r", end[-1]) != NULL;)
        end--;
    if (r->kind == MODULE_DEP)
        r->behind = rt_arena_strndup(r->a, s, (size_t)(end - s));
    if ((size_t)(r->p - s) >= sizeof mark - 1 &&
        memcmp(s, mark, sizeof mark - 1) == 0) {
        s += sizeof mark - 1;
        r->indirect = s == r->p || *s == ';' || *s == ' ' || *s == '\r';
    }
}

/* A text in quotes, without them; in "..." a backslash is itself but before
 * a quote or a backslash. */
static const char *
read_quoted(struct reader *r)
{
    char quote = *r->p++;
    char *out = rt_arena_alloc(r->a, (size_t)(r->end - r->p) + 1);
    size_t n = 0;

    while (r->p < r->end && *r->p != quote && *r->p != '\n') {
        if (quote == '"' && *r->p == '\\' && r->end - r->p > 1)
            r->p++;
        out[n++] = *r->p++;
    }
    if (r->p == r->end || *r->p != quote)
        complain(r, "unexpected newline in string");
    else
        r->p++;
    return out;
}

static const char *
read_word(struct reader *r)
{
    const char *s = r->p;

    if (*s == '"' || *s == '`')
        return read_quoted(r);
    if (*s == '(' || *s == ')' || *s == ',') {
        r->p++;
    } else {
        while (r->p < r->end && strchr(" \t\r\n(),", *r->p) == NULL &&
            !at_comment(r))
            r->p++;
    }
    return rt_arena_strndup(r->a, s, (size_t)(r->p - s));
}

/* The words of the next line; false at the end of the text. */
static bool
read_line(struct reader *r)
{
    const char *start;

    if (r->n == 0 && *r->behind != 0) /* it had nothing but a comment */
        r->above = *r->above == 0 ? r->behind
            : rt_arena_printf(r->a, "%s\n%s", r->above, r->behind);
    else
        r->above = "";
    r->n = 0;
    r->behind = "";
    r->indirect = false;
    if (r->p >= r->end)
        return false;
    r->line++;
    start = r->p;
    skip_blanks(r);
    r->col = (unsigned)(r->p - start) + 1;
    for (; r->p < r->end && *r->p != '\n'; skip_blanks(r)) {
        if (at_comment(r)) {
            read_comment(r);
        } else {
            const char *w = read_word(r);

            if (r->n < WORDS_MAX)
                r->word[r->n++] = w;
        }
    }
    r->p += r->p < r->end;
    return true;
}

/* ---- directives ----------------------------------------------------------------- */

/* Room for one more in an array of elements of that size, at *at. */
static void *
push(struct reader *r, void *at, unsigned *n, size_t size)
{
    void *old, *p;

    memcpy(&old, at, sizeof old);
    p = old;
    if ((*n & (*n - 1)) == 0) { /* full: 0 or a power of two */
        p = rt_arena_array(r->a, *n == 0 ? 1 : *n * 2, size);
        if (*n != 0)
            memcpy(p, old, *n * size);
        memcpy(at, &p, sizeof p);
    }
    return (char *)p + (*n)++ * size;
}

static void
read_module(struct reader *r)
{
    if (r->has_module) {
        complain(r, "repeated module statement");
        return;
    }
    r->has_module = true;
    if (r->n != 1) {
        usage(r, "module", "module/path");
        return;
    }
    r->out->path = r->word[0];
}

static void
read_go(struct reader *r)
{
    if (r->has_go) {
        complain(r, "repeated go statement");
        return;
    }
    r->has_go = true;
    if (r->n != 1) {
        complain(r, "go directive expects exactly one argument");
    } else if (!semver_go_valid(r->word[0]) && r->kind == MODULE_DEP) {
        /* "1.12.x" and such: as far as it goes. */
        size_t n = strspn(r->word[0], "0123456789.");
        char *v = rt_arena_strndup(r->a, r->word[0], n);

        while (n > 0 && v[n - 1] == '.')
            v[--n] = 0;
        if (semver_go_valid(v))
            r->out->go = v;
    } else if (!semver_go_valid(r->word[0])) {
        complain(r, rt_arena_printf(r->a,
            "invalid go version '%s': must match format 1.23.0", r->word[0]));
    } else {
        r->out->go = r->word[0];
    }
}

static void
read_toolchain(struct reader *r)
{
    if (r->has_toolchain) {
        complain(r, "repeated toolchain statement");
        return;
    }
    r->has_toolchain = true;
    if (r->n != 1)
        complain(r, "toolchain directive expects exactly one argument");
    else if (strcmp(r->word[0], "default") != 0 &&
        !paths_starts(r->word[0], "go1"))
        complain(r, rt_arena_printf(r->a, "invalid toolchain version '%s': "
            "must match format go1.23.0 or default", r->word[0]));
    else
        r->out->toolchain = r->word[0];
}

/* Complains of what is no version of that module. */
static bool
good_version(struct reader *r, const char *verb, const char *path,
    const char *v)
{
    unsigned major = semver_path_major(path);
    const char *dot = strchr(v, '.');

    if (!semver_valid(v)) {
        complain(r, rt_arena_printf(r->a, "%s %s: version \"%s\" invalid: "
            "must be of the form v1.2.3", verb, path, v));
        return false;
    }
    if (semver_fits_path(v, path))
        return true;
    if (major == 0)
        complain(r, rt_arena_printf(r->a, "%s %s: version \"%s\" invalid: "
            "should be v0 or v1, not %.*s", verb, path, v,
            (int)(dot - v), v));
    else
        complain(r, rt_arena_printf(r->a, "%s %s: version \"%s\" invalid: "
            "should be v%u, not %.*s", verb, path, v, major,
            (int)(dot - v), v));
    return false;
}

static void
read_require(struct reader *r)
{
    struct module_require *q;

    if (r->n != 2) {
        usage(r, "require", "module/path v1.2.3");
        return;
    }
    /* A branch's name or a short version waits for `go mod tidy`. */
    if (!good_version(r, "require", r->word[0], r->word[1]))
        return;
    q = push(r, &r->out->require, &r->out->nrequire, sizeof *q);
    q->mod = (struct module_version){r->word[0], r->word[1]};
    q->indirect = r->indirect;
}

static void
read_exclude(struct reader *r)
{
    struct module_version *v;

    if (r->kind == MODULE_DEP)
        return;
    if (r->n != 2) {
        usage(r, "exclude", "module/path v1.2.3");
        return;
    }
    if (!good_version(r, "exclude", r->word[0], r->word[1]))
        return;
    v = push(r, &r->out->exclude, &r->out->nexclude, sizeof *v);
    *v = (struct module_version){r->word[0], r->word[1]};
}

static bool
is_folder(const char *s)
{
    return *s == '/' || strcmp(s, ".") == 0 || strcmp(s, "..") == 0 ||
        paths_starts(s, "./") || paths_starts(s, "../");
}

static void
read_replace(struct reader *r)
{
    struct module_replace *q, x = {{NULL, ""}, {NULL, ""}, NULL};
    unsigned arrow = r->n >= 2 && strcmp(r->word[1], "=>") == 0 ? 1 : 2;

    if (r->kind == MODULE_DEP)
        return;
    if (r->n < arrow + 2 || r->n > arrow + 3 ||
        strcmp(r->word[arrow], "=>") != 0) {
        usage(r, "replace", "module/path [v1.2.3] => other/module v1.4\n"
            "\t or replace module/path [v1.2.3] => ../local/directory");
        return;
    }
    x.old.path = r->word[0];
    if (arrow == 2) {
        x.old.version = r->word[1];
        if (!good_version(r, "replace", x.old.path, x.old.version))
            return;
    }
    x.by.path = r->word[arrow + 1];
    if (r->n == arrow + 2) {
        if (!is_folder(x.by.path)) {
            complain(r, strchr(x.by.path, '@') != NULL
                ? "replacement module must match format 'path version', not "
                  "'path@version'"
                : "replacement module without version must be directory path "
                  "(rooted or starting with . or ..)");
            return;
        }
    } else {
        x.by.version = r->word[arrow + 2];
        if (is_folder(x.by.path)) {
            complain(r, rt_arena_printf(r->a, "replacement module directory "
                "path \"%s\" cannot have version", x.by.path));
            return;
        }
        if (!good_version(r, "replace", x.by.path, x.by.version))
            return;
    }
    q = push(r, &r->out->replace, &r->out->nreplace, sizeof *q);
    *q = x;
}

/* What the comments of a line say: those right above it and the one behind,
 * or those above its block. */
static const char *
comments(struct reader *r)
{
    if (*r->above == 0 && *r->behind == 0)
        return r->block == NULL ? "" : r->of_block;
    return rt_arena_printf(r->a, "%s%s%s", r->above,
        *r->above == 0 || *r->behind == 0 ? "" : "\n", r->behind);
}

/* A version, or "[v1, v2]". */
static void
read_retract(struct reader *r)
{
    struct module_retract *x;
    const char *low, *high;

    if (r->n == 0) {
        if (r->kind == MODULE_MAIN)
            complain(r, "retract: expected version or interval");
        return;
    }
    low = r->word[0] + (*r->word[0] == '[');
    high = r->word[r->n - 1];
    if (paths_ends(high, "]"))
        high = rt_arena_strndup(r->a, high, strlen(high) - 1);
    if (r->n == 1)
        low = high = *r->word[0] == '[' ? low : high;
    if (!semver_valid(low) || !semver_valid(high))
        return;
    x = push(r, &r->out->retract, &r->out->nretract, sizeof *x);
    *x = (struct module_retract){low, high, comments(r)};
}

/* A directive with one word, of which there may be many. */
static void
read_one(struct reader *r, const char *verb, const char ***list, unsigned *n)
{
    const char **w;

    if (r->n != 1) {
        usage(r, verb, strcmp(verb, "tool") == 0 ? "module/path"
            : strcmp(verb, "godebug") == 0 ? "key=value" : "local/dir");
        return;
    }
    w = push(r, list, n, sizeof *w);
    *w = r->word[0];
}

static void
read_tool(struct reader *r)
{
    read_one(r, "tool", &r->out->tool, &r->out->ntool);
}

static void
read_ignore(struct reader *r)
{
    read_one(r, "ignore", &r->out->ignore, &r->out->nignore);
}

static void
read_use(struct reader *r)
{
    read_one(r, "use", &r->out->use, &r->out->nuse);
}

static void
read_godebug(struct reader *r)
{
    if (r->n == 1 && strchr(r->word[0], '=') == NULL)
        usage(r, "godebug", "key=value");
    else
        read_one(r, "godebug", &r->out->godebug, &r->out->ngodebug);
}

static const struct {
    const char *verb;
    void (*read)(struct reader *r);
    unsigned kinds; /* 1 << enum module_kind */
    bool block;     /* may stand before "(" */
} directives[] = {
    {"module", read_module, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"go", read_go, 7, false},
    {"toolchain", read_toolchain, 7, false},
    {"godebug", read_godebug, 7, true},
    {"require", read_require, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"exclude", read_exclude, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"replace", read_replace, 7, true},
    {"retract", read_retract, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"tool", read_tool, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"ignore", read_ignore, 1 << MODULE_MAIN | 1 << MODULE_DEP, true},
    {"use", read_use, 1 << MODULE_WORK, true},
};

/* The row of a directive, -1 if this kind of file has none of that name. */
static int
find(const struct reader *r, const char *verb)
{
    size_t i;

    for (i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (strcmp(directives[i].verb, verb) == 0 &&
            (directives[i].kinds & 1u << r->kind) != 0)
            return (int)i;
    return -1;
}

static void
open_block(struct reader *r, const char *verb)
{
    int i = find(r, verb);

    r->block = verb;
    r->of_block = r->above;
    if ((i < 0 || !directives[i].block) && r->kind != MODULE_DEP)
        complain(
            r, rt_arena_printf(r->a, "unknown block type: %s", verb));
}

static void
one_line(struct reader *r)
{
    const char *verb = r->block;
    int i;

    if (r->n == 0)
        return;
    if (verb != NULL && strcmp(r->word[0], ")") == 0) {
        r->block = NULL;
        return;
    }
    if (verb == NULL) {
        verb = r->word[0];
        memmove(r->word, r->word + 1, --r->n * sizeof r->word[0]);
        if (r->n > 0 && strcmp(r->word[0], "(") == 0) {
            open_block(r, verb);
            if (r->n == 2 && strcmp(r->word[1], ")") == 0)
                r->block = NULL;
            return;
        }
    }
    i = find(r, verb);
    if (i >= 0)
        directives[i].read(r);
    else if (r->block == NULL && r->kind != MODULE_DEP)
        complain(r, rt_arena_printf(r->a, "unknown directive: %s", verb));
}

enum rt_status
module_parse(struct rt_arena *a, const char *name, const char *text,
    size_t len, enum module_kind kind, struct module_file *out,
    const char **errors)
{
    struct reader r = {.a = a, .name = name, .kind = kind, .out = out,
        .p = text, .end = text + len, .errors = "",
        .above = "", .behind = "", .of_block = ""};

    *out = (struct module_file){0};
    while (read_line(&r))
        one_line(&r);
    if (r.block != NULL)
        complain(&r, "unterminated block");
    *errors = r.errors;
    return *r.errors == 0 ? RT_OK : RT_EFORMAT;
}

unsigned
module_minor(const struct module_file *m)
{
    unsigned minor = m->go == NULL ? 0 : semver_go_minor(m->go);

    return minor == 0 ? DEFAULT_MINOR : minor;
}
