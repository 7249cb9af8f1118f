/* SPDX-License-Identifier: MIT */

/*
 * Natives of package os.  Each wraps one system call and gives
 * its error number back, 0 if all went well; Go code makes errors of them.
 * Calls on files may block, so they give the P away; EINTR is tried again.
 * Argument slots keep the buffers alive and are written only after the call.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/lib/support/held.h"
#include "runtime/lib/support/os_errno.h"
#include "runtime/lib/support/text.h"
#include "runtime/vm/vm.h"
#include "sched/loopback.h"
#include "sched/sched.h"
#include "sched/seed.h"
#include "sched/sched.h"

/* Makes a C string of s in buf; 0 or an error number. */
static int
c_path(char buf[PATH_MAX], struct rt_str s)
{
    if (s.len >= PATH_MAX)
        return ENAMETOOLONG;
    if (s.len > 0) {
        if (memchr(s.ptr, 0, (size_t)s.len) != NULL)
            return EINVAL;
        memcpy(buf, s.ptr, (size_t)s.len);
    }
    buf[s.len] = 0;
    return 0;
}

/* Sets r and err to the outcome of a call that may block. */
#define BLOCKING(t, r, err, call)                                            \
    do {                                                                     \
        vm_syscall_enter(t);                                                 \
        do {                                                                 \
            (r) = (call);                                                    \
        } while ((r) < 0 && errno == EINTR);                                 \
        (err) = (r) < 0 ? errno : 0;                                         \
        vm_syscall_exit(t);                                                  \
    } while (0)

/* A native of one path, whose result is the error number. */
#define PATH_CALL(fn, shape, call)                                           \
    enum vm_status lib_os_##fn(                                              \
        struct vm_thread *t, union lib_os_##fn##_##shape *f)                 \
    {                                                                        \
        char path[PATH_MAX];                                                 \
        int r, err = c_path(path, f->in.name);                               \
                                                                             \
        if (err == 0)                                                        \
            BLOCKING(t, r, err, call);                                       \
        f->out.errno_ = err;                                                 \
        return VM_OK;                                                        \
    }

PATH_CALL(mkdir, 2to1, mkdir(path, (mode_t)f->in.mode))
PATH_CALL(unlink, 1to1, unlink(path))
PATH_CALL(rmdir, 1to1, rmdir(path))
PATH_CALL(truncate, 2to1, truncate(path, f->in.size))
PATH_CALL(chmod, 2to1, chmod(path, (mode_t)f->in.mode))
PATH_CALL(chdir, 1to1, chdir(path))
PATH_CALL(chown, 3to1, chown(path, (uid_t)f->in.uid, (gid_t)f->in.gid))
PATH_CALL(lchown, 3to1, lchown(path, (uid_t)f->in.uid, (gid_t)f->in.gid))

/* A time for utimensat(). */
static struct timespec
time_of(int64_t sec, int64_t nsec)
{
    return (struct timespec){ sec, nsec < 0 ? UTIME_OMIT : nsec };
}

enum vm_status
lib_os_utimes(struct vm_thread *t, union lib_os_utimes_5to1 *f)
{
    const struct timespec times[] = { time_of(f->in.asec, f->in.ansec),
        time_of(f->in.msec, f->in.mnsec) };
    char path[PATH_MAX];
    int r, err = c_path(path, f->in.name);

    if (err == 0)
        BLOCKING(t, r, err, utimensat(AT_FDCWD, path, times, 0));
    f->out.errno_ = err;
    return VM_OK;
}

enum vm_status
lib_os_getgroups(struct vm_thread *t, union lib_os_getgroups_0to2 *f)
{
    gid_t *groups = NULL;
    int64_t *list;
    int n;

    /* The list may change between the two calls, so it is asked for again. */
    do {
        free(groups);
        groups = NULL;
        n = getgroups(0, NULL);
        if (n > 0 && (groups = malloc((size_t)n * sizeof *groups)) == NULL) {
            errno = ENOMEM;
            n = -1;
        }
        if (n > 0)
            n = getgroups(n, groups);
    } while (n < 0 && errno == EINVAL);
    f->out.errno_ = n < 0 ? errno : 0;
    list = n < 1 ? NULL : vm_new_bytes(t, (size_t)n * 8);
    for (int i = 0; i < n && list != NULL; i++)
        list[i] = groups[i];
    free(groups);
    if (n > 0 && list == NULL)
        return VM_EXIT;
    f->out.groups = (struct rt_slice){ list, n < 1 ? 0 : n, n < 1 ? 0 : n };
    return VM_OK;
}

/* The same for two paths. */
#define PATHS_CALL(fn, call)                                                 \
    enum vm_status lib_os_##fn(                                              \
        struct vm_thread *t, union lib_os_##fn##_2to1 *f)                    \
    {                                                                        \
        char path[PATH_MAX], new[PATH_MAX];                                  \
        int r, err = c_path(path, f->in.old);                                \
                                                                             \
        if (err == 0)                                                        \
            err = c_path(new, f->in.new_);                                   \
        if (err == 0)                                                        \
            BLOCKING(t, r, err, call);                                       \
        f->out.errno_ = err;                                                 \
        return VM_OK;                                                        \
    }

PATHS_CALL(rename, rename(path, new))
PATHS_CALL(link, link(path, new))
PATHS_CALL(symlink, symlink(path, new))

/* The same for a file descriptor. */
#define FD_CALL(fn, shape, call)                                             \
    enum vm_status lib_os_##fn(                                              \
        struct vm_thread *t, union lib_os_##fn##_##shape *f)                 \
    {                                                                        \
        int r, err, fd = (int)f->in.fd;                                      \
                                                                             \
        BLOCKING(t, r, err, call);                                           \
        f->out.errno_ = err;                                                 \
        return VM_OK;                                                        \
    }

FD_CALL(fsync, 1to1, fsync(fd))
FD_CALL(ftruncate, 2to1, ftruncate(fd, f->in.size))
FD_CALL(fchmod, 2to1, fchmod(fd, (mode_t)f->in.mode))
FD_CALL(fchdir, 1to1, fchdir(fd))
FD_CALL(fchown, 3to1, fchown(fd, (uid_t)f->in.uid, (gid_t)f->in.gid))

enum vm_status
lib_os_open(struct vm_thread *t, union lib_os_open_3to3 *f)
{
    char path[PATH_MAX];
    struct stat st;
    int fd = -1, err = c_path(path, f->in.name);

    if (err == 0)
        BLOCKING(t, fd, err,
            open(path, (int)f->in.flag, (mode_t)f->in.perm));
    if (fd >= 0 && !held_add_fd(lib_state(t)->held, fd)) {
        close(fd);
        fd = -1;
        err = ENOMEM;
    }
    f->out.fd = fd;
    f->out.pollable = fd >= 0 && fstat(fd, &st) == 0 &&
        !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    f->out.errno_ = err;
    return VM_OK;
}

enum vm_status
lib_os_status(struct vm_thread *t, union lib_os_status_1to2 *f)
{
    int flags = fcntl((int)f->in.fd, F_GETFL);

    (void)t;
    f->out.errno_ = flags < 0 ? errno : 0;
    f->out.flags = flags < 0 ? 0 : flags;
    return VM_OK;
}

enum vm_status
lib_os_setNonblock(struct vm_thread *t, union lib_os_setNonblock_2to1 *f)
{
    int fd = (int)f->in.fd, flags = fcntl(fd, F_GETFL), r = -1;

    (void)t;
    if (flags >= 0)
        r = fcntl(fd, F_SETFL,
            f->in.on & 1 ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
    f->out.errno_ = r < 0 ? errno : 0;
    return VM_OK;
}

/* By a seed: whether it is a socket of sched/loopback.h, as the Files are that
 * package net makes of connections, and the call has been answered: *n and *err.
 */
static RT_NOINLINE bool
is_answered(struct vm_thread *t, uint64_t trap, int fd, const void *p,
    int64_t len, int64_t *n, int *err)
{
    const uint64_t arg[6] = {
        (uint64_t)fd, (uint64_t)(uintptr_t)p, (uint64_t)len};

    if (!loopback_call(t->m, trap, arg, n))
        return false;
    *err = *n < 0 ? (int)-*n : 0;
    if (*n < 0)
        *n = 0;
    return true;
}

enum vm_status
lib_os_closefd(struct vm_thread *t, union lib_os_closefd_1to1 *f)
{
    int r, fd = (int)f->in.fd;
    int64_t n;

    held_drop_fd(lib_state(t)->held, fd);
    if (rt_unlikely(t->m->by_seed) &&
        is_answered(t, SYS_close, fd, NULL, 0, &n, &r)) {
        f->out.errno_ = r;
        return VM_OK;
    }
    /* Linux closes the file even when it says EINTR: once only. */
    vm_syscall_enter(t);
    r = close(fd) < 0 && errno != EINTR ? errno : 0;
    vm_syscall_exit(t);
    f->out.errno_ = r;
    return VM_OK;
}

/* The results of a call that counts: n, 0 if negative, and the error. */
#define RET_COUNT(n_, err)                                                   \
    do {                                                                     \
        f->out.n = (n_) < 0 ? 0 : (n_);                                      \
        f->out.errno_ = (err);                                               \
    } while (0)

enum vm_status
lib_os_read(struct vm_thread *t, union lib_os_read_2to2 *f)
{
    struct rt_slice b = f->in.b;
    int fd = (int)f->in.fd, err;
    int64_t n;

    if (rt_unlikely(t->m->by_seed) &&
        is_answered(t, SYS_read, fd, b.ptr, b.len, &n, &err)) {
        RET_COUNT(n, err);
        return VM_OK;
    }
    BLOCKING(t, n, err, read(fd, b.ptr, (size_t)b.len));
    RET_COUNT(n, err);
    return VM_OK;
}

enum vm_status
lib_os_pread(struct vm_thread *t, union lib_os_pread_3to2 *f)
{
    struct rt_slice b = f->in.b;
    int fd = (int)f->in.fd, err;
    ssize_t n;

    BLOCKING(t, n, err, pread(fd, b.ptr, (size_t)b.len, f->in.off));
    RET_COUNT(n, err);
    return VM_OK;
}

/* Writes all of p[0:len], at off unless that is negative; of what goes into a
 * pipe by which the program talks to itself, with a seed, only as much as there
 * is room for.  The error number. */
static int
write_all(struct vm_thread *t, int fd, const void *p, int64_t len,
    int64_t off, int64_t *written)
{
    int64_t done = 0;
    int err = 0;

    if (off < 0 && t->m->by_seed) {
        if (is_answered(t, SYS_write, fd, p, len, written, &err))
            return err;
        len = (int64_t)seed_fd_room(fd, (size_t)len);
    }
    vm_syscall_enter(t);
    do {
        const char *from = (const char *)p + done;
        size_t left = (size_t)(len - done);
        ssize_t n = off < 0 ? write(fd, from, left)
                            : pwrite(fd, from, left, off + done);

        if (n < 0 && errno != EINTR) {
            err = errno;
            break;
        }
        done += n < 0 ? 0 : n;
    } while (done < len);
    vm_syscall_exit(t);
    if (err == EPIPE && off < 0 && (fd == 1 || fd == 2))
        lib_broken_pipe(t);
    *written = done;
    return err;
}

/* A native that writes its parameter pa at off. */
#define WRITE(fn, shape, pa, off)                                            \
    enum vm_status lib_os_##fn(                                              \
        struct vm_thread *t, union lib_os_##fn##_##shape *f)                 \
    {                                                                        \
        int64_t n;                                                           \
        int err = write_all(                                                 \
            t, (int)f->in.fd, f->in.pa.ptr, f->in.pa.len, off, &n);          \
                                                                             \
        RET_COUNT(n, err);                                                   \
        return VM_OK;                                                        \
    }

WRITE(write, 2to2, b, -1)
WRITE(writeString, 2to2, s, -1)
WRITE(pwrite, 3to2, b, f->in.off)

enum vm_status
lib_os_seek(struct vm_thread *t, union lib_os_seek_3to2 *f)
{
    off_t pos = lseek((int)f->in.fd, f->in.off, (int)f->in.whence);

    (void)t;
    f->out.pos = pos < 0 ? 0 : pos;
    f->out.errno_ = pos < 0 ? errno : 0;
    return VM_OK;
}

/* Go's syscall.Stat_t is the system's own. */
_Static_assert(sizeof(struct stat) == 144, "a struct stat is a syscall.Stat_t");

enum vm_status
lib_os_fstat(struct vm_thread *t, union lib_os_fstat_2to1 *f)
{
    struct stat st;
    int r, err, fd = (int)f->in.fd;

    BLOCKING(t, r, err, fstat(fd, &st));
    if (err == 0)
        memcpy(f->in.st, &st, sizeof st);
    f->out.errno_ = err;
    return VM_OK;
}

enum vm_status
lib_os_stat(struct vm_thread *t, union lib_os_stat_3to1 *f)
{
    char path[PATH_MAX];
    struct stat st;
    bool follow = f->in.follow & 1;
    int r, err = c_path(path, f->in.name);

    if (err == 0)
        BLOCKING(t, r, err, follow ? stat(path, &st) : lstat(path, &st));
    if (err == 0)
        memcpy(f->in.st, &st, sizeof st);
    f->out.errno_ = err;
    return VM_OK;
}

/* As the kernel's struct linux_dirent64. */
struct raw_dirent {
    uint64_t ino;
    int64_t off;
    uint16_t len;
    uint8_t type;
    char name[];
};

/* Fills b with (type byte, name, 0) for each entry but "." and "..". */
enum vm_status
lib_os_getdents(struct vm_thread *t, union lib_os_getdents_2to2 *f)
{
    _Alignas(8) char buf[8192];
    struct rt_slice b = f->in.b;
    int fd = (int)f->in.fd, err;
    char *out = b.ptr;
    long n, i;

    do {
        size_t room = (size_t)b.len < sizeof buf ? (size_t)b.len : sizeof buf;

        BLOCKING(t, n, err, syscall(SYS_getdents64, fd, buf, room));
        out = b.ptr;
        for (i = 0; i < n;) {
            const struct raw_dirent *d = (const void *)(buf + i);
            size_t len = strlen(d->name);

            i += d->len;
            if (strcmp(d->name, ".") == 0 || strcmp(d->name, "..") == 0)
                continue;
            *out++ = (char)d->type;
            memcpy(out, d->name, len + 1);
            out += len + 1;
        }
        /* Nothing but dots is not yet the end. */
    } while (n > 0 && out == (char *)b.ptr);
    RET_COUNT(out - (char *)b.ptr, err);
    return VM_OK;
}

/* The text s[0:n] in *out, nothing after an error. */
static enum vm_status
ret_text(struct vm_thread *t, struct rt_str *out, const char *s, size_t n,
    int err)
{
    struct rt_str text = {NULL, 0};

    if (err == 0) {
        text = vm_str(t, s, n);
        if (text.ptr == NULL && n > 0)
            return VM_EXIT;
    }
    *out = text;
    return VM_OK;
}

enum vm_status
lib_os_readlink(struct vm_thread *t, union lib_os_readlink_1to2 *f)
{
    char path[PATH_MAX], buf[PATH_MAX];
    int err = c_path(path, f->in.name);
    ssize_t n = 0;

    if (err == 0)
        BLOCKING(t, n, err, readlink(path, buf, sizeof buf));
    f->out.errno_ = err;
    return ret_text(t, &f->out.s, buf, (size_t)n, err);
}

enum vm_status
lib_os_getwd(struct vm_thread *t, union lib_os_getwd_0to2 *f)
{
    char buf[PATH_MAX];
    int err = getcwd(buf, sizeof buf) == NULL ? errno : 0;

    f->out.errno_ = err;
    return ret_text(t, &f->out.s, buf, err == 0 ? strlen(buf) : 0, err);
}

enum vm_status
lib_os_hostname(struct vm_thread *t, union lib_os_hostname_0to2 *f)
{
    struct utsname u = {0};
    int err = uname(&u) < 0 ? errno : 0;

    f->out.errno_ = err;
    return ret_text(t, &f->out.s, u.nodename, strlen(u.nodename), err);
}

enum vm_status
lib_os_pipe(struct vm_thread *t, union lib_os_pipe_0to3 *f)
{
    struct held *held = lib_state(t)->held;
    int ends[2] = {-1, -1}, err = 0;

    if (pipe2(ends, O_CLOEXEC) < 0) {
        err = errno;
    } else if (!held_add_fd(held, ends[0]) || !held_add_fd(held, ends[1])) {
        held_drop_fd(held, ends[0]);
        close(ends[0]);
        close(ends[1]);
        err = ENOMEM;
    }
    f->out.r = err == 0 ? ends[0] : -1;
    f->out.w = err == 0 ? ends[1] : -1;
    f->out.errno_ = err;
    return VM_OK;
}

/* A []string of n C strings, which a result keeps alive as it grows. */
static enum vm_status
ret_strings(struct vm_thread *t, struct rt_slice *out, const char *const *s,
    size_t n)
{
    /* Two words for each: pointer and length. */
    static const uint8_t mask[] = {1};
    static const struct rtype string_type = {
        .layout = {sizeof(struct rt_str), 8, mask},
        .kind = RK_STRING,
        .align = 8,
        .slots = 2
    };
    struct rt_str *a = vm_new_array(t, &string_type, (int64_t)n);

    if (a == NULL)
        return VM_EXIT;
    *out = (struct rt_slice){a, (int64_t)n, (int64_t)n};
    for (size_t i = 0; i < n; i++) {
        struct rt_str x = vm_str(t, s[i], strlen(s[i]));

        if (x.ptr == NULL && s[i][0] != 0)
            return VM_EXIT;
        vm_store_ptr(t, &a[i].ptr, (void *)x.ptr);
        a[i].len = x.len;
    }
    return VM_OK;
}

enum vm_status
lib_os_args(struct vm_thread *t, union lib_os_args_0to1 *f)
{
    unsigned n;
    const char *const *args = vm_args(t->vm, &n);

    return ret_strings(t, &f->out.r, args, n);
}

enum vm_status
lib_os_godebug(struct vm_thread *t, union lib_os_godebug_0to1 *f)
{
    const char *s = vm_godebug(t->vm);

    f->out.r = vm_str(t, s, strlen(s));
    return f->out.r.ptr == NULL && *s != 0 ? VM_EXIT : VM_OK;
}

enum vm_status
lib_os_setGodebug(struct vm_thread *t, union lib_os_setGodebug_1to0 *f)
{
    vm_set_godebug(t->vm, (const char *)f->in.value.ptr,
        (size_t)f->in.value.len);
    return VM_OK;
}

/*
 * The environment is the process's own; getenv() and setenv() of different
 * goroutines are kept apart by the lock in package internal/environ.
 */
enum vm_status
lib_os_environ(struct vm_thread *t, union lib_os_environ_0to1 *f)
{
    size_t n = 0;

    while (environ != NULL && environ[n] != NULL)
        n++;
    return ret_strings(t, &f->out.r, (const char *const *)environ, n);
}

enum vm_status
lib_os_getenv(struct vm_thread *t, union lib_os_getenv_1to2 *f)
{
    char key[PATH_MAX];
    const char *v = NULL;
    struct rt_str s = {NULL, 0};

    if (f->in.key.len > 0 && c_path(key, f->in.key) == 0)
        v = getenv(key);
    if (v != NULL) {
        s = vm_str(t, v, strlen(v));
        if (s.ptr == NULL && *v != 0)
            return VM_EXIT;
    }
    f->out.v = s;
    f->out.ok = v != NULL;
    return VM_OK;
}

static int
check_env(struct rt_str key, struct rt_str value)
{
    if (key.len == 0 || memchr(key.ptr, '=', (size_t)key.len) != NULL ||
        memchr(key.ptr, 0, (size_t)key.len) != NULL)
        return EINVAL;
    if (value.len > 0 && memchr(value.ptr, 0, (size_t)value.len) != NULL)
        return EINVAL;
    return 0;
}

enum vm_status
lib_os_setenv(struct vm_thread *t, union lib_os_setenv_2to1 *f)
{
    struct rt_str key = f->in.key, value = f->in.v;
    int err = check_env(key, value);

    (void)t;
    if (err == 0) {
        char *k = text_c_string(key), *v = text_c_string(value);

        if (k == NULL || v == NULL)
            err = ENOMEM;
        else if (setenv(k, v, 1) < 0)
            err = errno;
        free(k);
        free(v);
    }
    f->out.errno_ = err;
    return VM_OK;
}

enum vm_status
lib_os_unsetenv(struct vm_thread *t, union lib_os_unsetenv_1to1 *f)
{
    struct rt_str key = f->in.key;
    int err = 0;

    (void)t;
    /* Go does not complain about a name that cannot exist. */
    if (check_env(key, (struct rt_str){NULL, 0}) == 0) {
        char *k = text_c_string(key);

        if (k == NULL)
            err = ENOMEM;
        else if (unsetenv(k) < 0)
            err = errno;
        free(k);
    }
    f->out.errno_ = err;
    return VM_OK;
}

enum vm_status
lib_os_exit(struct vm_thread *t, union lib_os_exit_1to0 *f)
{
    return vm_exit(t, (int)f->in.code);
}

enum vm_status
lib_os_id(struct vm_thread *t, union lib_os_id_1to1 *f)
{
    (void)t;
    switch (f->in.which) {
    case 0:
        f->out.r = getpid();
        break;
    case 1:
        f->out.r = getppid();
        break;
    case 2:
        f->out.r = getuid();
        break;
    case 3:
        f->out.r = geteuid();
        break;
    case 4:
        f->out.r = getgid();
        break;
    case 5:
        f->out.r = getegid();
        break;
    default:
        f->out.r = sysconf(_SC_PAGESIZE);
        break;
    }
    return VM_OK;
}

enum vm_status
lib_os_random(struct vm_thread *t, union lib_os_random_0to1 *f)
{
    f->out.r = (uint32_t)sched_entropy(t->m->sched);
    return VM_OK;
}
