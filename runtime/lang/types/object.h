/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_OBJECT_H
#define RUNTIME_LANG_TYPES_OBJECT_H

/*
 * Declared things: what an identifier may stand for, and the scopes that
 * hold them.  All live in the checker's arena.  The fields below "for the
 * generator" are final once the function that encloses the object has been
 * checked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/name.h"
#include "runtime/lang/types/const.h"

struct type;
struct scope;
struct check_pkg;
struct func_info;
struct tparam_list;

enum object_kind {
    OBJ_BAD,     /* declared wrongly, or used before a fix: no errors follow */
    OBJ_PKGNAME, /* an import's name in a file */
    OBJ_CONST,
    OBJ_TYPE,
    OBJ_VAR,  /* variables, parameters, results, struct fields */
    OBJ_FUNC, /* functions and methods, also those of interfaces */
    OBJ_BUILTIN,
    OBJ_NIL,
    OBJ_LABEL
};

enum object_var_kind {
    VAR_LOCAL,
    VAR_PACKAGE,
    VAR_PARAM,
    VAR_RECV,
    VAR_RESULT,
    VAR_FIELD
};

struct object {
    uint8_t kind;  /* enum object_kind */
    uint8_t color; /* checker's: not yet, being, or fully declared */
    bool used;
    bool exported;
    lang_pos pos;
    const struct lang_name *name; /* NULL for an unnamed parameter */
    struct type *type;     /* NULL until declared */
    struct check_pkg *pkg; /* NULL for predeclared ones */
    struct scope *parent;  /* NULL for fields and methods */
    lang_pos scope_pos;    /* a local is visible from here on */
    uint32_t order;        /* package level: source order; a type in a
                              function: the how many-th of the package */

    /* const */
    const struct constv *cv;

    /* var */
    uint8_t var_kind; /* enum object_var_kind */
    /* for the generator */
    bool captured;   /* some function literal inside uses it */
    bool addr_taken; /* & (also implied by a method call or slicing of an
                          array) */
    bool reassigned; /* assigned after its declaration: by =, op=, ++, range
                          without :=, or by a result list */
    bool loop_var;   /* declared by the init statement of a three-clause for
                          or by a range clause: one instance per iteration */
    bool embedded;   /* field */
    bool is_tparam;  /* type: a type parameter, in error */
    bool gen_stays;  /* the generator's: its address does not outlive it, it may
                        be a cell */
    struct object *origin;  /* type, func: it is this one's instance and
                               shares its code; NULL otherwise */
    struct type **targs;    /* func with an origin: the type arguments, those
                               of a method's receiver; see generic.h */
    uint32_t ntargs;
    uint32_t tag_len;
    const char *tag;        /* field: unquoted; NULL for none */
    struct func_info *func; /* local: the innermost function that declares it;
                               NULL at package level */
    int32_t index;  /* field: in its struct; parameter, result: in its
                          list; OBJ_BUILTIN: enum builtin_id; an init
                          function: its number in the package */
    bool ptr_recv;  /* method: on *T */
    bool is_method;
    bool body_checked; /* func */
    int64_t offset; /* field: bytes, valid after type_size() */

    /* func, type: the type parameters; those of its receiver if it is a
     * method; NULL for none */
    const struct tparam_list *tparams;
    /* func, type */
    struct ast_decl *decl;     /* NULL for interface methods and
                                     predeclared types */
    struct func_info *info;    /* its body; NULL until checked or where it
                                     has none */
    struct object *recv_named; /* method: the type it is declared on */

    /* pkgname */
    struct check_pkg *imported;
    struct ast_decl *import_decl;

    /* Anything the generator hangs here (slot, global index).  Zero at first;
     * the checker does not touch it. */
    uint64_t gen;
    void *gen_ptr;

    /* Checker's. */
    struct decl_info *dinfo;        /* package level */
    uint32_t path_index;            /* grey: in the path of those resolved */
    uint32_t unoffered;             /* no file of the first so many offers its
                                       body, or has its variable (linkname.c) */
    struct decl_info *last_dep;     /* noted already as a dependency of it */
    struct func_info *last_capture; /* noted already as captured by it */
};

/*
 * How a variable that a closure uses should be captured: by value if it is
 * not reassigned after its declaration and its address is not taken;
 * otherwise it lives on the heap and its address is captured.
 */
static inline bool
object_by_value(const struct object *v)
{
    return !v->addr_taken && !v->reassigned;
}

/* True where the variable must live on the heap. */
static inline bool
object_escapes(const struct object *v)
{
    return v->addr_taken || (v->captured && v->reassigned);
}

enum builtin_id {
    BUILTIN_APPEND,
    BUILTIN_CAP,
    BUILTIN_CLEAR,
    BUILTIN_CLOSE,
    BUILTIN_COMPLEX,
    BUILTIN_COPY,
    BUILTIN_DELETE,
    BUILTIN_IMAG,
    BUILTIN_LEN,
    BUILTIN_MAKE,
    BUILTIN_MAX,
    BUILTIN_MIN,
    BUILTIN_NEW,
    BUILTIN_PANIC,
    BUILTIN_PRINT,
    BUILTIN_PRINTLN,
    BUILTIN_REAL,
    BUILTIN_RECOVER,
    /* package unsafe */
    BUILTIN_ADD,
    BUILTIN_ALIGNOF,
    BUILTIN_OFFSETOF,
    BUILTIN_SIZEOF,
    BUILTIN_SLICE,
    BUILTIN_SLICEDATA,
    BUILTIN_STRING,
    BUILTIN_STRINGDATA,
    BUILTIN_COUNT
};

/* A block's names.  Small blocks are searched linearly, large ones by hash. */
struct scope {
    struct scope *parent;
    struct scope *outer;  /* where a search goes on: parent, or beyond blocks
                             that had no names when s was opened */
    struct scope *above;  /* all names of the scopes from outer on, up to: */
    struct scope *beyond; /* the one after them; see scope_open() */
    uint32_t level;       /* of how many scopes outside it is */
    struct object **list; /* in order of declaration */
    uint32_t n, cap;
    struct object **table; /* open addressing; NULL while n is small */
    uint32_t mask;
    struct func_info *func; /* function whose body it belongs to, or NULL */
    bool is_func;           /* a function's outermost block */
};

/* The object named `name` in s itself, or NULL.  Names are interned: compared
 * by pointer. */
struct object *scope_lookup(
    const struct scope *s, const struct lang_name *name);

#endif
