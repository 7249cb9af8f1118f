/* SPDX-License-Identifier: MIT */

/* What the table of operations says, in the form in which each instruction that
 * is compiled asks for it. */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>

static bool
jumps(unsigned op)
{
    const struct code_opinfo *o = code_opinfo(op);

    return op == OP_JMP || op == OP_LJMP || op == OP_MAPNEXT ||
        o->col[1][0] == 'j' || o->col[2][0] == 'j';
}

/* Whether it loses slots of a callee's, or writes a part of one. */
static bool
does_more(unsigned op)
{
    return op == OP_CALL || op == OP_CALLC || op == OP_CALLI ||
        op == OP_CALLN || op == OP_RUNDEFER ||
        (op >= OP_FS8 && op <= OP_FS32);
}

struct jit_shape *
jit_shapes(void)
{
    struct jit_shape *s = calloc(OP_COUNT, sizeof *s);

    if (s == NULL)
        return NULL;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        s[op].n = (int8_t)code_fixed_operands(op, s[op].slot);
        s[op].simple = s[op].n >= 0 && !does_more(op);
        s[op].ext = code_opinfo(op)->ext;
        s[op].goes_on = !jumps(op) && (code_does(op) & CODE_ENDS) == 0;
    }
    return s;
}
