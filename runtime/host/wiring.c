/* SPDX-License-Identifier: MIT */
/*
 * Wiring.  One struct vole owns a program and, while it runs, all state of
 * its runtime.  The host tables by which the lower layers call up are in
 * gc_host.c, prof_host.c and trace_host.c beside this file.
 *
 * Order of construction: clock, tracer, memory profile, heap, VM (loads the
 * image), scheduler; then the VM learns of heap and scheduler, and the first
 * goroutine may run.  Destruction is the reverse.
 */
#include "runtime/vole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gc/gc.h"
#include "profile/record/profile.h"
#include "runtime/base/asan.h"
#include "runtime/base/bits.h"
#include "runtime/base/clock.h"
#include "runtime/base/cstack.h"
#include "runtime/base/debugvar.h"
#include "runtime/base/throw.h"
#include "runtime/code/disasm.h"
#include "runtime/code/verify.h"
#include "runtime/host/host_int.h"
#include "runtime/host/library.h"
#include "runtime/host/http.h"
#include "runtime/host/lockwatch.h"
#include "runtime/host/story.h"
#include "runtime/jit/jit.h"
#include "runtime/lang/load/program.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/runtime/hooks.h"
#include "runtime/race/race.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

enum vole_status
host_failed(struct vole_error *err, const struct rt_err *e)
{
    if (err != NULL)
        memcpy(err->text, e->text, sizeof err->text);
    return e->code == RT_ENOMEM ? VOLE_NOMEM : VOLE_FAILED;
}

static void
say(void *arg, const char *line)
{
    host_log(arg, "%s", line);
}

bool
host_valid(const struct vole *v)
{
    if (v->sched != NULL && (v->vm == NULL || v->heap == NULL))
        return false;
    if ((v->jit != NULL || v->http != NULL) && v->sched == NULL)
        return false;
    if (v->vm != NULL && (v->heap == NULL || v->args == NULL))
        return false;
    if (v->heap != NULL && (!v->has_trace || !v->has_prof))
        return false;
    if (v->race != NULL && !v->opt.race)
        return false;
    return v->jit == NULL || (v->seed == NULL && v->locks == NULL);
}

/* ---- opening ------------------------------------------------------------------- */

static enum vole_status
open_files(struct vole **out, const char *const *paths, unsigned npaths,
    const struct vole_options *opt, struct vole_error *err)
{
    const struct vole_text *t = opt->text;
    struct program_text pt;
    struct program_options po = {
        .library = host_library(), .stock = lib_stock,
        .all_errors = opt->all_errors,
        .env = opt->env, .tags = opt->tags, .race = opt->race, .mod = opt->mod,
        .cache = opt->cache, .image_in = opt->image_in,
        .image_late = opt->image_late, .lang = opt->lang,
        .tests = opt->tests, .cover = opt->cover,
        .coverpkg = opt->coverpkg, .coverin = opt->coverin};
    struct vole *v = calloc(1, sizeof *v);
    struct rt_err e = {0};
    enum rt_status st;

    *out = v;
    if (err != NULL)
        err->text[0] = 0;
    if (v != NULL)
        v->path = strdup(t != NULL ? t->name : npaths > 0 ? paths[0] : "");
    if (v == NULL || v->path == NULL) {
        rt_errf(&e, RT_ENOMEM, UINT64_MAX, "out of memory");
        return host_failed(err, &e);
    }
    v->opt = *opt;
    v->opt.text = NULL;
    if (opt->schedule != NULL)
        po.image_at = host_place(HOST_IMAGE);
    if (t != NULL) {
        pt = (struct program_text){t->name, t->text, t->size, t->statements};
        po.text = &pt;
    }
    st = program_load(paths, npaths, &po, &v->program, &e);
    if (st == RT_OK)
        return VOLE_OK;
    if (st == RT_EFORMAT && program_has_errors(v->program))
        return VOLE_ERRORS;
    return host_failed(err, &e);
}

enum vole_status
vole_check(struct vole **out, const char *const *paths, unsigned npaths,
    const struct vole_options *opt, struct vole_error *err)
{
    return open_files(out, paths, npaths, opt, err);
}

/* To find the tree takes time that few programs need. */
static bool
asks_for_goroot(const struct code_image *im)
{
    for (uint32_t i = 0; i < im->nnatives; i++)
        if (strcmp(im->natives[i].name, "runtime.GOROOT") == 0)
            return true;
    return false;
}

enum vole_status
vole_open(struct vole **out, const char *const *paths, unsigned npaths,
    const struct vole_options *opt, struct vole_error *err)
{
    enum vole_status st = open_files(out, paths, npaths, opt, err);
    struct rt_err e = {0};

    if (st != VOLE_OK)
        return st;
    if (program_image((*out)->program, &(*out)->image, &e) != RT_OK)
        return program_has_errors((*out)->program) ? VOLE_ERRORS
                                                   : host_failed(err, &e);
#if VOLE_CHECKS >= 1
    if (code_verify((*out)->image, &e) != RT_OK)
        return host_failed(err, &e);
#endif
    (*out)->godebug = strdup(program_godebug((*out)->program));
    (*out)->buildinfo = strdup(program_buildinfo((*out)->program));
    (*out)->goroot = strdup(asks_for_goroot((*out)->image)
            ? program_goroot((*out)->program) : "");
    if ((*out)->godebug == NULL || (*out)->buildinfo == NULL ||
        (*out)->goroot == NULL) {
        rt_errf(&e, RT_ENOMEM, UINT64_MAX, "out of memory");
        return host_failed(err, &e);
    }
    program_trim((*out)->program);
    return VOLE_OK;
}

enum vole_status
vole_packages(const char *const *words, unsigned nwords,
    const struct vole_options *opt, vole_package_fn fn, void *arg,
    struct vole_error *err)
{
    struct program_options po = {.library = host_library(), .env = opt->env,
        .tags = opt->tags, .race = opt->race, .mod = opt->mod};
    struct rt_err e = {0};

    return program_packages(words, nwords, &po, fn, arg, &e) == RT_OK
               ? VOLE_OK
               : host_failed(err, &e);
}

int
vole_write_errors(struct vole *v, FILE *out)
{
    return program_write_errors(v->program, out);
}

/* ---- running ---------------------------------------------------------------------- */

/* What a race detector watches: the package variables, which it wants right
 * below the heap, and the heap. */
static uint8_t *
race_globals(const struct vole *v)
{
    uint8_t *heap = host_place(HOST_WATCHED_HEAP);

    rt_assert(v->image != NULL &&
        v->image->globals_size < (uintptr_t)heap - HOST_RACE_ALIGN);
    return heap - rt_align_up(v->image->globals_size + 8, HOST_RACE_ALIGN);
}

static enum rt_status
make_race(struct vole *v, const struct rt_debugvars *dv, struct rt_err *e)
{
    struct race_config cfg = {.fail_at = (uint32_t)dv->failalloc,
        .fail_piece = (uint32_t)dv->failrace};
    uint8_t *heap = host_place(HOST_WATCHED_HEAP);
    enum rt_status st;

    if (!v->opt.race)
        return RT_OK;
    st = race_options_parse(v->opt.race_options, &cfg.opt, e);
    if (st != RT_OK)
        return st;
    rt_assert(v->race == NULL && v->heap == NULL);
    cfg.lo = (uintptr_t)race_globals(v);
    cfg.span = (uint64_t)(heap - race_globals(v)) + HOST_RACE_HEAP;
    if (v->spare_race != NULL && race_again(v->spare_race, &cfg)) {
        v->race = v->spare_race;
        v->spare_race = NULL;
        return RT_OK;
    }
    race_free(v->spare_race);
    v->spare_race = NULL;
    return race_new(&v->race, &cfg, e);
}

static enum rt_status
make_heap(struct vole *v, const struct rt_debugvars *dv)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;

    rt_assert(v->heap == NULL && v->has_trace && v->has_prof);
    cfg.percent = v->opt.gogc;
    cfg.mem_limit = v->opt.mem_limit;
    cfg.trace = dv->gctrace != 0;
    cfg.stress = (uint32_t)dv->gcstress;
    cfg.verify = dv->gcverify != 0;
    cfg.stop_world = dv->gcstoptheworld != 0;
    cfg.checkmark = dv->gccheckmark != 0;
    cfg.pacer_trace = dv->gcpacertrace != 0;
    cfg.shade_off = (uint32_t)dv->gcshadeoff;
    cfg.fail_alloc = (uint32_t)dv->failalloc;
    cfg.near = host_place(HOST_WATCHED_HEAP);
    if (v->seed != NULL) {
        /* So it collects at the same places, and objects are where they were
         * the last time. */
        cfg.stop_world = true;
        cfg.base = host_place(HOST_HEAP);
        cfg.keep = &v->maps;
    }
    if (v->race != NULL) {
        cfg.base = host_place(HOST_WATCHED_HEAP);
        cfg.race = v->race;
    }
    return gc_heap_new(&v->heap, &cfg, &host_gc_host, v,
        dv->allocfreetrace != 0 ? &host_alloctrace_sink : &host_mem_sink,
        &v->prof.mem, &v->trace);
}

/* Points are the interpreter's: whoever wants them has no machine code. */
static bool
watch_locks(struct vole *v)
{
    bool deadlocks = v->opt.deadlocks && v->seed == NULL;

    if ((!v->opt.lockorder && !deadlocks && v->opt.deadlocks_out == NULL) ||
        v->locks != NULL)
        return true;
    v->locks = lockwatch_new(v->opt.lockorder, deadlocks);
    if (v->locks != NULL && v->opt.deadlocks_out != NULL)
        lockwatch_draw(v->locks, v->opt.deadlocks_out);
    return v->locks != NULL;
}

/* The program starts a process, which may be the same program again. */
static void
keep_image(void *arg)
{
    struct vole *v = arg;

    program_keep(v->program, v->godebug, v->buildinfo);
}

static enum rt_status
make_vm(struct vole *v, struct rt_err *e)
{
    static const struct vm_native *const tables[] = {lib_natives};
    struct vm_config cfg = {0};
    const char *said;
    unsigned i;

    rt_assert(v->image != NULL && v->heap != NULL && v->vm == NULL);
    v->args = calloc(v->opt.nargs + 1, sizeof *v->args);
    if (v->args == NULL || !watch_locks(v))
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    v->args[0] = v->opt.arg0 != NULL ? v->opt.arg0 : v->path;
    for (i = 0; i < v->opt.nargs; i++)
        v->args[i + 1] = v->opt.args[i];
    cfg.image = v->image;
    cfg.natives = tables;
    cfg.nnatives = 1;
    cfg.traceback = v->opt.traceback == NULL ? VM_TRACEBACK_SINGLE :
        vm_traceback_level(v->opt.traceback, strlen(v->opt.traceback));
    cfg.err_fd = 2;
    cfg.args = v->args;
    cfg.nargs = v->opt.nargs + 1;
    cfg.godebug = v->godebug;
    cfg.buildinfo = v->buildinfo;
    cfg.lib = &v->libstate;
    cfg.unchecked = lib_unchecked;
    cfg.points = v->seed != NULL;
    if (v->locks != NULL)
        cfg.watch = lockwatch_hooks(v->locks);
    cfg.globals_at = v->seed != NULL ? host_place(HOST_GLOBALS) : NULL;
    cfg.race = v->race;
    if (v->race != NULL)
        cfg.globals_at = race_globals(v);
    cfg.kept = v->kept;
    enum rt_status st = vm_load(&cfg, &v->vm, e);
    if (st != RT_OK)
        return st;
    said = v->opt.env == NULL ? NULL : v->opt.env("GODEBUG");
    if (said != NULL)
        vm_set_godebug(v->vm, said, strlen(said));
    if (v->race != NULL)
        race_attach(v->race, &vm_race_host, v->vm);
    lib_hooks_init(&v->hooks, v->vm);
    if (v->locks != NULL && !lockwatch_begin(v->locks, v->vm))
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    return RT_OK;
}

static enum rt_status
make_sched(struct vole *v, const struct rt_debugvars *dv, struct rt_err *e)
{
    struct sched_config cfg = {0};

    rt_assert(v->vm != NULL && v->heap != NULL && v->sched == NULL);
    cfg.procs = v->opt.procs ? v->opt.procs
        : v->seed != NULL ? HOST_PROCS : sched_num_cpu();
    cfg.seed = v->seed;
    cfg.race = v->race;
    cfg.host = &vm_sched_host;
    cfg.host_arg = v->vm;
    cfg.heap = v->heap;
    cfg.trace = &v->trace;
    cfg.prof = &v->prof;
    cfg.schedtrace_ms = (uint64_t)dv->schedtrace;
    cfg.scheddetail = dv->scheddetail != 0;
    cfg.preempt_off = dv->preemptoff != 0;
    cfg.entry = vpc_make(v->image->main, 0);
    cfg.native = vpc_make(v->image->nfuncs + 1, 0);
    cfg.err_fd = 2;
    rt_assert(cfg.procs > 0 && v->image->main < v->image->nfuncs);
    return sched_new(&cfg, &v->sched, e);
}

bool
vole_jit_available(void)
{
    return jit_available();
}

/* Without machine code the program runs all the same. */
static void
make_jit(struct vole *v, const struct rt_debugvars *dv)
{
    struct jit_config cfg = {0};
    int64_t mode = dv->jit >= 0 ? dv->jit : (int64_t)v->opt.jit;

    /* Sanitizers watch C only, and how it is compiled meanwhile if that is
     * asked for. */
    if (mode == 1 && dv->jitlater == 0 && (RT_ASAN || RT_TSAN))
        mode = 0;
    cfg.mode = mode == 0 ? JIT_OFF : mode == 1 ? JIT_ON : JIT_STRESS;
    cfg.regs = (uint32_t)dv->jitregs;
    cfg.exits = (uint32_t)dv->jitexit;
    cfg.memory = dv->jitmemory != 0;
    cfg.later = dv->jitlater != 0 && v->made == NULL;
    /* What is only listed is as it would be where it is run. */
    cfg.traps = (v->opt.faults || v->made != NULL) && vm_can_catch_faults();
    cfg.stats = dv->jitstat != 0;
    cfg.perf = dv->jitperf != 0;
    cfg.dump = dv->jitdump != 0;
    if (v->made != NULL)
        cfg.mode = JIT_STRESS;
    cfg.made = v->made;
    cfg.made_arg = v->made_arg;
    v->jit = jit_new(v->vm, &cfg);
    rt_assert_full(host_valid(v));
}

/* VOLEDEBUG=jitstat=1. */
static void
say_jit(struct vole *v, const struct rt_debugvars *dv)
{
    char text[1024];

    if (dv->jitstat == 0 || v->jit == NULL)
        return;
    jit_stats(v->jit, text, sizeof text);
    host_log(v, "%s", text);
}

enum rt_status
host_build(struct vole *v, const struct rt_debugvars *dv, struct rt_err *e)
{
    enum rt_status st;

    rt_assert(!v->has_trace && !v->has_prof && v->sched == NULL);
    if (v->seed != NULL && seed_clock(v->seed) != NULL)
        rt_clock_init_virtual(&v->clock, seed_clock(v->seed));
    else
        rt_clock_init(&v->clock);
    st = trace_rec_init(&v->trace, &host_trace_host, v, &v->clock);
    if (st != RT_OK)
        return rt_errf(e, st, UINT64_MAX, "out of memory");
    v->has_trace = true;
    /* What is sampled can be seen, in what a race is said to be about: a run
     * by a seed samples the same each time. */
    prof_init(&v->prof, &host_prof_host, v, &v->clock, &v->trace,
        v->seed != NULL ? 1 : (uint64_t)rt_nanotime() ^ (uintptr_t)v);
    lib_prof_init(&v->libprof, &v->prof, v->path);
    held_init(&v->held);
    v->libstate = (struct lib_state){
        &v->libprof, &v->held, &v->signals,
        v->goroot, v->opt.sigpipe, v->opt.tests,
        v->opt.image_late ? keep_image : NULL, v};
    host_profile_rates(v);
    if (dv->allocfreetrace != 0)
        mprof_set_rate(&v->prof.mem, 1);
    v->has_prof = true;
    st = make_race(v, dv, e);
    if (st != RT_OK)
        return st;
    st = make_heap(v, dv);
    if (st != RT_OK)
        return rt_errf(e, st, UINT64_MAX, "out of memory");
    st = make_vm(v, e);
    lib_prof_attach(&v->libprof, v->vm);
    if (st == RT_OK)
        st = make_sched(v, dv, e);
    if (st == RT_OK) {
        vm_attach(v->vm, v->sched, v->heap);
        /* Plans and locks are watched by the interpreter. */
        if (v->seed == NULL && v->locks == NULL)
            make_jit(v, dv);
        if (v->story != NULL)
            story_begin(v->story, v->vm);
    }
    return st;
}

void
host_tear_down(struct vole *v)
{
    /* A thread that is stuck in the kernel may still touch all of it. */
    if (v->sched != NULL && sched_has_stuck(v->sched)) {
        jit_stop(v->jit);
        return;
    }
    lib_signals_restore(&v->signals);
    if (v->has_prof)
        prof_fini(&v->prof);
    if (v->has_trace)
        trace_rec_fini(&v->trace);
    if (v->sched != NULL)
        sched_free(v->sched);
    jit_free(v->jit);
    if (v->vm != NULL)
        vm_free(v->vm);
    if (v->heap != NULL)
        gc_heap_free(v->heap);
    if (v->seed != NULL && v->race != NULL) {
        /* By a plan it is likely to be run again. */
        rt_assert(v->spare_race == NULL);
        v->spare_race = v->race;
    } else {
        race_free(v->race);
    }
    if (v->has_prof) {
        lib_prof_fini(&v->libprof);
        held_fini(&v->held);
    }
    free(v->args);
    v->has_trace = false;
    v->has_prof = false;
    v->sched = NULL;
    v->jit = NULL;
    v->vm = NULL;
    v->heap = NULL;
    v->race = NULL;
    v->args = NULL;
    rt_assert_full(host_valid(v));
}

/* What is asked for besides the trace. */
static bool
host_begin(struct vole *v)
{
    rt_assert(v->http == NULL);
    if (!host_profile_begin(v))
        return false;
    if (v->opt.watch.http == NULL)
        return true;
    if (host_http_start(v, v->opt.watch.http))
        return true;
    host_profile_end(v);
    return false;
}

int
host_run(struct vole *v)
{
    struct rt_debugvars dv;
    struct rt_err e = {0};
    int status;

    rt_debugvars_parse(&dv, v->opt.debug, say, v);
    if (dv.disasm != 0)
        vole_disasm(v, NULL, stderr);
    v->trace_stats = dv.tracestats != 0;
    v->trace_flush_ms = (uint32_t)dv.traceadvance;
    if (host_build(v, &dv, &e) != RT_OK) {
        host_log(v, "%s", e.text);
        return 2;
    }
    if (!v->prepared)
        vm_report_throws();
    if (RT_TSAN)
        rt_cstack_prepare(); /* it does not see the unwinder's own locks */
    rt_assert_full(host_valid(v) && v->sched != NULL);
    a32_store_rel(&v->live, 1); /* rel: pairs with api.c */
    if (!host_control_open(v))
        return 2;
    if (v->opt.watch.trace != NULL && !host_trace_open(v)) {
        host_control_close(v, 0);
        return 2;
    }
    if (!host_begin(v)) {
        host_control_close(v, 0);
        if (v->opt.watch.trace != NULL)
            host_trace_close(v);
        return 2;
    }
    if (v->opt.faults && !v->prepared)
        vm_catch_faults();
    v->prepared = true;
    host_quit_start(v);
    status = sched_run(v->sched, vm_entry_fn(v->vm));
    host_quit_stop(v);
    rt_assert_full(host_valid(v));
    if (v->race != NULL)
        status = race_end(v->race, status);
    if (v->locks != NULL && !sched_has_stuck(v->sched))
        status = lockwatch_end(v->locks, v->sched, status);
    say_jit(v, &dv);
    host_http_stop(v);
    host_control_close(v, status);
    if (!host_profile_end(v) && status == 0)
        status = 1;
    if (v->opt.watch.trace != NULL && !host_trace_close(v) && status == 0)
        status = 1;
    return status;
}

int
vole_run(struct vole *v)
{
    if (v->image == NULL || v->ran)
        return 2;
    v->ran = true;
    return v->opt.schedule == NULL ? host_run(v) : host_run_schedule(v);
}

bool
vole_wants_abort(const struct vole *v)
{
    return v != NULL && v->vm != NULL && vm_wants_abort(v->vm);
}

int
vole_died_of(const struct vole *v)
{
    /* acq: pairs with quit.c */
    return v == NULL ? 0 : (int)a32_load_acq(&v->died_of);
}

void
vole_close(struct vole *v)
{
    if (v == NULL)
        return;
    rt_assert(v->http == NULL && v->quit == NULL && v->control == NULL);
    host_tear_down(v);
    if (v->sched != NULL)
        return;
    seed_free(v->seed);
    race_free(v->spare_race);
    vm_kept_free(v->kept);
    host_process_fini(&v->process);
    rt_keep_free(&v->maps);
    story_free(v->story);
    lockwatch_free(v->locks);
    free(v->devs);
    program_free(v->program);
    free(v->path);
    free(v->godebug);
    free(v->buildinfo);
    free(v->goroot);
    free(v);
}
