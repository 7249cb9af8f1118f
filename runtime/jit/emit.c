/* SPDX-License-Identifier: MIT */

/*
 * From instructions whose webs have registers to code: the walk over them, ways
 * out and jumps.  What an instruction becomes is the machine's (op_x64*.c), what is
 * known at a way out is in record.c, what stands behind the code in behind.c.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

/* Bytes that one instruction, with all that it saves and loads, stays below,
 * beside JIT_SLOT_BYTES for each slot. */
enum { INS_BYTES = 4096, ALIGN = 16 };

/* Bytes that it most often has, with what stands behind the code. */
enum { INS_GUESS = 24 };

/* So many instructions of a loop, about, are in one line of the cache. */
enum { LINE_BYTES = 64, LINE_INS = 16 };

_Noreturn static void
throw_no_operand(const struct jit_fn *c, uint32_t slot)
{
    rt_throwf("jit: %s in %s has no operand r%u",
        code_op_name(jit_now(c)->w[0].op), c->f->name, slot);
}

/* The beginning of an operand: all but its node. */
static RT_ALWAYS_INLINE uint32_t
head_of(const struct jit_opnd *o)
{
    uint32_t head;

    memcpy(&head, o, sizeof head);
    return head;
}
_Static_assert(offsetof(struct jit_opnd, slot) == 0 &&
    offsetof(struct jit_opnd, node) == sizeof(uint32_t),
    "an operand is told by its first four bytes");

/* Most often it is among the first three, behind which there is room always: they
 * are looked at without a branch, of which nobody could foretell the way. */
static RT_ALWAYS_INLINE struct jit_web *
find_operand(struct jit_fn *c, uint32_t slot, bool def)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;
    struct jit_opnd all = {.slot = UINT16_MAX, .def = def, .use = !def};
    struct jit_opnd one = {.slot = (uint16_t)slot, .def = def, .use = !def};
    uint32_t counts = head_of(&all), wanted = head_of(&one), n = x->nops;
    uint32_t is = (head_of(o + 2) & counts) == wanted ? 2 : UINT32_MAX;

    is = (head_of(o + 1) & counts) == wanted ? 1 : is;
    is = (head_of(o) & counts) == wanted ? 0 : is;
    if (is < n)
        return jit_web_of(c, o[is].node);
    for (is = 3; is < n; is++)
        if ((head_of(o + is) & counts) == wanted)
            return jit_web_of(c, o[is].node);
    throw_no_operand(c, slot);
}

struct jit_web *
jit_use(struct jit_fn *c, uint32_t slot)
{
    return find_operand(c, slot, false);
}

struct jit_web *
jit_def(struct jit_fn *c, uint32_t slot)
{
    return find_operand(c, slot, true);
}

/* The node of a slot that the current instruction reads. */
static uint32_t
node_of(const struct jit_fn *c, uint32_t slot)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].slot == slot && o[i].use)
            return o[i].node;
    return JIT_NO_NODE;
}

bool
jit_in_range(struct jit_fn *c, uint32_t index, uint32_t len)
{
    struct jit_range r = {node_of(c, index), node_of(c, len)};

    rt_assert(r.index != JIT_NO_NODE && r.len != JIT_NO_NODE);
    /* Where all is in memory a slot is one node, whatever it is assigned. */
    if (c->pinned[index] || c->pinned[len])
        return false;
    for (uint32_t i = 0; i < c->nknown && i < JIT_RANGES; i++)
        if (c->known[i].index == r.index && c->known[i].len == r.len)
            return true;
    c->known[c->nknown++ % JIT_RANGES] = r;
    return false;
}

/* Of what is below what nothing is known any more that has to do with the
 * node. */
static void
forget_ranges(struct jit_fn *c, uint32_t node)
{
    for (uint32_t k = 0; k < JIT_RANGES; k++)
        if (c->known[k].index == node || c->known[k].len == node)
            c->known[k].index = JIT_NO_NODE;
}

int32_t
jit_next(const struct jit_fn *c, int32_t k)
{
    do
        k++;
    while (k < c->n && !c->v[k].reached);
    return k;
}

/* ---- where slots are ---------------------------------------------------- */

/* What is in the slot is of that node now. */
static RT_ALWAYS_INLINE void
set_slot(struct jit_fn *c, uint32_t slot, uint32_t node)
{
    bool is = jit_is_away(jit_web_of(c, node));
    uint64_t *word = c->away + slot / 64, bit = (uint64_t)1 << slot % 64;

    rt_assert(!c->memory && jit_web_of(c, node)->slot == slot);
    c->cur[slot] = node;
    *word = is ? *word | bit : *word & ~bit;
}

/* At instruction k, where a block may begin. */
static void
find_slots(struct jit_fn *c, int32_t k)
{
    if (c->memory || c->lead[k] < 0)
        return;
    uint32_t *cur = c->cur, phi = c->phi[c->lead[k]];
    const uint64_t *live = jit_live(c, k);
    for (uint32_t w = 0, words = c->words; w < words; w++, cur += 64) {
        uint64_t away = 0;

        for (uint64_t b = live[w]; b != 0; b &= b - 1)
            cur[__builtin_ctzll(b)] = phi++;
        for (uint64_t b = live[w] & c->placed[w]; b != 0; b &= b - 1) {
            uint32_t s = (uint32_t)__builtin_ctzll(b);
            away |= (uint64_t)jit_is_away(jit_web_of(c, cur[s])) << s;
        }
        c->away[w] = away;
    }
}

/* Nothing is known of what x loses. */
static RT_NOINLINE void
lose_slots(struct jit_fn *c, const struct jit_ins *x)
{
    uint32_t from, kept;

    rt_assert(!c->memory && x->loses);
    jit_lost(x, &from, &kept);
    rt_bits_fill(c->away, from, from + 2 < c->vs ? from + 2 : c->vs, false);
    rt_bits_fill(c->away, from + 2 + kept, c->vs, false);
}

/* What is in the slots is that of behind the current instruction. */
static void
step_slots(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops, *end = o + jit_assigned(x);

    if (c->memory)
        return;
    if (x->loses)
        lose_slots(c, x);
    for (; o < end; o++)
        if (o->def)
            set_slot(c, o->slot, o->node);
    c->stepped = true;
}

/* ---- spots, and ways out ------------------------------------------------- */

static RT_ALWAYS_INLINE void
put_spot(struct jit_fn *c, const struct jit_ins *x, uint32_t above)
{
    struct jit *jit = c->jit;
    uint32_t addr = jit_exec(jit, c->b.p), n = jit->nspots;

    rt_assert(above <= JIT_ABOVE_MAX && x->reached);
    rt_assert(c->b.p >= jit->region.write && c->b.p < c->end);
    /* What has no code needs no spot: the next one takes its place. */
    n -= addr == c->spot_at;
    if (n == JIT_SPOTS) {
        c->failed = true;
        return;
    }
    c->spot_at = addr;
    jit->nspots = n + 1;
    rt_assert(jit->nspots > c->first_spot);
    jit->spots[n] = (struct jit_spot){
        .addr = addr,
        .off = (uint32_t)(x->pc - c->im->code),
        .frame = x->frame,
        .above = above & JIT_ABOVE_MAX};
}

void
jit_put_spot(struct jit_fn *c, const struct jit_ins *x, uint32_t above)
{
    put_spot(c, x, above);
}

static RT_ALWAYS_INLINE void
put_stub(struct jit_fn *c, int cc, struct jit_stub s)
{
    if (rt_unlikely(c->stubs.n == c->stubs.cap) && !rt_vec_grow(&c->stubs)) {
        c->failed = true;
        return;
    }
    s.jump = x_jump(&c->b, cc);
    s.k = c->k;
    c->stubs.v[c->stubs.n++] = s;
}

uint32_t
jit_side(struct jit_fn *c)
{
    if (c->side < 0)
        c->side = jit_put_record(c, c->k);
    return (uint32_t)c->side;
}

size_t
jit_seldom(struct jit_fn *c, int cc,
    void (*fn)(struct jit_fn *c, uint32_t arg), uint32_t arg)
{
    put_stub(c, cc, (struct jit_stub){.emit = fn, .value = arg});
    return c->stubs.n - 1;
}

void
jit_back(struct jit_fn *c, size_t stub)
{
    rt_assert(c->failed || c->stubs.v[stub].emit != NULL);
    if (!c->failed)
        c->stubs.v[stub].back = c->b.p;
}

void
jit_leave(struct jit_fn *c, int cc)
{
    put_stub(c, cc,
        (struct jit_stub){.kind = JIT_EXIT_SIDE, .value = jit_side(c)});
}

void
jit_slow(struct jit_fn *c, int cc)
{
    put_stub(c, cc,
        (struct jit_stub){.emit = jit_x64_slow, .value = jit_side(c)});
}

void
jit_goto(struct jit_fn *c, int cc, int32_t to)
{
    struct jit_fix f = {x_jump(&c->b, cc), to, false};

    rt_assert(to >= 0 && to < c->n && c->v[to].reached);
    if (!rt_vec_push(&c->fixes, f))
        c->failed = true;
}

void
jit_landing(struct jit_fn *c, uint8_t *at, uint32_t frame)
{
    struct jit_land l = {at, frame};

    rt_assert(frame >= c->first_frame && frame < c->jit->nframes);
    rt_assert(c->jit->frames[frame].made);
    if (!rt_vec_push(&c->lands, l))
        c->failed = true;
}

void
jit_address(struct jit_fn *c, int32_t to)
{
    struct jit_fix f = {c->b.p, to, true};

    rt_assert(to >= 0 && to < c->n && c->v[to].reached);
    x_i64(&c->b, 0);
    if (!rt_vec_push(&c->fixes, f))
        c->failed = true;
}

void
jit_preempt_stub(struct jit_fn *c, int32_t to)
{
    rt_assert(c->v[to].header);
    put_stub(c, X_ALWAYS, (struct jit_stub){.kind = JIT_EXIT_PREEMPT,
        .value = (uint32_t)to});
}

/* ---- around calls ------------------------------------------------------- */

void
jit_save_live(struct jit_fn *c, bool call)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;

    if (c->memory)
        return;
    for (uint32_t i = 0; i < x->nops; i++) {
        const struct jit_web *w = jit_web_of(c, o[i].node);
        if (o[i].use && o[i].place == JIT_MEMORY && w->reg >= 0 &&
            !w->through)
            jit_x64_store(c, w);
    }
    if (!call || x->nsucc == 0)
        return;
    uint64_t *set = c->behind;
    const uint64_t *behind = jit_live_behind(c, x, set);
    for (uint32_t i = 0; i < c->words; i++)
        set[i] = behind[i] & jit_live(c, c->k)[i] & c->away[i];
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def || o[i].place == JIT_MEMORY)
            rt_bit_clear(set, o[i].slot);
    RT_EACH_BIT (s, set, c->ns) {
        const struct jit_web *w = jit_web_of(c, c->cur[s]);
        if (w->reg >= 0 && !w->through && w->defs > 0)
            jit_x64_store(c, w);
    }
}

/* What is in the set of slots into registers. */
static void
load_set(struct jit_fn *c, const uint64_t *set)
{
    for (uint32_t i = 0, words = c->words; i < words; i++)
        for (uint64_t b = set[i] & c->away[i]; b != 0; b &= b - 1) {
            uint32_t s = 64 * i + (uint32_t)__builtin_ctzll(b);
            const struct jit_web *w = jit_web_of(c, c->cur[s]);

            if (w->reg >= 0)
                jit_x64_load(c, w);
        }
}

void
jit_load_live(struct jit_fn *c)
{
    if (c->memory)
        return;
    step_slots(c);
    load_set(c, jit_live_behind(c, jit_now(c), c->behind));
}

/* What is live before instruction k, where slots are now, into registers. */
static void
load_all(struct jit_fn *c, int32_t k)
{
    if (!c->memory)
        load_set(c, jit_live(c, k));
}

void
jit_load_before(struct jit_fn *c)
{
    load_all(c, c->k);
}

void
jit_load_block(struct jit_fn *c, int32_t k)
{
    find_slots(c, k);
    load_all(c, k);
}

/* ---- the walk ----------------------------------------------------------- */

/* Whether it can go on at x, the current instruction, where code begins. */
static inline void
find_entry(struct jit_fn *c, struct jit_ins *x)
{
    if (x->resumes)
        x->resumes = x->frame == 0 && !x->part &&
            (c->home == NULL || jit_as_interpreted(c, c->k));
    if (x->resumes || x->inside)
        c->entries[c->nentries++] = c->k;
}

/* Whether the switch that forces exits hits this instruction.  Not a later
 * part of one, of which the interpreter would do all. */
static bool
is_forced(struct jit_fn *c)
{
    struct jit *jit = c->jit;
    const struct jit_ins *x = jit_now(c);

    if (jit->cfg.exits == 0 || ++jit->countdown < jit->cfg.exits ||
        x->kind == JIT_INLINE || x->part)
        return false;
    jit->countdown = 0;
    return true;
}

static RT_ALWAYS_INLINE void
emit_ins(struct jit_fn *c, const struct jit_ins *x)
{
    if (x->dropped)
        return;
    if (is_forced(c)) {
        jit_leave(c, X_ALWAYS);
        return;
    }
    if (x->kind == JIT_NATIVE) {
        jit_x64_native(c);
        return;
    }
    switch ((enum jit_kind)x->kind) {
    case JIT_HELPER:
        jit_x64_helper(c);
        break;
    case JIT_CALL:
        jit_x64_call(c);
        break;
    case JIT_TAIL:
        jit_x64_tail(c);
        break;
    case JIT_LEAVE:
        jit_leave(c, X_ALWAYS);
        break;
    default:
        rt_assert(x->kind == JIT_INLINE);
        jit_x64_inline(c);
        break;
    }
}

/* Of what the address of the header k is to be a multiple: a short loop that
 * lies in two lines takes a cycle more each time. */
static unsigned
alignment(const struct jit_fn *c, int32_t k)
{
    unsigned n = 0;

    for (int32_t i = k; i < c->n; i++) {
        const struct jit_ins *x = &c->v[i];

        if (!x->reached || x->dropped || x->hidden || x->decided)
            continue;
        if ((i > k && x->header) || ++n > LINE_INS)
            break;
        for (unsigned s = 0; s < x->nsucc; s++)
            if (x->succ[s] == k)
                return LINE_BYTES;
    }
    return ALIGN;
}

/* A block begins, at which cur stands. */
static void
begin_block(struct jit_fn *c)
{
    int32_t b = c->memory ? -1 : c->lead[c->k];

    c->stretch++;
    c->nknown = 0;
    if (b < 0 || c->notnil == NULL)
        return;
    for (uint32_t i = 0; i < c->words; i++) {
        uint64_t set = c->notnil[(size_t)b * c->words + i] &
            jit_live(c, c->k)[i];
        for (; set != 0; set &= set - 1)
            c->checked[c->uf[c->cur[64 * i + (uint32_t)__builtin_ctzll(set)]]] =
                c->stretch;
    }
}

/* Whether jit_assigned() is right. */
static bool
assigns_no_more(const struct jit_fn *c, const struct jit_ins *x)
{
    bool none = true;

    for (uint32_t i = jit_assigned(x); i < x->nops; i++)
        none &= !c->op[x->ops + i].def;
    return none && jit_assigned(x) <= x->nops;
}

/* From before x, whose code is there, to behind it.  What is assigned to may be
 * nil again, but for addresses of something; of a move, op_copy() knows. */
static RT_ALWAYS_INLINE void
go_behind(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops, *end = o + jit_assigned(x);
    unsigned op = x->w[0].op;
    bool checks = x->kind == JIT_NATIVE && op != OP_MOV && !x->dropped;

    rt_assert_full(assigns_no_more(c, x));
    if (x->loses && !c->stepped)
        lose_slots(c, x);
    for (; o < end; o++) {
        if (!o->def)
            continue;
        /* What is read and written keeps its node. */
        if (o->use && c->nknown > 0)
            forget_ranges(c, o->node);
        if (checks)
            c->checked[c->uf[o->node]] = jit_is_address(op) ? c->stretch : 0;
        if (!c->stepped)
            set_slot(c, o->slot, o->node);
    }
}

/* Behind x, which is the end of what is spliced in: if no block begins there,
 * cur is known now. */
static void
note_reload(struct jit_fn *c, const struct jit_ins *x)
{
    uint32_t frame = x->frame;
    int32_t behind = c->jit->frames[frame].behind;

    if (!c->jit->frames[frame].made || c->v[behind].leader || !x->falls)
        return;
    rt_assert(behind == c->k + 1 && c->v[behind].lands);
    const uint64_t *live = jit_live(c, behind);
    uint32_t n = 0,
             *web = jit_room(c, rt_bits_count(live, 0, c->ns), sizeof *web);
    if (c->failed)
        return;
    RT_EACH_BIT (s, live, c->ns)
        if (rt_bit_get(c->away, s))
            web[n++] = c->uf[c->cur[s]];
    c->reload[frame - c->first_frame] = (struct jit_reload){web, n};
}

/* Whether x is a move, or a number's of which there is no code, and nothing else
 * happens there: two of five are so, and of half of them there is no code, since both
 * sides have one register.  All that is to be known behind it is known then, and the
 * code is there.  last: no instruction's code begins behind that. */
static RT_ALWAYS_INLINE bool
emit_simple(struct jit_fn *c, struct jit_ins *x, const uint8_t *last)
{
    unsigned op = x->w[0].op;

    if ((op != OP_MOV && op != OP_LDI) || x->nops != (op == OP_MOV ? 2 : 1) ||
        x->leader || x->header || x->resumes || x->inside || x->dropped ||
        x->loses || c->odd)
        return false;
    const struct jit_opnd *o = c->op + x->ops;
    const struct jit_web *to = jit_web_of(c, o[0].node);
    rt_assert(x->kind == JIT_NATIVE && c->lead[c->k] < 0 && !x->ends);
    rt_assert(o[0].def && !o[0].use && !x->watched && !x->known);
    if (op == OP_LDI) {
        if (!to->constant || to->through)
            return false;
        c->checked[to - c->web] = 0;
    } else {
        const struct jit_web *from = jit_web_of(c, o[1].node);
        if (to->reg >= 0 && to->reg == from->reg && !to->through) {
            c->checked[to - c->web] = c->checked[from - c->web];
        } else {
            if (c->failed || c->b.p > last)
                return false;
            put_spot(c, x, 0);
            x->addr = c->b.p;
            jit_x64_copy(c, to, from);
            set_slot(c, o[0].slot, o[0].node);
            return true;
        }
    }
    x->addr = c->b.p;
    set_slot(c, o[0].slot, o[0].node);
    return true;
}

/* Machine code is entered at x, or a block begins, or a loop, or its next
 * round. */
static RT_NOINLINE void
begin_at(struct jit_fn *c, struct jit_ins *x)
{
    bool again = c->rounds > 0 && c->k == c->head;

    if (!again)
        find_entry(c, x);
    find_slots(c, c->k);
    if (x->leader)
        begin_block(c);
    if (again) {
        c->side = x->rec;
        return;
    }
    if (x->header || x->resumes || x->inside) {
        c->head = x->header && !x->cold && !c->odd && c->k > 0 ? c->k : -1;
        c->rounds = 0;
    }
    if (x->header)
        x_nops(&c->b,
            (unsigned)(-(uintptr_t)c->b.p % alignment(c, c->k)));
    rt_assert_full(!x->resumes || c->home == NULL || jit_as_interpreted(c, c->k));
    rt_assert_full(!x->inside || jit_as_in_frames(c, c->k));
    if (x->resumes || x->header) {
        x->rec = jit_put_record(c, c->k);
        c->side = x->rec;
        c->jit->recs[x->rec].addr = jit_exec(c->jit, c->b.p);
    }
}

/* Stubs from the first-th one on go on here, unless it is known where. */
static RT_ALWAYS_INLINE void
end_stubs(struct jit_fn *c, size_t first)
{
    for (size_t i = first; i < c->stubs.n; i++)
        if (c->stubs.v[i].emit != NULL && c->stubs.v[i].back == NULL)
            c->stubs.v[i].back = c->b.p;
}

static RT_ALWAYS_INLINE void
emit_at(struct jit_fn *c, struct jit_ins *x)
{
    size_t first = c->stubs.n;

    c->side = c->trap = -1;
    c->stepped = c->memory; /* there is nothing to be known */
    if (x->leader || x->header || x->resumes || x->inside)
        begin_at(c, x);
    if (c->rounds == 0 && c->ends == 0)
        x->addr = c->b.p;
    put_spot(c, x, 0);
    const uint8_t *begin = c->b.p;
    emit_ins(c, x);
    if (x->kind != JIT_NATIVE && c->b.p != begin)
        c->head = -1;
    rt_assert(c->trap < 0); /* what asks for no nil pointer is there */
    end_stubs(c, first);
    if (x->kind != JIT_NATIVE)
        c->stretch++;
    go_behind(c, x);
    if (x->ends)
        note_reload(c, x);
}

bool
jit_emit(struct jit_fn *c)
{
    size_t room = INS_BYTES + (size_t)JIT_SLOT_BYTES * c->ns;

    c->checked = jit_alloc(c, c->nw, sizeof *c->checked);
    c->behind = jit_room(c, c->words, 8);
    c->away = jit_room(c, c->words, 8);
    c->entries = jit_room(c, (size_t)c->n, sizeof *c->entries);
    c->reload = jit_alloc(
        c, c->jit->nframes - c->first_frame, sizeof *c->reload);
    c->nentries = 0;
    c->head = c->copied = -1;
    c->ends = 0;
    c->stretch = 1;
    c->told = -1;
    c->joined = -1;
    c->odd = c->memory || c->jit->cfg.exits != 0;
    if (c->failed)
        return false;
    jit_find_resumes(c);
    jit_region_prepare(&c->jit->region, (size_t)c->n * INS_GUESS);
    x_nops(&c->b, (unsigned)(-(uintptr_t)c->b.p % ALIGN));
    c->start = c->b.p;
    jit_put_spot(c, &c->v[0], 0);
    find_slots(c, 0);
    if (c->b.p + room <= c->end)
        load_all(c, 0);
    const uint8_t *last = c->end - room;
    struct jit_ins *x = c->v, *end = x + c->n;
    for (jit_go_to(c, 0); x < end; c->k++, c->now = ++x) {
        rt_assert(x == jit_now(c));
        /* Behind what is not reached, what is begins a block. */
        if (!x->reached || emit_simple(c, x, last))
            continue;
        if (c->failed || c->b.p > last)
            return false;
        const uint8_t *begin = c->b.p;
        emit_at(c, x);
        rt_assert(c->b.p <= begin + room);
        if (c->again)
            x = jit_go_round(c);
        else if (c->ends > 0)
            x = jit_go_on(c);
    }
    rt_assert_full(jit_moves_valid(c));
    jit_emit_behind(c);
    return !c->failed;
}
