/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole/test_again.h"
#include "cmd/vole/test_cmd.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/vole.h"

#define AT(field) offsetof(struct test_child_flags, field)

const struct arg_flag test_child_flags[] = {
    {"tags", ARG_STR, AT(tags), NULL, NULL},
    {"mod", ARG_STR, AT(mod), NULL, NULL},
    {"race", ARG_BOOL, AT(race), NULL, NULL},
    {"lang", ARG_STR, AT(lang), NULL, NULL},
    {"jit", ARG_STR, AT(jit), NULL, NULL},
    {"again", ARG_STR, AT(again), NULL, NULL},
    {"image", ARG_STR, AT(image), NULL, NULL},
    {"covermode", ARG_STR, AT(covermode), NULL, NULL},
    {"coverpkg", ARG_STR, AT(coverpkg), NULL, NULL},
    {"coverin", ARG_STR, AT(coverin), NULL, NULL},
    EXPLORE_FLAGS(AT(explore)),
    {"leaks", ARG_BOOL, AT(explore.leaks), NULL, NULL},
    {0},
};

static void
tell(int fd, char what)
{
    if (fd < 0)
        return;
    while (write(fd, &what, 1) < 0)
        ;
    close(fd);
}

/* The end of what could not be loaded. */
static int
refuse(struct vole *v, int fd, enum vole_status st,
    const struct vole_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);

    if (f == NULL)
        return 2;
    if (st == VOLE_ERRORS)
        vole_write_errors(v, f);
    else
        fprintf(f, "vole: %s\n", err->text);
    fclose(f);
    /* The compiler's errors stand below the name of their package. */
    tell(fd, st == VOLE_ERRORS && *text != '#' ? TEST_SETUP : TEST_BUILD);
    fwrite(text, 1, n, stderr);
    free(text);
    vole_close(v);
    return 1;
}

/* Under which name a test has started itself again, for free(): package os
 * puts it into the environment where it is not the file's.  Or NULL. */
static char *
take_name(void)
{
    const char *name = getenv("VOLE_ARG0");
    char *copy = name == NULL ? NULL : strdup(name);

    unsetenv("VOLE_ARG0");
    return copy;
}

/* The flags in front of "--"; argv is to begin behind it then. */
static bool
read_flags(int *argc, char ***argv, bool alone, struct test_child_flags *f,
    struct vole_options *opt)
{
    char text[256];
    int at = 0;

    if (!args_parse(*argc, *argv, &at, test_child_flags, f, text,
            sizeof text)) {
        fprintf(stderr, "vole test: %s\n", text);
        return false;
    }
    *argc -= at;
    *argv += at;
    opt->tags = f->tags;
    opt->race = f->race;
    opt->mod = f->mod;
    opt->arg0 = f->again;
    if (f->explore.amount == NULL)
        opt->image_in = f->image;
    opt->image_late = !alone;
    opt->cover = f->covermode;
    opt->coverpkg = f->coverpkg;
    opt->coverin = f->coverin;
    return cmd_lang("test", f->lang, opt) && cmd_jit(f->jit, opt) &&
        explore_run_options("test", &f->explore, opt);
}

/* The tests, once or by many schedules. */
static int
run(struct vole *v, const char **args, const char *path,
    const struct test_child_flags *f)
{
    struct test_explore x = {v, args, path, f};

    return f->explore.amount != NULL ? test_explore(&x) : vole_run(v);
}

int
test_child(int argc, char **argv)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct test_child_flags f = {0};
    struct cmd_cache cache;
    const char *dir = argv[1], *path = argv[2], **args;
    char *name;
    bool alone = strcmp(argv[0], TEST_ALONE) == 0;
    int fd = alone ? -1 : atoi(argv[0]), status, sig;
    enum vole_status st;
    struct vole_error err;
    struct vole *v;

    argc -= 3;
    argv += 3;
    if (!cmd_environment(&opt))
        return 2;
    if (alone)
        opt.env = test_again_variable;
    if (!cmd_cache_option(&cache, &opt) ||
        !read_flags(&argc, &argv, alone, &f, &opt))
        return 2;
    args = calloc((size_t)argc + 2, sizeof *args);
    if (args == NULL)
        return 2;
    name = take_name();
    if (name != NULL)
        opt.arg0 = name;
    memcpy(args, argv, (size_t)argc * sizeof *args);
    opt.tests = true;
    opt.args = args;
    opt.nargs = (unsigned)argc;
    if (f.explore.amount != NULL)
        opt.nargs = test_explore_args(args, opt.nargs);
    opt.sigquit = opt.sigterm = f.explore.amount == NULL;
    opt.faults = opt.sigpipe = true;
    st = vole_open(&v, &dir, 1, &opt, &err);
    if (st != VOLE_OK) {
        status = refuse(v, fd, st, &err);
        free(name);
        free(args);
        return status;
    }
    if (!alone && chdir(dir) != 0) {
        perror(dir);
        free(name);
        free(args);
        return 1;
    }
    if (!alone)
        setenv("PWD", dir, 1);
    test_again_forget();
    tell(fd, TEST_RUNS);
    status = run(v, args, path, &f);
    sig = vole_died_of(v);
    vole_close(v);
    free(name);
    free(args);
    if (sig != 0)
        cmd_die_of(sig);
    return status;
}
