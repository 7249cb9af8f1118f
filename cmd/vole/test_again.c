/* SPDX-License-Identifier: MIT */
/*
 * Tests start their own program again, by os.Args[0] or os.Executable(), to
 * see a process end: there has to be a file that can be executed.  It is a
 * shell script that starts the package's process with what its tests ask for.
 * Beside it is the program, compiled, as soon as one is started.
 */
#include "cmd/vole/test_again.h"

#include "cmd/vole/vole_cmd.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
test_again_begin(struct test_again *a)
{
    const char *dir = getenv("TMPDIR");
    ssize_t n = readlink("/proc/self/exe", a->self, sizeof a->self - 1);

    if (n <= 0 || asprintf(&a->dir, "%s/vole-test-XXXXXX",
            dir == NULL || *dir != '/' ? "/tmp" : dir) < 0)
        return false;
    a->self[n] = 0;
    if (mkdtemp(a->dir) != NULL)
        return true;
    fprintf(stderr, "vole: %s: %s\n", a->dir, strerror(errno));
    free(a->dir);
    a->dir = NULL;
    return false;
}

/* A word that the shell reads back: an apostrophe ends the quotes for a
 * moment. */
static void
put_word(FILE *f, const char *s)
{
    putc('\'', f);
    for (; *s != 0; s++)
        if (*s == '\'')
            fputs("'\\''", f);
        else
            putc(*s, f);
    fputs("' ", f);
}

/*
 * The settings by which modules, the library and what is kept of it were found.
 * A test gives its process any environment, but the program is compiled as it
 * was for the test.  The file hands them on by names of their own.
 */
static const char *const settings[] = {"GOENV", "GOFLAGS", "GOMODCACHE",
    "GOPATH", "GOWORK", "HOME", "VOLECACHE", "VOLEROOT", "VOLETREE",
    "XDG_CACHE_HOME", "XDG_CONFIG_HOME"};

enum { NSETTINGS = sizeof settings / sizeof *settings };

#define HANDED_ON "VOLE_AGAIN_"

static const char *
handed_on(const char *name, char *buf, size_t size)
{
    snprintf(buf, size, HANDED_ON "%s", name);
    return buf;
}

/* Those that are not set are handed on as empty, which is the same. */
static void
put_settings(FILE *f)
{
    for (unsigned i = 0; i < NSETTINGS; i++) {
        const char *v = cmd_variable(settings[i]);

        fprintf(f, HANDED_ON "%s=", settings[i]);
        put_word(f, v == NULL ? "" : v);
    }
}

const char *
test_again_variable(const char *name)
{
    char buf[64];

    for (unsigned i = 0; i < NSETTINGS; i++)
        if (strcmp(name, settings[i]) == 0) {
            const char *v = getenv(handed_on(name, buf, sizeof buf));

            return v == NULL ? cmd_variable(name) : v;
        }
    return cmd_variable(name);
}

void
test_again_forget(void)
{
    char buf[64];

    for (unsigned i = 0; i < NSETTINGS; i++)
        unsetenv(handed_on(settings[i], buf, sizeof buf));
}

bool
test_again_make(
    struct test_again *a, const char *path, const char *const *words)
{
    const char *slash = strrchr(path, '/');
    FILE *f;
    bool ok;

    test_again_drop(a);
    if (asprintf(&a->file, "%s/%s.test", a->dir,
            slash == NULL ? path : slash + 1) < 0) {
        a->file = NULL;
        return false;
    }
    f = fopen(a->file, "we");
    if (f == NULL)
        return false;
    fputs("#!/bin/sh\n", f);
    put_settings(f);
    fputs("exec ", f);
    put_word(f, a->self);
    for (; *words != NULL; words++)
        put_word(f, *words);
    fputs("-again=\"$0\" -- \"$@\"\n", f);
    ok = fchmod(fileno(f), 0700) == 0;
    return fclose(f) == 0 && ok;
}

void
test_again_drop(struct test_again *a)
{
    if (a->file != NULL)
        unlink(a->file);
    free(a->file);
    a->file = NULL;
}

/* Removes the files in the folder: the program, and what is left of writing it
 * where a process was killed meanwhile.  Whether there were any. */
static bool
empty(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    bool any = false;

    if (d == NULL)
        return false;
    while ((e = readdir(d)) != NULL) /* not ".", "..", nor folders */
        any |= unlinkat(dirfd(d), e->d_name, 0) == 0;
    closedir(d);
    return any;
}

void
test_again_end(struct test_again *a)
{
    test_again_drop(a);
    /* A process that outlives the tests may put something there meanwhile. */
    while (a->dir != NULL && rmdir(a->dir) != 0 && empty(a->dir))
        ;
    free(a->dir);
    a->dir = NULL;
}
