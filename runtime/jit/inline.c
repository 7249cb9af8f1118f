/* SPDX-License-Identifier: MIT */

/*
 * Which calls are replaced by the callee's code: small functions, whichever
 * the caller is, and those that call back what they are given, as iterators
 * do.  Of calls of closures it is guessed who is called, from how the code
 * before has made the closure, or from the frame in which the function has
 * become hot; machine code asks first.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/leaf.h"
#include "runtime/code/opinfo.h"

enum {
    SMALL_WORDS = 40,   /* of a function that calls */
    CLOSURE_WORDS = 80, /* of a closure that is known */
    SPLICED_WORDS = 480, /* in one function, more than it has itself: in its
                            loops, and as many elsewhere */
    SLOTS_MAX = 256,
    RESULTS_MAX = 9,
    LOOK_BACK = 400 /* instructions, for who has made a closure */
};

/* Whether the instruction can be part of what is spliced in. */
static inline bool
can_splice(struct jit_fn *c, const struct code_ins *pc)
{
    struct jit_ins x = {.pc = pc, .watched = code_plain(pc->op) != pc->op};
    const struct jit_shape *shape = &c->jit->shapes[code_plain(pc->op)];

    if (shape->splices != JIT_SPLICES_SOME)
        return shape->splices == JIT_SPLICES_ALL;
    if (pc->op == OP_RETN)
        return pc->b <= RESULTS_MAX;
    for (unsigned w = 0; w <= shape->ext; w++)
        x.w[w] = pc[w];
    x.w[0].op = (uint16_t)code_plain(pc->op);
    return jit_x64_kind(c, &x) != JIT_LEAVE;
}

/* The offset of the instruction behind the one at `off`. */
static inline uint32_t
behind(const struct jit_fn *c, const struct code_func *f, uint32_t off)
{
    return off + 1 + jit_words_behind(c, f->code + off);
}

/* What may follow the instruction at `off` of f, as offsets; how many. */
static inline unsigned
successors(const struct jit_fn *c, const struct code_func *f, uint32_t off,
    uint32_t succ[2])
{
    if (!c->jit->shapes[code_plain(f->code[off].op)].goes_on)
        return code_successors(f, off, succ);
    succ[0] = behind(c, f, off);
    return 1;
}

/* Whether some way through f, which is small, leads to a return.  What only
 * panics is not worth it. */
static bool
returns(const struct jit_fn *c, const struct code_func *f)
{
    uint8_t seen[CLOSURE_WORDS] = {1};
    uint32_t todo[CLOSURE_WORDS] = {0}, n = 1, succ[2];

    rt_assert(f->ncode > 0 && f->ncode <= CLOSURE_WORDS);
    while (n > 0) {
        uint32_t off = todo[--n];
        unsigned op = f->code[off].op;

        if (op == OP_RET || op == OP_RET1 || op == OP_RET2 || op == OP_RETN ||
            op == OP_TAILCALL)
            return true;
        for (unsigned i = successors(c, f, off, succ); i-- > 0;)
            if (succ[i] < f->ncode && !seen[succ[i]]) {
                seen[succ[i]] = 1;
                todo[n++] = succ[i];
            }
    }
    return false;
}

static bool is_suitable(
    struct jit_fn *c, const struct code_func *f, bool closure);

/* What the wrapper f, which is spliced in, ends with. */
static const struct code_func *
wrapped(const struct jit_fn *c, const struct code_func *f)
{
    const struct code_ins *last = &f->code[f->ncode - 1];

    return last->op == OP_TAILCALL ? &c->im->funcs[last->imm] : NULL;
}

/* Whether f passes what it has been given on, by instructions that show no
 * frame, to a function that may be spliced in in its place. */
static bool
look_wrapper(struct jit_fn *c, const struct code_func *f)
{
    const struct code_func *to;

    if ((f->flags & CODE_F_WRAPPER) == 0 || f->ncode > SMALL_WORDS ||
        (to = wrapped(c, f)) == NULL || (to->flags & CODE_F_WRAPPER) != 0)
        return false;
    for (uint32_t i = 0; i + 1 < f->ncode; i = behind(c, f, i)) {
        const struct code_ins *pc = f->code + i;

        const struct jit_shape *shape = &c->jit->shapes[code_plain(pc->op)];

        if (!can_splice(c, pc) || (jit_moved(pc) == 0 &&
                (shape->kind != JIT_NATIVE || shape->slow)))
            return false;
    }
    return is_suitable(c, to, false);
}

/* Whether f's instructions allow it; what is too large is not looked at. */
static bool
look_suitable(struct jit_fn *c, const struct code_func *f, bool closure)
{
    bool calls = false, calls_back = false, loops = false;
    uint32_t max = closure ? CLOSURE_WORDS : SMALL_WORDS;

    if (f->ncode > 0 && f->code[f->ncode - 1].op == OP_TAILCALL)
        return look_wrapper(c, f);
    if (f->ncode == 0 || f->ncode > max ||
        (f->flags & (CODE_F_DEFER | CODE_F_NOINLINE)) != 0)
        return false;
    for (uint32_t i = 0; i < f->ncode; i = behind(c, f, i)) {
        const struct code_ins *pc = f->code + i;
        int32_t disp;

        if (!can_splice(c, pc))
            return false;
        if (c->jit->shapes[code_plain(pc->op)].easy)
            continue; /* it neither calls nor jumps */
        calls |= pc->op == OP_CALL || pc->op == OP_CALLI ||
            code_plain(pc->op) == OP_CALLN;
        calls_back |= pc->op == OP_CALLC;
        loops |= code_jump(pc, &disp) && disp < 0;
    }
    /* What a call costs is little beside a loop. */
    if (loops && !calls_back)
        return false;
    return returns(c, f) &&
        (closure || calls || calls_back || f->ncode <= CODE_LEAF_WORDS);
}

/* What is asked about functions again and again, and is looked at once: jit's
 * `suitable` has two bits for each question. */
enum question { SUITS, SUITS_AS_CLOSURE, REPEATS, ENDS_IDLE };

/* The answer as it is known, or -1. */
static int
known_answer(const struct jit_fn *c, const struct code_func *f, enum question q)
{
    unsigned bits = c->jit->suitable[f->id] >> 2 * q & 3u;

    rt_assert(f == &c->im->funcs[f->id]);
    return (int)bits - 1;
}

static bool
know(struct jit_fn *c, const struct code_func *f, enum question q, bool yes)
{
    c->jit->suitable[f->id] |= (uint8_t)((yes ? 2u : 1u) << 2 * q);
    rt_assert(known_answer(c, f, q) == yes);
    return yes;
}

/* Whether f's instructions allow it to be spliced in. */
static bool
is_suitable(struct jit_fn *c, const struct code_func *f, bool closure)
{
    enum question q = closure ? SUITS_AS_CLOSURE : SUITS;
    int known = known_answer(c, f, q);

    return known >= 0 ? known : know(c, f, q, look_suitable(c, f, closure));
}

/* Whether no instruction leads to f's last one, which is a THROW: it stands
 * where a function ends that must return a value. */
static bool
look_idle(const struct jit_fn *c, const struct code_func *f)
{
    uint32_t last = f->ncode - 1, i = 0, succ[2];

    if (f->code[last].op != OP_THROW || last == 0)
        return false;
    for (; i < last; i = behind(c, f, i)) {
        rt_assert(f->code[i].op != OP_SWITCH);
        for (unsigned n = successors(c, f, i, succ); n-- > 0;)
            if (succ[n] == last)
                return false;
    }
    return i == last;
}

uint32_t
jit_end_of(struct jit_fn *c, const struct code_func *f)
{
    int known = known_answer(c, f, ENDS_IDLE);

    if (known < 0)
        known = know(c, f, ENDS_IDLE, look_idle(c, f));
    return f->ncode - (uint32_t)known;
}

/* Whether f is no longer than that, and has such an instruction. */
static bool
is_short_with(const struct code_func *f, uint32_t words, unsigned op)
{
    if (f->ncode > words)
        return false;
    for (uint32_t i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i))
        if (f->code[i].op == op)
            return true;
    return false;
}

bool
jit_calls_back(const struct code_func *f)
{
    return is_short_with(f, CLOSURE_WORDS, OP_CALLC);
}

/* Whether f is what x is in, or around that.  A closure may be once more: an
 * iterator that is over another one may be over one of its own kind. */
static bool
is_around(
    const struct jit_fn *c, const struct code_func *f, const struct jit_ins *x)
{
    uint32_t n = 0;

    if (f == c->f)
        return true;
    for (uint32_t i = x->frame; i != 0; i = c->jit->frames[i].up)
        n += c->jit->frames[i].f == f;
    return n > (x->w[0].op == OP_CALLC && jit_calls_back(f));
}

/* ---- who is called ------------------------------------------------------ */

struct written {
    uint32_t slot;
    bool found;
};

static void
look_at(void *arg, const struct code_operand *o)
{
    struct written *w = arg;

    w->found |= (o->def || o->may) && w->slot >= o->slot &&
        w->slot < o->slot + o->n;
}

/* Whether one of the instruction's operands is the slot, written. */
static bool
is_written(
    const struct jit_fn *c, const struct code_ins *w, uint32_t slot)
{
    const struct jit_shape *shape = &c->jit->shapes[code_plain(w->op)];
    const uint16_t at[3] = {w->a, w->b, w->c};
    struct written written = {.slot = slot};

    if (shape->n < 0)
        code_operands(c->im, w, look_at, &written);
    for (int i = 0; i < shape->n; i++) {
        const struct jit_fixed *s = &shape->slot[i];

        written.found |= s->def &&
            at[s->column] != CODE_NO_SLOT &&
            (uint32_t)at[s->column] + s->is.slot == slot;
    }
    return written.found;
}

/* What is looked for on the way back: the closure in a slot, or of what the
 * closure there has captured, what that one has, and so on. */
enum { CAPTURES = 4 };
struct wanted {
    uint32_t slot;
    uint32_t n;
    uint16_t at[CAPTURES]; /* the captured word, the last one first */
    const struct code_func *f; /* that is it */
};

/* Goes on from the slot that instruction w assigns, or whose closure it makes,
 * to where it has it from; false: nobody knows. */
static bool
trace(const struct jit_fn *c, const struct code_ins *w, struct wanted *want)
{
    switch (w->op) {
    case OP_LDFN:
        if (want->n > 0)
            return false;
        want->f = &c->im->funcs[w->imm];
        return true;
    case OP_MKCLO:
    case OP_MKCLOAT:
        if (want->n == 0) {
            want->f = &c->im->funcs[w[1].imm];
            return true;
        }
        want->n--;
        want->slot = w->b + (uint32_t)want->at[want->n];
        return want->at[want->n] < w->c;
    case OP_MOV: /* of several words there is none: jit_decode() */
        rt_assert(want->slot == w->a);
        want->slot = w->b;
        return true;
    case OP_LD64:
        if (want->n == CAPTURES || w->c < 8 || w->c % 8 != 0)
            return false;
        want->at[want->n++] = (uint16_t)(w->c / 8 - 1);
        want->slot = w->b;
        return true;
    default:
        return false;
    }
}

struct assigned {
    uint32_t slot, n;
};

static void
count_def(void *arg, const struct code_operand *o)
{
    struct assigned *a = arg;

    a->n += (o->def || o->may) && a->slot >= o->slot &&
        a->slot < o->slot + o->n;
}

/* Whether the instruction may assign the slot without naming it. */
static bool
may_assign(const struct jit_fn *c, const struct code_ins *pc, uint32_t slot)
{
    switch (code_plain(pc->op)) {
    case OP_CALL:
        return slot >= pc->a && slot - pc->a < c->im->funcs[pc->imm].nres;
    case OP_CALLN:
        return slot >= pc->a && slot - pc->a < c->im->natives[pc->imm].nres;
    case OP_CALLC:
    case OP_CALLI:
        return slot >= pc->a;
    default:
        return false;
    }
}

/* How many instructions of the outermost function may assign the slot. */
static uint32_t
count_defs(const struct jit_fn *c, uint32_t slot)
{
    struct assigned a = {.slot = slot};

    for (uint32_t i = 0; i < c->f->ncode;
         i += 1 + code_ext_words(c->f->code + i)) {
        code_operands(c->im, c->f->code + i, count_def, &a);
        a.n += may_assign(c, c->f->code + i, slot);
    }
    return a.n;
}

/* Whose closure the slot, which a call of a closure reads sooner or later,
 * holds in the frame that has been seen; NULL: nobody knows.  What is live
 * there has been assigned, and as the collector needs it to be valid, it is.
 * It is a closure if it is a parameter that is never assigned, or if the only
 * assignment is the one that the call reads. */
static const struct code_func *
closure_seen(const struct jit_fn *c, uint32_t slot)
{
    const struct jit_seen *seen = c->seen;
    const struct code_func *f = c->f;

    if (seen == NULL || slot >= f->nslots || slot >= seen->end ||
        (f->ptrmask[slot / 8] >> (slot % 8) & 1) == 0 ||
        count_defs(c, slot) != (slot < f->nargs ? 0 : 1))
        return NULL;
    const uint64_t *live = vm_live_at(c->jit->vm, f, seen->off);
    if (live == NULL || !rt_bit_get(live, slot) || seen->fp[slot].p == NULL)
        return NULL;
    const struct code_func *fn =
        ((const struct code_closure *)seen->fp[slot].p)->fn;
    if (fn->id >= c->im->nfuncs)
        return NULL; /* one that the program has made */
    rt_assert(fn == &c->im->funcs[fn->id]);
    return fn;
}

/* Whose closure is in the slot behind what has been decoded, if the way there
 * was straight, or if it can be seen where that begins. */
static const struct code_func *
closure_in(const struct jit_fn *c, uint32_t slot)
{
    struct wanted want = {.slot = slot};
    int32_t last = c->n - 2; /* behind it is the call itself */

    for (int32_t k = last; k >= 0 && k > last - LOOK_BACK; k--) {
        const struct jit_ins *x = &c->v[k];
        uint32_t base;

        if (x->kind == JIT_INLINE || x->cold)
            continue; /* what it comes to stands between */
        /* What MKCLOAT makes is there, and is filled. */
        if (!is_written(c, jit_words(x), want.slot) &&
            (x->w[0].op != OP_MKCLOAT || x->w[0].a != want.slot)) {
            bool call = x->w[0].op == OP_CALL || x->w[0].op == OP_CALLC ||
                x->w[0].op == OP_CALLI || x->w[0].op == OP_CALLN;
            base = x->w[0].a;
            if (call && want.slot + 2 >= base)
                return NULL;
            continue;
        }
        const struct code_func *seen = x->frame == 0 && want.n == 0 &&
                x->w[0].op != OP_MOV && x->w[0].op != OP_MKCLOAT
            ? closure_seen(c, want.slot) : NULL;
        if (!trace(c, x->w, &want) || (seen != NULL && want.f == NULL))
            return seen;
        if (want.f != NULL)
            return want.f;
    }
    return want.n == 0 ? closure_seen(c, want.slot) : NULL;
}

/* The loops of the outermost function; without memory it has none, and
 * c->failed. */
static void
find_loops(struct jit_fn *c)
{
    const struct code_func *f = c->f;
    struct jit_words *loops = jit_room(c, f->ncode, sizeof *loops);
    uint32_t n = 0;
    int32_t disp;

    rt_assert(c->loops == NULL && !c->alone);
    if (c->failed)
        return;
    for (uint32_t i = 0; i < f->ncode;
         i += 1 + jit_words_behind(c, f->code + i)) {
        if (c->jit->shapes[code_plain(f->code[i].op)].goes_on ||
            !code_jump(f->code + i, &disp) || disp >= 0)
            continue;
        uint32_t first = (uint32_t)((int64_t)i + 1 + disp);
        for (; n > 0 && loops[n - 1].last >= first; n--)
            if (loops[n - 1].first < first)
                first = loops[n - 1].first;
        loops[n++] = (struct jit_words){first, i};
    }
    c->loops = loops;
    c->nloops = n;
}

/* Whether the outermost function's word is in a loop.  Most functions never
 * ask. */
static bool
word_in_loop(struct jit_fn *c, uint32_t word)
{
    uint32_t i = 0;

    if (c->loops == NULL)
        find_loops(c);
    while (i < c->nloops && c->loops[i].last < word)
        i++;
    return i < c->nloops && c->loops[i].first <= word;
}

bool
jit_repeats(struct jit_fn *c, const struct code_func *f)
{
    int known = known_answer(c, f, REPEATS);

    return known >= 0 ? known
                      : know(c, f, REPEATS,
                            jit_calls_back(f) ||
                                is_short_with(f, SMALL_WORDS, OP_MKCLO));
}

/* Whether f is executed again and again where it is spliced in at x. */
static bool
is_in_loop(
    struct jit_fn *c, const struct jit_ins *x, const struct code_func *f)
{
    if (jit_repeats(c, f))
        return true;
    return x->frame != 0 ? c->jit->frames[x->frame].loops
                         : word_in_loop(c, (uint32_t)(x->pc - c->f->code));
}

/* The function of the closure that x calls, as it is found or guessed. */
static const struct code_func *
closure_of(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct code_func *f = closure_in(c, x->w[0].b);

    return f != NULL ? f : jit_guess_closure(c, x);
}

/* The method that x is guessed to call.  Its words are read again behind the
 * question. */
static const struct code_func *
guessed_method(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct rtype *t = jit_guessed_type(c, x);

    if (t == NULL)
        return NULL;
    rt_assert(x->w[0].b + 2 <= x->w[0].a - 2);
    return &c->im->funcs[vm_method(t, x->w[0].c)];
}

/* Whether there may be f's frame, and so many words more. */
static bool
has_room_for(struct jit_fn *c, const struct jit_ins *x,
    const struct code_func *f, size_t words)
{
    return x->w[0].a + (uint32_t)f->extent <= SLOTS_MAX &&
        c->spliced[is_in_loop(c, x, f)] + words <=
        SPLICED_WORDS + c->f->ncode;
}

const struct code_func *
jit_inlined(struct jit_fn *c, const struct jit_ins *x)
{
    const struct code_func *f = NULL;

    if (x->w[0].op == OP_CALL)
        f = &c->im->funcs[x->w[0].imm];
    else if (x->w[0].op == OP_CALLC)
        f = closure_of(c, x);
    else
        f = guessed_method(c, x);
    if (f == NULL || c->alone || is_around(c, f, x) ||
        jit_frame_of(c, x)->depth + 1u > VM_JIT_FRAMES ||
        !is_suitable(c, f, x->w[0].op == OP_CALLC) ||
        !has_room_for(c, x, f, f->ncode))
        return NULL;
    const struct code_func *to = wrapped(c, f);
    if (to != NULL && (is_around(c, to, x) ||
            !has_room_for(c, x, to, (size_t)f->ncode + to->ncode)))
        return NULL;
    return f;
}

bool
jit_inline_needs_room(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_frame *frames = c->jit->frames, *f = &frames[x->callee];
    uint32_t end = f->room;

    rt_assert(x->kind == JIT_INLINE);
    if (x->w[0].op == OP_TAILCALL)
        return false; /* the wrapper has asked */
    rt_assert(f->up == x->frame);
    for (uint32_t i = f->up; i != 0; i = frames[i].up)
        if (end <= frames[i].room)
            return false;
    return end > c->f->extent;
}

void
jit_find_rooms(struct jit_fn *c)
{
    struct jit_frame *frames = c->jit->frames;

    /* Who looks at a frame looks at those around it, too. */
    for (uint32_t i = c->jit->nframes; i-- > c->first_frame;)
        if (frames[i].up != 0 && frames[i].shows)
            frames[frames[i].up].shows = true;
    for (uint32_t i = c->jit->nframes; i-- > c->first_frame;) {
        uint32_t up = frames[i].up, instead = frames[i].instead;

        rt_assert(up < i && frames[i].room >= frames[i].base);
        /* The wrapper asks for the room of both. */
        if (instead != 0 && frames[i].room > frames[instead].room)
            frames[instead].room = frames[i].room;
        if (up != 0 && !frames[up].shows && frames[i].room > frames[up].room)
            frames[up].room = frames[i].room;
    }
}

uint32_t
jit_new_frame(
    struct jit_fn *c, const struct code_func *f, const struct jit_ins *x)
{
    struct jit *jit = c->jit;
    uint32_t end = x->w[0].a + (uint32_t)f->extent;

    if (jit->nframes == JIT_FRAMES) {
        c->failed = true;
        return 0;
    }
    if (end > c->ns)
        c->ns = end;
    bool loops = is_in_loop(c, x, f);
    c->spliced[loops] += f->ncode;
    jit->frames[jit->nframes] = (struct jit_frame){.f = f, .ret = x->pc + 1,
        .up = x->frame, .base = x->w[0].a, .room = (uint16_t)end,
        .loops = loops,
        .depth = (uint16_t)(jit_frame_of(c, x)->depth + 1u)};
    return jit->nframes++;
}

uint32_t
jit_new_frame_instead(
    struct jit_fn *c, const struct code_func *f, uint32_t frame)
{
    struct jit *jit = c->jit;
    const struct jit_frame *w = &jit->frames[frame];
    uint32_t end = w->base + (uint32_t)f->extent;

    rt_assert(frame >= c->first_frame && (w->f->flags & CODE_F_WRAPPER) != 0);
    if (jit->nframes == JIT_FRAMES) {
        c->failed = true;
        return 0;
    }
    if (end > c->ns)
        c->ns = end;
    c->spliced[w->loops] += f->ncode;
    jit->frames[jit->nframes] = (struct jit_frame){.f = f, .ret = w->ret,
        .up = w->up, .instead = frame, .base = w->base, .room = (uint16_t)end,
        .loops = w->loops, .depth = w->depth};
    return jit->nframes++;
}
