/* SPDX-License-Identifier: MIT */

/*
 * What is compiled, and when.  The interpreter counts down a number of each
 * thread, by jumps backwards and calls; whichever function it is in when that
 * runs out has become hotter.  One that is hot enough is compiled on the spot,
 * by the thread that is in it, unless it is so large that the thread had better
 * go on (later.c); others go on interpreting meanwhile.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    HOT = 2 * VM_HEAT, /* a function's heat that is worth the work */
    CALLERS = VM_JIT_FRAMES, /* so many become hot with who is called back */
    /* Few functions need more to be compiled. */
    MEM_BYTES = 8 << 20,
    SMALL_BYTES = 1 << 20 /* of a table, in small pages */
};

/* ---- memory ------------------------------------------------------------- */

/* Memory that costs what is used of it: at first in small pages, and where much
 * is used in large ones, of which each is one fault in place of 512, where the
 * system has them. */
static void *
reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
    if (bytes > SMALL_BYTES)
        (void)madvise(
            (uint8_t *)p + SMALL_BYTES, bytes - SMALL_BYTES, MADV_HUGEPAGE);
    return p;
}

static void
unreserve(void *p, size_t bytes)
{
    if (p != NULL)
        munmap(p, bytes);
}

void
jit_prepare_tables(struct jit *jit)
{
    enum { SOME = 1 << 15 }; /* few functions need more */

    jit_prepare(jit->recs, JIT_RECORDS * sizeof *jit->recs,
        jit->nrecs * sizeof *jit->recs, SOME, &jit->prepared[0]);
    jit_prepare(jit->pairs, JIT_PAIRS * sizeof *jit->pairs,
        jit->npairs * sizeof *jit->pairs, SOME, &jit->prepared[1]);
    jit_prepare(jit->spots, JIT_SPOTS * sizeof *jit->spots,
        jit->nspots * sizeof *jit->spots, SOME, &jit->prepared[2]);
    jit_prepare(jit->frames, JIT_FRAMES * sizeof *jit->frames,
        jit->nframes * sizeof *jit->frames, SOME, &jit->prepared[3]);
    jit_prepare(jit->traps, JIT_TRAPS * sizeof *jit->traps,
        jit->ntraps * sizeof *jit->traps, SOME, &jit->prepared[4]);
}

static void
close_jit(struct jit *jit)
{
    rt_arena_free(&jit->mem);
    jit_region_close(&jit->region);
    unreserve(jit->recs, JIT_RECORDS * sizeof *jit->recs);
    unreserve(jit->pairs, JIT_PAIRS * sizeof *jit->pairs);
    unreserve(jit->spots, JIT_SPOTS * sizeof *jit->spots);
    unreserve(jit->frames, JIT_FRAMES * sizeof *jit->frames);
    unreserve(jit->traps, JIT_TRAPS * sizeof *jit->traps);
    free(jit->resume);
    free(jit->heads);
    free(jit->within);
    free(jit->implementors);
    free(jit->entries);
    free(jit->shapes);
    free(jit->refused);
    free(jit->suitable);
    if (jit->fn != NULL)
        jit_free_lists(jit->fn);
    free(jit->fn);
    free(jit->left);
    free(jit->heat);
}

/* All that is needed once something is compiled; the caller is busy. */
static bool
open_jit(struct jit *jit)
{
    const struct code_image *im = jit->vm->im;

    jit->resume = calloc((size_t)im->ncode + 1, sizeof *jit->resume);
    jit->heads = calloc((size_t)im->ncode + 1, sizeof *jit->heads);
    jit->within = calloc((size_t)im->ncode + 1, sizeof *jit->within);
    jit->entries = calloc((size_t)im->nfuncs + 1, sizeof *jit->entries);
    jit->shapes = jit_shapes();
    jit_find_memory(jit->memory);
    jit_find_numbers(jit->numbers);
    jit->refused = calloc((size_t)im->nfuncs + 1, 1);
    jit->suitable = calloc((size_t)im->nfuncs + 1, 1);
    jit->fn = calloc(1, sizeof *jit->fn);
    if (jit->cfg.stats)
        jit->left = calloc((size_t)im->ncode + 1, sizeof *jit->left);
    jit->recs = reserve(JIT_RECORDS * sizeof *jit->recs);
    jit->pairs = reserve(JIT_PAIRS * sizeof *jit->pairs);
    jit->spots = reserve(JIT_SPOTS * sizeof *jit->spots);
    jit->frames = reserve(JIT_FRAMES * sizeof *jit->frames);
    jit->traps = reserve(JIT_TRAPS * sizeof *jit->traps);
    jit->nframes = 1; /* number 0 is none */
    if (jit->cfg.mode == JIT_STRESS && !jit_find_implementors(jit))
        return false;
    if (jit->resume == NULL || jit->heads == NULL || jit->within == NULL ||
        jit->entries == NULL || jit->shapes == NULL || jit->refused == NULL ||
        jit->suitable == NULL || jit->fn == NULL || jit->recs == NULL ||
        jit->pairs == NULL || jit->spots == NULL || jit->frames == NULL ||
        jit->traps == NULL ||
        !jit_region_open(&jit->region, im->nfuncs,
            jit->cfg.stats ? OP_COUNT + im->nnatives : 0, jit->cfg.perf))
        return false;
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        jit->entries[i].op = OP_MACHINE;
        jit->entries[i].imm = (int32_t)i;
    }
    a32_store_rel(&jit->open, 1); /* rel: pairs with the acq in find() */
    return true;
}

/* ---- heat --------------------------------------------------------------- */

/* Compiles f, of which a frame is seen, if nobody else compiles just now and it
 * is possible. */
static void
try_compile(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen)
{
    /* acq and rel: who is busy sees what those before have done. */
    if (!a32_cas_acq(&jit->busy, 0, 1))
        return;
    if ((a32_load_rlx(&jit->open) == 1 || open_jit(jit)) &&
        !jit->refused[f->id] &&
        aptr_load_rlx(&jit->vm->entries[f->id].code) == (void *)f->code) {
        jit_begin(jit, f, seen);
        if (jit_takes_long(jit) && jit_finish_later(jit))
            return; /* who is busy now is the thread of the background */
        jit_finish(jit);
    }
    if (a32_load_rlx(&jit->open) == 0)
        return; /* there is no memory: nobody tries again */
    a32_store_rel(&jit->busy, 0);
}

/* Whom f, at whose frame the thread is, returns to has become as hot if f only
 * calls back what it has been given: as a part of its caller's machine code it
 * would be faster.  So has that one's caller, if it does the same, as one
 * iterator over another does. */
static void
heat_callers(
    struct jit *jit, struct vm_thread *t, const struct code_func *f)
{
    const union rt_slot *fp = vm_m_of(t)->at_fp;

    for (unsigned i = 0; i < CALLERS && jit_calls_back(f); i++) {
        const struct code_ins *ret = fp[-1].p;
        const struct code_func *g = vm_func_at(jit->vm, ret);

        if (g == NULL || g->id >= jit->vm->im->nfuncs || g == f)
            return;
        a32_add_rlx(&jit->heat[g->id], VM_HEAT);
        struct jit_seen seen = {
            fp - ret[-1].a, (uint32_t)(ret - g->code), ret[-1].a - 2u};
        if (a32_load_rlx(&jit->heat[g->id]) >= HOT)
            try_compile(jit, g, &seen);
        fp = seen.fp;
        f = g;
    }
}

bool
jit_hot(void *arg, struct vm_thread *t, const struct code_ins *pc)
{
    struct jit *jit = arg;
    const struct code_func *f = vm_func_at(jit->vm, pc);

    /* The counter has run out at a call of machine code, for which the caller
     * is to blame: its next jump backwards or call comes here again.  A loop
     * that makes such a call would run out there each time otherwise. */
    vm_m_of(t)->heat = f == NULL ? 0 : VM_HEAT;
    /* Functions that the program has made are but glue. */
    if (f == NULL || f->id >= jit->vm->im->nfuncs)
        return false;
    a32_add_rlx(&jit->heat[f->id], VM_HEAT);
    rt_assert(pc >= f->code && pc < f->code + f->ncode);
    struct jit_seen seen = {
        vm_m_of(t)->at_fp, (uint32_t)(pc - f->code), f->nslots};
    if (a32_load_rlx(&jit->heat[f->id]) >= HOT)
        try_compile(jit, f, &seen);
    heat_callers(jit, t, f);
    return jit_host.resumes(jit, pc);
}

/* ---- the whole ---------------------------------------------------------- */

static void
compile_all(struct jit *jit)
{
    const struct code_image *im = jit->vm->im;

    /* What a large function has needed is for those after it, too. */
    jit->mem.kept = MEM_BYTES;
    for (uint32_t i = 0; i < im->nfuncs && !jit_later_ends(jit); i++) {
        jit_begin(jit, &im->funcs[i], NULL);
        jit_finish(jit);
    }
    jit->mem.kept = 0;
    rt_arena_free(&jit->mem);
}

/* Every function: before the program begins, or if that is asked for while it
 * runs. */
static void
begin_stress(struct jit *jit)
{
    if (jit->cfg.later) {
        a32_store_rlx(&jit->busy, 1);
        if (jit_later(jit, compile_all))
            return;
        a32_store_rlx(&jit->busy, 0);
    }
    compile_all(jit);
}

struct jit *
jit_new(struct vm *vm, const struct jit_config *cfg)
{
    struct jit *jit;

    if (cfg->mode == JIT_OFF)
        return NULL;
    jit = calloc(1, sizeof *jit);
    if (jit == NULL)
        return NULL;
    jit->vm = vm;
    jit->cfg = *cfg;
    jit->mem.first = MEM_BYTES;
    jit->perf = cfg->perf ? jit_perf_open() : -1;
    jit->dump = -1;
    if (cfg->dump)
        jit_dump_open(jit);
    jit->heat = calloc((size_t)vm->im->nfuncs + 1, sizeof *jit->heat);
    jit_x64_registers(jit);
    if (jit->heat == NULL ||
        (cfg->mode == JIT_STRESS && !open_jit(jit))) {
        jit_free(jit);
        return NULL;
    }
    vm_set_jit(vm, &jit_host, jit);
    if (cfg->mode == JIT_STRESS)
        begin_stress(jit);
    return jit;
}

void
jit_stop(struct jit *jit)
{
    if (jit != NULL)
        jit_later_end(jit);
}

void
jit_free(struct jit *jit)
{
    if (jit == NULL)
        return;
    jit_stop(jit);
    jit_perf_close(jit);
    jit_dump_close(jit);
    close_jit(jit);
    free(jit);
}
