/* SPDX-License-Identifier: MIT */

/* What the table of operations says, in the form in which each instruction that
 * is compiled asks for it. */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>

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

/* Which of the columns say slots. */
static uint8_t
slots_in(unsigned op)
{
    const struct code_opinfo *o = code_opinfo(op);
    bool b = o->fmt != CODE_FMT_AI && o->fmt != CODE_FMT_I;
    unsigned set = strchr("dumwB", o->col[0][0]) != NULL ? 1 : 0;

    if (b && strchr("dumw", o->col[1][0]) != NULL)
        set |= 2;
    if (b && strchr("dumw", o->col[2][0]) != NULL)
        set |= 4;
    return (uint8_t)set;
}

/* What may be written has been read before, as far as anybody knows. */
static void
put_slots(struct jit_shape *s, unsigned op)
{
    struct code_fixed slot[CODE_FIXED_MAX];

    s->n = (int8_t)code_fixed_operands(op, slot);
    for (int i = 0; i < s->n; i++) {
        bool def = slot[i].def || slot[i].may, use = slot[i].use || slot[i].may;

        s->slot[i] = (struct jit_fixed){.column = slot[i].column,
            .shift = (uint8_t)(16 * (1 + slot[i].column)),
            .def = def,
            .use = use,
            .is = {.slot = slot[i].plus, .def = def, .use = use,
                .place = JIT_ANY, .holds = slot[i].holds & 7}};
    }
}

/* Whether what is assigned, and not read, stands before what is read. */
static bool
assigns_first(const struct jit_shape *s)
{
    bool reads = false;

    for (int i = 0; i < s->n; i++) {
        if (reads && !s->slot[i].use)
            return false;
        reads |= s->slot[i].use;
    }
    return true;
}

static uint8_t
count_assigned(const struct jit_shape *s)
{
    int n = s->n;

    while (n > 0 && !s->slot[n - 1].def)
        n--;
    return (uint8_t)(n < 0 ? 0 : n);
}

static bool
is_easy(const struct jit_shape *s, unsigned op)
{
    bool moves = op == OP_MOV2 || op == OP_MOV3 || op == OP_MOVN;

    return s->kind == JIT_NATIVE && s->goes_on && s->ext == 0 && !moves &&
        op != OP_SWITCH && (op < OP_FX8U || op > OP_FS32);
}

/* What needs a frame of the function's own, names slots by number in another way
 * than as operands, or has more words than struct jit_ins, is part of nothing that
 * is spliced in. */
static enum jit_splices
splices(const struct jit_shape *s, unsigned op)
{
    switch (op) {
    case OP_FLDX:
    case OP_FSTX:
    case OP_SWITCH:
    case OP_TAILCALL:
    case OP_GO:
    case OP_GOC:
    case OP_DEFER:
    case OP_DEFERC:
    case OP_DEFERAT:
    case OP_FRAME:
    case OP_RUNDEFER:
    case OP_RECOVER:
    case OP_SELECT:
    case OP_SELIDX:
    case OP_RECVOK:
        return JIT_SPLICES_NEVER;
    case OP_RETN:
        return JIT_SPLICES_SOME;
    case OP_RET:
    case OP_RET1:
    case OP_RET2:
    case OP_THROW:
    case OP_PANIC:
        return JIT_SPLICES_ALL;
    default:
        break;
    }
    if (s->ext >= JIT_INS_WORDS || s->kind == JIT_LEAVE)
        return JIT_SPLICES_NEVER;
    return s->kind < 0 ? JIT_SPLICES_SOME : JIT_SPLICES_ALL;
}

struct jit_shape *
jit_shapes(void)
{
    size_t bytes = OP_COUNT * sizeof(struct jit_shape);
    struct jit_shape *s = aligned_alloc(_Alignof(struct jit_shape), bytes);

    if (s == NULL)
        return NULL;
    memset(s, 0, bytes);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        put_slots(&s[op], op);
        s[op].kind = (int8_t)jit_x64_kind_of(op);
        s[op].shifts = slots_in(op);
        s[op].simple = s[op].n >= 0 && !does_more(op);
        s[op].in_order = s[op].simple && assigns_first(&s[op]);
        s[op].assigns = count_assigned(&s[op]);
        s[op].ext = code_opinfo(op)->ext;
        s[op].does = code_does(op) != 0;
        s[op].slow = jit_x64_has_slow(op);
        s[op].goes_on = !jumps(op) && (code_does(op) & CODE_ENDS) == 0;
        s[op].easy = is_easy(&s[op], op);
        s[op].splices = (uint8_t)splices(&s[op], op);
    }
    return s;
}
