/* SPDX-License-Identifier: MIT */
/*
 * What a host may ask of a running program: its profiles.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/lib/support/prof.h"

static enum vole_status
fail(struct vole_error *err, const char *text)
{
    if (err != NULL)
        snprintf(err->text, sizeof err->text, "%s", text);
    return VOLE_FAILED;
}

/* acq: pairs with vole_run() */
static bool
live(struct vole *v)
{
    bool is = a32_load_acq(&v->live) != 0;

    rt_assert(!is || v->has_prof);
    return is;
}

static bool
to_file(void *arg, const void *data, size_t n)
{
    return fwrite(data, 1, n, arg) == n;
}

/* What came of writing to out. */
static enum vole_status
written(FILE *out, enum rt_status st, struct vole_error *err)
{
    if (st == RT_ENOMEM) {
        fail(err, "out of memory");
        return VOLE_NOMEM;
    }
    if (st != RT_OK || fflush(out) != 0)
        return fail(err, strerror(errno));
    return VOLE_OK;
}

enum vole_status
vole_write_profile(struct vole *v, const char *name, int debug, FILE *out,
    struct vole_error *err)
{
    struct wire_sink sink = {to_file, out};
    struct lib_snap *s = NULL;
    struct rt_err e = {0};
    enum vole_status res;

    rt_assert(name != NULL && out != NULL);
    if (!live(v))
        return fail(err, "the program has not begun");
    if (lib_prof_take(&v->libprof, name, debug, &s, &e) != RT_OK) {
        fail(err, e.text);
        return e.code == RT_ENOMEM ? VOLE_NOMEM : VOLE_FAILED;
    }
    res = written(out, lib_snap_write(s, &sink), err);
    lib_snap_free(s);
    return res;
}

enum vole_status
vole_start_cpu_profile(struct vole *v, struct vole_error *err)
{
    struct rt_err e = {0};

    if (!live(v))
        return fail(err, "the program has not begun");
    if (lib_prof_cpu_start(&v->libprof, PROF_CPU_HZ, &e) != RT_OK)
        return fail(err, e.text);
    return VOLE_OK;
}

enum vole_status
vole_stop_cpu_profile(struct vole *v, FILE *out, struct vole_error *err)
{
    struct wire_sink sink = {to_file, out};
    struct rt_err e = {0};
    enum rt_status st;

    if (!live(v))
        return fail(err, "the program has not begun");
    st = lib_prof_cpu_stop(&v->libprof, out != NULL ? &sink : NULL, &e);
    if (st == RT_ESTATE)
        return fail(err, e.text);
    return out != NULL ? written(out, st, err) : VOLE_OK;
}
