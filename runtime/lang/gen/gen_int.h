/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_INT_H
#define RUNTIME_LANG_GEN_GEN_INT_H

/*
 * Shared by the files of the code generator (gen*.c).
 *
 * A value of a Go type occupies type_slots(t) consecutive frame slots in its
 * memory layout; a scalar smaller than 8 bytes is kept extended.  Functions
 * that evaluate return the first slot.  Such a slot may be a variable's own:
 * the consumer reads it at once and never writes it.
 *
 * Slots.  Each slot has one kind for the whole function (scalar or pointer),
 * fixed when it is first used.  Temporaries and locals are taken first-fit
 * among slots of fitting kind and released in stack order (gf_mark(),
 * gf_release()).  A call's frame starts two slots above everything live, so
 * its arguments are written to slots without kind; hence the rule that keeps
 * the collector right: between writing the first argument and the call
 * nothing may be a safepoint.  Arguments that contain calls are evaluated to
 * temporaries first.
 *
 * Memory or frame.  A variable lives on the heap if its address is taken, if
 * a closure captures it and it is reassigned, or if it is large or an array
 * that is indexed dynamically; then its slot holds the address.  Where that
 * stays with the function (gen_escape.c) the memory is a cell, which goes with
 * the frame (gen_cell.c).
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/throw.h"
#include "runtime/code/code.h"
#include "runtime/lang/gen/gen.h"
#include "runtime/lang/gen/stock.h"
#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/types/check.h"
#include "runtime/lang/types/generic.h"

#define GEN_MAX_SLOTS 60000
#define LONG_NAME 1000 /* bytes: what is nested deeper is named like this */
#define GEN_FRAME_VAR_SLOTS 32 /* larger variables live on the heap */
#define NO_SLOT (-1)

/* ---- growable arrays in malloc memory ------------------------------------- */

#define GVEC(T)                                                              \
    struct {                                                                 \
        T *at;                                                               \
        uint32_t n, cap;                                                     \
    }

struct gen;
struct gen_record;
struct gen_stock;
struct escape_sum;
struct gfunc;
struct range_func;

void *gvec_grow(struct gen *g, void *at, uint32_t *cap, size_t size);

/* size bytes that live until the front end's memory is given back.  Like all
 * memory here they are there: without, gen_program() ends. */
void *gen_scratch(struct gen *g, size_t size);
/* A larger copy of an array of scratch memory. */
void *gen_scratch_grow(struct gen *g, const void *at, uint32_t *cap,
    size_t size);

#define gvec_push(g, v)                                                      \
    ((v)->n == (v)->cap                                                      \
            ? (void)((v)->at = gvec_grow((g), (v)->at, &(v)->cap,            \
                         sizeof *(v)->at))                                   \
            : (void)0,                                                       \
        &(v)->at[(v)->n++])

/* ---- what a function index stands for ---------------------------------------- */

enum work_kind {
    WORK_FUNC,     /* declared function or method: obj */
    WORK_LIT,      /* function literal: func */
    WORK_INIT,     /* initialiser of package variables: init */
    WORK_ENTRY,    /* the program's entry */
    WORK_IMETHOD,  /* method of `type` for interface calls: receiver is the
                      data word */
    WORK_BOUND,    /* method value: receiver captured */
    WORK_MEXPR,    /* method expression as a function */
    WORK_BUILTIN,  /* go/defer of a builtin or conversion: call */
    WORK_RANGEBODY, /* body of a range-over-func loop */
    WORK_READY     /* part of a function that was taken from a stock */
};

struct work {
    enum work_kind kind;
    struct object *obj;        /* FUNC; IMETHOD: the method */
    bool lent;                 /* FUNC: its last parameter is the address of
                                  memory for what it returns */
    bool tame;                 /* LIT, RANGEBODY: as gen_tame.c says; FUNC: what
                                  it returns is */
    struct ast_func *func;     /* LIT */
    struct init_item *init;    /* INIT; copy */
    struct check_pkg *pkg;
    struct type *type;         /* IMETHOD, MEXPR: receiver type; BOUND */
    struct method_entry entry; /* IMETHOD */
    struct selection *sel;     /* BOUND, MEXPR */
    struct ast_expr *call;     /* BUILTIN */
    struct range_func *range;  /* RANGEBODY */
    struct gen_stock *stock;   /* READY: where it is, */
    const uint32_t *ready;     /* its record */
    const char *owner;         /* RANGEBODY: the function around the loop */
    const char *name;
    struct object **captures;
    uint32_t ncaptures;
    uint32_t own; /* words of the closure behind these, which it may assign */
    struct func_info *info;
};

/* ---- the generator -------------------------------------------------------------- */

struct type_entry {
    struct type *type; /* canonical */
    struct rtype *rt;
    const struct method_set *mset; /* concrete types */
    bool filled;
};

struct sel_entry {
    const char *name;
    const char *pkg;
    struct type *sig; /* canonical func type */
    bool live;        /* some reachable code calls it through an interface */
    uint32_t waiting; /* 1 + the first of its methods without code; 0 none */
};

/* A method of a concrete type, whose code is made when its selector is live. */
struct sel_method {
    uint32_t type, method; /* indexes: of the type, in its method set */
    uint32_t next;         /* 1 + the next that waits for the same selector */
};

struct gen_map { /* open addressing, uint64 -> uint32 + 1 */
    uint64_t *key;
    uint32_t *val;
    uint32_t n, cap;
};

struct gen {
    struct check *c;
    struct check_pkg *main;
    struct rt_arena *arena; /* the image's */
    struct rt_err *err;
    const struct gen_options *opt; /* may be NULL */
    struct code_image *im;
    bool failed; /* reported in the diag or err */
    struct gfunc *cur; /* the function that is being generated */

    GVEC(struct work) work; /* by function index */
    GVEC(struct code_func *) funcs;
    uint32_t work_done;
    struct gen_map body_ids; /* declared function's object or function literal
                                -> function */
    GVEC(struct type_entry) types;
    uint32_t types_filled;
    uint32_t types_pointed; /* those whose pointer types are there */
    uint32_t types_called;  /* those whose exported methods have code */
    bool makes_pointers;    /* the program makes pointer types as it runs */
    bool calls_methods;     /* it finds methods by number or name as it runs */
    GVEC(struct rt_layout) layouts; /* of structs and arrays with pointers */
    struct gen_map layout_ids;      /* underlying type -> index */
    struct gen_map type_ids; /* canonical struct type * -> index */
    GVEC(struct sel_entry) sels;
    struct gen_map sel_ids;
    GVEC(struct sel_method) waiting;
    GVEC(struct sel_method) due; /* their selectors are live */
    GVEC(uint64_t) consts;
    struct gen_map const_ids;
    GVEC(struct rt_str) strings;
    struct gen_map string_ids;
    GVEC(struct code_native) natives;
    struct gen_map native_ids;
    GVEC(struct code_global) globals;
    GVEC(const char *) files;
    struct gen_map file_ids;
    const char *last_file;
    uint32_t last_file_id;
    char cwd[4096];     /* "" where unknown */
    const char *last_user, *last_user_path; /* of file_of() */
    uint64_t globals_size;
    struct gen_map init_ids; /* an initialiser's right side -> function */
    struct gen_map bound_ids; /* method and type -> function of their values */
    struct gen_map seen; /* variable -> the walk that found it last, */
    uint32_t nseen;      /* of so many walks: gf_scan_captures() */
    struct gen_map fills; /* struct type -> whether fields fill its slots */
    struct gen_map range_exits; /* way out of a range-over-func loop -> number */
    uint32_t nranges; /* such loops so far */
    struct escape_sums *escapes; /* gen_escape.c */
    struct gen_map init_lits; /* package -> literals in its variables so far */
    struct gen_stock *stocks;  /* NULL: none */
    struct gen_record *record; /* NULL: nothing is recorded */
};

/* ---- one function ------------------------------------------------------------------ */

struct gline {
    uint32_t off;
    lang_pos pos;
};

struct glabel {
    int32_t at; /* instruction offset, -1 = not placed */
};

enum gfix_kind { FIX_IMM, FIX_C };

struct gfix {
    uint32_t ins;
    uint32_t next; /* offset that the jump is relative to */
    uint32_t label;
    uint8_t kind;
};

/* A statement that break or continue may name. */
struct gtarget {
    struct ast_stmt *stmt;
    uint32_t brk, cont; /* labels */
    struct gtarget *up;
};

struct gconst {
    uint64_t value;
    int slot;
};

/* A call that was made ahead of its expression: gen_hoist.c. */
struct hoisted {
    const struct ast_expr *e;
    int slot;
};

/* Slots that were taken together. */
struct gtaken {
    uint32_t at, n;
};

/* The frame's slots, as sets of bits.  A slot that is neither scalar nor
 * pointer has not been used yet. */
struct gslots {
    uint64_t *live, *scalar, *pointer;
    uint32_t words; /* of each set */
    uint32_t n;     /* the function's so far */
    GVEC(struct gtaken) taken; /* in the order in which they were */
    uint32_t low[2]; /* scalar, pointer: none below is free for one */
};

/* Variables of one type that have no slots: gen_crowd.c. */
struct gcrowd {
    struct type *type;
    uint32_t n;    /* as the last pass has counted them */
    uint32_t used; /* in this pass so far */
    int slot;      /* of their array's address */
};

struct gfunc {
    struct gen *g;
    struct code_func *cf;
    struct work *w;
    struct func_info *info;
    struct check_pkg *pkg;
    struct type *sig;
    struct gfunc *parent; /* range bodies: the function they belong to */

    GVEC(struct code_ins) code;
    GVEC(struct gline) lines;
    GVEC(uint32_t) unsigned_at; /* code_func's */
    GVEC(struct glabel) labels;
    GVEC(struct gfix) fixes;
    struct gslots slots;
    uint32_t top;    /* above the highest live slot */
    uint32_t extent;
    lang_pos pos;    /* of what is being generated */

    uint32_t nargs, nres;
    uint32_t ctx;
    bool uses_ctx;
    bool has_defer;
    bool results_mem;    /* results live in variables: named, or defer */
    struct object **results; /* their objects, or NULL */
    uint32_t nresults;

    struct gtarget *targets;
    struct gen_map gotos; /* labeled statement -> label of its begin; target
                             -> label of its end and, one further, of where
                             it continues */
    GVEC(struct hoisted) hoisted;
    struct gen_map hoisted_ids; /* expression -> where, from HOIST_FEW on */
    uint32_t loop_depth;
    bool late;           /* the next array element is checked by its user */
    bool long_jumps;
    bool again;          /* something asks for another pass */
    GVEC(struct gconst) consts; /* used in loops: loaded at entry */
    bool collect;        /* first pass: constants are being collected */
    struct range_func *range; /* set in a range body */
    bool scanned_memory; /* something in it needs memory */
    uint32_t id;        /* function index */
    int cells;          /* slot of the block of cells; NO_SLOT: none */
    bool wants_cells;   /* some pass has asked for one */
    int lent;           /* slot of the address of what the caller has lent */
    const struct escape_sites *sites; /* what is in that; NULL: nothing */
    GVEC(enum code_slot_kind) cell_kinds; /* its words; scratch memory */
    GVEC(struct object *) var_objs; /* variables given slots: reset at end */
    GVEC(struct gcrowd) crowds;
    struct gen_map crowd_ids; /* type -> which of them */
    uint32_t crowd_seen; /* variables so far that may have slots */
    bool crowded;        /* there are more of them than slots */
    bool over;           /* found so in this pass, whose code is no good */
};

/* Where a value is stored. */
enum place_kind {
    PLACE_SLOT,  /* frame slots from `slot` */
    PLACE_BYTES, /* part of a slot: byte `off` of the frame */
    PLACE_FIDX,  /* 8-byte element of a frame array: slot + R[idx] */
    PLACE_MEM,   /* at R[slot] + off */
    PLACE_GLOBAL, /* global at byte off */
    PLACE_ELEM,  /* element R[idx] of the slice or string at slot */
    PLACE_PIDX,  /* element R[idx] of the array behind R[slot], idx checked */
    PLACE_MAP,   /* key at idx of map R[slot]; mtype */
    PLACE_LATER, /* one of the others, which gf_found_later() says */
    PLACE_BLANK
};

struct place {
    enum place_kind kind;
    int slot;
    int idx;
    int64_t off;
    struct type *type;  /* of the value */
    bool sure;          /* MEM: a variable's cell, never nil */
    bool nosign;        /* ELEM: idx has 64 bits and no sign; so for late */
    bool late;          /* PIDX, FIDX: gf_check_late() has to come yet */
    int64_t len;        /* late: the array's */
    struct type *mtype; /* map */
    struct object *hook; /* GLOBAL: a native to call after a store, or NULL */
    struct gen_later *later;
};

/* ---- gen.c: tables ------------------------------------------------------------------- */

void *gen_alloc(struct gen *g, size_t size);
const char *gen_strdup(struct gen *g, const char *s, size_t n);
const char *gen_text(struct gen *g, const char *s); /* a copy */
const char *gen_sprintf(struct gen *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
uint32_t gen_const(struct gen *g, uint64_t v);
uint32_t gen_string(struct gen *g, const char *s, size_t n);
uint32_t gen_file(struct gen *g, const char *name);
uint32_t gen_native(struct gen *g, struct object *f);
/* Whether *fn is declared without a body and no other function stands for it;
 * that one is in *fn otherwise. */
bool gen_is_native(struct gen *g, struct object **fn);
uint64_t gen_global(struct gen *g, struct object *v);
uint32_t gen_func_obj(struct gen *g, struct object *f);
/* The same function as one that is lent memory (gen_lent.c). */
uint32_t gen_func_lent(struct gen *g, struct object *f);
/* The same in the form that returns a literal that is tame (gen_tame.c). */
uint32_t gen_func_tame(struct gen *g, struct object *f, bool lent);
/* As tracebacks show it: main.(*T).m. */
const char *gen_func_name(struct gen *g, struct object *fn);
const char *gen_var_name(struct gen *g, const struct object *v);
/* The function of a body: a declared function's object, a function literal.
 * False where none has been queued. */
bool gen_body_find(const struct gen *g, const void *body, uint32_t *func);
void gen_body_put(struct gen *g, const void *body, uint32_t func);
uint32_t gen_work(struct gen *g, const struct work *w);
/* The function of an initialiser; false where none has been queued. */
bool gen_init_func(const struct gen *g, const struct init_item *it,
    uint32_t *id);
void gen_errorf(struct gen *g, lang_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool gmap_get(const struct gen_map *m, uint64_t key, uint32_t *val);
void gmap_put(struct gen *g, struct gen_map *m, uint64_t key, uint32_t val);
void gmap_clear(struct gen_map *m); /* empty, its memory kept */
void gmap_free(struct gen_map *m);
void gen_init_items(struct gen *g, struct object *v);

/* ---- gen_image.c ------------------------------------------------------------- */

/* The types that every image has. */
void gen_basic_types(struct gen *g, struct code_image *im);
/* All tables into g->im; functions keep their numbers, and their code is given
 * back. */
void gen_build_image(struct gen *g);

/* ---- types of the tree ---------------------------------------------------
 *
 * A generic function is generated from copies of its body that have the type
 * arguments in place (types/spec.h): no type parameter comes this far. */

static inline struct type *
gf_type(const struct gfunc *f, const struct ast_expr *e)
{
    (void)f;
    rt_assert_full(e->type == NULL || !type_has_params(e->type));
    return e->type;
}

static inline struct type *
gf_obj_type(const struct gfunc *f, const struct object *v)
{
    (void)f;
    rt_assert_full(!type_has_params(v->type));
    return v->type;
}

/* ---- gen_type.c ------------------------------------------------------------------------ */

uint32_t gen_type(struct gen *g, struct type *t); /* index */
struct rtype *gen_rtype(struct gen *g, struct type *t);
uint32_t gen_selector(struct gen *g, struct object *method);
/* The same by its parts; pkg is NULL for an exported name. */
uint32_t gen_selector_of(struct gen *g, const struct lang_name *name,
    struct check_pkg *pkg, struct type *sig);
void gen_selector_use(struct gen *g, uint32_t id); /* it is called */
uint32_t gen_selector_live(struct gen *g, struct object *method);
bool gen_types_finish(struct gen *g); /* fills what is new; true if any */
void gen_types_seal(struct gen *g);
uint32_t type_slots(struct type *t);
/* The kinds of the slots of a value: type_slots(t) of them. */
void type_slot_kinds(struct type *t, enum code_slot_kind *kinds);
/* The layout of n words of these kinds. */
struct rt_layout gen_kinds_layout(struct gen *g,
    const enum code_slot_kind *kinds, uint32_t n);
bool type_in_frame_scalar(struct type *t); /* kept extended in one slot */
bool type_has_pointers(struct type *t);

/* ---- gen_func.c ---------------------------------------------------------- */

void gen_function(struct gen *g, uint32_t id);
/* Whether calls of the function are to stay calls.  Literals in it and
 * wrappers around it are functions of their own, and no directive is theirs. */
bool gen_is_noinline(const struct ast_decl *d);
void gf_free(struct gfunc *f); /* its arrays */

/* ---- gen_emit.c ---------------------------------------------------------- */

uint32_t gf_abc(struct gfunc *f, enum code_op op, int a, int b, int c);
uint32_t gf_ai(struct gfunc *f, enum code_op op, int a, int64_t imm);
void gf_ext(struct gfunc *f, int a, int64_t imm);
/* The same with a size or length, which may be too large for it. */
void gf_ext_size(struct gfunc *f, int a, int64_t size);
uint32_t gf_label(struct gfunc *f);
void gf_place(struct gfunc *f, uint32_t label);
bool gf_placed(struct gfunc *f, uint32_t label);
void gf_jump(struct gfunc *f, uint32_t label);      /* JMP or LJMP */
void gf_jump_if(struct gfunc *f, int slot, bool sense, uint32_t label);
/* Compare-and-branch with two slots, or slot and immediate; the loop form is
 * taken where the label is placed already. */
void gf_jump_cmp(struct gfunc *f, enum code_op op, int a, int b,
    uint32_t label);
void gf_jump_ext(struct gfunc *f, uint32_t ins, uint32_t next,
    uint32_t label); /* the imm of word `ins` */
/* Fills in how far the jumps go; where one goes too far for 16 bits, sets
 * long_jumps and again. */
void gf_resolve(struct gfunc *f);
void gf_move(struct gfunc *f, int dst, int src, uint32_t n);
void gf_zero(struct gfunc *f, int dst, uint32_t n);
int gf_const_slot(struct gfunc *f, uint64_t v); /* a slot that holds v */
void gf_load_const(struct gfunc *f, int dst, uint64_t v);

/* ---- gen_slot.c: the frame's slots ---------------------------------------- */

uint32_t gf_mark(struct gfunc *f);
void gf_release(struct gfunc *f, uint32_t mark);
int gf_temp(struct gfunc *f, struct type *t);
int gf_temp_kinds(struct gfunc *f, const enum code_slot_kind *kinds,
    uint32_t n);
int gf_temp_int(struct gfunc *f); /* a CODE_SCALAR slot */
int gf_temp_ptr(struct gfunc *f); /* a CODE_POINTER slot */
/* Slots for a value above all others, never released: an argument. */
void gf_take_fixed(struct gfunc *f, struct type *t);
/* Takes exactly these slots if they are free and of fitting kind. */
bool gf_claim(struct gfunc *f, int slot, struct type *t);
/* Marks slots of the outgoing area as taken while arguments are written. */
void gf_guard(struct gfunc *f, uint32_t at, uint32_t n, bool on);
int gf_call_base(struct gfunc *f); /* where a callee's frame may start */
void gf_need(struct gfunc *f, int end); /* extent >= end */
/* The kinds of slots that are taken in another way. */
void gf_set_kinds(struct gfunc *f, uint32_t at,
    const enum code_slot_kind *kinds, uint32_t n);
bool gf_slot_is_pointer(const struct gfunc *f, uint32_t slot);
void gf_slots_reset(struct gfunc *f); /* the frame has none */
void gf_slots_free(struct gfunc *f);

/* ---- gen_place.c ------------------------------------------------------------------------------ */

struct place gf_var_place(struct gfunc *f, struct object *v);
struct place gf_place_of(struct gfunc *f, struct ast_expr *e); /* addressable
    or map element or blank */
/* The same for one that is read at once, before anything else runs. */
struct place gf_read_place(struct gfunc *f, struct ast_expr *e);
struct place gf_mem_place(int slot, int64_t off, struct type *t);
struct place gf_field_place(struct gfunc *f, struct place p, struct object *fld);
/* The checks of an array element's place that gfunc.late has put off: after
 * the right side of an assignment, as Go does. */
void gf_check_late(struct gfunc *f, const struct place *p);
/* The place of e, one of several that are assigned at once.  Go evaluates the
 * operands of all of them first, but follows a last pointer and checks an index
 * only where it stores, when what stands on the left is assigned already: where
 * a part of an element is meant it is a PLACE_LATER.  stable: the operands
 * stay what they are when the statement assigns the variables among them. */
struct place gf_later_place(struct gfunc *f, struct ast_expr *e, bool stable);
/* What such a place is in the end, for gf_store() and gf_copy(). */
struct place gf_found_later(struct gfunc *f, const struct place *p);
bool gf_is_place(const struct gfunc *f, struct ast_expr *e);
void gf_declare(struct gfunc *f, struct object *v, bool zero);
/* Does a variable of this type live on the heap, as it is too large? */
bool gf_is_wide(struct type *t);
bool gf_var_on_heap(const struct gfunc *f, struct object *v);
/* The kinds of the words of a variable that is captured, at most
 * GEN_FRAME_VAR_SLOTS; returns how many. */
uint32_t gf_capture_kinds(const struct gfunc *f, struct object *v,
    enum code_slot_kind *kinds);
void gf_fresh_copy(struct gfunc *f, struct object *v); /* per-iteration */

/* ---- gen_access.c: loads and stores ---------------------------------------- */

void gf_load(struct gfunc *f, const struct place *p, int dst);
int gf_load_temp(struct gfunc *f, const struct place *p);
void gf_store(struct gfunc *f, const struct place *p, int src);
/* Copies a value: a large one, where both are in memory, at once. */
void gf_copy(struct gfunc *f, const struct place *to,
    const struct place *from);
int gf_addr(struct gfunc *f, const struct place *p, int dst); /* pointer slot */
void gf_zero_place(struct gfunc *f, const struct place *p);
bool gf_place_in_memory(const struct place *p);
/* Load/store of a scalar-or-multi-slot type at R[ptr] + off. */
void gf_load_mem(struct gfunc *f, int dst, int ptr, int64_t off,
    struct type *t);
void gf_store_mem(struct gfunc *f, int src, int ptr, int64_t off,
    struct type *t);
/* The operation that is emitted next takes an index, of 64 bits without sign
 * or of other type. */
void gf_note_index(struct gfunc *f, bool nosign);

/* ---- gen_expr.c ---------------------------------------------------------------------------------- */

int gf_expr(struct gfunc *f, struct ast_expr *e);
void gf_expr_to(struct gfunc *f, struct ast_expr *e, int dst);
/* Evaluates e and converts it implicitly to t (interfaces). */
int gf_expr_as(struct gfunc *f, struct ast_expr *e, struct type *t);
void gf_expr_as_to(struct gfunc *f, struct ast_expr *e, struct type *t,
    int dst);
void gf_expr_discard(struct gfunc *f, struct ast_expr *e);
void gf_cond(struct gfunc *f, struct ast_expr *e, bool sense, uint32_t label);
/* The slot word of a constant of a one-slot type. */
uint64_t gf_const_word(struct type *t, const struct constv *cv);
void gf_const_to(struct gfunc *f, const struct constv *cv, struct type *t,
    int dst);
/* Is e a constant that fits 16 bits? */
bool gf_small_const(const struct gfunc *f, struct ast_expr *e, int64_t *v);
bool expr_may_call(struct ast_expr *e);
bool expr_mentions(struct ast_expr *e, struct object *v);
int gf_expr_copy(struct gfunc *f, struct ast_expr *e, struct type *as);
    /* in a temporary of its own: survives anything */
void gf_func_value(struct gfunc *f, uint32_t fn, int dst);
/* Evaluates x of a selector up to the operand that the steps end in. */
struct place gf_walk_steps(struct gfunc *f, struct ast_expr *x,
    const struct selection *s, uint32_t nsteps);
int gf_receiver(struct gfunc *f, struct ast_expr *sel_expr);
/* comma-ok forms: value to vdst (NO_SLOT = not wanted), ok to okdst */
void gf_comma_ok(struct gfunc *f, struct ast_expr *e, int vdst, int okdst);

/* ---- gen_op.c ------------------------------------------------------------ */

/* Is it an addition of strings that is not constant? */
bool expr_is_string_add(const struct gfunc *f, const struct ast_expr *e);
/* Joins all operands of such a chain. */
void gf_concat_to(struct gfunc *f, struct ast_expr *e, int dst);
/* Other binary expressions but comparisons, && and ||. */
void gf_chain_to(struct gfunc *f, struct ast_expr *e, int dst);
void gf_unary_to(struct gfunc *f, struct ast_expr *e, int dst);
/* dst = src, a value of 64 bits, cut to t. */
void gf_extend(struct gfunc *f, struct type *t, int dst, int src);
/* dst = x op y on slots; t is the operand type. */
void gf_binary_slots(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, int y);
void gf_shift_slots(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, int y, struct type *yt, bool modulo);
/* y as what to shift by; modulo: only the last six bits of it count. */
int gf_shift_count(struct gfunc *f, struct ast_expr *y, bool *modulo);
/* The same with a constant; imm: false where there is no such form. */
bool gf_binary_imm(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, int64_t k);
/* The same with y, if it is a constant of such a form, or of another one that
 * costs less. */
bool gf_binary_const(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, struct ast_expr *y);
void gf_shift_const(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, uint64_t k);

/* ---- gen_cond.c ---------------------------------------------------------- */

void gf_equal_slots(struct gfunc *f, struct type *t, int dst, int x, int y,
    bool neg);
void gf_compare(struct gfunc *f, struct ast_expr *e, int dst);
void gf_cond_value(struct gfunc *f, struct ast_expr *e, int dst);

/* ---- gen_view.c: strings and bytes read in place ------------------------- */

/* Is e a conversion for which gf_view() differs from gf_expr()? */
bool gf_views_operand(const struct gfunc *f, struct ast_expr *e);
/* A string or []byte whose pointer and length alone are read, before anything
 * else of the program runs: of a conversion the operand itself. */
int gf_view(struct gfunc *f, struct ast_expr *e);
/* The same where `after` is evaluated before the value is read. */
int gf_view_before(struct gfunc *f, struct ast_expr *e,
    struct ast_expr *after);

/* Does conversion e copy bytes between string and []byte? */
bool gen_copies_bytes(const struct ast_expr *e);
/* dst = conversion e of what is in slot src, as short a copy being a cell as
 * nobody keeps; false: it is none that has one. */
bool gf_copy_to_cell(struct gfunc *f, const struct ast_expr *e, int dst,
    int src);

/* ---- gen_conv.c ----------------------------------------------------------------------------------- */

void gf_convert_slots(struct gfunc *f, struct type *to, struct type *from,
    int dst, int src);
void gf_to_iface(struct gfunc *f, struct type *iface, struct type *from,
    int dst, int src);
/* dst = the interface of a constant, without a copy; false: not of this. */
bool gf_box_const(struct gfunc *f, const struct constv *cv, struct type *t,
    int dst);
void gf_assert(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src, int ok); /* ok NO_SLOT: panics */

/* ---- gen_call.c ------------------------------------------------------------------------------------- */

/* Calls; results are left from the returned slot on, which is a temporary
 * for a single result (want_result) or the outgoing area for tuples. */
int gf_call(struct gfunc *f, struct ast_expr *e, bool want_result);
/* The call of method `sel` of the interface in slots `iface`, arguments from
 * base + 1 on.  CALLI has 16 bits for the selector; one that does not fit is
 * called as a method value, for which gf_method_room() takes two slots (or
 * NO_SLOT) before the base is chosen. */
int gf_method_room(struct gfunc *f, uint32_t sel);
void gf_call_method(
    struct gfunc *f, int base, int iface, uint32_t sel, int room);
/* Calls the closure in slot clo with so many slots of arguments from base on. */
void gf_call_closure(struct gfunc *f, int base, int clo, uint32_t nargs);
/* dst = the method's closure, dst + 1 = its receiver's word. */
void gf_method_value(struct gfunc *f, int dst, int iface, uint32_t sel);
/* Slots of the results of a tuple call, claimed as temporaries one by one. */
void gf_call_tuple(struct gfunc *f, struct ast_expr *e, int *slots);
void gf_go(struct gfunc *f, struct ast_stmt *s);
void gf_defer(struct gfunc *f, struct ast_stmt *s);
/* gen_intrinsic.c: e, a call of fn, by instructions; NO_SLOT: it has to be called. */
int gf_intrinsic(struct gfunc *f, struct ast_expr *e, const struct object *fn);

/* ---- gen_builtin.c ------------------------------------------------------------------------------------ */

int gf_builtin(struct gfunc *f, struct ast_expr *e, int dst, bool want);
/* The same with arguments in slots already (go, defer). */
void gf_builtin_slots(struct gfunc *f, struct ast_expr *e, const int *args);
/* Operands of a builtin or conversion: those of f(g()) are g's results. */
uint32_t gf_builtin_nargs(const struct gfunc *f, const struct ast_expr *e);
void gf_builtin_args(struct gfunc *f, struct ast_expr *e, int *slots);
struct type *gf_builtin_arg_type(struct gfunc *f, struct ast_expr *e,
    uint32_t i);

/* ---- gen_lit.c ------------------------------------------------------------------------------------------ */

void gf_composite_to(struct gfunc *f, struct ast_expr *e, int dst);
/* A literal of type t, a struct or array, into place p.  zeroed: that holds
 * zeros now. */
void gf_composite_place(struct gfunc *f, struct ast_expr *e, struct type *t,
    struct place p, bool zeroed);
int gf_composite_addr(struct gfunc *f, struct ast_expr *e, int home, int dst);
void gf_funclit(struct gfunc *f, struct ast_expr *e, int dst);

/* ---- gen_data.c ---------------------------------------------------------- */

/* An array literal of type t, or a slice literal's elements as one, into place
 * p at once; false, and nothing done, where they are few or not all constant. */
bool gf_data_literal(struct gfunc *f, struct ast_expr *e, struct type *t,
    const struct place *p);

/* ---- gen_stmt.c, gen_assign.c, gen_loop.c, gen_switch.c ---------------------------------------------------- */

void gf_block(struct gfunc *f, struct ast_block *b);
void gf_stmts(struct gfunc *f, struct ast_stmts list);
void gf_stmt(struct gfunc *f, struct ast_stmt *s);
void gf_assign(struct gfunc *f, struct ast_stmt *s);
void gf_define(struct gfunc *f, struct ast_stmt *s);
void gf_var_decl(struct gfunc *f, struct ast_decl *d);
/* The n places get the values of rhs: one for each, or all of one call or of a
 * comma-ok form. */
void gf_assign_values(struct gfunc *f, struct place *lhs, uint32_t n,
    struct ast_exprs rhs);
/* p, so that it stays what it is when the same statement assigns the variables
 * in it. */
struct place gf_stable(struct gfunc *f, struct place p);
void gf_assign_expr(struct gfunc *f, const struct place *p, struct ast_expr *e);
void gf_for(struct gfunc *f, struct ast_stmt *s);
void gf_range(struct gfunc *f, struct ast_stmt *s);
void gf_range_func(struct gfunc *f, struct ast_stmt *s);
/* The name of the function that f is, or the body of a loop of. */
const char *gf_owner_name(const struct gfunc *f);
void gf_switch(struct gfunc *f, struct ast_stmt *s);
void gf_tswitch(struct gfunc *f, struct ast_stmt *s);
void gf_select(struct gfunc *f, struct ast_stmt *s);
void gf_return(struct gfunc *f, struct ast_stmt *s);
void gf_return_now(struct gfunc *f); /* results are in their variables */
struct place gf_result_place(struct gfunc *f, uint32_t i);
void gf_range_body(struct gfunc *f);
void gf_bind_captures(struct gfunc *f, struct object **caps, uint32_t n);
/* Jumps to where a branch statement of this kind goes from here. */
void gf_exit_to(struct gfunc *f, int kind, struct ast_stmt *target);
/* Around the body of a loop, switch or select: t->up is filled in. */
void gf_enter_target(struct gfunc *f, struct gtarget *t);
void gf_leave_target(struct gfunc *f, const struct gtarget *t);
/* Is the target of a branch in this function, and not around a range-over-func
 * body that is a function of its own? */
bool gf_has_target(const struct gfunc *f, const struct ast_stmt *target);
bool gf_range_branch(struct gfunc *f, struct ast_stmt *s);
bool gf_range_return(struct gfunc *f, struct ast_stmt *s);
/* In a body that defers: the slot that names its function's frame. */
int gf_range_frame(struct gfunc *f);

/* ---- gen_cell.c: memory of a frame ----------------------------------------- */

/* In ast_stmt.mark of a loop over a function: its closure may be a cell, and
 * so may the variable that the nest of loops shares. */
enum { MARK_STAYS = 1, MARK_NEXT_STAYS = 2 };
enum { GEN_CELL_BYTES = 8192 }; /* what is larger is no cell */

void gf_cells_start(struct gfunc *f); /* of a pass */
/* Where memory comes from; what is not negative is the position in what the
 * caller has lent, in bytes. */
enum { HOME_HEAP = -2, HOME_CELL = -1 };
/* Of a variable, of what an expression makes. */
int gf_home_var(const struct gfunc *f, const struct object *v);
int gf_home_expr(const struct gfunc *f, const struct ast_expr *e);
/* dst = the address of zeroed memory for a value of type t. */
void gf_new(struct gfunc *f, struct type *t, int home, int dst);
/* dst = the address of n zeroed words of a cell; false: there are none. */
bool gf_cell(struct gfunc *f, const enum code_slot_kind *kinds, uint32_t n,
    int dst);
/* A closure that captures n variables, and has so many words of its own behind
 * them, which are zero.  home: as gf_home_expr() answers. */
void gf_make_closure(struct gfunc *f, uint32_t fn, struct object **caps,
    uint32_t n, uint32_t own, int home, int dst);
/* Before each return. */
void gf_cells_end(struct gfunc *f);
void gf_cells_finish(struct gfunc *f); /* the layout of the block */

/* ---- gen_crowd.c: more variables than slots ---------------------------------- */

void gf_crowds_start(struct gfunc *f); /* of a pass */
void gf_crowds_end(struct gfunc *f);   /* of a function */
/* True: v, which is being declared, has no slot but a place in memory now. */
bool gf_crowd(struct gfunc *f, struct object *v);
/* The slots have run out.  True: another pass will do with fewer. */
bool gf_crowd_more(struct gfunc *f);

/* A local variable's `gen` is 1 + the slot of its value or of its address; of
 * one without a slot of its own the upper half is 1 + its offset. */
static inline bool
gf_crowded(const struct object *v)
{
    return v->var_kind != VAR_PACKAGE && v->gen >> 32 != 0;
}

static inline int
gf_var_slot(const struct object *v)
{
    return (int)(v->gen & UINT32_MAX) - 1;
}

/* ---- gen_scan.c: what must be known before a function is generated -------------------------------------------- */

/* Marks array variables that are indexed dynamically and those that bodies
 * of range-over-func loops share with their function. */
void gf_scan_body(struct gfunc *f, struct ast_block *body);
/* The same for the initialiser of a package variable. */
void gf_scan_init(struct gfunc *f, struct ast_expr *e);
/* Variables declared outside of the loop body that it mentions. */
struct object **gf_scan_captures(struct gfunc *f, struct ast_stmt *range,
    uint32_t *n);

/* ---- gen_wrap.c ------------------------------------------------------------------------------------------------ */

void gf_wrap_imethod(struct gfunc *f);
void gf_wrap_bound(struct gfunc *f);
void gf_wrap_mexpr(struct gfunc *f);
void gf_wrap_builtin(struct gfunc *f);
void gf_entry(struct gfunc *f);

#endif
