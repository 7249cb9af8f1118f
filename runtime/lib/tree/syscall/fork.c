/* SPDX-License-Identifier: MIT */

/*
 * A child process that becomes another program.  Between fork and exec it may
 * call nothing that takes a lock or memory, and no Go code: other threads of
 * the parent may have held anything at that moment.
 */

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/signals.h"
#include "sched/loopback.h"
#include "sched/sched.h"

/* As in patch.go. */
enum {
    SETSID = 1,
    SETPGID = 2,
    SETCTTY = 4,
    NOCTTY = 8,
    FOREGROUND = 16,
    CREDENTIAL = 32,
    SETGROUPS = 64
};

struct options {
    int64_t flags, ctty, pgid, pdeathsig, uid, gid;
    struct rt_slice groups; /* uint32 */
};

static bool
set_group(const struct options *o)
{
    if ((o->flags & SETSID) && setsid() < 0)
        return false;
    if ((o->flags & (SETPGID | FOREGROUND)) && setpgid(0, (pid_t)o->pgid) < 0)
        return false;
    if (o->flags & FOREGROUND) {
        pid_t pgid = o->pgid != 0 ? (pid_t)o->pgid : getpid();
        sigset_t ttou;

        /* Or else the terminal stops who is in the background. */
        sigemptyset(&ttou);
        sigaddset(&ttou, SIGTTOU);
        sigprocmask(SIG_BLOCK, &ttou, NULL);
        if (ioctl((int)o->ctty, TIOCSPGRP, &pgid) < 0)
            return false;
        sigprocmask(SIG_UNBLOCK, &ttou, NULL);
    }
    return true;
}

/* By the system calls themselves: the library's functions would ask the other
 * threads, which are not there, to do the same. */
static bool
set_user(const struct options *o)
{
    if ((o->flags & SETGROUPS) &&
        syscall(SYS_setgroups, o->groups.len, o->groups.ptr) < 0)
        return false;
    return !(o->flags & CREDENTIAL) ||
        (syscall(SYS_setgid, o->gid) == 0 && syscall(SYS_setuid, o->uid) == 0);
}

/* Makes file i of the child the parent's files[i]; -1 closes it.  The pipe
 * gets out of the way first. */
static bool
move_files(int64_t *fd, int64_t n, int *pipe)
{
    int64_t i, above = n;

    for (i = 0; i < n; i++)
        if (fd[i] >= above)
            above = fd[i] + 1;
    if (*pipe < above &&
        (*pipe = fcntl(*pipe, F_DUPFD_CLOEXEC, (int)above)) < 0)
        return false;
    for (i = 0; i < n; i++)
        if (fd[i] >= 0 && fd[i] < i &&
            (fd[i] = fcntl((int)fd[i], F_DUPFD_CLOEXEC, (int)above)) < 0)
            return false;
    for (i = 0; i < n; i++) {
        if (fd[i] < 0)
            close((int)i);
        else if (fd[i] == i ? fcntl((int)i, F_SETFD, 0) < 0
                            : dup2((int)fd[i], (int)i) < 0)
            return false;
    }
    for (i = n; i < 3; i++)
        close((int)i);
    return true;
}

static bool
set_terminal(const struct options *o)
{
    if ((o->flags & NOCTTY) && ioctl(0, TIOCNOTTY, 0) < 0)
        return false;
    return !(o->flags & SETCTTY) || ioctl((int)o->ctty, TIOCSCTTY, 1) == 0;
}

static void
child(union lib_tree_syscall_fork_8to2 *f)
{
    const struct options *o = f->in.opt;
    int pipe = (int)f->in.pipe;
    uint64_t err;

    lib_signals_reset();
    if (set_group(o) &&
        (f->in.chroot == NULL || chroot(f->in.chroot) == 0) && set_user(o) &&
        (f->in.dir == NULL || chdir(f->in.dir) == 0) &&
        (o->pdeathsig == 0 || prctl(PR_SET_PDEATHSIG, o->pdeathsig) == 0) &&
        move_files(f->in.files.ptr, f->in.files.len, &pipe) &&
        set_terminal(o))
        execve(f->in.argv0, f->in.argv.ptr, f->in.envv.ptr);
    err = (uint64_t)errno;
    while (write(pipe, &err, sizeof err) < 0 && errno == EINTR)
        continue;
    _exit(253);
}

/* func fork(argv0 *byte, argv, envv []*byte, chroot, dir *byte,
 * files []int64, opt *forkOptions, pipe int) (pid, errno int) */
enum vm_status
lib_tree_syscall_fork(
    struct vm_thread *t, union lib_tree_syscall_fork_8to2 *f)
{
    sigset_t all, old;
    pid_t pid;
    int err;

    const int64_t *fd = f->in.files.ptr;

    for (int64_t i = 0; t->m->by_seed && i < f->in.files.len; i++)
        if (fd[i] >= 0)
            loopback_give(t->m, (int)fd[i]);
    /* No handler of the parent runs in the child. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid = fork();
    err = errno;
    if (pid == 0)
        child(f);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    f->out.pid = pid;
    f->out.errno_ = pid < 0 ? err : 0;
    return VM_OK;
}
