/* SPDX-License-Identifier: MIT */
#include "cmd/vole-trace/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a signal handler removes.  Written only with those signals blocked
 * that have it as a handler; SIGBUS comes from reading the input, which
 * nobody does meanwhile. */
static char *volatile pending;

static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

enum { NENDS = sizeof ends / sizeof *ends };

void
outfile_abandon(void)
{
    if (pending != NULL)
        unlink(pending);
}

static void
on_end(int sig)
{
    outfile_abandon();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void
block(sigset_t *old)
{
    sigset_t set;
    int i;

    sigemptyset(&set);
    for (i = 0; i < NENDS; i++)
        sigaddset(&set, ends[i]);
    sigprocmask(SIG_BLOCK, &set, old);
}

/* What is ignored, as under nohup, stays so. */
static void
handle(void (*handler)(int))
{
    struct sigaction sa = {.sa_handler = handler}, old;
    int i;

    for (i = 0; i < NENDS; i++) {
        if (sigaction(ends[i], NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN)
            sigaction(ends[i], &sa, NULL);
    }
}

/* Names of open files: to rename something there is not to write to it. */
static bool
is_descriptor(const char *path)
{
    return strncmp(path, "/dev/std", 8) == 0 ||
        strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* The file itself where path leads to it by links; NULL: it has to be written
 * in place. */
static char *
real_name(const char *path, const struct stat *sb)
{
    struct stat link;

    if (is_descriptor(path))
        return NULL;
    if (sb == NULL) /* not there, or a link to nowhere */
        return lstat(path, &link) == 0 ? NULL : strdup(path);
    if (!S_ISREG(sb->st_mode) || access(path, W_OK) != 0)
        return NULL;
    return realpath(path, NULL);
}

static char *
temp_name(const char *real)
{
    size_t n = strlen(real) + 32;
    char *temp = malloc(n);

    if (temp != NULL)
        snprintf(temp, n, "%s.tmp%ld", real, (long)getpid());
    return temp;
}

enum { PROC_NAME = 40 };

/* The name by which a file without one can be linked. */
static char *
proc_name(char *buf, int fd)
{
    snprintf(buf, PROC_NAME, "/proc/self/fd/%d", fd);
    return buf;
}

/* A file without a name where real will be; -1: there cannot be one, or it
 * could not be given a name. */
static int
open_nameless(const char *real)
{
    char *copy = strdup(real), name[PROC_NAME];
    int fd = copy == NULL ? -1
        : open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

    free(copy);
    if (fd >= 0 && access(proc_name(name, fd), F_OK) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* The new file, with the rights of the old one. */
static FILE *
open_temp(struct outfile *o, const struct stat *sb)
{
    int fd = open_nameless(o->real);
    FILE *f;

    o->nameless = fd >= 0;
    if (fd < 0)
        fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (f == NULL && fd >= 0) {
        close(fd);
        if (!o->nameless)
            unlink(o->temp);
    }
    if (f != NULL && sb != NULL)
        fchmod(fd, sb->st_mode & 07777);
    return f;
}

bool
outfile_open(struct outfile *o, const char *path)
{
    struct stat sb, link;
    bool there = stat(path, &sb) == 0;
    sigset_t old;

    memset(o, 0, sizeof *o);
    o->path = path;
    o->real = real_name(path, there ? &sb : NULL);
    o->temp = o->real == NULL ? NULL : temp_name(o->real);
    if (o->temp != NULL) {
        block(&old);
        o->f = open_temp(o, there ? &sb : NULL);
        if (o->f != NULL && !o->nameless) {
            pending = o->temp;
            handle(on_end);
        }
        sigprocmask(SIG_SETMASK, &old, NULL);
    }
    if (o->f != NULL)
        return true;
    free(o->real);
    free(o->temp);
    o->real = o->temp = NULL;
    o->made = lstat(path, &link) != 0;
    o->f = fopen(path, "wbe");
    return o->f != NULL;
}

bool
outfile_put(void *arg, const void *data, size_t n)
{
    struct outfile *o = arg;

    if (fwrite(data, 1, n, o->f) == n)
        return true;
    if (o->err == 0)
        o->err = errno;
    return false;
}

/* Gives a nameless file its other name: that it takes the place of the old one
 * at once needs one.  What stands there was left by a process that had our
 * number and was killed. */
static bool
give_name(const struct outfile *o)
{
    char name[PROC_NAME];
    int fd = fileno(o->f), k;

    for (k = 0; k < 2; k++) {
        if (linkat(AT_FDCWD, proc_name(name, fd), AT_FDCWD, o->temp,
                AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST || unlink(o->temp) != 0)
            break;
    }
    return false;
}

/* errno of the first write that failed, as far as it is known. */
static int
flush(struct outfile *o)
{
    errno = 0;
    if (fflush(o->f) == 0 && !ferror(o->f))
        return 0;
    return o->err != 0 ? o->err : errno != 0 ? errno : EIO;
}

bool
outfile_close(struct outfile *o, bool keep)
{
    int was = errno, err = flush(o);
    bool named = !o->nameless;
    sigset_t old;

    block(&old);
    if (o->nameless && keep && err == 0) {
        named = give_name(o);
        err = named ? 0 : errno;
    }
    if (fclose(o->f) != 0 && err == 0)
        err = errno;
    if (o->temp != NULL) {
        if (keep && err == 0 && rename(o->temp, o->real) != 0)
            err = errno;
        if (named && (!keep || err != 0))
            unlink(o->temp);
        pending = NULL;
        handle(SIG_DFL);
    } else if (o->made && (!keep || err != 0)) {
        unlink(o->path);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    free(o->real);
    free(o->temp);
    memset(o, 0, sizeof *o);
    errno = !keep ? was : err;
    return !keep || err == 0;
}
