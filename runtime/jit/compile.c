/* SPDX-License-Identifier: MIT */

/*
 * One function, from its bytecode to code that all may run.  It is taken apart
 * by the thread that is in it, by what can be seen there, and made by that one
 * or another; whoever it is, it is busy.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>
#include <time.h>

enum {
    /* What is larger gets no registers: time and memory would grow faster than
     * its size. */
    WORDS_MAX = 3000,
    SLOTS_MAX = 512,
    WEBS_MAX = 8000,
    /* What is larger stays interpreted. */
    MEMORY_WORDS_MAX = 1 << 17,
    MEMORY_SLOTS_MAX = 8192,
    /* So many instructions may take a millisecond: with registers, or
     * without. */
    LONG = 1000,
    MEMORY_LONG = 4000,
    /* Elements that a list may have room for when nobody needs it. */
    LIST_KEPT = 1024
};

/* Machine code can be entered at x, within what is spliced in. */
static void
publish_inside(struct jit_fn *c, const struct jit_ins *x)
{
    struct jit *jit = c->jit;
    const struct jit_frame *f = jit_frame_of(c, x);
    struct jit_record *r = &jit->recs[x->rec];

    rt_assert(x->frame != 0 && r->frame == x->frame && r->addr != 0);
    while (f->up != 0)
        f = &jit->frames[f->up];
    a_u32 *first = &jit->within[f->ret - c->im->code];
    r->next = a32_load_rlx(first); /* who is busy has stored it */
    /* rel: pairs with the acq in find_within(). */
    a32_store_rel(first, x->rec + 1);
    a32_store_rel(&jit->heads[x->pc - c->im->code], 1);
}

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
    /* rel: pairs with the acq in jit_trap_at(). */
    a32_store_rel(&jit->traps_done, jit->ntraps);
    a32_store_rel(&jit->code_done, (uint32_t)jit->region.used);
    for (uint32_t i = 0; i < c->nentries; i++) {
        const struct jit_ins *x = &c->v[c->entries[i]];
        /* rel: pairs with the acq in find(). */
        rt_assert(!x->resumes || (x->frame == 0 && x->addr != NULL));
        rt_assert(!x->resumes || jit_record_pc(jit, &jit->recs[x->rec]) == x->pc);
        if (x->resumes)
            a32_store_rel(
                &jit->resume[x->pc - c->im->code], x->rec + 1);
        if (x->inside)
            publish_inside(c, x);
    }
    /* rel: the code is there before anybody jumps to it.
     * x86-order: who sees the address executes what has been written, without
     * any instruction that says so. */
    aptr_store_rel(entry, (void *)(uintptr_t)jit_exec(jit, c->start));
    /* rel: pairs with the acq of the interpreter's calls. */
    aptr_store_rel(&e->code, &jit->entries[c->f->id]);
    jit->nfuncs++;
}

/* A pass that leaves nothing in memory of its own: the next ones use what it has
 * used, which the processor has at hand still. */
static bool
pass(struct jit_fn *c, bool (*run)(struct jit_fn *))
{
    void *at = rt_arena_at(c->mem);
    const struct jit_opnd *op = c->op;
    bool ok = run(c);

    rt_assert(c->op == op); /* it has found no more of them */
    rt_arena_shorten(c->mem, at);
    return ok;
}

/* What is known of variables that are reached by address decides some jumps,
 * and makes others' operands other ones. */
static bool
find_vars(struct jit_fn *c)
{
    bool changed;

    if (!jit_vars(c, &changed))
        return false;
    if (!changed) {
        jit_find_rooms(c);
        return true;
    }
    if (!pass(c, jit_reach) || !jit_operands(c) || !jit_leaders(c))
        return false;
    jit_find_rooms(c);
    rt_assert_full(jit_flow_valid(c));
    return jit_blocks(c) && jit_liveness(c) && jit_wait(c) &&
        pass(c, jit_drop);
}

/* Which web has which register. */
static bool
place(struct jit_fn *c)
{
    if (c->memory)
        return jit_webs_in_memory(c);
    if (!pass(c, jit_cool) || !jit_blocks(c) || !jit_same(c) ||
        !jit_liveness(c) || !find_vars(c) || !jit_results(c) ||
        !jit_webs(c) || c->nw > WEBS_MAX ||
        (size_t)c->n + c->nop >= JIT_USES)
        return false;
    rt_assert_full(jit_webs_valid(c));
    return pass(c, jit_ranges) && jit_nil(c) && pass(c, jit_derive) &&
        jit_place_all(c);
}

static bool
is_small_enough(const struct jit_fn *c)
{
    uint32_t words = c->memory ? MEMORY_WORDS_MAX : WORDS_MAX;
    uint32_t slots = c->memory ? MEMORY_SLOTS_MAX : SLOTS_MAX;

    return c->f->ncode <= words && c->f->extent <= slots;
}

/* Nobody asks for the rest if the program has ended. */
static bool
is_wanted(const struct jit_fn *c)
{
    return !jit_later_ends(c->jit);
}

/* To code; the instructions are there. */
static bool
make(struct jit_fn *c)
{
    if (!c->apart || !pass(c, jit_reach) || !jit_operands(c) || !jit_leaders(c))
        return false;
    rt_assert_full(jit_flow_valid(c));
    if (!is_wanted(c) || !place(c) || !is_wanted(c))
        return false;
    rt_assert_full(jit_webs_valid(c) && jit_allocation_valid(c));
    rt_assert_full(jit_rooms_valid(c));
    return jit_emit(c);
}

/* What a function is made with, from the best to the least. */
enum effort { WITH_OTHERS, ALONE, IN_MEMORY };

static void
begin(struct jit *jit, const struct code_func *f, const struct jit_seen *seen,
    enum effort effort)
{
    struct jit_fn *c = jit->fn;

    rt_assert(a32_load_rlx(&jit->open) == 1 && f->id < jit->vm->im->nfuncs);
    rt_assert(c->stubs.n + c->fixes.n + c->lands.n + c->looks.n == 0);
    *c = (struct jit_fn){.jit = jit, .im = jit->vm->im, .f = f,
        .alone = effort != WITH_OTHERS, .memory = effort == IN_MEMORY,
        .seen = seen, .mem = &jit->mem, .first_rec = jit->nrecs,
        .first_pair = jit->npairs, .first_spot = jit->nspots,
        .first_frame = jit->nframes, .first_trap = jit->ntraps, .stubs = c->stubs, .fixes = c->fixes,
        .lands = c->lands, .looks = c->looks};
    c->b.p = jit->region.write + jit->region.used;
    c->end = jit->region.write + JIT_CODE_BYTES;
    c->apart = f->ncode > 0 && is_small_enough(c) &&
        jit->region.used < JIT_CODE_MAX && jit_decode(c);
    c->seen = NULL; /* the frame may be gone when it is finished */
}

/* The list is empty, and has room for the next function's, if that is not
 * much. */
#define EMPTY(list)                                      \
    ((list)->cap > LIST_KEPT ? rt_vec_free(list)         \
                             : (void)((list)->n = 0))

void
jit_free_lists(struct jit_fn *c)
{
    rt_vec_free(&c->stubs);
    rt_vec_free(&c->fixes);
    rt_vec_free(&c->lands);
    rt_vec_free(&c->looks);
}

/* Whether there is code of the function now. */
static bool
finish(struct jit_fn *c)
{
    struct jit *jit = c->jit;
    bool ok = make(c);

    rt_assert(!c->alone || jit_spliced(c) == 0);
    if (ok) {
        jit->nmemory += c->memory;
        jit->nwords += c->f->ncode + jit_spliced(c);
        rt_assert_full(jit_code_valid(c, c->first_rec, c->first_spot));
        publish(c);
        jit_tell(c, c->first_spot);
        rt_assert_full(jit_region_valid(&jit->region, jit->vm->im->nfuncs));
    } else {
        jit->nrecs = c->first_rec;
        jit->npairs = c->first_pair;
        jit->nspots = c->first_spot;
        jit->nframes = c->first_frame;
        jit->ntraps = c->first_trap;
    }
    EMPTY(&c->stubs);
    EMPTY(&c->fixes);
    EMPTY(&c->lands);
    EMPTY(&c->looks);
    rt_arena_rewind(&jit->mem);
    return ok;
}

/* Whether there is nothing left to be tried. */
static bool
is_done(struct jit_fn *c)
{
    return finish(c) || !is_wanted(c);
}

/* What became too large by others' code is compiled without it, and what is too
 * large by itself without registers. */
static void
finish_as_can_be(struct jit *jit)
{
    const struct code_func *f = jit->fn->f;
    bool memory = jit->fn->memory, spliced = jit_spliced(jit->fn) > 0;

    if (is_done(jit->fn))
        return;
    if (spliced) {
        begin(jit, f, NULL, ALONE);
        if (is_done(jit->fn))
            return;
    }
    if (!memory) {
        begin(jit, f, NULL, IN_MEMORY);
        if (is_done(jit->fn))
            return;
    }
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

/* What lies between two readings at least: the system is asked for each, which
 * takes half a microsecond on a guest: as long as it takes to compile a word and a
 * half. */
static uint64_t
reading_time(void)
{
    enum { TIMES = 32 };
    uint64_t least = UINT64_MAX, last = thread_time();

    for (unsigned i = 0; i < TIMES; i++) {
        uint64_t now = thread_time(), took = now - last;
        least = took < least ? took : least;
        last = now;
    }
    return least;
}

/* Time is counted from now on; and what has been counted is this function's. */
static void
begin_time(struct jit *jit)
{
    if (!jit->cfg.stats)
        return;
    if (jit->reading == 0)
        jit->reading = reading_time();
    jit->began = thread_time();
}

static void
end_time(struct jit *jit)
{
    if (!jit->cfg.stats)
        return;
    uint64_t took = thread_time() - jit->began;
    jit->took += took > jit->reading ? took - jit->reading : 0;
}

void
jit_begin(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen)
{
    rt_assert(seen == NULL || (seen->off < f->ncode && seen->fp != NULL));
    jit->took = 0;
    begin_time(jit);
    jit_prepare_tables(jit);
    begin(jit, f, seen, jit->cfg.memory ? IN_MEMORY : WITH_OTHERS);
}

bool
jit_takes_long(const struct jit *jit)
{
    const struct jit_fn *c = jit->fn;

    /* What is too large to get registers is tried without, and what could not
     * be taken apart with others by itself. */
    bool memory = c->memory || !is_small_enough(c);
    uint32_t n = c->apart ? (uint32_t)c->n : c->f->ncode;

    return jit->cfg.later || n >= (memory ? MEMORY_LONG : LONG);
}

void
jit_finish(struct jit *jit)
{
    finish_as_can_be(jit);
    end_time(jit);
    jit->spent += jit->took;
    if (jit->took > jit->longest)
        jit->longest = jit->took;
}

static void
go_on_later(struct jit *jit)
{
    begin_time(jit);
    jit_finish(jit);
}

bool
jit_finish_later(struct jit *jit)
{
    end_time(jit);
    if (jit_later(jit, go_on_later))
        return true;
    begin_time(jit);
    return false;
}
