/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_CELLS_H
#define RUNTIME_VM_CELLS_H

/* How cells lie in memory: cells.c tells what they are.  Machine code makes and
 * gives back blocks in the current chunk by itself. */

#include <stdint.h>

struct rt_layout;
struct vm_g;
union rt_slot;

/* In front of each block. */
struct vm_cells_block {
    const struct rt_layout *layout;
    uint32_t frame; /* of whom it is: slots from the stack's base */
    uint32_t words; /* of the block, without this */
};

enum { VM_CELLS_HEAD = sizeof(struct vm_cells_block) / 8 };

_Static_assert(sizeof(struct vm_cells_block) % 8 == 0,
    "blocks are made of words");

/* Invariant: blocks fill the chunks up to the current one, each up to `used`;
 * those behind it are empty, and so is the current one only if there is none
 * before it. */
struct vm_cells {
    struct vm_cells *prev, *next;
    uint32_t used, cap; /* words */
    uint64_t at[];
};

/* A zeroed block for the frame at fp; NULL where memory is out. */
void *vm_cells_push(struct vm_g *vg, const union rt_slot *fp,
    const struct rt_layout *layout);

#endif
