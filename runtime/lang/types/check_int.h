/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_CHECK_INT_H
#define RUNTIME_LANG_TYPES_CHECK_INT_H

/*
 * What the files of the checker share.
 *
 * The syntax tree is the operand: checking an expression fills its mode, type
 * and cv, and every later rule reads and rewrites those.  A constant
 * expression or an untyped comparison or shift keeps an untyped type until
 * its context is known; check_convert_untyped() then gives it its final type
 * and carries it down to the operands.  mode is MODE_NONE after an error, and
 * nothing is reported about such an operand again.
 *
 * Declarations at package level are resolved on demand, each in an
 * environment of its own (struct check_env).  The path of objects being
 * resolved finds cycles.  Rules that need complete types wait in a queue
 * until the outermost declaration, or the current statement, is done.
 */

#include "runtime/base/strmap.h"
#include "runtime/base/throw.h"
#include "runtime/lang/types/check.h"

struct rt_arena;

/* object.color */
enum {
    COLOR_WHITE,
    COLOR_GREY,
    COLOR_BLACK
};

/* type.state */
enum {
    TSTATE_DONE,    /* complete */
    TSTATE_PENDING, /* named: right side not known yet; interface: method set
                       not computed yet */
    TSTATE_BUSY     /* interface: being computed (a cycle if met) */
};

/* struct check_pkg.state */
enum {
    PKG_LOADING = 1,
    PKG_COLLECTED,
    PKG_DONE,
    PKG_FAILED
};

/* What a package-level declaration depends on. */
struct decl_info {
    struct check_pkg *pkg;
    struct scope *scope; /* of its file */
    struct ast_decl *decl;
    struct object **lhs; /* var: all variables of `var a, b = f()` */
    uint32_t nlhs;
    uint32_t mark;         /* init_order.c */
    struct ast_expr *type; /* var, const */
    struct ast_expr *init; /* var, const */
    const struct constv *iota;
    bool inherited; /* const: repeated expression of an earlier
                                 spec */
    bool init_checked;
    bool reached;         /* library variable: in init order */
    bool emitted;         /* init_order.c */
    struct object **deps; /* variables, constants, functions, methods */
    uint32_t ndeps, depcap;
    struct object *obj;
    struct object **methods; /* type: those declared on it */
    uint32_t nmethods, methcap;
    struct node *node;   /* init_order.c */
    struct visit *visit; /* init_order.c */
};

/* Where checking is at. */
struct check_env {
    struct check_pkg *pkg;
    struct scope *scope;
    struct func_info *func;
    struct decl_info *decl; /* collects dependencies */
    const struct constv *iota;
    lang_pos errpos; /* report here instead: inherited constants */
    bool has_call;   /* a call or receive was seen: len is no
                                 constant */
    bool in_init;    /* a package variable's initialiser */
};

enum delay_kind {
    DELAY_IFACE,   /* compute an interface's method set */
    DELAY_MAPKEY,  /* key comparable? */
    DELAY_CHAN,    /* element small enough? */
    DELAY_SIZE,    /* array small enough? */
    DELAY_EMBED,   /* embedded field's type allowed? */
    DELAY_VALID,   /* infinitely large? */
    DELAY_METHODS, /* field and method of one name? */
    DELAY_RECV,    /* receiver type allowed? */
    DELAY_CONSTRAINT, /* a constraint where there may be none? */
    DELAY_VERIFY,  /* type arguments satisfy the constraints? */
    DELAY_UNION,   /* terms may be together? */
    DELAY_FUNCLIT  /* body of a literal at package level */
};

/* Arguments for parameters, to be verified. */
struct inst_use {
    lang_pos pos;
    const struct tparam_list *params;
    struct type *const *targs;
    const struct ast_exprs *exprs; /* those written; may be NULL */
};

struct delayed {
    uint8_t kind;
    struct type *type;
    struct object *obj;
    struct ast_expr *expr;
    struct check_env env;
    struct func_info *func;
    const struct inst_use *inst; /* DELAY_VERIFY */
};

enum {
    TYPE_MAX_TERMS = 100 /* Go's own limit; comparing terms is quadratic */
};

/* The types that an interface admits: all, or those of terms that do not
 * overlap; zeroed it is all types. */
struct type_terms {
    struct type_term *at;
    uint32_t n, cap;
    bool limited; /* to the terms; with none of them it is empty */
};

/* Explicit parts of an interface type. */
/* A set of pointers; zeroed it is empty. */
struct check_set {
    const void **tab;
    uint32_t n, cap;
};

struct iface_info {
    struct object **methods; /* explicit ones, source order */
    uint32_t nmethods;
    struct type **embeds;
    lang_pos *embed_pos;
    uint32_t nembeds;
    struct method_node *set; /* all methods, once complete */
    bool implicit_any; /* the predeclared any: printed so */
    bool comparable;   /* only comparable types; no terms then */
    struct type_terms terms; /* once complete */
    struct check_set had; /* types that are known to have all the methods */
    bool implicit;     /* stands for a constraint literal: ~T, A | B */
    lang_pos pos;
    struct check_pkg *pkg;
};

/* `import . "p"`: its names are in the file's scope. */
struct dot_import {
    struct scope *file;
    struct check_pkg *pkg;
    struct object *name; /* what an error shows; used */
};

/* What a function value is assigned to. */
struct target {
    struct type *sig; /* its type, underlying a func */
    const char *desc; /* as messages call it */
};

/* An object being resolved, and how many there are up to it. */
struct path_entry {
    struct object *obj;
    uint32_t nvalues; /* constants and variables */
    uint32_t ndefs;   /* types but aliases */
    uint32_t again;   /* alias: the path's length when its right side was last
                         looked at before its time; 0 never */
};

/* An argument of print or println that has no text. */
struct unprintable {
    lang_pos pos;
    struct type *type;
};

struct check_int {
    struct check *c;
    struct check_env env;
    struct path_entry *path; /* objects being resolved */
    uint32_t npath, pathcap;
    struct delayed *delayed;
    uint32_t ndelayed, delaycap;
    struct ast_expr *call_fun; /* see check_arg_context */
    const struct target *target; /* of the expression that comes next */
    bool running;              /* check_run_delayed() is at work */
    struct dot_import *dots;
    uint32_t ndots, dotcap;
    struct object **pkgnames; /* all imports of user packages */
    uint32_t npkgnames, pkgnamecap;
    bool local_types; /* some are declared in generic functions */
    struct mono *mono;        /* what may be instantiated without end */
    struct inst_table *insts; /* of generic types and functions */
    struct check_pkg **pkgs; /* all */
    uint32_t npkgs, pkgcap;
    struct rt_strmap bypath; /* the same */
    uint32_t nfiles; /* of all packages so far */
    const struct lang_name *blank;
    const struct lang_name *init_name, *main_name;
    struct unprintable *prints; /* reported if nothing else is wrong */
    uint32_t nprints, printcap;
    uint32_t dead; /* branches around that are never taken */
    bool missing_import;
    bool any_error;
    uint32_t serial;
    uint32_t mark;
    uint32_t lookups; /* serial number of searches */
    struct type **canon; /* hash table of representatives */
    uint32_t canon_n, canon_cap;
    struct object *builtins[BUILTIN_COUNT];
    struct object *nil_obj, *iota_obj, *error_obj, *any_obj, *comparable_obj;
};

/* ---- memory and messages (check.c) -------------------------------------- */

/* Zeroed memory in the arena; throws when the OS has none left. */
void *check_alloc(struct check *c, size_t size);
#define CHECK_NEW(c, T)      ((T *)check_alloc((c), sizeof(T)))
#define CHECK_ARRAY(c, T, n) ((T *)check_alloc((c), sizeof(T) * (size_t)(n)))
/* Grows an arena array so that one more element fits. */
void check_grow(
    struct check *c, void *arrp, uint32_t n, uint32_t *cap, size_t elem);
#define CHECK_PUSH(c, arr, n, cap, v)                            \
    do {                                                         \
        if ((n) == (cap))                                        \
            check_grow((c), &(arr), (n), &(cap), sizeof *(arr)); \
        (arr)[(n)++] = (v);                                      \
    } while (0)

char *check_sprintf(struct check *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void check_errf(struct check *c, lang_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* True at the end of the C stack, where all that recurses has to turn back;
 * then it reports that things, such as "types are nested", are so too deeply,
 * and nothing more is reported. */
/* The versions of the language with which things came. */
enum {
    BUILTINS_SINCE = 21, /* min, max, clear */
    LOOPVAR_SINCE = 22,  /* loop variables of each iteration */
    RANGEINT_SINCE = 22,
    RANGEFUNC_SINCE = 23
};

/* The minor version of the language at pos, 0: the newest. */
unsigned check_lang(struct check *c, lang_pos pos);

/* "what requires go1.22 or later", with where the version at pos, which has
 * one, comes from. */
const char *check_requires(
    struct check *c, lang_pos pos, unsigned minor, const char *what);

/* Is what came with Go 1.minor allowed at pos?  If not, that is reported:
 * "what requires go1.22 or later", with where the version comes from. */
bool check_allows(
    struct check *c, lang_pos pos, unsigned minor, const char *what);

bool check_too_deep(struct check *c, lang_pos pos, const char *things);
/* "file:line:col" of pos, for second lines of messages. */
const char *check_place(struct check *c, lang_pos pos);

/* A growing text in the arena. */
struct check_text {
    struct check *c;
    char *s;
    size_t n, cap;
};

void check_text_add(struct check_text *t, const char *s);
void check_text_addn(struct check_text *t, const char *s, size_t n);
void check_text_addf(struct check_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
const char *check_text_str(struct check_text *t);

/* Strings for messages. */
const char *type_str(struct check *c, struct type *t);
const char *check_expr_str(struct check *c, const struct ast_expr *e);
const char *check_operand_str(struct check *c, const struct ast_expr *e);
/* "(int, string)" as in have/want lines. */
const char *type_summary(
    struct check *c, struct type **list, uint32_t n, bool variadic, bool dots);
/* "array", "slice"..., "" for basic types. */
const char *type_composite_kind(struct type *t);

static inline struct type *
basic(struct check *c, enum type_kind k)
{
    return &c->types.basic[k];
}

static inline struct type *
invalid_type(struct check *c)
{
    return &c->types.basic[TYPE_INVALID];
}

static inline bool
is_valid(const struct type *t)
{
    return t->kind != TYPE_INVALID;
}

static inline bool
is_blank(struct check *c, const struct lang_name *n)
{
    return n == c->in->blank;
}

/* ---- scopes and objects (universe.c, object.h) -------------------------- */

struct scope *scope_new(struct check *c, struct scope *parent);
/* The same for a block or a function literal.  Until it is left, the blocks
 * around it get no more names. */
struct scope *scope_open(struct check *c, struct scope *parent);
/* Inserts unless the name is taken: then returns who holds it. Blank names
 * are kept in the list only. */
struct object *scope_insert(struct check *c, struct scope *s, struct object *o);
struct object *object_new(struct check *c, enum object_kind kind, lang_pos pos,
    const struct lang_name *name, struct type *type);
void universe_init(struct check *c);
const char *builtin_name(unsigned id);
/* Fewest arguments, whether more are allowed. */
unsigned builtin_nargs(unsigned id, bool *variadic);
bool builtin_is_statement(unsigned id);

/* ---- environment -------------------------------------------------------- */

struct object *check_resolve_name(
    struct check *c, const struct lang_name *name, struct scope **where);
/* For a name that nothing has and that is followed by a selector: imports the
 * package that is called so into the file, where the host has names of
 * packages; else NULL. */
struct object *check_import_called(
    struct check *c, const struct lang_name *name, lang_pos pos);
void check_open_scope(struct check *c);
/* Reports unused variables of the innermost scope and leaves it. */
void check_close_scope(struct check *c);
/* Enters o into the innermost scope, or reports a redeclaration. */
void check_declare(struct check *c, struct object *o);
void check_redeclared(struct check *c, struct object *o, struct object *other);
void check_unused(struct check *c, struct scope *s);
void check_delay(struct check *c, enum delay_kind kind, struct type *t,
    struct object *o, struct ast_expr *e);
void check_run_delayed(struct check *c, uint32_t from);
void check_add_dep(struct check *c, struct object *o);
/* Notes that the current function uses local variable v. */
void check_capture(struct check *c, struct object *v);

/* ---- declarations (check_decl.c, collect.c, cycle.c) -------------------- */

void collect_objects(struct check *c, struct check_pkg *pkg);
/* Adds n files to a package whose names have been collected; none of them
 * declares one of those. */
void collect_more(struct check *c, struct check_pkg *pkg,
    struct ast_file **files, uint32_t n);
/* Gets the rest of a library's package from the host, for a name that is not
 * in it; false if there is no more. */
bool check_more(struct check *c, struct check_pkg *p);
/* The initialiser that a package variable whose type is known gets from a
 * //go:embed before it; NULL: none, perhaps after an error. */
struct ast_expr *check_embed(
    struct check *c, struct object *o, const struct ast_decl *d);
/* Reports a //go:embed before a declaration that cannot have it. */
void check_embed_place(struct check *c, const struct ast_decl *d, bool local);
void collect_consts(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d);
/* Reports too few or too many values for the names of a spec. */
void check_arity(struct check *c, struct ast_ident *names, uint32_t nname,
    struct ast_exprs *values, bool is_const_decl, bool inherited, lang_pos pos);
void check_unused_imports(struct check *c, struct check_pkg *pkg);
struct check_pkg *check_load(
    struct check *c, const char *path, lang_pos pos, bool report);
/* Makes sure o has its type (and value); for types: as far as possible. */
void check_obj(struct check *c, struct object *o);
void check_local_decl(struct check *c, struct ast_stmt *s);
void check_body(struct check *c, struct func_info *f, struct scope *scope);
void check_function(struct check *c, struct object *o);
/* The index of the one that comes first in the source. */
uint32_t check_cycle_first(struct object **cycle, uint32_t n);
/* Objects that refer to each other and the last one to the first; told from
 * the one that comes first in the source on, or from `start`. */
void check_cycle_error(struct check *c, struct object **cycle, uint32_t n);
void check_cycle_error_from(
    struct check *c, struct object **cycle, uint32_t n, uint32_t start);
/* Reports a value of a type that is still being declared. */
bool check_pending(struct check *c, struct ast_expr *e);

/* ---- types (check_type.c) ----------------------------------------------- */

struct type *check_type(struct check *c, struct ast_expr *e);
/* As check_type(), for the type of a variable. */
struct type *check_var_type(struct check *c, struct ast_expr *e);
/* Function type; parameters and results are entered into s if not NULL.  The
 * method m gets the type parameters that its receiver declares. */
struct type *check_signature(struct check *c, struct ast_signature *sig,
    struct ast_field *recv, struct object *m, struct scope *s);
/* As check_type(), but a generic type without arguments is fine. */
void check_generic_type(struct check *c, struct ast_expr *e);
/* Does e, which is checked, denote a generic type without arguments? */
bool check_is_generic(const struct ast_expr *e);
/* It and its parameters: "List[T any]". */
const char *check_generic_str(struct check *c, const struct ast_expr *e);
/* Type arguments; NULL after an error. */
struct type **check_type_list(struct check *c, struct ast_exprs *at);
/* Reports a type that can only be a constraint. */
void check_no_constraint(struct check *c, struct type *t, struct ast_expr *e);
void check_map_key(struct check *c, struct type *key, struct ast_expr *e);
/* Reports a type of no possible size; chan: one too large to be sent. */
void check_type_size(
    struct check *c, struct type *t, struct ast_expr *e, bool chan);
void check_embedded(struct check *c, struct object *f, struct ast_expr *e);
/* Reports a type that contains itself, and makes it invalid (valid.c). */
void check_valid_type(struct check *c, struct object *o);
void check_field_methods(struct check *c, struct object *o);
void check_receiver(struct check *c, struct object *f, struct ast_expr *e);
void check_ident(struct check *c, struct ast_expr *e, bool want_type);
/* A term as in "~pkg/path.T". */
const char *type_term_str(struct check *c, const struct type_term *t);
/* Type parameters as in "[K comparable,V any]". */
const char *type_params_str(struct check *c, const struct tparam_list *l);
/* What a declared kind of object is called in "is not a type". */
const char *object_kind_name(const struct object *o);

/* ---- interfaces (check_iface.c) ----------------------------------------- */

/* The type that an interface{...} denotes; its set may be completed later. */
struct type *check_iface_type(struct check *c, struct ast_expr *e);
/* The constraint e; ~T and A | B stand for an interface of that element. */
struct type *check_bound(struct check *c, struct ast_expr *e);
/* Computes the method set of t unless it is there or under way. */
void check_iface_complete(struct check *c, struct type *t);
/* The method of a complete interface that pkg may call by that name, or
 * NULL. */
struct object *type_iface_find(const struct type *t,
    const struct lang_name *name, const struct check_pkg *pkg);
/* One of a complete interface's methods, for equal sets an equal one; NULL if
 * there is none. */
struct object *type_iface_some(const struct type *t);
/* All methods of a complete interface, sorted by name; t->nvars of them. */
struct object **type_iface_methods(struct check *c, struct type *t);
/* Adds a method that t does not have. */
void type_iface_add(struct check *c, struct type *t, struct object *m);
/* Do a and b have methods of the same names, and is same() true of each two
 * that are not one object? */
typedef bool (*iface_same_fn)(struct object *a, struct object *b, void *arg);
bool type_iface_same(
    const struct type *a, const struct type *b, iface_same_fn same, void *arg);

/* ---- identity (type.c) --------------------------------------------------- */

/* May two fields be at one place of identical structs, their types apart? */
bool type_same_field(const struct object *a, const struct object *b);

/* ---- expressions -------------------------------------------------------- */

/* What kind of expression, for expression statements, go and defer. */
enum expr_kind {
    XK_CONVERSION,
    XK_EXPRESSION,
    XK_STATEMENT
};

enum expr_kind check_raw(
    struct check *c, struct ast_expr *e, struct type *hint);
/* One value. */
void check_expr(struct check *c, struct ast_expr *e);
void check_expr_hint(struct check *c, struct ast_expr *e, struct type *hint);
/* One value that is assigned to something of type T (NULL: not known yet),
 * called desc. */
void check_expr_for(
    struct check *c, struct ast_expr *e, struct type *T, const char *desc);
/* One value; a generic function may lack type arguments. */
void check_generic_expr(struct check *c, struct ast_expr *e);
/* One value or a tuple; generic: as above. */
void check_multi(struct check *c, struct ast_expr *e, bool generic);
void check_expr_or_type(struct check *c, struct ast_expr *e);
/* The same; generic types and functions may lack type arguments. */
void check_generic_or_type(struct check *c, struct ast_expr *e);
/* Reports a generic e that lacks type arguments, or finds them by target. */
void check_not_generic(
    struct check *c, struct ast_expr *e, const struct target *target);
/* For what is in error anyway: evaluates, so that names count as used. False
 * if there was an error. */
bool check_use(struct check *c, struct ast_expr **list, uint32_t n);
bool check_use_lhs(struct check *c, struct ast_expr **list, uint32_t n);
void check_binary(struct check *c, struct ast_expr *e);
/* As one step of a binary expression: operands are checked already. */
void check_binary_op(struct check *c, struct ast_expr *e, bool assign_op);
void check_match_types(struct check *c, struct ast_expr *x, struct ast_expr *y);
/* x == y or the like; e takes the result; where it is NULL it is a case
 * clause (y the switch's operand) and x takes no result. False on error. */
bool check_comparison(struct check *c, struct ast_expr *e, struct ast_expr *x,
    struct ast_expr *y, enum lang_tok op, bool switch_case);
struct type *check_chan_elem(
    struct check *c, lang_pos pos, struct ast_expr *x, bool recv);
void check_selector(struct check *c, struct ast_expr *e, bool want_type);
/* Why t has no field or method sel; alt is a look-alike or NULL. */
const char *check_lookup_error(struct check *c, struct type *t,
    const struct lang_name *sel, struct object *alt, bool literal);

/* Constants met so far, each with its type. */
struct const_entry {
    const struct constv *v;
    struct type *type;
    lang_pos pos;
    uint32_t hash;
};

struct const_set {
    struct const_entry *tab;
    uint32_t n, cap;
};

/* The position of an equal one of the same type; 0 if there was none. */
lang_pos const_set_add(struct check *c, struct const_set *s,
    const struct constv *v, struct type *t, lang_pos pos);
void check_composite(struct check *c, struct ast_expr *e, struct type *hint);
void check_index(struct check *c, struct ast_expr *e);
void check_slice(struct check *c, struct ast_expr *e);
/* Index operand: integer, in 0..max where constant (max < 0: any).  The value
 * if constant, else -1. */
int64_t check_index_value(struct check *c, struct ast_expr *e, int64_t max);
bool check_valid_index(
    struct check *c, struct ast_expr *e, const char *what, bool allow_negative);
enum expr_kind check_call(struct check *c, struct ast_expr *e);
/* Sets the result of a call of a function of type sig. */
void check_call_result(struct check *c, struct ast_expr *e, struct type *sig);
bool check_builtin(struct check *c, struct ast_expr *e, unsigned id);
/* The same for a function of package unsafe, its n arguments evaluated. */
bool check_unsafe(struct check *c, struct ast_expr *e, unsigned id,
    struct ast_expr **a, uint32_t n);
/* An argument is not what the function wants: before, x, after. */
bool check_bad_arg(struct check *c, const struct ast_expr *x,
    const char *fmt_before, const char *fmt_after);
/* Reports what was given to print and println of package p and cannot be
 * printed. */
void check_prints(struct check *c, struct check_pkg *p);
/* Arguments of e (checked already) against a function type. */
bool check_arguments(struct check *c, struct ast_expr *e, struct type *sig);
/* Are there as many as the function has parameters? */
bool check_arg_count(struct check *c, struct ast_expr *e, struct type *sig);
/* The type of the parameter for argument i of a call. */
struct type *check_param_type(
    const struct ast_expr *call, struct type *sig, uint32_t i);
/* Evaluates an argument list; a single call may be a tuple; generic: generic
 * functions may lack type arguments. */
void check_args(struct check *c, struct ast_exprs *args, bool generic);
/* The checked arguments, *n of them: of f(g()) with a g of several results
 * stand-ins for these (see check_expr_str()), so that each can be checked; the
 * tree keeps the one call. */
struct ast_expr **check_spread_args(
    struct check *c, struct ast_exprs *args, uint32_t *n);
/* Context for check_assignment(): "argument to f", with in->call_fun. */
extern const char check_arg_context[];
void check_conversion(
    struct check *c, struct ast_expr *call, struct ast_expr *x, struct type *T);
void check_funclit(struct check *c, struct ast_expr *e);
bool check_type_assertion(struct check *c, struct ast_expr *e,
    struct ast_expr *x, struct type *T, bool type_switch);

/* ---- sets and tables (members.c) ---------------------------------------- */

/* Adds p; false if it was there. */
bool check_set_add(struct check *c, struct check_set *s, const void *p);
bool check_set_has(const struct check_set *s, const void *p);

/* Objects by name, unexported ones by package, too; zeroed it is empty. */
struct object_table {
    struct object **tab;
    uint32_t n, cap;
};

struct object *object_table_find(const struct object_table *t,
    const struct lang_name *name, const struct check_pkg *pkg);
/* Adds o unless there is one of that name: returns the one that was there. */
struct object *object_table_add(
    struct check *c, struct object_table *t, struct object *o);

/* The fields of a struct type, or the methods declared on a named type. */
struct object *type_find_field(struct check *c, struct type *st,
    struct check_pkg *pkg, const struct lang_name *name, bool fold);
/* The methods declared on a named type, *n of them; those of an instance are
 * made here. */
struct object **type_methods(struct check *c, struct type *t, uint32_t *n);
/* Fields of a struct type, *n of them; all embedded ones are among them. */
struct object **type_embedded(struct check *c, struct type *st, uint32_t *n);

/* ---- operands (check_operand.c) ----------------------------------------- */

void check_set_invalid(struct check *c, struct ast_expr *e);
void check_set_value(struct ast_expr *e, struct type *t);
void check_set_const(
    struct ast_expr *e, struct type *t, const struct constv *v);

static inline bool
is_const(const struct ast_expr *e)
{
    return e->mode == MODE_CONST;
}

static inline bool
is_nil(const struct ast_expr *e)
{
    return e->mode == MODE_NIL;
}

enum conv_code {
    CONV_OK,
    CONV_BAD,
    CONV_TRUNCATED,
    CONV_OVERFLOW
};

/* Default type of an untyped type; t itself otherwise. */
struct type *check_default_type(struct check *c, struct type *t);
/* Can v be a value of basic type t?  *out (may be NULL) is the value rounded
 * to it. */
bool check_fits(struct check *c, const struct constv *v, struct type *t,
    const struct constv **out);
enum conv_code check_implicit_type(struct check *c, struct ast_expr *e,
    struct type *target, struct type **type, const struct constv **val);
/* Gives an untyped operand the type target, or reports. */
void check_convert_untyped(
    struct check *c, struct ast_expr *e, struct type *target);
/* Sets the type of an untyped operand and of what it is made of. */
void check_update_type(struct check *c, struct ast_expr *e, struct type *t);
void check_representable(struct check *c, struct ast_expr *e, struct type *t);
/* Reports a constant that grew too large for its type. */
void check_overflow(struct check *c, struct ast_expr *e, lang_pos pos);
bool check_assignable(
    struct check *c, struct ast_expr *x, struct type *T, const char **cause);
/* x is assigned to a T (NULL: to _): converts untyped ones, reports. */
bool check_assignment(
    struct check *c, struct ast_expr *x, struct type *T, const char *context);
/* The same where the value is one of a tuple's or a range clause's. */
bool check_assign_type(struct check *c, lang_pos pos, struct ast_expr *shown,
    struct type *V, struct type *T, const char *context);
bool check_single(struct check *c, struct ast_expr *e);

/* ---- assignment (check_assign.c) ---------------------------------------- */

void check_init_object(
    struct check *c, struct object *v, struct ast_expr *x, const char *context);
void check_init_objects(struct check *c, struct object **lhs, uint32_t nlhs,
    struct ast_expr **rhs, uint32_t nrhs, struct ast_stmt *ret);
void check_assign_stmt(struct check *c, struct ast_stmt *s);
void check_define(struct check *c, struct ast_stmt *s);
/* The type to assign to, NULL for _, invalid after an error. */
struct type *check_lhs(struct check *c, struct ast_expr *e);
/* Marks the variable that an assignment to e changes. */
void check_note_assigned(struct check *c, struct ast_expr *e);
/* Marks the variable whose address e's evaluation takes. */
void check_note_address(struct check *c, struct ast_expr *e);

/* ---- statements --------------------------------------------------------- */

/* What may be done where. */
enum {
    CTX_BREAK = 1,
    CTX_CONTINUE = 2,
    CTX_FALL = 4,
    CTX_FINAL_CASE = 8,
    CTX_TYPE_SWITCH = 16
};

void check_stmt(struct check *c, struct ast_stmt *s, unsigned ctx);
void check_stmts(struct check *c, struct ast_stmts *list, unsigned ctx);
void check_block(struct check *c, struct ast_block *b, unsigned ctx);
void check_switch(struct check *c, struct ast_stmt *s, unsigned ctx);
void check_type_switch(struct check *c, struct ast_stmt *s, unsigned ctx);
void check_range(struct check *c, struct ast_stmt *s, unsigned ctx);
/* Does a function body end in a terminating statement? */
bool check_terminates(struct check *c, struct ast_block *b);

/* ---- look-up (lookup.c) ------------------------------------------------- */

struct lookup {
    struct object *obj; /* NULL: not found */
    bool ambiguous;     /* found twice at one depth */
    bool need_addr;     /* a method with a pointer receiver, and no address
                            to call it on */
    bool indirect;      /* a pointer was followed */
    struct sel_step *steps;
    uint32_t nsteps;   /* field: includes the field itself */
    struct type *base; /* type that holds obj: of the last step */
    bool base_ptr;     /* METHOD: that base is a *R */
};

/* Looks name up in t. addressable: pointer methods may be used. fold: ignore
 * letter case. */
void check_lookup_member(struct check *c, struct type *t, bool addressable,
    struct check_pkg *pkg, const struct lang_name *name, bool fold,
    struct lookup *out);
struct object *type_find_method(struct check *c, struct type *named,
    struct check_pkg *pkg, const struct lang_name *name, bool fold);
/* Does V have all methods of interface T?  *cause explains.  static_ is false
 * for assertions x.(T): only contradictions count. */
bool check_has_methods(struct check *c, struct type *V, struct type *T,
    bool static_, const char **cause, struct object **missing);
/* The same, with signatures compared by same(). */
typedef bool (*type_same_fn)(struct type *a, struct type *b, void *arg);
bool check_has_methods_by(struct check *c, struct type *V, struct type *T,
    bool static_, type_same_fn same, void *arg, const char **cause,
    struct object **missing);
/* Is some embedded field of t in error, so that t may have any member? */
bool check_invalid_embedded(struct type *t, int depth);
void check_fill_selection(struct check *c, struct selection *s,
    struct type *recv, const struct lookup *l);
bool object_same_name(const struct object *o, const struct check_pkg *pkg,
    const struct lang_name *name, bool fold);
const char *check_func_string(struct check *c, struct object *f, bool pkginfo);

/* A type's text appended; signature without `func`. */
void type_write(struct check_text *b, struct type *t,
    enum type_string_mode mode, const struct check_pkg *rel);

#include "runtime/lang/types/check_generic.h"

#endif
