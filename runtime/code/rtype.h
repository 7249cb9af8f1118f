/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_RTYPE_H
#define RUNTIME_CODE_RTYPE_H

/*
 * Type descriptors, as the generator writes them and as everything at run
 * time reads them: the allocator and the collector (layout), maps (equality
 * and hash follow from kind), interface conversions and calls (methods) and
 * fmt's inspection of values.  One descriptor per distinct type of a program:
 * two types are identical iff their descriptors have one address, so type
 * switches compare pointers.  Idea: Go's internal/abi.Type.
 *
 * All of it is const after the generator has finished; it lives in the
 * program image's arena and is never collected.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/layout.h"

/* The numbers are those of Go's reflect.Kind. */
enum rkind {
    RK_INVALID,
    RK_BOOL,
    RK_INT,
    RK_INT8,
    RK_INT16,
    RK_INT32,
    RK_INT64,
    RK_UINT,
    RK_UINT8,
    RK_UINT16,
    RK_UINT32,
    RK_UINT64,
    RK_UINTPTR,
    RK_FLOAT32,
    RK_FLOAT64,
    RK_COMPLEX64,
    RK_COMPLEX128,
    RK_ARRAY,
    RK_CHAN,
    RK_FUNC,
    RK_INTERFACE,
    RK_MAP,
    RK_POINTER,
    RK_SLICE,
    RK_STRING,
    RK_STRUCT,
    RK_UNSAFE_POINTER,
    RK_COUNT
};

enum rtype_flag {
    RT_F_DIRECT = 1,     /* pointer-shaped: an interface's data word is the
                            value itself */
    RT_F_COMPARABLE = 2, /* == is defined (for interfaces inside it may still
                            panic at run time) */
    RT_F_MEMEQ = 4,      /* equality is memcmp over size bytes: no padding,
                            floats, strings or interfaces inside */
    RT_F_NAMED = 8,
    RT_F_VARIADIC = 16,  /* func only */
    RT_F_MAYPANIC = 32   /* comparing or hashing may panic: an interface is
                            inside */
};

enum rchan_dir { RCHAN_RECV = 1, RCHAN_SEND = 2, RCHAN_BOTH = 3 };

struct rfield {
    const char *name; /* "_" for blank; the type's name where embedded */
    const char *pkg;  /* package path of an unexported field, else NULL */
    const struct rtype *type;
    const char *tag; /* NULL = none */
    uint64_t offset; /* bytes */
    bool embedded;
    bool exported;
};

/*
 * A method in the method set of a type.  `sel` is the program-wide selector
 * number: one per (name, package if unexported, signature), so that
 * "implements" and calls compare integers.  `func` is an index into
 * code_image.funcs of code whose receiver is the interface's data word: for
 * types without RT_F_DIRECT a wrapper that loads the boxed value.
 * CODE_NO_FUNC where no reachable call can name the selector.
 */
struct rmethod {
    const char *name;
    const char *pkg; /* of an unexported method, else NULL */
    const struct rtype *type; /* signature without receiver */
    uint32_t sel;
    uint32_t func;
    bool exported;
};

struct rtype {
    uint8_t kind; /* enum rkind */
    uint8_t align;
    uint8_t flags;    /* enum rtype_flag */
    uint8_t chan_dir; /* enum rchan_dir; chan only */
    uint32_t id;      /* index in code_image.types */
    /* This type, where it is a program's: in Go an interface with methods
     * begins with the address of a table, an itab, whose second word is the
     * type, and there is where libraries such as reflect2 look for it. */
    const struct rtype *self;
    struct rt_layout layout; /* size, ptrdata, ptrmask */
    uint32_t hash;  /* of the identity; for type-keyed tables */
    uint32_t slots;   /* frame slots of a value: (size + 7) / 8; 0 for size 0 */

    const char *string;  /* as %T prints it: "main.T", "[]int", "func(int)" */
    const char *name;    /* "T" for named and basic types, "" otherwise */
    const char *pkgpath; /* "" for predeclared and unnamed types */

    const struct rtype *elem; /* array, chan, map value, pointer, slice */
    const struct rtype *key;  /* map */
    uint64_t len;             /* array */
    const struct rtype *ptr_to; /* *T where the program has it, else NULL */

    const struct rfield *fields; /* struct, in order */
    uint32_t nfields;

    const struct rtype *const *params; /* func: parameters, then results */
    uint32_t nparams, nresults;

    /* Concrete types: the method set sorted by name (exported ones first by
     * byte order as in Go).  Interfaces: the methods an implementation needs;
     * func is unused there. */
    const struct rmethod *methods;
    uint32_t nmethods;

    /* Open-addressing table sel -> func for interface calls: msize is a power
     * of two (or 0), an empty entry has sel UINT32_MAX.  Probe linearly from
     * sel & (msize - 1). */
    const struct rsel {
        uint32_t sel;
        uint32_t func;
    } *mtab;
    uint32_t msize;
};

/* True where an interface's data word holds the value itself. */
static inline bool
rtype_direct(const struct rtype *t)
{
    return (t->flags & RT_F_DIRECT) != 0;
}

static inline uint64_t
rtype_size(const struct rtype *t)
{
    return t->layout.size;
}

static inline bool
rtype_has_pointers(const struct rtype *t)
{
    return t->layout.ptrdata != 0;
}

#endif
