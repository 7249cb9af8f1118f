/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_VM_ASM_H
#define TESTS_UNIT_VM_ASM_H

/*
 * Hand-assembled program images.  A test writes its functions as arrays of
 * instruction words and collects them in a struct asm_prog, which makes a
 * struct code_image of them.  Function numbers are the order of asm_func().
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/code/code.h"

#define ABC(op_, a_, b_, c_) \
    { .op = OP_##op_, .a = (uint16_t)(a_), .b = (uint16_t)(b_), \
        .c = (uint16_t)(c_) }
#define AI(op_, a_, imm_) { .op = OP_##op_, .a = (uint16_t)(a_), .imm = (imm_) }
#define EXT(a_, imm_) AI(EXT, a_, imm_)

enum { ASM_FUNCS = 32, ASM_CODE = 1024 };

struct asm_prog {
    struct code_image im;
    struct code_ins code[ASM_CODE];
    struct code_func funcs[ASM_FUNCS];
    struct code_line lines[ASM_FUNCS][ASM_CODE / 8];
    const struct rtype *types[64];
    struct code_native natives[16];
    struct rt_str strings[16];
    uint64_t consts[16];
    const char *files[1];
    const char *selectors[8];
};

static const uint8_t asm_all_pointers[32] = { 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static inline void
asm_init(struct asm_prog *p)
{
    memset(p, 0, sizeof *p);
    p->files[0] = "/src/prog.go";
    p->im = (struct code_image){
        .code = p->code,
        .funcs = p->funcs,
        .types = p->types,
        .consts = p->consts,
        .strings = p->strings,
        .natives = p->natives,
        .files = p->files,
        .nfiles = 1,
        .selectors = p->selectors,
        .type_int = UINT32_MAX,
        .type_string = UINT32_MAX,
        .type_error = UINT32_MAX,
        .type_bool = UINT32_MAX,
        .type_eface = UINT32_MAX,
    };
}

/* Adds a function; all its slots count as pointers.  Every instruction word
 * is on a line of its own, 10 + its offset. */
static inline struct code_func *
asm_func(struct asm_prog *p, const char *name, uint16_t nargs, uint16_t nres,
    uint16_t nslots, uint16_t extent, const struct code_ins *code,
    uint32_t ncode)
{
    uint32_t id = p->im.nfuncs++;
    struct code_func *f = &p->funcs[id];

    memcpy(p->code + p->im.ncode, code, ncode * sizeof *code);
    *f = (struct code_func){
        .name = name,
        .code = p->code + p->im.ncode,
        .ncode = ncode,
        .id = id,
        .nargs = nargs,
        .nres = nres,
        .nslots = nslots,
        .extent = extent,
        .ctx = nslots ? (uint16_t)(nslots - 1) : 0,
        .ptrmask = asm_all_pointers,
        .lines = p->lines[id],
        .closure = { .size = 8 },
    };
    f->self.fn = f;
    for (uint32_t i = 0; i < ncode && i < ASM_CODE / 8; i++)
        p->lines[id][f->nlines++] = (struct code_line){ i, 0, 10 + i };
    p->im.ncode += ncode;
    return f;
}

#define ASM_FUNC(p, name, nargs, nres, nslots, extent, code)            \
    asm_func(p, name, nargs, nres, nslots, extent, code,                \
        (uint32_t)(sizeof(code) / sizeof(code)[0]))

static inline int32_t
asm_type(struct asm_prog *p, struct rtype *t)
{
    t->id = p->im.ntypes;
    p->types[p->im.ntypes++] = t;
    return (int32_t)t->id;
}

#endif
