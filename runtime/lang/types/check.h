/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_CHECK_H
#define RUNTIME_LANG_TYPES_CHECK_H

/*
 * The type checker: from parsed files to a tree in which each node says what
 * it denotes.  The rules are those of the Go specification without generics;
 * the messages and their positions are those of Go's compiler.
 *
 * One struct check serves one compilation: the user's package and, through
 * the host's load(), all that it imports.  User packages are checked in
 * full.  Library packages (check_pkg.library) are lazy: their names are
 * collected at import, a declaration is checked when something refers to it,
 * and the body of a function only by check_func_body(), that of a variable's
 * initialiser by check_var_init().  The generator's loop is therefore:
 *
 *     check_package(main) -- then errors?  stop
 *     queue main.main, each package's init functions and reached variables
 *     while the queue gives f: check_func_body(f); generate it; queue each
 *         function it names and each package variable it names
 *     for each package in check.order: check_init_order(pkg)
 *
 * What is on a node afterwards:
 *
 *  - Every expression has mode and type.  The type is final: an untyped
 *    operand has the type that it is converted to.  Where a value is assigned
 *    to an interface variable (argument, result, element, comparison with an
 *    interface...) the node keeps its own concrete type and the consumer
 *    converts: compare e->type with the target's.  Only untyped nil takes the
 *    target's type (mode MODE_NIL), and an untyped constant or bool that
 *    meets an interface has its default type.
 *  - cv set: the value counts, nothing below needs looking at.  It is
 *    representable in (and rounded to) e->type.
 *  - NAME: obj.  SELECTOR: obj; how == NULL for pkg.X, else the selection.
 *  - CALL: AST_F_CONVERSION for T(x); call.builtin for built-ins (fun's mode
 *    is MODE_BUILTIN); f(g()) with a multi-valued g: args.n is 1 and its mode
 *    MODE_TUPLE.  AST_F_DOTS: the last argument is the slice itself.
 *  - COMPOSITE: type is that of the literal, T for an elided &T too: there
 *    AST_F_ADDR is set, type is *T.  Struct literals: a KEYVALUE's key has
 *    obj = the field.  Arrays and slices: a KEYVALUE's key has its constant
 *    in cv; call check_composite_len() for a slice's length.
 *  - AST_F_COMMAOK on an index, assertion or receive (parentheses removed):
 *    used as v, ok = x; its type stays that of v.
 *  - INDEX, SLICE of a pointer to an array, SELECTOR through pointers: the
 *    dereference is implicit, x->type is the pointer.
 *  - Binary shifts: y keeps its own type (an untyped constant count is uint,
 *    or int where it fits).  Comparisons: x and y have one type, or one is
 *    an interface and the other implements it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"
#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/parse.h"
#include "runtime/lang/types/const.h"
#include "runtime/lang/types/object.h"
#include "runtime/lang/types/type.h"

/* COMPOSITE: an elided &T{...} inside another literal. */
#define AST_F_ADDR AST_F_USER1

enum selection_kind {
    SEL_FIELD,      /* x.f */
    SEL_METHOD,     /* x.m, called or as a method value */
    SEL_METHOD_EXPR /* T.m: a function whose first parameter is T */
};

/* How x.f or x.m is reached. */
struct selection {
    uint8_t kind; /* enum selection_kind */
    /*
     * SEL_METHOD, SEL_METHOD_EXPR: what is left to do once the steps are walked.
     * take_addr: the method wants *R and there is an (addressable) R.
     * deref: the method wants R and there is a *R.  Both false where the
     * operand fits, or it is an interface's method.
     */
    bool take_addr;
    bool deref;
    bool is_iface;      /* dynamic dispatch: the last operand is an
                            interface value */
    bool late;          /* SEL_METHOD, of a type parameter's operand: as a value
                            it holds the operand, and the way from there to the
                            method's receiver is left to its calls */
    struct object *obj; /* the field or method */
    struct type *recv;  /* type of x; SEL_METHOD_EXPR: T */
    /* SEL_FIELD: the last step is the field itself.  SEL_METHOD: embedded
     * fields only; often none. */
    const struct sel_step *steps;
    uint32_t nsteps;
    struct type *base; /* type of what the last step gives (METHOD: of the
                            receiver operand before take_addr or deref) */
};

/* What the checker knows of one function body, literals included. */
struct func_info {
    struct func_info *outer; /* the enclosing function of a literal */
    struct ast_func *func;
    struct object *obj; /* declared function or method; NULL for literals
                                and for initialisers of package variables */
    struct check_pkg *pkg;
    struct type *sig;         /* TYPE_FUNC; recv in sig->recv, parameters and
                                results in sig->vars */
    struct object **captures; /* variables of outer functions that this one
                                 uses, also those only its literals use */
    uint32_t ncaptures, capcap;
    struct check_set *captured; /* the checker's: the same as a set */
    uint32_t depth; /* 0 for declared functions */
    uint32_t number; /* of a literal: the how many-th inside of outer */
    uint32_t nlits;  /* literals directly inside, in the order of source */
    uint32_t nranges; /* loops over functions, likewise */
    bool has_defer;
    bool has_recover; /* calls recover() itself */
    bool named_results;
};

/* One step of package initialisation. */
struct init_item {
    struct object **lhs; /* 1 or more package variables; blank ones too */
    uint32_t nlhs;
    struct ast_expr *rhs; /* several lhs: a tuple or comma-ok expression */
};

struct check_pkg {
    struct check *check;
    const char *path; /* "main", "math/rand" */
    const char *link; /* the same as names of functions have it, in which no
                         dot comes behind the last slash: "yaml%2ev3" */
    const char *name;
    bool library; /* lazy */
    bool whole;   /* the host was asked for more of it */
    bool eager_done; /* check_eager_inits() has been called */
    bool eager;   /* but its variables are initialised whether or not they are
                     reached, unless nobody could tell */
    bool fake;    /* could not be imported: any name is silently invalid */
    uint8_t state;
    uint32_t index; /* in check.order, once complete */
    struct ast_file **files;
    uint32_t nfiles;
    struct scope *scope;
    struct check_pkg **imports; /* each once, in source order */
    uint32_t nimports, impcap;

    /* All functions and methods with a declaration, in source order.
     * func->decl->func.func.body is NULL for natives. */
    struct object **funcs;
    uint32_t nfuncs, funcap;
    struct object **inits; /* the init functions, in order */
    uint32_t ninits, initcap;
    struct object *main; /* func main of package main */

    /* By check_init_order(). */
    struct init_item *init_items;
    uint32_t ninit_items;

    /* Checker's own. */
    uint32_t nlocals; /* types declared in functions so far */
    struct decl_info **decls;
    uint32_t ndecls, declcap;
};

/* Where packages come from. */
struct check_host {
    void *ctx;
    /*
     * Parses the package `path`; *files is an arena array.  RT_EUNSUP where
     * there is no such package (err->text, if any, is shown).
     */
    enum rt_status (*load)(void *ctx, const char *path,
        struct ast_file ***files, uint32_t *nfiles, struct rt_err *err);
    /* The path of the package that an eager one imports as `path`: that
     * itself, or another one, which stays as long as the arena.  NULL: that
     * itself. */
    const char *(*path)(void *ctx, const char *path);
    /*
     * What else belongs to a package that load() gave: asked for once, when
     * somebody names what is not in it.  It is `eager` then.  NULL or *nfiles
     * 0: nothing.
     */
    enum rt_status (*more)(void *ctx, const struct check_pkg *pkg,
        struct ast_file ***files, uint32_t *nfiles, struct rt_err *err);
    /* Whether a package that load() gave is `eager`; NULL: none is. */
    bool (*eager)(void *ctx, const char *path);
    /*
     * The import path of the package called `name`, NULL if there is none.
     * Where this is not NULL, `name.x` imports the package if nothing else
     * has that name.
     */
    const char *(*called)(void *ctx, const char *name);
    /* What explains that the package does not have a name, for messages; NULL
     * where nothing does, or for a host that never knows. */
    const char *(*edition)(void *ctx, const char *path);
};

struct check {
    struct parse_ctx *parse; /* arena, names, sources, diag */
    const struct check_host *host;
    struct const_ctx cctx;
    struct type_table types;
    struct scope *universe;
    struct check_pkg *unsafe_pkg;
    /* Complete packages, each after those that it imports. */
    struct check_pkg **order;
    uint32_t norder, ordercap;
    struct check_int *in; /* the checker's own state */
};

/*
 * Makes a checker over a parse context (whose arena, names and diag it
 * uses).  The host may be NULL: then nothing but unsafe can be imported.
 * NULL out of memory.
 */
struct check *check_new(struct parse_ctx *parse, const struct check_host *host);

/* Frees what does not live in the arena. */
void check_free(struct check *c);

/*
 * Checks a package of files (at least one) in full, with all it imports.
 * Errors are in the diag; the package is returned all the same.  Only a tree
 * without syntax errors may be given.  `path` is "main" for a program: then a
 * missing function main is an error.
 */
struct check_pkg *check_package(struct check *c, const char *path,
    struct ast_file **files, uint32_t nfiles);

/* The package with that path if it was imported or checked, loading it if
 * need be (for the generator's own needs, e.g. "runtime"); NULL if there is
 * none. */
struct check_pkg *check_import(struct check *c, const char *path);

/* The same, but NULL, too, if it was not loaded so far. */
struct check_pkg *check_imported(struct check *c, const char *path);

/* A package-level object by name, declared as far as its type; NULL if there
 * is none. */
struct object *check_lookup(struct check_pkg *pkg, const char *name);

/* Parses and checks the body of a library function or method; nothing to do
 * for others.  False if errors were reported. */
bool check_func_body(struct check *c, struct object *func);

/* The same for the initialiser of a library's package variable. */
bool check_var_init(struct check *c, struct object *var);

/*
 * Whether a declared function's body, and the literals in it, are on their
 * nodes what is said above, once the body has been checked, or made for an
 * instance, without an error.  For assertions: it looks at each node.
 */
bool check_body_valid(struct check *c, struct func_info *f);

/*
 * Computes pkg->init_items: user packages: all variables in Go's order
 * (already done by check_package()).  Library: the variables that are
 * `used`, i.e. named by anything checked so far; call it when nothing is
 * left to check.  False if there is a cycle (reported).
 */
bool check_init_order(struct check *c, struct check_pkg *pkg);

/*
 * Checks the initialisers of an eager package's variables, but for those
 * without effects that nothing has reached; once for each package.  The next
 * check_init_order() has them.  True if there were any.
 */
bool check_eager_inits(struct check *c, struct check_pkg *pkg);

/* What a //go:linkname of its package says that o is: "path.name"; NULL:
 * nothing. */
const char *check_linkname(const struct object *o);

/* The function or variable that o, of package level, stands for by some
 * //go:linkname; o itself if it has a body or nobody says anything.  A package
 * that is named only there is loaded. */
struct object *check_linked(struct check *c, struct object *o);

/* The object of a package's i-th declaration (object.order); NULL: there are
 * not so many. */
struct object *check_decl_at(const struct check_pkg *pkg, uint32_t i);

/* Declares a package-level object as far as its type. */
void check_declare_now(struct check *c, struct object *o);

/* What a function or variable, whose body or initialiser has been checked,
 * refers to in its package, and variables of its own; how many. */
uint32_t check_obj_deps(const struct object *o, struct object *const **deps);

/* Says that a declared function or variable, whose body or initialiser nobody
 * looks at, refers to a package-level object. */
void check_obj_refers(
    struct check *c, struct object *o, struct object *to);

/* Tells a library's variable, unless it is declared by now or says it itself,
 * which type its initialiser gives it; that need not be looked at for this.
 * True: it was told, and as after a look at the initialiser
 * check_var_ready() or check_var_init() are to follow. */
bool check_var_typed(struct object *v, struct type *t);

/* Says that the initialiser of a library's variable, the only one that it is
 * for, need not be checked at all; false: it has been. */
bool check_var_ready(struct object *v);

/* Elements of an array or slice literal: its length (largest index + 1). */
int64_t check_composite_len(const struct ast_expr *lit);

/* The function's name as tracebacks show it without package: "f", "T.m",
 * "(*T).m"; an instance: "f[...]", "T[...].m". In the arena. */
const char *check_func_name(struct check *c, const struct object *func);

#endif
