/* SPDX-License-Identifier: MIT */
#include "cmd/vole/test_cover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole/test_cmd.h"

bool
test_cover_on(const struct test_cover_flags *f)
{
    return f->on || f->mode != NULL || f->profile != NULL || f->pkg != NULL;
}

/* ---- the packages ----------------------------------------------------------------- */

struct list {
    char *text; /* between commas */
    bool nomem;
};

static void
append(struct list *l, const char *comma, const char *word)
{
    char *text;

    if (asprintf(&text, "%s%s%s", l->text == NULL ? "" : l->text,
            l->text == NULL ? "" : comma, word) < 0) {
        l->nomem = true;
        return;
    }
    free(l->text);
    l->text = text;
}

static void
add_path(void *arg, const char *path, const char *dir, bool has_tests,
    const char *error)
{
    (void)dir;
    (void)has_tests;
    if (error == NULL)
        append(arg, ",", path);
}

/* -coverpkg: patterns between commas. */
static bool
find_packages(struct test_cover *c, const char *patterns,
    const struct vole_options *opt)
{
    char *copy = strdup(patterns), *word, *rest;
    struct list l = {NULL, copy == NULL}, in = {NULL, false};
    struct vole_error err;
    const char *one;
    bool ok = true;

    for (word = copy == NULL ? NULL : strtok_r(copy, ",", &rest);
        ok && word != NULL; word = strtok_r(NULL, ",", &rest)) {
        one = word;
        append(&in, ", ", word);
        ok = vole_packages(&one, 1, opt, add_path, &l, &err) == VOLE_OK;
        if (!ok)
            fprintf(stderr, "%s\n", err.text);
    }
    free(copy);
    c->in = in.text;
    c->pkgs = l.text;
    if (l.nomem || in.nomem) {
        fprintf(stderr, "vole: out of memory\n");
        ok = false;
    }
    return ok;
}

/* ---- the profile ------------------------------------------------------------------- */

static bool
open_profile(struct test_cover *c, const struct test_cover_flags *f,
    const char *dir, const char *mode)
{
    char *path;

    c->name = f->profile;
    if (asprintf(&path, "%s/%s", dir, f->profile) < 0) {
        fprintf(stderr, "vole: out of memory\n");
        return false;
    }
    c->out = fopen(f->profile[0] == '/' ? f->profile : path, "we");
    free(path);
    if (c->out == NULL) {
        fprintf(stderr, "vole: %s: %s\n", f->profile, strerror(errno));
        return false;
    }
    fprintf(c->out, "mode: %s\n", mode);
    strcpy(c->dir, "/tmp/vole-cover-XXXXXX");
    if (mkdtemp(c->dir) == NULL) {
        fprintf(stderr, "vole: %s: %s\n", c->dir, strerror(errno));
        c->dir[0] = 0;
        return false;
    }
    return true;
}

bool
test_cover_begin(struct test_cover *c, const struct test_cover_flags *f,
    const char *dir, const struct vole_options *opt,
    struct test_child_flags *child)
{
    const char *mode = f->mode == NULL ? "set" : f->mode;

    if (strcmp(mode, "set") != 0 && strcmp(mode, "count") != 0 &&
        strcmp(mode, "atomic") != 0) {
        fprintf(stderr, "vole test: invalid argument %s for -covermode: valid "
            "modes are \"set\", \"count\", or \"atomic\"\n", mode);
        return false;
    }
    if (f->pkg != NULL && !find_packages(c, f->pkg, opt))
        return false;
    child->covermode = mode;
    child->coverpkg = c->pkgs;
    child->coverin = c->in;
    return f->profile == NULL || open_profile(c, f, dir, mode);
}

static const char argument_head[] = "-test.coverprofile=";

bool
test_cover_file(const struct test_cover *c, unsigned number, char **argument)
{
    *argument = NULL;
    return c->dir[0] == 0 ||
        asprintf(argument, "%s%s/%u", argument_head, c->dir, number) >= 0;
}

void
test_cover_add(struct test_cover *c, unsigned number, bool ran)
{
    char *line = NULL, *argument;
    const char *path;
    size_t cap = 0;
    bool first = true;
    FILE *in;

    if (!test_cover_file(c, number, &argument) || argument == NULL)
        return;
    path = argument + sizeof argument_head - 1;
    in = fopen(path, "re");
    for (; in != NULL && getline(&line, &cap, in) > 0; first = false) {
        char *count = strrchr(line, ' ');

        if (first)
            continue;
        if (!ran && count != NULL)
            strcpy(count, " 0\n");
        fputs(line, c->out);
    }
    free(line);
    if (in != NULL)
        fclose(in);
    unlink(path);
    free(argument);
}

bool
test_cover_end(struct test_cover *c)
{
    bool ok = true;

    if (c->out != NULL && (fflush(c->out) != 0 || ferror(c->out))) {
        fprintf(stderr, "vole: %s: %s\n", c->name, strerror(errno));
        ok = false;
    }
    if (c->out != NULL)
        fclose(c->out);
    if (c->dir[0] != 0)
        rmdir(c->dir);
    free(c->pkgs);
    free(c->in);
    return ok;
}

const char *
test_cover_said(const char *text, size_t len, size_t *n)
{
    static const char mark[] = "coverage: ";
    const char *at = NULL, *p = text, *end = text + len, *nl;

    while (p < end && (p = memmem(p, (size_t)(end - p), mark,
                           sizeof mark - 1)) != NULL) {
        if (p == text || p[-1] == '\n')
            at = p;
        p++;
    }
    if (at == NULL)
        return NULL;
    nl = memchr(at, '\n', (size_t)(end - at));
    *n = (size_t)((nl == NULL ? end : nl) - at);
    return at;
}
