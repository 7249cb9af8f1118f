/* SPDX-License-Identifier: MIT */

/*
 * What is in a slot already need not be loaded again.  A walk over each block
 * numbers values: two slots with the same number hold the same.  Of the newest
 * loads, and of addresses that are worked out, it keeps where from and in which
 * slots; one that would bring the same becomes a move from these, or nothing
 * where they are its own.
 *
 * What is stored is in memory then.  A store ends what is known of memory that
 * may be the same: through another pointer it may be any, but an element of a
 * slice that is no slice or string itself is no part of a slice's or string's
 * words.  All else that may write memory, or let others run, ends all: so Go's
 * memory model lets nobody tell the difference, and no slot lives for longer
 * than the interpreter has it across a place where the collector looks at the
 * frame, or where machine code is entered.
 *
 * Of a function with loops only these are looked at: the rest is not worth the
 * work.
 *
 * The interpreter, where it goes on at a load that is none any more, does that
 * itself: what it reads is kept for it.
 *
 * Where the race detector is told of each access, nothing is done.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

enum { KEPT = 12, WORDS = 3 };

/* How memory is found. */
enum way {
    WORKED_OUT, /* it is no memory */
    POINTER,    /* c bytes behind the pointer b */
    ELEMENT,    /* of the slice or string b, at index c */
    ARRAY,      /* of the array at b, at index c */
    GLOBAL      /* at the offset imm */
};

/* Something that has been loaded, or worked out. */
struct found {
    uint16_t op;
    uint8_t way;   /* enum way */
    uint8_t n;     /* words */
    bool header;   /* it is a slice or a string: elements of it are accessed */
    int32_t imm;
    uint32_t b, len, c; /* numbers of the values that it is found by */
    uint32_t value[WORDS];
    uint16_t slot[WORDS]; /* where they were put */
    int32_t by;           /* the instruction that did it */
};

struct same {
    struct jit_fn *c;
    uint32_t *number; /* by slot; what is less than `first` is none */
    uint32_t first, next;
    struct found found[KEPT];
    uint32_t nfound; /* the newest ones have the greatest numbers, modulo
                        KEPT */
};

static uint32_t
number_of(struct same *v, uint32_t slot)
{
    if (v->number[slot] < v->first)
        v->number[slot] = v->next++;
    return v->number[slot];
}

static uint32_t
kept(const struct same *v)
{
    return v->nfound < KEPT ? v->nfound : KEPT;
}

/* ---- instructions -------------------------------------------------------- */

/* By operation, how many words a load or an address has; 0: it is none that is
 * followed. */
static const uint8_t words_loaded[OP_COUNT] = {
    [OP_GADDR] = 1,
    [OP_GLD8U ... OP_GLD64] = 1,
    [OP_GLD2] = 2,
    [OP_GLD3] = 3,
    [OP_LD8U ... OP_LD64] = 1,
    [OP_LD2] = 2,
    [OP_LD3] = 3,
    [OP_LEA] = 1,
    [OP_LDX8U ... OP_LDX64] = 1,
    [OP_LDX2] = 2,
    [OP_LDX3] = 3,
    [OP_XADDR] = 1,
    [OP_LDP8U ... OP_LDP64] = 1,
    [OP_PADDR] = 1,
};

/* Likewise, of these and of stores, enum way. */
static const uint8_t way_of[OP_COUNT] = {
    [OP_GADDR] = WORKED_OUT,
    [OP_GLD8U ... OP_GSTP] = GLOBAL,
    [OP_LD8U ... OP_STIFACE] = POINTER,
    [OP_LEA] = WORKED_OUT,
    [OP_LDX8U ... OP_STXSTR] = ELEMENT,
    [OP_XADDR] = WORKED_OUT,
    [OP_LDP8U ... OP_STP64] = ARRAY,
    [OP_PADDR] = WORKED_OUT,
};

/* The load that would bring what the operation stores; OP_NOP: none does. */
static unsigned
load_of_store(unsigned op)
{
    switch (op) {
    case OP_ST64:
    case OP_STP:
        return OP_LD64;
    case OP_STSTR:
    case OP_STIFACE:
        return OP_LD2;
    case OP_STSLICE:
        return OP_LD3;
    case OP_STX64:
    case OP_STXP:
        return OP_LDX64;
    case OP_STXSTR:
        return OP_LDX2;
    case OP_STP64:
        return OP_LDP64;
    case OP_GST64:
    case OP_GSTP:
        return OP_GLD64;
    default:
        return OP_NOP;
    }
}

static bool
is_store(unsigned op)
{
    return load_of_store(op) != OP_NOP || (op >= OP_ST8 && op <= OP_ST32) ||
        (op >= OP_STX8 && op <= OP_STX32) || op == OP_STP8 || op == OP_STP32 ||
        op == OP_GST8 || op == OP_GST32;
}

/* How many bytes it stores. */
static uint32_t
bytes_stored(unsigned op)
{
    switch (op) {
    case OP_STSTR:
    case OP_STIFACE:
    case OP_STXSTR:
        return 16;
    case OP_STSLICE:
        return 24;
    default:
        return 8; /* or less */
    }
}

/* What a load or store by x finds, as far as the place says it. */
static struct found
place_of(struct same *v, const struct jit_ins *x, unsigned load)
{
    const struct code_ins *w = x->w;
    struct found f = {.op = (uint16_t)load, .way = way_of[w->op],
        .n = words_loaded[load]};

    if (w->op == OP_GADDR || f.way == GLOBAL) {
        f.imm = w->imm;
        return f;
    }
    f.b = number_of(v, w->b);
    if (f.way == POINTER || w->op == OP_LEA) {
        f.imm = w->c;
        return f;
    }
    f.c = number_of(v, w->c);
    if (f.way == ELEMENT || w->op == OP_XADDR)
        f.len = number_of(v, w->b + 1u);
    if (w->op == OP_XADDR || w->op == OP_PADDR)
        f.imm = w[1].imm;
    return f;
}

static enum jit_memory
memory_of(unsigned op)
{
    const unsigned loud = CODE_PARKS | CODE_BARRIER | CODE_CALLS_C |
        CODE_ALLOCATES | CODE_ENDS;

    if (words_loaded[op] > 0)
        return JIT_LOADS;
    if (is_store(op))
        return JIT_STORES;
    if (op == OP_CHKIDX || op == OP_SLICE || op == OP_SLICESTR)
        return JIT_NO_MEMORY;
    /* Calls of Go code are of a kind of their own.  Other instructions that are
     * safepoints jump back, to where a block begins. */
    return (code_does(op) & loud) != 0 || op == OP_CALLN ? JIT_ANY_MEMORY
                                                         : JIT_NO_MEMORY;
}

/* In the table: that is so if the instruction is JIT_NATIVE, which depends on more
 * than the operation; without it, it is so anyway. */
enum { IF_NATIVE = 4 };

void
jit_find_memory(uint8_t to[OP_COUNT])
{
    for (unsigned op = 0; op < OP_COUNT; op++)
        switch (jit_x64_kind_of(op)) {
        case JIT_NATIVE:
            to[op] = (uint8_t)memory_of(op);
            break;
        case JIT_HELPER:
        case JIT_LEAVE:
            to[op] = JIT_ANY_MEMORY;
            break;
        default: /* calls may be JIT_INLINE */
            to[op] = (uint8_t)memory_of(op) | IF_NATIVE;
            break;
        }
}

/* ---- what is found ------------------------------------------------------- */

/* Whether it is still where it was put. */
static bool
is_there(const struct same *v, const struct found *f)
{
    for (unsigned i = 0; i < f->n; i++)
        if (v->number[f->slot[i]] != f->value[i] || v->c->pinned[f->slot[i]])
            return false;
    return true;
}

static const struct found *
find(const struct same *v, const struct found *f)
{
    for (uint32_t i = 0, n = kept(v); i < n; i++) {
        const struct found *g = &v->found[i];

        if (g->op == f->op && g->b == f->b && g->c == f->c &&
            g->len == f->len && g->imm == f->imm && is_there(v, g))
            return g;
    }
    return NULL;
}

/* What is in f->n slots from `slot` on, by x, is what f finds. */
static void
keep(struct same *v, struct found f, uint32_t slot, const struct jit_ins *x)
{
    rt_assert(f.n > 0 && f.n <= WORDS && slot + f.n <= v->c->ns);
    f.by = (int32_t)(x - v->c->v);
    for (unsigned i = 0; i < f.n; i++) {
        f.slot[i] = (uint16_t)(slot + i);
        f.value[i] = number_of(v, slot + i);
    }
    v->found[v->nfound++ % KEPT] = f;
}

/* The i-th is known no more; the last one takes its place. */
static void
drop(struct same *v, uint32_t i)
{
    uint32_t last = kept(v) - 1;

    v->found[i] = v->found[last];
    v->nfound = last;
}

/* Whether a store at `at` of that many bytes leaves g as it is. */
static bool
is_apart(const struct found *g, const struct found *at, unsigned op)
{
    int32_t n = (int32_t)bytes_stored(op);

    if (g->way == WORKED_OUT)
        return true;
    if (at->way == ELEMENT)
        return g->header && op != OP_STXSTR;
    return g->way == at->way && g->b == at->b &&
        (g->imm + 8 * g->n <= at->imm || at->imm + n <= g->imm);
}

static void
forget_memory(struct same *v, const struct found *at, unsigned op)
{
    for (uint32_t i = 0; i < kept(v);)
        if (is_apart(&v->found[i], at, op))
            i++;
        else
            drop(v, i);
}

/* Elements of the slice or string at `slot` are accessed. */
static void
note_header(struct same *v, uint32_t slot)
{
    if (v->nfound == 0)
        return;
    uint32_t ptr = number_of(v, slot), len = number_of(v, slot + 1);

    for (uint32_t i = 0; i < kept(v); i++) {
        struct found *f = &v->found[i];
        if (f->n >= 2 && f->value[0] == ptr && f->value[1] == len)
            f->header = true;
    }
}

/* ---- the walk ------------------------------------------------------------ */

/* Numbers count as long as something is kept: where nothing is, nobody looks
 * after them, so that all are new when something is to be. */
static void
begin(struct same *v)
{
    if (v->nfound == 0)
        v->first = v->next;
}

/* Slots from `from` to before `end` hold something new. */
static void
forget_slots(struct same *v, uint32_t from, uint32_t end)
{
    if (from < end)
        memset(v->number + from, 0, (end - from) * sizeof *v->number);
}

/* Slots that x assigns, or loses, hold something new. */
static void
define(struct same *v, const struct jit_ins *x)
{
    const struct jit_opnd *o = v->c->op + x->ops;
    uint32_t from, n;

    if (jit_lost(x, &from, &n)) {
        forget_slots(v, from, from + 2);
        forget_slots(v, from + 2 + n, v->c->ns);
    }
    for (uint32_t i = 0, end = jit_assigned(x); i < end; i++)
        if (o[i].def)
            v->number[o[i].slot] = 0;
}

/* x moves what is in the slots of f, instead of loading it. */
static void
replace(struct jit_fn *c, struct jit_ins *x, const struct found *f)
{
    static const uint16_t moves[] = {OP_NOP, OP_MOV, OP_MOV2, OP_MOV3};
    uint16_t to = x->w[0].a, from = f->slot[0];

    rt_assert(x->kind == JIT_NATIVE && !x->watched && x->nsucc == 1);
    rt_assert(f->n <= WORDS && !x->part);
    x->w[JIT_WAS] = x->w[0];
    x->w[0] = (struct code_ins){.op = to == from ? OP_NOP : moves[f->n]};
    x->w[0].a = to;
    x->w[0].b = from;
    x->made = x->moved = true;
    x->other = f->by;
    jit_put_moved(c, x);
    c->reuses = true;
}

/* Whether that can be moved at once: its slots are in a row, and all others
 * than those where it goes to, or all the same. */
static bool
can_move(const struct found *f, uint32_t to)
{
    uint32_t from = f->slot[0];

    for (unsigned i = 1; i < f->n; i++)
        if (f->slot[i] != from + i)
            return false;
    return from == to || from + f->n <= to || to + f->n <= from;
}

static void
load(struct same *v, struct jit_ins *x)
{
    begin(v);
    struct found f = place_of(v, x, x->w[0].op);
    const struct found *g = find(v, &f);
    uint32_t to = x->w[0].a;

    if (g != NULL && can_move(g, to)) {
        uint32_t value[WORDS];

        memcpy(value, g->value, sizeof value);
        replace(v->c, x, g);
        for (unsigned i = 0; i < f.n; i++)
            v->number[to + i] = value[i];
        return;
    }
    define(v, x);
    keep(v, f, to, x);
}

static void
store(struct same *v, const struct jit_ins *x)
{
    unsigned op = x->w[0].op, load = load_of_store(op);

    begin(v);
    struct found f = place_of(v, x, load);

    forget_memory(v, &f, op);
    if (load != OP_NOP)
        keep(v, f, x->w[0].a, x);
}

/* Whether what x stands for follows, or is called elsewhere.  If there might be
 * no room for it, machine code is entered at x once there is. */
static bool
is_spliced_in(const struct jit_ins *x)
{
    return x->kind == JIT_INLINE && x->nsucc == 2;
}

/* From before x, which does that with memory, to behind it. */
static void
step(struct same *v, struct jit_ins *x, enum jit_memory memory)
{
    unsigned op = x->w[0].op;

    switch (memory) {
    case JIT_LOADS:
    case JIT_STORES:
        if (op >= OP_LDX8U && op <= OP_XADDR)
            note_header(v, x->w[0].b);
        v->c->asks |= x->depth > 0;
        if (memory == JIT_LOADS)
            load(v, x);
        else
            store(v, x);
        return;
    case JIT_ANY_MEMORY:
        v->nfound = 0;
        return;
    case JIT_NO_MEMORY:
        break;
    }
    if (v->nfound == 0)
        return; /* no number counts */
    if (op == OP_MOV && x->kind == JIT_NATIVE)
        v->number[x->w[0].a] = number_of(v, x->w[0].b);
    else
        define(v, x);
}

/* Most often the operation says it. */
static inline enum jit_memory
memory_at(const uint8_t *memory_of, const struct jit_ins *x)
{
    unsigned memory = memory_of[x->w[0].op];

    rt_assert_full(memory >= IF_NATIVE || x->kind == JIT_NATIVE ||
        (memory == JIT_ANY_MEMORY && x->kind != JIT_INLINE));
    if (memory < IF_NATIVE)
        return (enum jit_memory)memory;
    if (x->kind == JIT_NATIVE)
        return (enum jit_memory)(memory - IF_NATIVE);
    return is_spliced_in(x) ? JIT_NO_MEMORY : JIT_ANY_MEMORY;
}

static inline bool
is_access(enum jit_memory memory)
{
    return memory == JIT_LOADS || memory == JIT_STORES;
}

/* The first instruction from x on that has to do with memory; or the end. */
static struct jit_ins *
find_memory(struct jit_ins *x, const struct jit_ins *end,
    const uint8_t *memory_of)
{
    for (; x < end; x++)
        if (memory_of[x->w[0].op] != JIT_NO_MEMORY && /* most often it is */
            memory_at(memory_of, x) != JIT_NO_MEMORY)
            break;
    return x;
}

/* Where nothing is kept, from x on: the first access behind which there is
 * another one before all is ended, so that something had better be kept; or the
 * end. */
static struct jit_ins *
find_access(struct same *v, struct jit_ins *x, const struct jit_ins *end)
{
    const uint8_t *memory_of = v->c->jit->memory;
    struct jit_ins *last = NULL; /* if it is an access */

    for (; (x = find_memory(x, end, memory_of)) < end; x++) {
        bool access = is_access(memory_at(memory_of, x));

        if (access && last != NULL)
            return last;
        v->c->asks |= access && x->depth > 0;
        last = access ? x : NULL;
    }
    return x;
}

/* The instructions of a block, which are all reached: from x to before `end`. */
static void
walk(struct same *v, struct jit_ins *x, const struct jit_ins *end)
{
    struct jit_fn *c = v->c;

    /* Deeper is only what a jump back leads to. */
    if (c->loops_back && x->depth == 0)
        return;
    while (c->loops_back && end[-1].depth == 0)
        end--;
    v->nfound = 0;
    for (; x < end; x++) {
        if (v->nfound == 0) {
            x = find_access(v, x, end);
            if (x == end)
                return;
        }
        rt_assert(x->reached);
        if (x->lands)
            v->nfound = 0;
        step(v, x, memory_at(c->jit->memory, x));
    }
}

bool
jit_same(struct jit_fn *c)
{
    struct same v = {.c = c, .first = 1, .next = 1};

    c->asks = true;
    if (c->jit->vm->race != NULL)
        return true;
    c->asks = false;
    v.number = jit_alloc(c, c->ns, sizeof *v.number);
    if (c->failed)
        return false;
    for (uint32_t b = 0; b < c->nblocks; b++)
        if (c->v[c->block[b]].reached)
            walk(&v, &c->v[c->block[b]], &c->v[c->block[b + 1]]);
    return true;
}
