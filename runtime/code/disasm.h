/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_DISASM_H
#define RUNTIME_CODE_DISASM_H

/* Listings of bytecode for people: `vole disasm`. */

#include <stddef.h>
#include <stdio.h>

#include "runtime/code/code.h"

/* Writes one instruction and its EXT words as text without a newline into
 * buf (cut at n bytes, always terminated): "LDX64 r4, r1, r7". */
void code_disasm_ins(const struct code_image *im, const struct code_func *f,
    const struct code_ins *pc, char *buf, size_t n);

/* A function's head line, and one instruction with its offset, below a line
 * file:line if that is another one than *last, which becomes it; both are of
 * func's bytecode. */
void code_disasm_head(const struct code_func *f, FILE *out);
void code_disasm_at(const struct code_image *im, const struct code_func *f,
    uint32_t off, const struct code_line **last, FILE *out);

/* Writes a whole function: a head line, then for each instruction its
 * offset, file:line where that changes, and text.  Returns false where the
 * stream reports an error. */
bool code_disasm_func(
    const struct code_image *im, const struct code_func *f, FILE *out);

#endif
