/* SPDX-License-Identifier: MIT */

/*
 * Blocks of cells that nobody makes.  Where all variables of a frame's cells have
 * registers, or are numbers, or derived, and all that is stored there waits
 * (wait.c), machine code needs no block: it is for the interpreter only.  So who
 * leaves machine code makes it, if a record has something for it, and until then
 * its slot is nil.
 *
 * No function of C, and nobody who is called, may ask for what is in the block: then
 * it is made where the code says so, as it is if any of its variables is in memory.
 * The blocks of a goroutine lie in the order of their frames, so that none may be
 * made while one of a frame further inside is there: where one of these has to be
 * made, so have those around it.  What is derived of two is derived of the outer
 * one wherever the inner one's frame is there: it is made first, or before that.
 */
#include "runtime/jit/jit_int.h"

struct unmade {
    struct jit_fn *c;
    uint64_t *not; /* the set of webs whose blocks are made */
    bool any;      /* there are others */
};

/* CELL makes a block, if it is not there. */
static bool
find_blocks(struct jit_fn *c)
{
    bool any = false;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if (!x->reached || x->w[0].op != OP_CELL)
            continue;
        jit_go_to(c, k);
        c->unmade[jit_use(c, x->w[0].b) - c->web] = (uint32_t)x->w[1].imm + 1;
        any = true;
    }
    return any;
}

/* The web that is in the slot before instruction k, if that is a block's address;
 * else JIT_NO_NODE. */
static uint32_t
block_in(const struct jit_fn *c, uint32_t slot)
{
    uint32_t node = c->cur[slot];

    return node == JIT_NO_NODE || c->unmade[c->uf[node]] == 0 ? JIT_NO_NODE
                                                               : c->uf[node];
}

static void
make(struct unmade *u, uint32_t block)
{
    if (block != JIT_NO_NODE)
        rt_bit_set(u->not, block);
}

/* For a block's address nobody may ask but who does without it, and the frame's
 * end. */
static void
look_at_operands(struct unmade *u, const struct jit_ins *x)
{
    struct jit_fn *c = u->c;
    const struct jit_opnd *o = c->op + x->ops;
    unsigned op = x->w[0].op;
    int known = -1;

    if (x->kind == JIT_NATIVE && (op == OP_LDI || op == OP_CELLEND))
        return;
    for (uint32_t i = 0; i < x->nops; i++) {
        uint32_t web = c->uf[o[i].node];

        if (c->web[web].derived && op == OP_MKCLOAT)
            web = block_in(c, c->web[web].of);
        else if (c->unmade[web] == 0)
            web = JIT_NO_NODE;
        if (web == JIT_NO_NODE)
            continue;
        if (known < 0)
            known = x->kind == JIT_NATIVE && jit_x64_needs_no_cells(c);
        if (known == 0)
            make(u, web);
    }
}

/* Whether the current instruction may call a function of C that looks at the frame,
 * but for the end of a block that is there: those around it are there then. */
static bool
is_seen(const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    if (x->kind != JIT_NATIVE || x->watched)
        return jit_is_looked_at(x) || x->watched;
    return jit_x64_has_slow(op) && op != OP_CELL && op != OP_CELLEND;
}

/* What is live before instruction k, at which cur stands. */
static void
look_before(struct unmade *u, int32_t k)
{
    struct jit_fn *c = u->c;
    const struct jit_ins *x = &c->v[k];
    const uint64_t *live = jit_live(c, k);
    bool seen = is_seen(x), record = jit_has_record(c, x);

    for (uint32_t i = 0; i < c->nhomes && (seen || record); i++) {
        bool lives = rt_bit_get(live, c->vs + i);
        bool asked = c->asked != NULL &&
            rt_bit_get(c->asked + (size_t)k * c->words, c->vs + i);

        if (!c->home[i].heap && rt_bit_get(live, c->home[i].base) &&
            ((lives && (seen || !asked)) ||
                (seen && jit_is_reachable(c, i, k))))
            make(u, block_in(c, c->home[i].base));
    }
    RT_EACH_BIT (s, live, seen ? c->vs : 0) {
        uint32_t node = c->cur[s];

        if (node != JIT_NO_NODE && jit_web_of(c, node)->derived)
            make(u, block_in(c, jit_web_of(c, node)->of));
    }
}

/* Blocks around one that is made are made; whether that is none of those that were
 * to be left out. */
static bool
leave_out(struct unmade *u)
{
    struct jit_fn *c = u->c;
    uint32_t end = 0;
    bool all = true;

    RT_EACH_BIT (i, u->not, c->nw)
        if (c->web[i].slot + 1u > end)
            end = c->web[i].slot + 1u;
    memset(c->bases, 0, 8u * c->words);
    u->any = false;
    for (uint32_t i = 0; i < c->nw; i++) {
        if (c->unmade[i] == 0)
            continue;
        if (c->web[i].slot < end) {
            c->unmade[i] = 0;
            all = false;
            continue;
        }
        rt_bit_set(c->bases, c->web[i].slot);
        u->any = true;
    }
    return all;
}

/* Which of the blocks need not be made; whether these are all. */
static bool
look_at_all(struct unmade *u)
{
    struct jit_fn *c = u->c;

    memset(u->not, 0, 8u * ((c->nw + 63) / 64));
    jit_cur_start(c);
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if (!x->reached)
            continue;
        jit_go_to(c, k);
        jit_cur_at(c, k);
        look_before(u, k);
        if (!x->dropped)
            look_at_operands(u, x);
        jit_cur_step(c, k);
    }
    return leave_out(u);
}

/* The blocks that would not be made if all variables in them had registers; whether
 * there are any. */
static bool
find_unmade(struct unmade *u)
{
    struct jit_fn *c = u->c;

    u->not = jit_alloc(c, (c->nw + 63) / 64, 8);
    c->bases = jit_alloc(c, c->words, 8);
    c->unmade = jit_alloc(c, c->nw, sizeof *c->unmade);
    if (c->failed)
        return false;
    if (find_blocks(c)) {
        c->supposes = true;
        look_at_all(u);
        c->supposes = false;
    }
    if (!u->any)
        c->unmade = NULL;
    return u->any;
}

/* If there are not registers for all, they are given anew, without the blocks that
 * have to be made. */
bool
jit_place_all(struct jit_fn *c)
{
    struct unmade u = {.c = c};
    struct jit_web *webs = NULL;

    if (c->makes_late && find_unmade(&u))
        webs = jit_room(c, c->nw, sizeof *webs);
    if (c->failed)
        return false;
    if (webs != NULL)
        memcpy(webs, c->web, c->nw * sizeof *webs);
    while (jit_allocate(c)) {
        if (c->unmade == NULL || look_at_all(&u))
            return true;
        memcpy(c->web, webs, c->nw * sizeof *webs);
        if (!u.any)
            c->unmade = NULL;
    }
    return false;
}
