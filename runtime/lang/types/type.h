/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_TYPE_H
#define RUNTIME_LANG_TYPES_TYPE_H

/*
 * Go types as the checker builds them and the generator reads them.
 *
 * Types are immutable once complete and live in the checker's arena.  Two
 * struct types may describe one Go type (byte and uint8, two spellings of
 * []int): compare with type_identical(), or take type_canon() once and
 * compare pointers from then on.  A named type is identical only to itself.
 * An alias declaration makes no type of its own.
 *
 * The exception are instances of generic types, which are identical where
 * their origin and type arguments are; there is one struct type for each as
 * soon as these can be compared.
 *
 * Most questions are asked of the underlying type: type_under(t)->kind never
 * is TYPE_NAMED.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/compiler.h"
#include "runtime/lang/syntax/ast.h"

struct object;
struct check;
struct check_pkg;

enum type_kind {
    TYPE_INVALID, /* follows an error; silences what would follow from it */
    TYPE_BOOL,
    TYPE_INT,
    TYPE_INT8,
    TYPE_INT16,
    TYPE_INT32,
    TYPE_INT64,
    TYPE_UINT,
    TYPE_UINT8,
    TYPE_UINT16,
    TYPE_UINT32,
    TYPE_UINT64,
    TYPE_UINTPTR,
    TYPE_FLOAT32,
    TYPE_FLOAT64,
    TYPE_COMPLEX64,
    TYPE_COMPLEX128,
    TYPE_STRING,
    TYPE_UNSAFE_POINTER,
    /* The generator sees untyped ones only below a node that carries a
     * constant. */
    TYPE_UNTYPED_BOOL,
    TYPE_UNTYPED_INT,
    TYPE_UNTYPED_RUNE,
    TYPE_UNTYPED_FLOAT,
    TYPE_UNTYPED_COMPLEX,
    TYPE_UNTYPED_STRING,
    TYPE_UNTYPED_NIL,
    TYPE_NAMED,
    TYPE_POINTER,   /* elem */
    TYPE_SLICE,     /* elem */
    TYPE_ARRAY,     /* elem, len */
    TYPE_STRUCT,    /* fields */
    TYPE_FUNC,      /* params, results, variadic */
    TYPE_INTERFACE, /* type_method_set() has the complete, sorted set */
    TYPE_MAP,       /* key, elem */
    TYPE_CHAN,      /* elem, dir */
    TYPE_TUPLE,     /* vars: results of a call of two or more, or of none */
    TYPE_PARAM,     /* type parameter: obj, index, bound; its own underlying
                       type.  The generator never sees one */
    TYPE_UNION,     /* terms; only embedded in interfaces */
    TYPE_KIND_COUNT
};

enum type_chan_dir {
    TYPE_RECV = 1,
    TYPE_SEND = 2,
    TYPE_BOTH = 3
};

/* Type parameters of a declaration, in order. */
struct tparam_list {
    uint32_t n;
    struct type **at; /* TYPE_PARAM, each with its index here */
};

/* One alternative of a union: T or ~T. */
struct type_term {
    struct type *type;
    bool tilde;
};

struct type {
    uint8_t kind;
    uint8_t dir;       /* chan: enum type_chan_dir */
    bool variadic;     /* func: the last parameter's type is a slice, []T */
    uint8_t state;     /* checker's: how complete (see check_int.h) */
    uint32_t align;    /* 0 until type_size() was asked */
    int64_t size;      /* bytes */
    struct type *elem; /* pointer, slice, array, map value, chan */
    struct type *key;  /* map */
    int64_t len;       /* array; -1 where the length was in error */

    /* struct: field objects in order (object.h: embedded, tag, offset).
     * func: parameters, then results.  tuple: its variables.
     * interface: how many methods it has in all; vars is the checker's. */
    struct object **vars;
    uint32_t nvars;
    uint32_t nparams; /* func: vars[0..nparams) are parameters, the rest are
                         results */

    /* named, param */
    struct object *obj; /* its declaration; an instance: its origin's */
    struct type *under; /* never named once complete; NULL in an instance that
                           nobody asked yet: use type_under() */
    struct object **methods; /* named: declared methods, source order; an
                                instance: ask type_find_method() */
    uint32_t nmethods;
    uint32_t ntargs;

    /* named: an instance of the generic type `origin` (else NULL) */
    struct type *origin;
    struct type **targs; /* ntargs */
    lang_pos pos; /* instance: where the source first names it; 0: nowhere */
    int32_t index; /* param: in its list */
    /* named: of a generic type; func: of a generic function that is not
     * instantiated; else NULL */
    const struct tparam_list *tparams;
    struct type *bound; /* param: its constraint as written: any type */
    struct type_term *terms; /* union: nterms */
    const char *name;        /* basic types only */
    uint32_t nterms;

    /* Memo of the checker. */
    uint32_t searched; /* types that searches from this one have met */
    struct type *from; /* named: right side, once known; a receiver's type
                          parameter: the type's own that it is for */
    struct type *from_end; /* named and pending: from, or further on */
    struct type *waiters;  /* named: pending ones whose `from` it is */
    struct type *next_waiter;
    struct type *canon;
    struct type *ptr_to;
    struct type *slice_of;
    struct object *recv;      /* func: the receiver, for methods */
    struct iface_info *iface; /* interface: explicit and embedded parts */
    struct method_cache *mset;
    struct promoted_table *promoted[2]; /* by way of a pointer? */
    struct member_index *members; /* struct: fields by name; named: methods */
    uint32_t hash;
    uint32_t mark; /* last search that met it, and how */
    struct embedded *met;
    uint8_t valid; /* named, struct: of finite size? (check_decl.c) */
    bool closed;   /* known to mention no type parameter */
    uint8_t cmp;   /* named, struct: comparable? 0 not known, 1 no, 2 yes */
    /* Memo of the generator, in the same way: does a value hold pointers, does
     * it hold interfaces, is it compared as plain memory? */
    uint8_t pointers, ifaces, plain;
    uint32_t shape;  /* type_shape(); 0: not asked yet */
    uint32_t vertex; /* param, named: in the graph of mono.c, from 1 */
    uint32_t serial; /* named: order of creation, for stable hashing */
};

/* The predeclared types; one set for each checker. */
struct type_table {
    struct type basic[TYPE_UNTYPED_NIL + 1];
    struct type *byte_type; /* kind TYPE_UINT8, printed byte */
    struct type *rune_type; /* kind TYPE_INT32, printed rune */
    struct type *any_type;  /* empty interface, printed any */
    struct type *error_type;
    struct type *empty_tuple;
    struct type *empty_iface;
};

/* Makes the underlying type of an instance at the first question
 * (instance.c); TYPE_INVALID while the generic type is still being declared:
 * then it can be asked again. */
struct type *type_expand(struct type *t);

/* t itself, or what a named type stands for.  Never NULL; TYPE_INVALID for a
 * type in error.  A type parameter is its own. */
static inline struct type *
type_under(struct type *t)
{
    if (t->kind != TYPE_NAMED)
        return t;
    return rt_likely(t->under != NULL) ? t->under : type_expand(t);
}

/* Kind of the underlying type. */
static inline enum type_kind
type_kind_of(struct type *t)
{
    return (enum type_kind)type_under(t)->kind;
}

/* Constructors; all in the checker's arena, never failing but by
 * rt_arena's own rule.  Vars arrays are taken over, not copied. */
struct type *type_new(struct check *c, enum type_kind kind);
struct type *type_pointer(struct check *c, struct type *elem);
struct type *type_slice(struct check *c, struct type *elem);
struct type *type_array(struct check *c, struct type *elem, int64_t len);
struct type *type_map(struct check *c, struct type *key, struct type *elem);
struct type *type_chan(
    struct check *c, enum type_chan_dir dir, struct type *elem);
struct type *type_tuple(struct check *c, struct object **vars, uint32_t n);
/* A function's type, of n parameters and results without names, nparams of
 * which are parameters. */
struct type *type_func(struct check *c, struct type *const *list, uint32_t n,
    uint32_t nparams, bool variadic);

/* A struct's field, or a method of an interface. */
struct type_member {
    const struct lang_name *name; /* NULL: none */
    struct check_pkg *pkg;
    struct type *type;
    const char *tag; /* stays as long as the type; NULL: none */
    uint32_t tag_len;
    bool embedded;
};

/* A struct type of n fields; an interface of n methods. */
struct type *type_struct(
    struct check *c, const struct type_member *list, uint32_t n);
struct type *type_interface(
    struct check *c, const struct type_member *list, uint32_t n);
/* The methods of an interface as it lists them; false where it embeds
 * something. */
bool type_interface_methods(
    struct type *t, struct object ***list, uint32_t *n);

/* Go's type identity.  Receiver and parameter names do not count. */
bool type_identical(struct type *a, struct type *b);
/* The same, ignoring struct tags (the rule of conversions). */
bool type_identical_no_tags(struct type *a, struct type *b);

/* Equal for identical types. */
uint32_t type_hash(struct check *c, struct type *t);

/* One representative for each class of identical types; only for complete
 * types (after check_package()).  byte gives uint8, any gives interface {}. */
struct type *type_canon(struct check *c, struct type *t);

/* Size and alignment in bytes as gc's on amd64 (a struct that ends in a
 * zero-size field has a byte of padding after it).  Field offsets are filled
 * in on the way (object.offset).  0 for untyped and invalid types.
 * TYPE_SIZE_HUGE where the size does not fit. */
int64_t type_size(struct type *t);
uint32_t type_align(struct type *t);
/* Does the size depend on a type parameter? */
bool type_has_var_size(struct type *t);
#define TYPE_SIZE_HUGE ((int64_t)1 << 50)

/* A type in Go's notation, in the checker's arena. */
enum type_string_mode {
    TYPE_STR_LOCAL, /* error messages: T, other.T; byte, rune, any; packages
                       other than `rel` are qualified by name */
    TYPE_STR_BACK, /* messages of the compiler's back end: T, other.T; byte,
                      rune, any; spaces as in TYPE_STR_RUN */
    TYPE_STR_RUN    /* %T and panics: main.T, uint8, interface {} */
};

const char *type_string(struct check *c, struct type *t,
    enum type_string_mode mode, const struct check_pkg *rel);

/* Predicates over the underlying type; false for TYPE_INVALID. */
bool type_is_bool(struct type *t);
bool type_is_integer(struct type *t); /* untyped int and rune too */
bool type_is_unsigned(struct type *t);
bool type_is_float(struct type *t);
bool type_is_complex(struct type *t);
bool type_is_numeric(struct type *t);
bool type_is_string(struct type *t);
bool type_is_untyped(struct type *t);
bool type_is_const_type(struct type *t); /* may a constant have it? */
bool type_is_interface(struct type *t);
bool type_is_ordered(struct type *t);
bool type_is_bytes_or_runes(struct type *t); /* []byte or []rune */
bool type_has_nil(struct type *t);
/* May == be applied?  Interfaces: yes (it may panic at run time). */
bool type_comparable(struct type *t);
/* The same, but false for an interface that admits types which cannot. */
bool type_strictly_comparable(struct type *t);
bool type_is_pointer_shaped(struct type *t); /* pointer, map, chan, func,
                                                unsafe.Pointer */

/* Results of a func type as one type: NULL-free; the single result's type, or
 * a tuple (empty for none). */
struct type *type_result(struct check *c, struct type *func);

/* One embedded field (or, for a selector, the field itself) to walk. */
struct sel_step {
    struct object *field;
    bool deref; /* what is there before the step is a pointer: load through
                   it (nil panics), then take the field */
};

/*
 * The method set of t (for an addressable use: of *t), embedded ones
 * included, sorted by name, then package path of unexported names.  For
 * interfaces: its methods.  Ambiguous and shadowed ones are left out.
 */
struct method_entry {
    struct object *func; /* the method's declaration, or the interface's
                             method */
    const struct sel_step *steps; /* embedded fields to the receiver */
    uint32_t nsteps;
    struct type *base; /* type at the end of the steps: t itself for none */
    bool take_addr;    /* then: as in struct selection (check.h) */
    bool deref;
    bool is_iface; /* promoted from an embedded interface, or t is one */
};

struct method_set {
    struct method_entry *list;
    uint32_t n;
};
/* With pointer receivers only where reachable: give *T to get them all.
 * Cached; NULL-free. */
const struct method_set *type_method_set(struct check *c, struct type *t);

#endif
