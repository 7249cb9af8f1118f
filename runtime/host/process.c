/* SPDX-License-Identifier: MIT */
#include "runtime/host/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/throw.h"

static size_t
length(char *const *v)
{
    size_t n = 0;

    while (v != NULL && v[n] != NULL)
        n++;
    return n;
}

static void
free_vars(char **v)
{
    for (size_t i = 0; v != NULL && v[i] != NULL; i++)
        free(v[i]);
    free(v);
}

/* ---- the environment --------------------------------------------------------- */

/* setenv() and unsetenv() change no variable where it lies: a new value has another
 * pointer. */
static char **
pointers(void)
{
    size_t n = length(environ);
    char **v = calloc(n + 1, sizeof *v);

    if (v != NULL && n > 0)
        memcpy(v, environ, n * sizeof *v);
    return v;
}

static char **
copies(void)
{
    size_t n = length(environ);
    char **v = calloc(n + 1, sizeof *v);

    for (size_t i = 0; v != NULL && i < n; i++) {
        v[i] = strdup(environ[i]);
        if (v[i] == NULL) {
            free_vars(v);
            return NULL;
        }
    }
    return v;
}

static bool
is_unchanged(const struct host_process *p)
{
    size_t n = length(p->seen);

    return length(environ) == n &&
        (n == 0 || memcmp(environ, p->seen, n * sizeof *p->seen) == 0);
}

static void
put_variable(const char *var)
{
    const char *equals = strchr(var, '=');
    char *name = equals == NULL ? NULL
        : strndup(var, (size_t)(equals - var));

    if (name != NULL)
        setenv(name, equals + 1, 1);
    free(name);
}

static void
restore_variables(struct host_process *p)
{
    if (p->vars == NULL || p->seen == NULL || is_unchanged(p))
        return;
    clearenv();
    for (size_t i = 0; p->vars[i] != NULL; i++)
        put_variable(p->vars[i]);
    free(p->seen);
    p->seen = pointers();
}

/* ---- all of it --------------------------------------------------------------- */

void
host_process_save(struct host_process *p)
{
    if (p->known)
        return;
    p->known = true;
    p->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    p->mask = umask(0);
    umask(p->mask);
    if (getrlimit(RLIMIT_NOFILE, &p->fds) != 0)
        p->fds = (struct rlimit){0, 0};
    p->vars = copies();
    p->seen = pointers();
}

void
host_process_restore(struct host_process *p)
{
    struct rlimit now;

    rt_assert(p->known);
    if (p->folder >= 0 && fchdir(p->folder) != 0) {
        /* Nobody may enter it any more: relative names are the program's
         * trouble, as they would have been without another run. */
        close(p->folder);
        p->folder = -1;
    }
    umask(p->mask);
    if (p->fds.rlim_max != 0 && getrlimit(RLIMIT_NOFILE, &now) == 0 &&
        now.rlim_cur != p->fds.rlim_cur)
        setrlimit(RLIMIT_NOFILE, &p->fds);
    restore_variables(p);
}

void
host_process_fini(struct host_process *p)
{
    if (p->known && p->folder >= 0)
        close(p->folder);
    free_vars(p->vars);
    free(p->seen);
    *p = (struct host_process){0};
}
