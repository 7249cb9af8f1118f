/* SPDX-License-Identifier: MIT */

/*
 * What each part of the compiler leaves to the next one, and what the
 * published tables promise to those who read them while the program runs.
 * Builds with all checks ask after each step; a function that answers false
 * has been compiled wrongly, whatever its code does.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

bool
jit_homes_valid(const struct jit_fn *c)
{
    for (uint32_t i = 0; i < c->nhomes; i++) {
        const struct jit_home *h = &c->home[i];

        /* It is found, so that they are in order and no two are the same. */
        if (h->object == 0 || h->base >= c->vs ||
            jit_slot_of_word(c, h->object, h->word) != c->vs + i)
            return false;
    }
    return c->ns == c->vs + c->nhomes;
}

/* Whether the slot is named twice among the pairs from p on. */
static bool
named_twice(const struct jit_pair *p, uint32_t n, uint32_t i)
{
    for (uint32_t k = i + 1; k < n; k++)
        if (p[k].slot == p[i].slot && !p[k].cell && !p[i].cell &&
            p[k].block == p[i].block)
            return true;
    return false;
}

static bool
successor_valid(const struct jit_fn *c, int32_t k, int32_t to)
{
    /* The end of the code is no instruction: nothing that is reached leads
     * there, but where an image's last instruction never returns. */
    if (to < 0 || to > c->n)
        return false;
    return to == c->n || !c->v[k].reached || c->v[to].reached;
}

bool
jit_rooms_valid(const struct jit_fn *c)
{
    const struct jit_frame *frames = c->jit->frames;

    for (uint32_t i = c->first_frame; i < c->jit->nframes; i++) {
        const struct jit_frame *f = &frames[i];

        if (f->room < f->base + f->f->extent ||
            (f->up != 0 && !frames[f->up].shows &&
                f->room > frames[f->up].room))
            return false;
        if (f->instead != 0 && (frames[f->instead].shows ||
                frames[f->instead].made || frames[f->instead].up != f->up ||
                f->room > frames[f->instead].room))
            return false;
    }
    return true;
}

bool
jit_flow_valid(const struct jit_fn *c)
{
    if (c->n <= 0 || !c->v[0].reached)
        return false;
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        /* A set that says less than the instructions would lose entries. */
        if (rt_bit_get(c->leaders, (uint32_t)k) != x->leader ||
            rt_bit_get(c->stops, (uint32_t)k) !=
                (x->kind != JIT_NATIVE || x->header || x->shows))
            return false;
        if (x->nsucc > 2 ||
            (x->falls && x->succ[0] != k + 1) ||
            (x->plain && (!x->falls || x->nsucc != 1 || x->decided ||
                x->w[0].op == OP_SWITCH || x->kind == JIT_INLINE)) ||
            (x->frame != 0 && jit_frame_of(c, x)->base < 2))
            return false;
        for (unsigned i = 0; i < x->nsucc; i++) {
            int32_t to = x->succ[i];

            if (!successor_valid(c, k, to))
                return false;
            /* What is entered by a jump begins a block, and a header has a
             * jump that leads back to it. */
            if (to < c->n && (!x->falls || to != k + 1) &&
                !c->v[to].leader)
                return false;
            if (to <= k && !c->v[to].header)
                return false;
        }
    }
    return true;
}

bool
jit_webs_valid(const struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if (x->ops > c->nop || x->nops > c->nop - x->ops)
            return false;
        for (uint32_t i = 0; i < x->nops; i++) {
            const struct jit_opnd *o = &c->op[x->ops + i];

            if (o->slot >= c->ns || o->node >= c->nn ||
                c->uf[o->node] >= c->nw || (!o->def && !o->use))
                return false;
            /* A web is of one slot. */
            if (jit_web_of(c, o->node)->slot != o->slot)
                return false;
        }
    }
    return true;
}

bool
jit_moves_valid(const struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if (!x->moved)
            continue;
        if (x->other < 0 || x->other >= k || !x->made || x->part)
            return false;
        for (int32_t i = x->other + 1; i <= k; i++)
            if (c->v[i].leader || c->v[i].lands || c->v[i].resumes ||
                (c->v[i].kind != JIT_NATIVE && c->v[i].kind != JIT_INLINE))
                return false;
    }
    return true;
}

/* Whether the web, which begins where cur stands, leaves alone the registers of
 * what is live there, but for what has the same value: `copied`. */
static bool
register_is_own(const struct jit_fn *c, const struct jit_web *w,
    const uint64_t *live, int32_t copied)
{
    bool own = true;

    RT_EACH_BIT (s, live, c->ns) {
        const struct jit_web *other =
            c->cur[s] == JIT_NO_NODE ? w : jit_web_of(c, c->cur[s]);
        own &= other == w || other->reg < 0 || other->reg != w->reg ||
            other->reg == copied;
    }
    return own;
}

/* Where block k begins, at which cur stands: what is live there has been
 * assigned in some order on each way, but for the slots of this set. */
static bool
block_is_own(const struct jit_fn *c, int32_t k, const uint64_t *unknown)
{
    const uint64_t *live = jit_live(c, k);
    bool own = true;

    RT_EACH_BIT (s, unknown, c->ns)
        if (rt_bit_get(live, s) && c->cur[s] != JIT_NO_NODE)
            own &= register_is_own(c, jit_web_of(c, c->cur[s]), live, -1);
    return own;
}

/* Nothing else that x assigns has the register of this web, either. */
static bool
is_assigned_alone(const struct jit_fn *c, const struct jit_ins *x,
    const struct jit_web *w)
{
    const struct jit_opnd *o = c->op + x->ops;
    bool alone = true;

    for (uint32_t i = 0; i < x->nops; i++) {
        const struct jit_web *other = jit_web_of(c, o[i].node);
        alone &= !o[i].def || other == w || other->reg != w->reg;
    }
    return alone;
}

/* The register of what x copies to the web of its operand; -1: there is none. */
static int32_t
register_copied(
    const struct jit_fn *c, const struct jit_ins *x, const struct jit_opnd *to)
{
    if (x->w[0].op == OP_MOV && x->kind == JIT_NATIVE)
        return jit_web_of(c, c->op[x->ops + 1].node)->reg;
    uint32_t web = !jit_copies(c, x)
        ? JIT_NO_NODE : jit_copy_of(c, x, c->uf[to->node], true);
    return web == JIT_NO_NODE ? -1 : c->web[web].reg;
}

/* Of all that is assigned, in the order of the code. */
static bool
registers_are_own(struct jit_fn *c)
{
    uint64_t *set = jit_alloc(c, c->words, 8);
    bool own = true;

    if (set == NULL)
        return true;
    jit_cur_start(c);
    own &= block_is_own(c, 0, jit_live(c, 0));
    for (int32_t k = 0; k < c->n && own; k++) {
        const struct jit_ins *x = &c->v[k];
        const struct jit_opnd *o = c->op + x->ops;

        jit_cur_at(c, k);
        if (c->lead[k] >= 0)
            own &= block_is_own(
                c, k, c->torn + (size_t)c->lead[k] * c->words);
        jit_cur_step(c, k);
        for (uint32_t i = 0; i < x->nops && x->nsucc > 0; i++)
            if (o[i].def && jit_web_of(c, o[i].node)->reg >= 0)
                own &= is_assigned_alone(c, x, jit_web_of(c, o[i].node)) &&
                    register_is_own(c, jit_web_of(c, o[i].node),
                        jit_live_behind(c, x, set),
                        register_copied(c, x, &o[i]));
    }
    return own;
}

bool
jit_allocation_valid(struct jit_fn *c)
{
    uint32_t all = c->jit->regs[0] | c->jit->regs[1];

    for (uint32_t i = 0; i < c->nw; i++) {
        const struct jit_web *w = &c->web[i];

        if (w->constant && (w->reg >= 0 || w->variable || w->pinned))
            return false;
        if (w->reg < 0)
            continue;
        if (w->reg >= X_REGS || (all >> w->reg & 1) == 0 || w->pinned)
            return false;
    }
    return c->memory || registers_are_own(c);
}

static bool
record_valid(const struct jit *jit, const struct jit_record *r)
{
    const struct code_image *im = jit->vm->im;
    const struct jit_pair *p = jit->pairs + r->first;

    if (r->off >= im->ncode ||
        r->first > jit->npairs || r->n > jit->npairs - r->first)
        return false;
    if (r->frame >= jit->nframes)
        return false;
    for (uint32_t i = 0; i < r->n; i++)
        if (named_twice(p, r->n, i) ||
            (!p[i].constant &&
                ((jit->regs[0] | jit->regs[1]) >> p[i].reg & 1) == 0))
            return false;
    return true;
}

/* A frame lies above the one around it, and if somebody may return from it,
 * its call is the word before. */
static bool
frame_valid(const struct jit_fn *c, uint32_t i)
{
    const struct jit_frame *f = &c->jit->frames[i];
    const struct jit_frame *up = &c->jit->frames[f->up];

    return f->up < i && f->base >= up->base + 2u && f->base < c->ns &&
        f->depth == up->depth + 1 && f->depth <= VM_JIT_FRAMES &&
        f->ret[-1].a + up->base == f->base && f->made == (f->land != 0);
}

bool
jit_code_valid(const struct jit_fn *c, uint32_t first_record,
    uint32_t first_spot)
{
    const struct jit *jit = c->jit;
    uint32_t lo = jit_exec(jit, c->start), hi = jit_exec(jit, c->b.p);

    if (c->start < jit->region.write || c->b.p > c->end || lo > hi)
        return false;
    for (uint32_t i = first_record; i < jit->nrecs; i++) {
        const struct jit_record *r = &jit->recs[i];

        if (!record_valid(jit, r) ||
            (r->addr != 0 && (r->addr < lo || r->addr >= hi)))
            return false;
    }
    for (uint32_t i = first_spot; i < jit->nspots; i++) {
        const struct jit_spot *s = &jit->spots[i];

        /* By halving they are found, so they ascend. */
        if (s->addr < lo || s->addr > hi ||
            (i > 0 && s->addr < s[-1].addr) ||
            s->off >= jit->vm->im->ncode || s->frame >= jit->nframes)
            return false;
    }
    for (uint32_t i = c->first_trap; i < jit->ntraps; i++) {
        const struct jit_trap *t = &jit->traps[i];

        if (t->addr < lo || t->addr >= hi || (i > 0 && t->addr <= t[-1].addr) ||
            t->record < first_record || t->record >= jit->nrecs)
            return false;
    }
    for (uint32_t i = c->first_frame; i < jit->nframes; i++)
        if (!frame_valid(c, i))
            return false;
    /* No jump is left without a target. */
    for (size_t i = 0; i < c->fixes.n; i++)
        if (c->fixes.v[i].target < 0 || c->fixes.v[i].target >= c->n ||
            !c->v[c->fixes.v[i].target].reached)
            return false;
    return true;
}

bool
jit_region_valid(const struct jit_region *r, uint32_t nfuncs)
{
    uint64_t lo = (uintptr_t)r->exec, hi = lo + r->used;

    if (r->exec == NULL || r->write == NULL || r->table == NULL ||
        r->used > JIT_CODE_BYTES ||
        r->table_bytes < (JIT_FUNCS + (size_t)nfuncs) * sizeof *r->table)
        return false;
    /* Four bytes are enough for all addresses that code has. */
    if (hi > INT32_MAX ||
        (uintptr_t)r->table + r->table_bytes > INT32_MAX)
        return false;
    for (uint32_t i = 0; i < nfuncs; i++) {
        uint64_t at = r->table[JIT_FUNCS + i];
        if (at < lo || at >= hi)
            return false;
    }
    /* Both mappings are of the same memory. */
    return memcmp(r->exec, r->write,
               (size_t)(jit_exits_end - jit_exits)) == 0;
}
