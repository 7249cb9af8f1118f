/* SPDX-License-Identifier: MIT */

/*
 * What is compiled, and when.  The interpreter counts down a number of each
 * thread, by jumps backwards and calls; whichever function it is in when that
 * runs out has become hotter.  One that is hot enough is compiled on the spot,
 * by the thread that is in it; others go on interpreting meanwhile.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    HOT = 2 * VM_HEAT, /* a function's heat that is worth the work */
    /* What is larger gets no registers: time and memory would grow faster than
     * its size. */
    WORDS_MAX = 3000,
    SLOTS_MAX = 512,
    WEBS_MAX = 8000,
    /* What is larger stays interpreted. */
    MEMORY_WORDS_MAX = 1 << 17,
    MEMORY_SLOTS_MAX = 8192,
    /* Few functions need more to be compiled. */
    MEM_BYTES = 8 << 20
};

/* ---- compiling ---------------------------------------------------------- */

/* What has been made may be run from now on, by any thread. */
static void
publish(struct jit_fn *c)
{
    struct jit *jit = c->jit;
    struct vm_entry *e = &jit->vm->entries[c->f->id];
    a_ptr *entry = (a_ptr *)(void *)&jit->region.table[JIT_FUNCS + c->f->id];

    rt_assert(c->b.p >= jit->region.write + jit->region.used);
    jit->region.used = (size_t)(c->b.p - jit->region.write);
    /* rel: pairs with the acq in part() and at(). */
    a32_store_rel(&jit->spots_done, jit->nspots);
    a32_store_rel(&jit->code_done, (uint32_t)jit->region.used);
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        /* rel: pairs with the acq in find(). */
        rt_assert(!x->resumes || (x->frame == 0 && x->addr != NULL));
        rt_assert(!x->resumes || jit->recs[x->rec].pc == x->pc);
        if (x->resumes)
            a32_store_rel(
                &jit->resume[x->pc - c->im->code], x->rec + 1);
    }
    /* rel: the code is there before anybody jumps to it.
     * x86-order: who sees the address executes what has been written, without
     * any instruction that says so. */
    aptr_store_rel(entry, (void *)(uintptr_t)jit_exec(jit, c->start));
    /* rel: pairs with the acq of the interpreter's calls. */
    aptr_store_rel(&e->code, &jit->entries[c->f->id]);
    jit->nfuncs++;
}

/* Which web has which register. */
static bool
place(struct jit_fn *c)
{
    if (c->memory)
        return jit_webs_in_memory(c);
    if (!jit_cool(c) || !jit_blocks(c) || !jit_liveness(c) ||
        !jit_results(c) || !jit_webs(c) || c->nw > WEBS_MAX)
        return false;
    rt_assert_full(jit_webs_valid(c));
    return jit_ranges(c) && jit_allocate(c);
}

static bool
is_small_enough(const struct jit_fn *c)
{
    uint32_t words = c->memory ? MEMORY_WORDS_MAX : WORDS_MAX;
    uint32_t slots = c->memory ? MEMORY_SLOTS_MAX : SLOTS_MAX;

    return c->f->ncode <= words && c->f->extent <= slots;
}

static bool
compile(struct jit_fn *c)
{
    struct jit *jit = c->jit;

    if (c->f->ncode == 0 || !is_small_enough(c) ||
        jit->region.used >= JIT_CODE_MAX)
        return false;
    c->b.p = jit->region.write + jit->region.used;
    c->end = jit->region.write + JIT_CODE_BYTES;
    if (!jit_decode(c) || !jit_reach(c) || !jit_operands(c))
        return false;
    jit_leaders(c);
    rt_assert_full(jit_flow_valid(c));
    if (!place(c))
        return false;
    rt_assert_full(jit_webs_valid(c) && jit_allocation_valid(c));
    return jit_emit(c);
}

/* What a function is made with, from the best to the least. */
enum effort { WITH_OTHERS, ALONE, IN_MEMORY };

/* The caller is busy.  Whether there is code of f now; spliced: other
 * functions' code was in it. */
static bool
try_func(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen, enum effort effort, bool *spliced)
{
    struct jit_fn c = {.jit = jit, .im = jit->vm->im, .f = f,
        .alone = effort != WITH_OTHERS, .memory = effort == IN_MEMORY,
        .seen = seen, .mem = &jit->mem};
    uint32_t nrecs = jit->nrecs, npairs = jit->npairs;
    uint32_t nspots = jit->nspots, nframes = jit->nframes;
    rt_assert(a32_load_rlx(&jit->open) == 1 && f->id < jit->vm->im->nfuncs);
    bool ok = compile(&c);

    *spliced = c.spliced > 0;
    rt_assert(effort == WITH_OTHERS || !*spliced);
    if (ok) {
        jit->nmemory += c.memory;
        jit->nwords += f->ncode + c.spliced;
        rt_assert_full(jit_code_valid(&c, nrecs, nspots));
        publish(&c);
        jit_tell(&c, nspots);
        rt_assert_full(jit_region_valid(&jit->region, jit->vm->im->nfuncs));
    } else {
        jit->nrecs = nrecs;
        jit->npairs = npairs;
        jit->nspots = nspots;
        jit->nframes = nframes;
    }
    rt_vec_free(&c.stubs);
    rt_vec_free(&c.fixes);
    rt_vec_free(&c.lands);
    rt_vec_free(&c.looks);
    rt_arena_reset(&jit->mem);
    return ok;
}

/* What became too large by others' code is compiled without it, and what is too
 * large by itself without registers. */
static void
compile_as_can_be(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen)
{
    bool spliced = false;

    rt_assert(seen == NULL || (seen->off < f->ncode && seen->fp != NULL));
    if (!jit->cfg.memory &&
        (try_func(jit, f, seen, WITH_OTHERS, &spliced) ||
            (spliced && try_func(jit, f, NULL, ALONE, &spliced))))
        return;
    if (try_func(jit, f, NULL, IN_MEMORY, &spliced))
        return;
    jit->refused[f->id] = 1;
    jit->nrefused++;
}

/* CPU time of this thread, in nanoseconds. */
static uint64_t
thread_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
compile_func(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen)
{
    uint64_t begun = jit->cfg.stats ? thread_time() : 0;

    compile_as_can_be(jit, f, seen);
    if (!jit->cfg.stats)
        return;
    uint64_t took = thread_time() - begun;
    jit->spent += took;
    if (took > jit->longest)
        jit->longest = took;
}

/* ---- memory ------------------------------------------------------------- */

/* Memory that costs what is used of it. */
static void *
reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

static void
unreserve(void *p, size_t bytes)
{
    if (p != NULL)
        munmap(p, bytes);
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
    free(jit->resume);
    free(jit->entries);
    free(jit->refused);
    free(jit->suitable);
    free(jit->left);
    free(jit->heat);
}

/* All that is needed once something is compiled; the caller is busy. */
static bool
open_jit(struct jit *jit)
{
    const struct code_image *im = jit->vm->im;

    jit->resume = calloc((size_t)im->ncode + 1, sizeof *jit->resume);
    jit->entries = calloc((size_t)im->nfuncs + 1, sizeof *jit->entries);
    jit->refused = calloc((size_t)im->nfuncs + 1, 1);
    jit->suitable = calloc((size_t)im->nfuncs + 1, 1);
    if (jit->cfg.stats)
        jit->left = calloc((size_t)im->ncode + 1, sizeof *jit->left);
    jit->recs = reserve(JIT_RECORDS * sizeof *jit->recs);
    jit->pairs = reserve(JIT_PAIRS * sizeof *jit->pairs);
    jit->spots = reserve(JIT_SPOTS * sizeof *jit->spots);
    jit->frames = reserve(JIT_FRAMES * sizeof *jit->frames);
    jit->nframes = 1; /* number 0 is none */
    if (jit->resume == NULL || jit->entries == NULL || jit->refused == NULL ||
        jit->suitable == NULL || jit->recs == NULL || jit->pairs == NULL ||
        jit->spots == NULL || jit->frames == NULL ||
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
        aptr_load_rlx(&jit->vm->entries[f->id].code) == (void *)f->code)
        compile_func(jit, f, seen);
    if (a32_load_rlx(&jit->open) == 0)
        return; /* there is no memory: nobody tries again */
    a32_store_rel(&jit->busy, 0);
}

/* Whom f, at whose frame the thread is, returns to has become as hot if f only
 * calls back what it has been given: as a part of its caller's machine code it
 * would be faster. */
static void
heat_caller(
    struct jit *jit, struct vm_thread *t, const struct code_func *f)
{
    const union rt_slot *fp = vm_m_of(t)->at_fp;
    const struct code_ins *ret = fp[-1].p;
    const struct code_func *g = vm_func_at(jit->vm, ret);

    if (g == NULL || g->id >= jit->vm->im->nfuncs || g == f ||
        !jit_calls_back(f))
        return;
    a32_add_rlx(&jit->heat[g->id], VM_HEAT);
    struct jit_seen seen = {
        fp - ret[-1].a, (uint32_t)(ret - g->code), ret[-1].a - 2u};
    if (a32_load_rlx(&jit->heat[g->id]) >= HOT)
        try_compile(jit, g, &seen);
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
    heat_caller(jit, t, f);
    return jit_host.resumes(jit, pc);
}

/* ---- the whole ---------------------------------------------------------- */

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
    if (cfg->mode == JIT_STRESS)
        for (uint32_t i = 0; i < vm->im->nfuncs; i++)
            compile_func(jit, &vm->im->funcs[i], NULL);
    vm_set_jit(vm, &jit_host, jit);
    return jit;
}

void
jit_free(struct jit *jit)
{
    if (jit == NULL)
        return;
    jit_perf_close(jit);
    jit_dump_close(jit);
    close_jit(jit);
    free(jit);
}
