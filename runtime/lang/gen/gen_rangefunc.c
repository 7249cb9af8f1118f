/* SPDX-License-Identifier: MIT */
/*
 * Range over functions.  The loop body becomes a closure, the yield function;
 * what leaves the body (break, continue of an outer loop, goto, return) is
 * noted in a variable that the loops of one nest share, the closure returns
 * false, and the code behind the call of the range function goes on from
 * there.  A state variable of each loop catches range functions that misuse
 * yield, with Go's panics.  Idea: Go's cmd/compile/internal/rangefunc.
 *
 * Both variables are words of the closure itself, behind what it captures, so that
 * a loop makes one object.  Bodies of loops inside get the address of the
 * outermost closure for it.  That would take it out of the frame where one of them
 * is kept by somebody; so what is shared is by itself then, on the heap.
 */
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/gen/gen_tame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EXITS_TABLE = 5 }; /* so many exits get a table */

enum range_state {
    STATE_READY,     /* between two calls of the body */
    STATE_DONE,      /* the body has returned false */
    STATE_EXHAUSTED, /* the range function has returned */
    STATE_PANIC      /* the body is running, or has panicked */
};

/* One way out of the outermost loop's body. */
struct range_exit {
    uint8_t kind; /* STMT_BREAK, STMT_CONTINUE, STMT_GOTO */
    struct ast_stmt *target;
};

struct range_func {
    struct ast_stmt *stmt;
    struct range_func *top; /* outermost loop of the nest; itself there */
    struct range_func *up;  /* the loop around this one, or NULL */
    struct range_func *other; /* the same loop in the function's other form, */
    bool tame;                /* which one is in a literal that is tame */
    struct object *self; /* a variable whose address is the closure's */
    struct object *next; /* of the top: 0, -1 return, k exit k - 1; NULL: it is
                            a word of the closure */
    uint32_t words;      /* of what is captured */
    struct object **results; /* of the function, where a body returns */
    struct type *sig;        /* the function's */
    struct object **captures;
    uint32_t ncaptures;
    uint32_t number; /* among the program's */
    uint32_t id; /* function index of the body + 1 */
    bool returns;
    bool nests;  /* there are loops over functions inside */
    bool leaves; /* of the top: a body may leave more than its own loop, so that
                    there is something to be shared */
    bool defers;
    struct object *frame; /* of the top, where a body defers: the function's */
    /* Of the top all; of a loop inside the gotos that leave it; scratch
     * memory. */
    GVEC(struct range_exit) exits;
};

/* ---- what leaves a body -------------------------------------------------------- */

struct exits {
    struct gen *g;
    struct range_func *rf;
};

static void find_exits(struct exits *x, struct ast_stmts list);

static bool
inside(const struct ast_stmt *r, lang_pos pos)
{
    return pos > r->range.body->lbrace && pos < r->range.body->rbrace;
}

/* Where an exit of rf's body is found: by the loop, the kind of the branch
 * and the position of its target, which is unique. */
static uint64_t
exit_key(const struct range_func *rf, const struct ast_stmt *s)
{
    static_assert(sizeof(lang_pos) == 4, "a position has 32 bits");
    static_assert(STMT_KIND_COUNT <= 64, "a kind has 6 bits");
    return (uint64_t)rf->number << 38 | (uint64_t)s->branch.target->pos << 6 |
        (uint64_t)s->kind;
}

static void
note_exit(struct exits *x, struct ast_stmt *s)
{
    struct range_func *rf = x->rf;
    struct range_exit *e;
    uint32_t i;

    if (s->branch.target == NULL || s->branch.target == rf->stmt ||
        inside(rf->stmt, s->branch.target->pos))
        return;
    if (gmap_get(&x->g->range_exits, exit_key(rf, s), &i))
        return;
    gmap_put(x->g, &x->g->range_exits, exit_key(rf, s), rf->exits.n);
    if (rf->exits.n == rf->exits.cap)
        rf->exits.at = gen_scratch_grow(x->g, rf->exits.at, &rf->exits.cap,
            sizeof *rf->exits.at);
    e = &rf->exits.at[rf->exits.n++];
    e->kind = s->kind;
    e->target = s->branch.target;
}

static void
find_exit(struct exits *x, struct ast_stmt *s)
{
    uint32_t i;

    if (s == NULL)
        return;
    switch (s->kind) {
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
        note_exit(x, s);
        break;
    case STMT_RETURN:
        x->rf->returns = true;
        break;
    case STMT_BLOCK:
        find_exits(x, s->block->stmts);
        break;
    case STMT_IF:
        for (; s != NULL && s->kind == STMT_IF; s = s->if_.els)
            find_exits(x, s->if_.then->stmts);
        find_exit(x, s);
        break;
    case STMT_SWITCH:
        for (i = 0; i < s->switch_.ncase; i++)
            find_exits(x, s->switch_.cases[i]->body);
        break;
    case STMT_TSWITCH:
        for (i = 0; i < s->tswitch.ncase; i++)
            find_exits(x, s->tswitch.cases[i]->body);
        break;
    case STMT_SELECT:
        for (i = 0; i < s->select.ncomm; i++)
            find_exits(x, s->select.comms[i]->body);
        break;
    case STMT_FOR:
        find_exits(x, s->for_.body->stmts);
        break;
    case STMT_RANGE:
        x->rf->nests |= type_kind_of(s->range.x->type) == TYPE_FUNC;
        find_exits(x, s->range.body->stmts);
        break;
    case STMT_LABELED:
        find_exit(x, s->labeled.stmt);
        break;
    case STMT_DEFER:
        x->rf->defers = true;
        break;
    default:
        break;
    }
}

static void
find_exits(struct exits *x, struct ast_stmts list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        find_exit(x, list.at[i]);
}

/* What stands in the shared variable for a target inside the top's body: a
 * number behind those of the top's own exits, by the target's position, which
 * is unique. */
static int64_t
inner_code(const struct ast_stmt *target, bool cont)
{
    return (int64_t)target->pos * 2 + cont + 1000000;
}

static void
keep_gotos(struct range_func *rf)
{
    uint32_t i, n = 0;

    for (i = 0; i < rf->exits.n; i++)
        if (rf->exits.at[i].kind == STMT_GOTO)
            rf->exits.at[n++] = rf->exits.at[i];
    rf->exits.n = n;
}

/* ---- the loop's record --------------------------------------------------------------- */

static struct object *
shared_int(struct gen *g)
{
    struct object *v = gen_alloc(g, sizeof *v);

    v->kind = OBJ_VAR;
    v->var_kind = VAR_LOCAL;
    v->name = lang_name_str(g->c->parse->names, "range state");
    v->type = &g->c->types.basic[TYPE_INT];
    v->captured = true;
    v->reassigned = true;
    return v;
}

/* Whether all that is captured of v are pointers. */
static bool
is_pointers(const struct gfunc *f, struct object *v)
{
    enum code_slot_kind kinds[GEN_FRAME_VAR_SLOTS];
    uint32_t n = gf_capture_kinds(f, v, kinds), i = 0;

    rt_assert(n <= GEN_FRAME_VAR_SLOTS);
    while (i < n && kinds[i] == CODE_POINTER)
        i++;
    return i == n;
}

/* So that closures of one size have their pointers at the same words more often:
 * those are faster to allocate. */
static void
put_pointers_first(struct gfunc *f, struct range_func *rf)
{
    struct object **others =
        gen_scratch(f->g, (rf->ncaptures + 1) * sizeof *others);
    uint32_t i, n = 0, nothers = 0;

    for (i = 0; i < rf->ncaptures; i++) {
        struct object *v = rf->captures[i];

        if (is_pointers(f, v))
            rf->captures[n++] = v;
        else
            others[nothers++] = v;
    }
    rt_assert(n + nothers == rf->ncaptures);
    for (i = 0; i < nothers; i++)
        rf->captures[n + i] = others[i];
}

static void
all_captures(struct gfunc *f, struct range_func *rf)
{
    struct gen *g = f->g;
    struct range_func *top = rf->top;
    struct object **list;
    uint32_t n, i, nres, own;

    list = gf_scan_captures(f, rf->stmt, &n);
    nres = rf->returns ? rf->sig->nvars - rf->sig->nparams : 0;
    rf->captures = gen_alloc(g, (n + nres + 5) * sizeof *rf->captures);
    for (i = 0; i < nres; i++)
        rf->captures[rf->ncaptures++] = rf->results[i];
    rt_assert(top == rf || top->leaves);
    if (top->next != NULL || top != rf)
        rf->captures[rf->ncaptures++] =
            top->next != NULL ? top->next : top->self;
    if (rf->defers)
        rf->captures[rf->ncaptures++] = top->frame;
    own = rf->ncaptures;
    for (; n > 0; n--, list++) {
        for (i = 0; i < own; i++)
            if (rf->captures[i] == *list)
                break;
        if (i == own)
            rf->captures[rf->ncaptures++] = *list;
    }
    put_pointers_first(f, rf);
}

/* Which of the loop's memory stays. */
static unsigned
marks(const struct gfunc *f, const struct ast_stmt *s)
{
    return s->mark | gf_tame_marks(f, s);
}

static struct range_func *
record(struct gfunc *f, struct ast_stmt *s)
{
    struct gen *g = f->g;
    struct range_func *rf = s->gen;
    struct exits x;

    while (rf != NULL && rf->tame != gf_is_tame(f))
        rf = rf->other;
    if (rf != NULL)
        return rf;
    rf = gen_alloc(g, sizeof *rf);
    rf->tame = gf_is_tame(f);
    rf->other = s->gen;
    s->gen = rf;
    rf->stmt = s;
    rf->number = g->nranges++;
    rf->up = f->range;
    rf->top = f->range != NULL ? f->range->top : rf;
    rf->self = shared_int(g);
    x.g = g;
    x.rf = rf;
    find_exits(&x, s->range.body->stmts);
    if (rf->top == rf) {
        rf->leaves = rf->exits.n > 0 || rf->returns || rf->nests;
        if (rf->leaves &&
            (marks(f, s) & (MARK_STAYS | MARK_NEXT_STAYS)) == MARK_STAYS)
            rf->next = shared_int(g);
        if (rf->defers) {
            rf->frame = shared_int(g);
            rf->frame->reassigned = false;
        }
        rf->sig = f->sig;
    } else {
        keep_gotos(rf);
        rf->sig = rf->top->sig;
    }
    if (rf->sig != NULL)
        rf->results = &rf->sig->vars[rf->sig->nparams];
    all_captures(f, rf);
    return rf;
}

const char *
gf_owner_name(const struct gfunc *f)
{
    return f->w->kind == WORK_RANGEBODY ? f->w->owner : f->cf->name;
}

/* Variables in the closure: its loop's state, and what the nest shares, if there is
 * anything. */
static uint32_t
own_words(const struct range_func *rf)
{
    return rf->top == rf && rf->leaves && rf->next == NULL ? 2 : 1;
}

static uint32_t
captured_words(const struct gfunc *f, const struct range_func *rf)
{
    enum code_slot_kind kinds[GEN_FRAME_VAR_SLOTS];
    uint32_t i, n = 0;

    for (i = 0; i < rf->ncaptures; i++)
        n += gf_capture_kinds(f, rf->captures[i], kinds);
    return n;
}

static uint32_t
body_id(struct gfunc *f, struct range_func *rf)
{
    struct work w = {0};

    if (rf->id != 0)
        return rf->id - 1;
    w.kind = WORK_RANGEBODY;
    w.range = rf;
    w.pkg = f->pkg;
    w.info = f->info;
    w.captures = rf->captures;
    w.ncaptures = rf->ncaptures;
    w.own = own_words(rf);
    w.tame = rf->tame;
    w.type = type_under(
        type_under(gf_type(f, rf->stmt->range.x))->vars[0]->type);
    w.owner = gf_owner_name(f);
    w.name = gen_sprintf(
        f->g, "%s-range%u", w.owner, rf->stmt->range.number);
    rf->id = gen_work(f->g, &w) + 1;
    return rf->id - 1;
}

/* The closure's address is in that slot. */
static void
bind_self(struct gfunc *f, struct range_func *rf, int slot)
{
    *gvec_push(f->g, &f->var_objs) = rf->self;
    rf->self->gen = (uint64_t)slot + 1;
}

static struct place
own_place(struct gfunc *f, struct range_func *rf, uint32_t word)
{
    struct place p = gf_var_place(f, rf->self);

    rt_assert(word < own_words(rf) && p.kind == PLACE_MEM);
    p.off = 8 * (1 + (int64_t)rf->words + word);
    return p;
}

static struct place
state_place(struct gfunc *f, struct range_func *rf)
{
    return own_place(f, rf, 0);
}

static struct place
next_place(struct gfunc *f, struct range_func *rf)
{
    struct range_func *top = rf->top;

    return top->next != NULL ? gf_var_place(f, top->next)
                             : own_place(f, top, 1);
}

static void
set_shared(struct gfunc *f, struct place p, int64_t k)
{
    uint32_t m = gf_mark(f);
    int t = gf_temp_int(f);

    gf_load_const(f, t, (uint64_t)k);
    gf_store(f, &p, t);
    gf_release(f, m);
}

static int
get_shared(struct gfunc *f, struct place p)
{
    return gf_load_temp(f, &p);
}

/* ---- leaving ---------------------------------------------------------------------------- */

static void
yield_result(struct gfunc *f, bool more)
{
    uint32_t m = gf_mark(f);
    int t = gf_temp_int(f);

    set_shared(f, state_place(f, f->range), more ? STATE_READY : STATE_DONE);
    gf_ai(f, OP_LDI, t, more);
    gf_cells_end(f);
    gf_abc(f, OP_RET1, t, 0, 0);
    gf_release(f, m);
}

/* break, continue, goto inside a body; false: it stays inside. */
bool
gf_range_branch(struct gfunc *f, struct ast_stmt *s)
{
    struct range_func *rf = f->range, *top = rf->top;
    struct ast_stmt *target = s->branch.target;
    uint32_t i;
    bool known;

    if (s->kind == STMT_GOTO ? inside(rf->stmt, target->pos) :
        gf_has_target(f, target))
        return false;
    if (target == rf->stmt) {
        yield_result(f, s->kind == STMT_CONTINUE);
        return true;
    }
    known = gmap_get(&f->g->range_exits, exit_key(top, s), &i);
    rt_assert(!known || (top->exits.at[i].target == target &&
                            top->exits.at[i].kind == s->kind));
    set_shared(f, next_place(f, top), known ? (int64_t)i + 1 :
        inner_code(target, s->kind == STMT_CONTINUE));
    yield_result(f, false);
    return true;
}

bool
gf_range_return(struct gfunc *f, struct ast_stmt *s)
{
    struct range_func *rf = f->range;
    uint32_t i, n = rf->sig->nvars - rf->sig->nparams, m = gf_mark(f);
    struct place *ps;

    if (s->ret.values.n != 0) {
        ps = gen_alloc(f->g, (n + 1) * sizeof *ps);
        for (i = 0; i < n; i++)
            ps[i] = gf_mem_place(
                gf_var_slot(rf->results[i]), 0,
                gf_obj_type(f, rf->results[i]));
        gf_assign_values(f, ps, n, s->ret.values);
    }
    set_shared(f, next_place(f, rf), -1);
    yield_result(f, false);
    gf_release(f, m);
    return true;
}

int
gf_range_frame(struct gfunc *f)
{
    return get_shared(f, gf_var_place(f, f->range->top->frame));
}

/* One of the exits of the outermost loop, by its number in slot code; many by
 * a table of jumps. */
static void
take_exit(struct gfunc *f, const struct range_func *top, int code)
{
    bool table = top->exits.n >= EXITS_TABLE;
    uint32_t i, skip = 0;

    if (table) {
        gf_ai(f, OP_SWITCH, code, top->exits.n);
        gf_ext(f, 0, 1);
    }
    for (i = 0; i < top->exits.n; i++) {
        const struct range_exit *e = &top->exits.at[i];
        uint32_t at = f->code.n;

        if (!table) {
            skip = gf_label(f);
            gf_jump_cmp(f, OP_JNEI, code, (int)i + 1, skip);
        }
        gf_exit_to(f, e->kind, e->target);
        rt_assert(!table || f->g->failed || f->code.n == at + 1);
        (void)at;
        if (!table)
            gf_place(f, skip);
    }
}

/* Emits a comparison with what a branch to target left in slot code; what
 * follows is done for it alone, up to the label that is returned. */
static uint32_t
if_asked(struct gfunc *f, int code, const struct ast_stmt *target, bool cont)
{
    uint32_t skip = gf_label(f);
    int k = gf_temp_int(f);

    gf_load_const(f, k, (uint64_t)inner_code(target, cont));
    gf_jump_cmp(f, OP_JNE, code, k, skip);
    set_shared(f, next_place(f, f->range), 0);
    return skip;
}

/* In the body of a loop around rf, from the inside out: the targets of this
 * body are its own statements, its labels, and its loop itself.  What is left
 * is asked in the body around it. */
static void
dispatch_inside(struct gfunc *f, const struct range_func *rf, int code)
{
    const struct gtarget *t;
    uint32_t skip, i;

    for (t = f->targets; t != NULL; t = t->up) {
        skip = if_asked(f, code, t->stmt, false);
        gf_jump(f, t->brk);
        gf_place(f, skip);
        if (t->stmt->kind != STMT_FOR && t->stmt->kind != STMT_RANGE)
            continue;
        skip = if_asked(f, code, t->stmt, true);
        gf_jump(f, t->cont);
        gf_place(f, skip);
    }
    for (i = 0; i < rf->exits.n; i++) {
        struct ast_stmt *label = rf->exits.at[i].target;

        if (!inside(f->range->stmt, label->pos))
            continue;
        skip = if_asked(f, code, label, false);
        gf_exit_to(f, STMT_GOTO, label);
        gf_place(f, skip);
    }
    for (i = 0; i < 2; i++) {
        skip = if_asked(f, code, f->range->stmt, i == 1);
        yield_result(f, i == 1);
        gf_place(f, skip);
    }
    yield_result(f, false);
}

/* Behind the call: where the body asked to go. */
static void
dispatch(struct gfunc *f, struct range_func *rf)
{
    struct range_func *top = rf->top;
    uint32_t none, skip, m = gf_mark(f);
    int code;

    if (!top->leaves)
        return;
    none = gf_label(f);
    code = get_shared(f, next_place(f, top));
    gf_jump_cmp(f, OP_JEQI, code, 0, none);
    if (f->range != NULL) {
        dispatch_inside(f, rf, code);
    } else {
        if (rf->returns) {
            skip = gf_label(f);
            gf_jump_cmp(f, OP_JNEI, code, (int)(uint16_t)-1, skip);
            gf_return_now(f);
            gf_place(f, skip);
        }
        take_exit(f, top, code);
        gf_ai(f, OP_THROW, 0, CODE_THROW_UNREACHABLE);
    }
    gf_place(f, none);
    gf_release(f, m);
}

/* ---- the loop and its body -------------------------------------------------------------------- */

/* What is ranged over: a closure in a slot; or a method, by its value, of which
 * nothing need be made, since it is called once: its receiver in slots. */
struct ranged {
    int slot;
    uint32_t nrecv; /* slots of the receiver */
    struct object *method; /* NULL: there is a closure */
};

static struct ranged
ranged(struct gfunc *f, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);
    struct selection *s = x->kind == EXPR_SELECTOR ? x->selector.how : NULL;
    struct object *fn = s == NULL ? NULL : s->obj;
    struct type *t;

    if (s == NULL || s->kind != SEL_METHOD || s->is_iface || s->late ||
        gen_is_native(f->g, &fn))
        return (struct ranged){.slot = gf_expr(f, e)};
    t = s->take_addr ? type_pointer(f->g->c, s->base) :
        s->deref     ? type_under(s->base)->elem :
                       s->base;
    return (struct ranged){.slot = gf_receiver(f, x),
        .nrecv = type_slots(t), .method = fn};
}

/* Calls it with the body's closure. */
static void
call_ranged(struct gfunc *f, const struct ranged *r, int clo)
{
    int base = gf_call_base(f);

    gf_need(f, base + (int)r->nrecv + 1);
    if (r->nrecv > 0)
        gf_move(f, base, r->slot, r->nrecv);
    gf_move(f, base + (int)r->nrecv, clo, 1);
    if (r->method != NULL)
        gf_ai(f, OP_CALL, base, gen_func_obj(f->g, r->method));
    else
        gf_call_closure(f, base, r->slot, r->nrecv + 1);
}

void
gf_range_func(struct gfunc *f, struct ast_stmt *s)
{
    struct range_func *rf = record(f, s);
    uint32_t m = gf_mark(f), ok;
    /* A slot of its own: in one that has had something else's address before, as
     * of an iterator, machine code would take that for known as well. */
    int clo = gf_temp_ptr(f), st;
    struct ranged r = ranged(f, s->range.x);

    if (rf->next != NULL)
        gf_declare(f, rf->next, true);
    if (rf->frame != NULL) {
        gf_declare(f, rf->frame, false);
        gf_abc(f, OP_FRAME, gf_var_slot(rf->frame), 0, 0);
    }
    rf->words = captured_words(f, rf);
    gf_make_closure(
        f, body_id(f, rf), rf->captures, rf->ncaptures, own_words(rf),
        (marks(f, s) & MARK_STAYS) != 0 ? HOME_CELL : HOME_HEAP, clo);
    bind_self(f, rf, clo);
    f->pos = s->pos;
    call_ranged(f, &r, clo);
    st = get_shared(f, state_place(f, rf));
    ok = gf_label(f);
    gf_jump_cmp(f, OP_JNEI, st, STATE_PANIC, ok);
    gf_ai(f, OP_THROW, 0, CODE_THROW_RANGE_MISSED);
    gf_place(f, ok);
    set_shared(f, state_place(f, rf), STATE_EXHAUSTED);
    dispatch(f, rf);
    gf_release(f, m);
}

static void
misuse(struct gfunc *f, int st, int64_t state, int64_t text)
{
    uint32_t skip = gf_label(f);

    gf_jump_cmp(f, OP_JNEI, st, (int)state, skip);
    gf_ai(f, OP_THROW, 0, text);
    gf_place(f, skip);
}

static void
bind_one(struct gfunc *f, struct ast_stmt *s, struct ast_expr *e,
    struct object *v, struct type *t, int slot)
{
    struct place p;
    uint32_t m;

    if (e == NULL)
        return;
    if (s->range.define) {
        if (v == NULL)
            return;
        gf_declare(f, v, false);
        p = gf_var_place(f, v);
        gf_store(f, &p, slot);
        return;
    }
    e = ast_unparen(e);
    if (e->kind == EXPR_NAME && strcmp(e->name->text, "_") == 0)
        return;
    m = gf_mark(f);
    p = gf_place_of(f, e);
    if (type_is_interface(p.type) && !type_is_interface(t)) {
        int u = gf_temp(f, p.type);

        gf_to_iface(f, p.type, t, u, slot);
        slot = u;
    }
    gf_store(f, &p, slot);
    gf_release(f, m);
}

void
gf_range_body(struct gfunc *f)
{
    struct range_func *rf = f->range;
    struct ast_stmt *s = rf->stmt;
    struct type *yield = f->sig;
    uint32_t ready, m;
    int st, at = 0;

    f->nresults = 0;
    f->pos = s->pos;
    gf_bind_captures(f, rf->captures, rf->ncaptures);
    rt_assert(captured_words(f, rf) == rf->words);
    f->uses_ctx = true;
    bind_self(f, rf, (int)f->ctx);
    m = gf_mark(f);
    st = get_shared(f, state_place(f, rf));
    ready = gf_label(f);
    gf_jump_cmp(f, OP_JEQI, st, STATE_READY, ready);
    /* If the range function recovers what follows, that is noticed. */
    set_shared(f, state_place(f, rf), STATE_PANIC);
    misuse(f, st, STATE_DONE, CODE_THROW_RANGE_STATE);
    misuse(f, st, STATE_EXHAUSTED, CODE_THROW_RANGE_DONE);
    gf_ai(f, OP_THROW, 0, CODE_THROW_RANGE_PANIC);
    gf_place(f, ready);
    set_shared(f, state_place(f, rf), STATE_PANIC);
    gf_release(f, m);
    if (yield->nparams > 0) {
        bind_one(f, s, s->range.key, s->range.kobj, yield->vars[0]->type, at);
        at += (int)type_slots(yield->vars[0]->type);
    }
    if (yield->nparams > 1)
        bind_one(f, s, s->range.value, s->range.vobj, yield->vars[1]->type,
            at);
    gf_block(f, s->range.body);
    f->pos = s->range.body->rbrace;
    yield_result(f, true);
}
