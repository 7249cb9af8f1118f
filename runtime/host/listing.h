/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_LISTING_H
#define RUNTIME_HOST_LISTING_H

/* Machine code as a file for objdump. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/jit/jit.h"

/* Writes an ELF file with a section of code for each function, at the address
 * where it runs, and a symbol for each of its spots, "main.fib:12" for code of
 * main.fib's instruction 12.  A disassembler begins anew at each symbol, so
 * that data between instructions spoils no more than the spot that it is in.
 * false: more functions than a file can have sections, memory is out, or the
 * stream reports an error. */
bool listing_elf_write(
    const struct jit_made *made, size_t n, FILE *out);

#endif
