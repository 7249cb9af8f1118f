/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole/test_cmd.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/vole.h"

static void
tell(int fd, char what)
{
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

static const char *
after(const char *word, const char *flag)
{
    size_t n = strlen(flag);

    return strncmp(word, flag, n) == 0 ? word + n : NULL;
}

int
test_child(int argc, char **argv)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    const char *dir = argv[1], *value;
    int fd = atoi(argv[0]), i, status, sig;
    enum vole_status st;
    struct vole_error err;
    struct vole *v;

    if (!cmd_environment(&opt))
        return 2;
    for (i = 3; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if ((value = after(argv[i], "-tags=")) != NULL)
            opt.tags = value;
        else if ((value = after(argv[i], "-mod=")) != NULL)
            opt.mod = value;
        else if ((value = after(argv[i], "-lang=")) != NULL &&
            !cmd_lang("test", value, &opt))
            return 2;
    }
    opt.tests = true;
    opt.args = (const char *const *)(argv + i + 1);
    opt.nargs = i < argc ? (unsigned)(argc - i - 1) : 0;
    opt.sigquit = opt.sigterm = opt.faults = opt.sigpipe = true;
    st = vole_open(&v, &dir, 1, &opt, &err);
    if (st != VOLE_OK)
        return refuse(v, fd, st, &err);
    if (chdir(dir) != 0) {
        perror(dir);
        return 1;
    }
    setenv("PWD", dir, 1);
    tell(fd, TEST_RUNS);
    status = vole_run(v);
    sig = vole_died_of(v);
    vole_close(v);
    if (sig != 0) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
    return status;
}
