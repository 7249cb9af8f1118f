/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_STOCK_H
#define RUNTIME_LANG_GEN_STOCK_H

/*
 * A stock: ready code of the library's functions, so that a start need not
 * parse, check and generate what each program reaches.  The build makes one of
 * the bundled packages that small programs import and links it into vole; those
 * of a tree's packages are kept in a folder (runtime/lang/load/shelf.h).
 *
 * It is an array of 32-bit words without addresses, so it may lie anywhere and
 * is shared by all processes.  A function's record has its code, and what the
 * generator was asked for while it made that code, in the order in which it
 * was: types, functions, variables, strings ...  Whoever takes a function from
 * the stock asks for the same things in the same order and puts the numbers
 * that come back into the code.  So the image is the very one that would have
 * been generated; tests/unit/host/test_stock.c compares the two.
 *
 * Function literals, bodies of loops over functions, method values and what
 * `defer` makes of a built-in function are parts: records of their own, which
 * only the function that they are written in asks for.
 *
 * A variable's initialiser is a function, too, but for those with function
 * literals.
 *
 * What cannot be written down, such as types declared in functions, leaves its
 * function out; that one is generated as always.  So is every function of a
 * package that is not bundled, or that imports one which is not: a tree of Go's
 * sources may have other packages in the place of those that the build's stock
 * was made with.
 *
 * A position is a number of words from the beginning.
 */

#include <stdint.h>

#include "runtime/lang/gen/gen.h"

#define STOCK_MAGIC 0x76737433u

/* The head; a table is its position and its length. */
enum stock_head {
    STOCK_H_MAGIC,
    STOCK_H_WORDS, /* of the whole */
    STOCK_H_PKGS,  /* a string: the import path */
    STOCK_H_NPKGS,
    STOCK_H_OBJS, /* STOCK_OBJ words: package, number of the declaration in
                     it, its name, and of a variable whose initialiser
                     is there the type + 1, or 0; or STOCK_INSTANCE,
                     the generic function, where the words are: how many
                     type arguments, these */
    STOCK_H_NOBJS,
    STOCK_H_TYPES, /* where the type's words are: enum type_kind, then ... */
    STOCK_H_NTYPES,
    STOCK_H_STRS, /* position of the bytes, length */
    STOCK_H_NSTRS,
    STOCK_H_CONSTS, /* low half, high half */
    STOCK_H_NCONSTS,
    STOCK_H_SELS, /* name, package + 1 if it is not exported, type */
    STOCK_H_NSELS,
    STOCK_H_PARTS, /* a part's record, 0: could not be written down */
    STOCK_H_NPARTS,
    STOCK_H_HASH,  /* by name: a function's record, 0 for none */
    STOCK_H_NHASH, /* a power of two */
    STOCK_H_SIZE
};

/* An object's first word: it is an instance of a generic function. */
#define STOCK_INSTANCE UINT32_MAX

enum { STOCK_OBJ = 4 };

/* Words of a struct's field or an interface's method: name + 1 (0: none),
 * package + 1, type, whether it is embedded, tag + 1. */
enum { STOCK_MEMBER = 5 };

/* A function's record.  Behind it: the code, the mask of pointer slots, that
 * of the cells, that of the closure, what it does with its parameters (a byte
 * for each and each result, and the heap; of the block heap, into, out and
 * kinds), the lines (offset, request for the
 * file, number), the offsets of code_func.unsigned_at, the requests, the places
 * to be filled in, and the objects that the body refers to. */
enum stock_func {
    STOCK_F_NAME, /* string; of an initialiser the variable's */
    STOCK_F_OBJ,  /* UINT32_MAX: a part */
    STOCK_F_LENT, /* 1: it is lent memory (gen_lent.c) */
    STOCK_F_NCODE,
    STOCK_F_ARGS,  /* nargs, nres << 16 */
    STOCK_F_FRAME, /* nslots, extent << 16 */
    STOCK_F_FLAGS, /* ctx, flags << 16 */
    STOCK_F_RECOVER,
    STOCK_F_NLINES,
    STOCK_F_NUNSIGNED,
    STOCK_F_NREQS,
    STOCK_F_NPLACES,
    STOCK_F_NDEPS,
    STOCK_F_FILE, /* request */
    STOCK_F_LINE,
    STOCK_F_CELLS, /* words of the frame's cells */
    STOCK_F_CLOSURE, /* words of its closure, 1 where nothing is captured */
    STOCK_F_SUM,   /* parameters, results << 16 of what gen_escape.c knows;
                      STOCK_NO_SUM: nothing */
    STOCK_F_BLOCK, /* words of what it may be lent, the highest bit as
                      escape_block.linked; 0: nothing */
    STOCK_F_SIZE
};

/* What is asked for: the kind in the top byte, below it the number in the
 * table of that kind. */
enum stock_kind {
    STOCK_TYPE,
    STOCK_CONST,
    STOCK_STRING,
    STOCK_FILE,   /* a string */
    STOCK_GLOBAL, /* an object, as for the next two */
    STOCK_NATIVE,
    STOCK_FUNC,
    STOCK_SELECTOR,
    STOCK_LIVE, /* a selector that is called */
    STOCK_LENT, /* a function that is lent memory */
    STOCK_PART
};

#define STOCK_REQ_KIND(r) ((r) >> 24)
#define STOCK_REQ_INDEX(r) ((r) & 0xffffff)

/* A place: instruction word * 2, + 1 where operand c is meant and not imm;
 * then the request whose number is added there. */
#define STOCK_PLACE_C 1u

#define STOCK_NO_SUM UINT32_MAX
#define STOCK_LINKED 0x80000000u

/* A slot of the table by names. */
uint32_t stock_hash(const char *name);

/* The parts of a record. */
struct stock_record {
    const uint32_t *head, *code, *mask, *cells, *closure, *sum, *lines;
    const uint32_t *unsigned_at, *reqs, *places, *deps;
};

struct stock_record stock_record_at(const uint32_t *f);

#endif
