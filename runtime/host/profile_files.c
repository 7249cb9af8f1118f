/* SPDX-License-Identifier: MIT */
/*
 * The profiles of the command line, with the meaning that Go's test flags
 * have: files are made before the program runs, so that it is known at once
 * whether that can be done, and written when it has ended, in whatever way.
 */
#include "runtime/host/host_int.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "gc/gc.h"
#include "profile/wire/sink.h"
#include "runtime/base/throw.h"
#include "runtime/lib/support/prof.h"
#include "sched/sched.h"

/* ---- files ------------------------------------------------------------------------ */

static const char *
path_of(const struct vole *v, enum host_file i)
{
    switch (i) {
    case HOST_CPU: return v->opt.watch.cpuprofile;
    case HOST_MEM: return v->opt.watch.memprofile;
    case HOST_BLOCK: return v->opt.watch.blockprofile;
    case HOST_MUTEX: return v->opt.watch.mutexprofile;
    case HOST_GOROUTINE: return v->opt.watch.goroutineprofile;
    case HOST_LEAK: return v->opt.watch.goroutineleakprofile;
    case HOST_WALL: return v->opt.watch.wallprofile;
    default: return NULL;
    }
}

static bool
file_failed(struct vole *v, enum host_file i, int err)
{
    rt_assert(path_of(v, i) != NULL && err != 0);
    host_log(v, "%s: %s", path_of(v, i), strerror(err));
    return false;
}

static void
close_all(struct vole *v)
{
    for (int i = 0; i < HOST_NFILES; i++) {
        if (v->files[i] > 2)
            close(v->files[i]);
        v->files[i] = -1;
    }
}

static bool
open_all(struct vole *v)
{
    for (int i = 0; i < HOST_NFILES; i++)
        v->files[i] = -1;
    for (int i = 0; i < HOST_NFILES; i++) {
        const char *path = path_of(v, (enum host_file)i);

        if (path == NULL)
            continue;
        v->files[i] = strcmp(path, "-") == 0 ? 1 :
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (v->files[i] < 0)
            return file_failed(v, (enum host_file)i, errno);
    }
    return true;
}

/* A sink that remembers why it failed. */
struct out {
    int fd, err;
};

static bool
files_write_all(void *arg, const void *data, size_t n)
{
    struct out *o = arg;
    const char *p = data;

    while (n > 0) {
        ssize_t k = write(o->fd, p, n);

        rt_assert(o->err == 0 && k <= (ssize_t)n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            o->err = k < 0 ? errno : EIO;
            return false;
        }
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* Closes file i after st came of writing it; tells what went wrong. */
static bool
finish(struct vole *v, enum host_file i, const struct out *o,
    enum rt_status st)
{
    int err = o->err;

    rt_assert(v->files[i] >= 0 && v->files[i] == o->fd);
    if (v->files[i] > 2 && close(v->files[i]) != 0 && err == 0)
        err = errno;
    v->files[i] = -1;
    if (err != 0)
        return file_failed(v, i, err);
    return st == RT_OK || file_failed(v, i, st == RT_ENOMEM ? ENOMEM : EIO);
}

/* ---- begin ------------------------------------------------------------------------ */

void
host_profile_rates(struct vole *v)
{
    const struct vole_instruments *o = &v->opt.watch;
    struct prof *p = &v->prof;

    if (o->memprofilerate > 0)
        mprof_set_rate(&p->mem, o->memprofilerate);
    if (o->blockprofilerate >= 0)
        prof_block_set_rate(&p->block, o->blockprofilerate);
    else if (o->blockprofile != NULL)
        prof_block_set_rate(&p->block, 1);
    if (o->mutexprofilefraction >= 0)
        prof_mutex_set_fraction(&p->block, o->mutexprofilefraction);
    else if (o->mutexprofile != NULL)
        prof_mutex_set_fraction(&p->block, 1);
}

bool
host_profile_begin(struct vole *v)
{
    struct rt_err e = {0};

    if (!open_all(v)) {
        close_all(v);
        return false;
    }
    if (v->files[HOST_CPU] >= 0 &&
        lib_prof_cpu_start(&v->libprof, PROF_CPU_HZ, &e) != RT_OK) {
        host_log(v, "-cpuprofile: %s", e.text);
        close_all(v);
        return false;
    }
    if (v->files[HOST_WALL] >= 0 &&
        prof_wall_start(&v->prof, 0, &e) != RT_OK) {
        host_log(v, "-wallprofile: %s", e.text);
        if (v->files[HOST_CPU] >= 0)
            lib_prof_cpu_stop(&v->libprof, NULL, NULL);
        close_all(v);
        return false;
    }
    return true;
}

/* ---- a collection now ----------------------------------------------------------- */

void
host_collect(
    struct vole *v, bool (*wait)(void *ctx, double seconds), void *ctx)
{
    uint64_t n = gc_begun(v->heap) + 1;

    rt_assert(v->sched != NULL && wait != NULL);
    while (gc_cycles(v->heap) < n ||
        (gc_begun(v->heap) == n && !gc_sweep_done(v->heap))) {
        /* Again and again: it is lost where a cycle is under way. */
        if (gc_begun(v->heap) < n)
            sched_request_gc(v->sched);
        if (!wait(ctx, 0.002))
            return;
    }
}

/* ---- end -------------------------------------------------------------------------- */

static void
collect(struct sched_m *m, void *arg)
{
    struct vole *v = arg;
    struct gc_pcache *pc = &m->p->cache;
    struct trace_pbuf *b = pc->trace;

    rt_assert(m->g == NULL);
    pc->trace = NULL; /* no goroutine that its events could belong to */
    gc_finish_mark(v->heap, pc);
    gc_collect(v->heap, pc, GC_WHY_FORCED);
    pc->trace = b;
}

static bool
end_timed(struct vole *v, enum host_file i,
    enum rt_status (*stop)(
        struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e))
{
    struct out o = {v->files[i], 0};
    struct wire_sink sink = {files_write_all, &o};
    enum rt_status st = stop(&v->libprof, &sink, NULL);

    /* The program may have ended it: there is nothing to write, then. */
    return finish(v, i, &o, st == RT_ESTATE ? RT_OK : st);
}

static bool
end_named(struct vole *v, enum host_file i, const char *name)
{
    rt_assert(v->files[i] >= 0);
    struct out o = {v->files[i], 0};
    struct wire_sink sink = {files_write_all, &o};
    struct lib_snap *s = NULL;
    enum rt_status st = lib_prof_take(&v->libprof, name, 0, &s, NULL);

    if (st == RT_OK)
        st = lib_snap_write(s, &sink);
    lib_snap_free(s);
    return finish(v, i, &o, st);
}

bool
host_profile_end(struct vole *v)
{
    bool ok = true;

    if (v->files[HOST_CPU] >= 0)
        ok = end_timed(v, HOST_CPU, lib_prof_cpu_stop) && ok;
    if (v->files[HOST_WALL] >= 0)
        ok = end_timed(v, HOST_WALL, lib_prof_wall_stop) && ok;
    if (v->files[HOST_MEM] >= 0) {
        /* Frees are known only after a collection. */
        sched_call(v->sched, collect, v);
        ok = end_named(v, HOST_MEM, "allocs") && ok;
    }
    if (v->files[HOST_BLOCK] >= 0)
        ok = end_named(v, HOST_BLOCK, "block") && ok;
    if (v->files[HOST_MUTEX] >= 0)
        ok = end_named(v, HOST_MUTEX, "mutex") && ok;
    if (v->files[HOST_GOROUTINE] >= 0)
        ok = end_named(v, HOST_GOROUTINE, "goroutine") && ok;
    if (v->files[HOST_LEAK] >= 0)
        ok = end_named(v, HOST_LEAK, "goroutineleak") && ok;
    return ok;
}
