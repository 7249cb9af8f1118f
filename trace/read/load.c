/* SPDX-License-Identifier: MIT */
/*
 * Where a trace's bytes come from: a long file is mapped and leaves memory as
 * it is read, a short one is copied, what is compressed or comes through a
 * pipe becomes a file without a name first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/throw.h"
#include "trace/read/file_int.h"
#include "trace/read/unpack.h"

enum {
    MAP_FROM = 1 << 20 /* smaller files are copied: a mapping faults when
                          somebody truncates the file */
};

static enum rt_status
slurp(struct trace_file *f, int fd, const char *path, uint64_t hint,
    struct rt_err *e)
{
    uint64_t cap = 0, len = 0;
    uint8_t *buf = NULL;
    ssize_t n;

    for (;;) {
        if (!trace_grow(&buf, &cap, len + (hint > 65536 ? hint : 65536), 1)) {
            free(buf);
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        }
        rt_assert(len < cap);
        n = read(fd, buf + len, cap - len);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(buf);
            return rt_err_os(e, errno, "%s", path);
        }
        len += (uint64_t)n;
        hint = 0;
    }
    f->data = buf;
    f->size = len;
    f->owned = true;
    return RT_OK;
}

/* What cannot be mapped goes through a temporary file, which has no name. */
static enum rt_status
spool(int fd, const char *path, int *out, struct rt_err *e)
{
    size_t size = 1 << 16;
    char *buf = malloc(size), name[4096];
    ssize_t n = 0, k, put;
    int tmp;

    if (buf == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    tmp = trace_temp_file(name, sizeof name);
    if (tmp < 0) {
        rt_err_os(e, errno, "%s", name);
        free(buf);
        return RT_EIO;
    }
    while ((n = read(fd, buf, size)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        for (put = 0; put < n; put += k) {
            k = write(tmp, buf + put, (size_t)(n - put));
            if (k < 0 && errno == EINTR)
                k = 0;
            if (k < 0)
                goto failed;
        }
    }
    if (n == 0) {
        free(buf);
        *out = tmp;
        return RT_OK;
    }
failed:
    rt_err_os(e, errno, "%s", n < 0 ? path : name);
    free(buf);
    close(tmp);
    return RT_EIO;
}

static enum rt_status
map_or_read(struct trace_file *f, int fd, const char *path, struct rt_err *e)
{
    struct stat st;
    void *p;

    if (fstat(fd, &st) != 0)
        return rt_err_os(e, errno, "%s", path);
    if (S_ISREG(st.st_mode) && st.st_size >= MAP_FROM) {
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED) {
            f->data = p;
            f->size = (uint64_t)st.st_size;
            f->mapped = true;
            return RT_OK;
        }
    }
    return slurp(f, fd, path, S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0,
        e);
}

void
trace_unload(struct trace_file *f)
{
    if (f->mapped)
        munmap((void *)(uintptr_t)f->data, f->size);
    if (f->owned)
        free((void *)(uintptr_t)f->data);
    f->data = NULL;
    f->size = 0;
    f->mapped = f->owned = false;
}

/* The bytes of the trace in fd, which may be compressed: it is unpacked to a
 * file without a name. */
static enum rt_status
load(struct trace_file *f, int fd, const char *path, struct rt_err *e)
{
    enum rt_status st = map_or_read(f, fd, path, e);
    char name[4096];
    int tmp;

    if (st != RT_OK || !trace_is_gzip(f->data, f->size))
        return st;
    tmp = trace_temp_file(name, sizeof name);
    if (tmp < 0)
        return rt_err_os(e, errno, "%s", name);
    st = trace_unpack(f->data, f->size, TRACE_MAX_UNPACKED, tmp, e);
    trace_unload(f);
    if (st == RT_OK) {
        lseek(tmp, 0, SEEK_SET);
        st = map_or_read(f, tmp, name, e);
    }
    close(tmp);
    return st;
}

/* Standard input, from where it stands: a file is taken as it is. */
static enum rt_status
load_stdin(struct trace_file *f, struct rt_err *e)
{
    static const char path[] = "standard input";
    enum rt_status st;
    struct stat sb;
    int fd;

    if (fstat(0, &sb) == 0 && S_ISREG(sb.st_mode) &&
        lseek(0, 0, SEEK_CUR) == 0)
        return load(f, 0, path, e);
    st = spool(0, path, &fd, e);
    if (st != RT_OK)
        return st;
    lseek(fd, 0, SEEK_SET);
    st = load(f, fd, path, e);
    close(fd);
    return st;
}

enum rt_status
trace_load(struct trace_file *f, const char *path, struct rt_err *e)
{
    enum rt_status st;
    int fd;

    rt_assert(f->data == NULL && f->size == 0);
    if (strcmp(path, "-") == 0)
        return load_stdin(f, e);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return rt_err_os(e, errno, "%s", path);
    st = load(f, fd, path, e);
    close(fd);
    return st;
}

void
trace_file_window(struct trace_file *f, uint64_t off)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    if (!f->mapped || off < f->window || off - f->window < TRACE_WINDOW)
        return;
    off -= off % page;
    madvise((void *)(uintptr_t)f->data, off, MADV_DONTNEED);
    f->window = off;
    if (f->progress != NULL)
        f->progress(f->progress_arg, off, f->size);
}
