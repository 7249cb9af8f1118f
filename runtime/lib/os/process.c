/* SPDX-License-Identifier: MIT */

/*
 * Natives of package os for processes.  The child of a fork has one thread,
 * and whatever the others held is held for ever in it: until it runs another
 * program it only makes system calls, of what its parent has prepared.  It
 * says by a pipe that closes with the program which call has failed.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/lib/support/signals.h"
#include "runtime/lib/support/text.h"
#include "sched/loopback.h"
#include "sched/sched.h"

/* What a child does before it runs the program; a processAttr of Go. */
struct process_attr {
    int64_t setsid, setpgid, pgid, setctty, noctty, ctty, deathsig;
    int64_t credential, uid, gid;
};

struct child {
    char *path, *dir, *chroot;
    char **argv, **env;
    int *files;
    int nfiles;
    gid_t *groups;
    int64_t ngroups; /* -1: those of the parent stay */
    struct process_attr attr;
    int report; /* the pipe */
    pid_t parent;
};

static void
free_list(char **list)
{
    for (char **p = list; p != NULL && *p != NULL; p++)
        free(*p);
    free(list);
}

static char **
c_strings(struct rt_slice s)
{
    const struct rt_str *v = s.ptr;
    char **list = calloc((size_t)s.len + 1, sizeof *list);

    for (int64_t i = 0; list != NULL && i < s.len; i++) {
        list[i] = text_c_string(v[i]);
        if (list[i] == NULL) {
            free_list(list);
            return NULL;
        }
    }
    return list;
}

/* ---- in the child ---------------------------------------------------------- */

/* Every descriptor of the list in its place; they stay open.  Those that stand
 * in the way of others are moved first. */
static bool
place_files(struct child *c)
{
    for (int i = 0; i < c->nfiles; i++) {
        if (c->files[i] >= 0 && c->files[i] < i) {
            c->files[i] = fcntl(c->files[i], F_DUPFD_CLOEXEC, c->nfiles);
            if (c->files[i] < 0)
                return false;
        }
    }
    if (c->report < c->nfiles) {
        c->report = fcntl(c->report, F_DUPFD_CLOEXEC, c->nfiles);
        if (c->report < 0)
            return false;
    }
    for (int i = 0; i < c->nfiles; i++) {
        if (c->files[i] < 0)
            close(i);
        else if (c->files[i] == i ? fcntl(i, F_SETFD, 0) < 0
                                  : dup2(c->files[i], i) < 0)
            return false;
    }
    for (int i = c->nfiles; i < 3; i++)
        close(i);
    return true;
}

/* Who it is and where. */
static bool
change_identity(const struct child *c)
{
    const struct process_attr *a = &c->attr;

    if (a->setsid && setsid() < 0)
        return false;
    if (a->setpgid && setpgid(0, (pid_t)a->pgid) < 0)
        return false;
    if (c->chroot != NULL && chroot(c->chroot) < 0)
        return false;
    if (a->credential) {
        if (c->ngroups >= 0 && setgroups((size_t)c->ngroups, c->groups) < 0)
            return false;
        if (setgid((gid_t)a->gid) < 0 || setuid((uid_t)a->uid) < 0)
            return false;
    }
    if (c->dir != NULL && chdir(c->dir) < 0)
        return false;
    if (a->deathsig != 0) {
        if (prctl(PR_SET_PDEATHSIG, a->deathsig) < 0)
            return false;
        /* The parent may have gone before that. */
        if (getppid() != c->parent)
            kill(getpid(), (int)a->deathsig);
    }
    return true;
}

static _Noreturn void
run_child(struct child *c)
{
    const struct process_attr *a = &c->attr;

    lib_signals_reset();
    if (change_identity(c) && place_files(c) &&
        (!a->noctty || ioctl(0, TIOCNOTTY, 0) == 0) &&
        (!a->setctty || ioctl((int)a->ctty, TIOCSCTTY, 1) == 0))
        execve(c->path, c->argv, c->env);
    int err = errno;
    if (write(c->report, &err, sizeof err) < 0)
        _exit(254);
    _exit(253);
}

/* ---- in the parent ---------------------------------------------------------- */

/* The child's error number; 0: it runs the program. */
static int
hear(int fd)
{
    int err = 0;
    ssize_t n;

    do {
        n = read(fd, &err, sizeof err);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof err ? err : n == 0 ? 0 : EPIPE;
}

static int
fork_and_wait(struct child *c, pid_t *pid)
{
    int ends[2], err;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    c->report = ends[1];
    c->parent = getpid();
    *pid = fork();
    if (*pid == 0)
        run_child(c);
    err = *pid < 0 ? errno : 0;
    close(ends[1]);
    if (err == 0) {
        err = hear(ends[0]);
        if (err != 0)
            waitpid(*pid, NULL, 0);
    }
    close(ends[0]);
    return err;
}

static void
child_free(struct child *c)
{
    free(c->path);
    free(c->dir);
    free(c->chroot);
    free_list(c->argv);
    free_list(c->env);
    free(c->files);
    free(c->groups);
}

/* Copies of what the child needs: 32-bit numbers of 64-bit ones. */
static int *
numbers(struct rt_slice s)
{
    const int64_t *v = s.ptr;
    int *list = calloc((size_t)s.len + 1, sizeof *list);

    for (int64_t i = 0; list != NULL && i < s.len; i++)
        list[i] = (int)v[i];
    return list;
}

enum vm_status
lib_os_startProcess(struct vm_thread *t, union lib_os_startProcess_9to2 *f)
{
    const struct lib_state *s = lib_state(t);
    struct child c = {
        .path = text_c_string(f->in.name),
        .argv = c_strings(f->in.argv),
        .env = c_strings(f->in.env),
        .files = numbers(f->in.files),
        .nfiles = (int)f->in.files.len,
        .groups = (gid_t *)numbers(f->in.groups),
        .ngroups = f->in.setGroups ? f->in.groups.len : -1,
        .dir = f->in.dir.len > 0 ? text_c_string(f->in.dir) : NULL,
        .chroot = f->in.root.len > 0 ? text_c_string(f->in.root) : NULL,
    };
    pid_t pid = -1;
    int err = ENOMEM;

    memcpy(&c.attr, f->in.attr, sizeof c.attr);
    if (c.path != NULL && c.argv != NULL && c.env != NULL && c.files != NULL &&
        c.groups != NULL && (c.dir != NULL || f->in.dir.len == 0) &&
        (c.chroot != NULL || f->in.root.len == 0)) {
        for (int i = 0; t->m->by_seed && i < c.nfiles; i++)
            if (c.files[i] >= 0)
                loopback_give(t->m, c.files[i]);
        vm_syscall_enter(t);
        if (s->before_process != NULL)
            s->before_process(s->host);
        err = fork_and_wait(&c, &pid);
        vm_syscall_exit(t);
    }
    child_free(&c);
    f->out.pid = pid;
    f->out.errno_ = err;
    return VM_OK;
}

/* Waits until the process has ended, and leaves it as it is. */
enum vm_status
lib_os_awaitProcess(struct vm_thread *t, union lib_os_awaitProcess_1to1 *f)
{
    pid_t pid = (pid_t)f->in.pid;
    int r, err;

    vm_syscall_enter(t);
    do {
        siginfo_t info;
        r = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
        err = r < 0 ? errno : 0;
    } while (err == EINTR);
    vm_syscall_exit(t);
    f->out.errno_ = err;
    return VM_OK;
}

/* What an ended process leaves: status, and times in microseconds. */
enum vm_status
lib_os_reapProcess(struct vm_thread *t, union lib_os_reapProcess_1to4 *f)
{
    pid_t pid = (pid_t)f->in.pid;
    struct rusage use;
    int status = 0;

    (void)t;
    pid_t r = wait4(pid, &status, 0, &use);
    f->out.status = status;
    f->out.user = use.ru_utime.tv_sec * 1000000 + use.ru_utime.tv_usec;
    f->out.system = use.ru_stime.tv_sec * 1000000 + use.ru_stime.tv_usec;
    f->out.errno_ = r < 0 ? errno : 0;
    return VM_OK;
}

enum vm_status
lib_os_kill(struct vm_thread *t, union lib_os_kill_2to1 *f)
{
    (void)t;
    f->out.errno_ = kill((pid_t)f->in.pid, (int)f->in.sig) < 0 ? errno : 0;
    return VM_OK;
}
