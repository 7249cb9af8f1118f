/* SPDX-License-Identifier: MIT */
/*
 * Runs by a seed.  Addresses that a program can see, in what it prints and in
 * the order of its maps, are the same each time: the image, the package
 * variables and the heap lie where no system puts anything by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/compiler.h"
#include "runtime/base/debugvar.h"
#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/host/lockwatch.h"
#include "runtime/host/seeded.h"
#include "runtime/host/story.h"
#include "runtime/race/race.h"
#include "runtime/vm/vm.h"

void *
host_place(enum host_place p)
{
    /* ThreadSanitizer keeps most addresses for itself: of those that are the
     * program's, the ones below 0x8000000000 are free. */
    static const uintptr_t places[2][4] = {
        {
            [HOST_IMAGE] = UINT64_C(0x5d0000000000),
            [HOST_GLOBALS] = UINT64_C(0x5d8000000000),
            [HOST_HEAP] = UINT64_C(0x5e0000000000),
            /* Where Go's heap begins, for reports that look like Go's; what
             * AddressSanitizer needs for itself lies there. */
            [HOST_WATCHED_HEAP] = RT_ASAN ? UINT64_C(0x5e0000000000)
                                          : UINT64_C(0xc000000000),
        },
        {
            [HOST_IMAGE] = UINT64_C(0x1000000000),
            [HOST_GLOBALS] = UINT64_C(0x2000000000),
            [HOST_HEAP] = UINT64_C(0x3000000000),
            [HOST_WATCHED_HEAP] = UINT64_C(0x3000000000),
        },
    };

    rt_assert(p <= HOST_WATCHED_HEAP);
    return (void *)places[RT_TSAN][p];
}

/* What the last run has left. */
static bool
clean(struct vole *v)
{
    host_tear_down(v);
    if (v->sched != NULL) {
        host_log(v, "a thread is in the kernel: the program cannot be run "
            "again");
        return false;
    }
    rt_assert(!v->has_trace && !v->has_prof && v->heap == NULL);
    memset(&v->trace, 0, sizeof v->trace);
    memset(&v->prof, 0, sizeof v->prof);
    memset(&v->hooks, 0, sizeof v->hooks);
    memset(&v->libprof, 0, sizeof v->libprof);
    v->trace_failed = false;
    a32_store_rlx(&v->died_of, 0);
    host_process_restore(&v->process);
    return true;
}

void
host_tell_story(struct vole *v)
{
    v->opt.story = true;
}

bool
host_run_plan(struct vole *v, const struct seed_plan *plan,
    const struct seed_rules *rules, struct seed_result *out)
{
    rt_assert(v->opt.schedule != NULL);
    if (v->seed != NULL && !clean(v))
        return false;
    host_process_save(&v->process);
    if (v->seed == NULL)
        v->seed = seed_new();
    if (v->kept == NULL)
        v->kept = vm_kept_new(&v->maps);
    if (v->seed == NULL || v->kept == NULL) {
        host_log(v, "out of memory");
        return false;
    }
    v->ran = true;
    a32_store_rlx(&v->live, 0);
    struct seed_rules all = *rules;
    if (v->opt.story && v->story == NULL)
        v->story = story_new(STORY_WHOLE);
    if (v->story != NULL)
        all.watch = story_watch(v->story);
    seed_begin(v->seed, plan, &all);
    int status = host_run(v);
    seed_result(v->seed, out);
    out->status = status;
    out->races = v->race != NULL && race_errors(v->race) > 0;
    out->orders = v->locks != NULL && lockwatch_warned(v->locks);
    return true;
}

static void
tell(struct vole *v, const struct seed_result *r)
{
    host_log(v, "%s, status %d: %llu points, %llu switches, %u decisions, "
        "%llu ns, hash %016llx", seed_end_text(r->end), r->status,
        (unsigned long long)r->steps, (unsigned long long)r->switches,
        r->nrecs, (unsigned long long)r->now, (unsigned long long)r->hash);
}

int
host_run_schedule(struct vole *v)
{
    struct rt_debugvars dv;
    uint64_t budget = v->opt.schedule_budget;
    struct seed_rules rules = {
        .real_clock = v->opt.real_clock,
        .budget = budget != 0 ? budget : UINT64_MAX,
        .partial = v->opt.deadlocks,
        .leaks = v->opt.leaks,
    };
    struct seed_plan plan;
    struct seed_result r;
    struct rt_err e = {0};

    if (seed_parse(v->opt.schedule, &plan, &v->devs, &e) != RT_OK) {
        host_log(v, "%s", e.text);
        return 2;
    }
    if (v->opt.deadlocks && !v->opt.story)
        v->story = story_new(STORY_WAITERS);
    if (!host_run_plan(v, &plan, &rules, &r))
        return 2;
    rt_debugvars_parse(&dv, v->opt.debug, NULL, NULL);
    if (dv.schedhash != 0)
        tell(v, &r);
    return r.status;
}
