/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_VERIFY_H
#define RUNTIME_CODE_VERIFY_H

#include "runtime/base/err.h"
#include "runtime/code/code.h"

/*
 * Checks an image: known instructions, operands inside the frame, numbers of
 * functions, types, constants and natives in range, jumps to the beginning of
 * an instruction of the same function, EXT words where they belong, the last
 * instruction not falling through.  RT_EFORMAT with the function, the offset
 * and the instruction of the first fault in e.  What it does not check: the
 * types of values in slots.
 */
enum rt_status code_verify(const struct code_image *im, struct rt_err *e);

#endif
