/* SPDX-License-Identifier: MIT */
#include "runtime/code/code.h"

#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/code/opinfo.h"

/* Formats as opcode.def writes them: enum code_fmt and the EXT words. */
enum {
    fmt_ABC = CODE_FMT_ABC,
    fmt_ABC1 = CODE_FMT_ABC | 1 << 4,
    fmt_ABC2 = CODE_FMT_ABC | 2 << 4,
    fmt_ABS = CODE_FMT_ABS,
    fmt_ABS1 = CODE_FMT_ABS | 1 << 4,
    fmt_AI = CODE_FMT_AI,
    fmt_AI1 = CODE_FMT_AI | 1 << 4,
    fmt_I = CODE_FMT_I
};

static const struct code_opinfo infos[OP_COUNT] = {
#define OP(name, fmt, a, b, c, does, access, effect)                       \
    [OP_##name] = { #name, fmt_##fmt & 15, fmt_##fmt >> 4, #does, #access, \
        { #a, #b, #c } },
#include "runtime/code/opcode.def"
#undef OP
};

unsigned
code_checked(unsigned op)
{
    bool known = op < OP_COUNT && strcmp(infos[op].access, "no") != 0;

    return known ? op + OP_COUNT : op;
}

const struct code_opinfo *
code_opinfo(unsigned op)
{
    unsigned plain = code_plain(op);

    if (plain >= OP_COUNT || (op != plain && code_checked(plain) != op))
        return NULL;
    return &infos[plain];
}

const char *
code_op_name(unsigned op)
{
    const struct code_opinfo *o = code_opinfo(op);

    return o != NULL ? o->name : "?";
}

unsigned
code_does(unsigned op)
{
    const struct code_opinfo *o = code_opinfo(op);
    unsigned set = 0;

    if (o == NULL)
        return 0;
    for (const char *s = o->does; *s != 0; s++)
        switch (*s) {
        case 'P': set |= CODE_PANICS; break;
        case 'S': set |= CODE_SAFEPOINT; break;
        case 'W': set |= CODE_PARKS; break;
        case 'A': set |= CODE_ALLOCATES; break;
        case 'B': set |= CODE_BARRIER; break;
        case 'H': set |= CODE_CALLS_C; break;
        case 'E': set |= CODE_ENDS; break;
        default: break;
        }
    return set;
}

unsigned
code_ext_words(const struct code_ins *pc)
{
    if (pc->op == OP_SELECT)
        return 2u * pc->b;
    const struct code_opinfo *o = code_opinfo(pc->op);
    return o != NULL ? o->ext : 0;
}

enum code_ext
code_ext_kind(const struct code_ins *pc, unsigned i)
{
    rt_assert(i >= 1 && i <= code_ext_words(pc));
    switch (code_plain(pc->op)) {
    case OP_SWITCH:
        return CODE_EXT_NUMBER;
    case OP_LDM:
    case OP_FLDX:
    case OP_FSTX:
    case OP_XADDR:
    case OP_PADDR:
    case OP_CHKUNSAFE:
    case OP_SLICE:
    case OP_SLICESTR:
    case OP_SL2ARR:
        return CODE_EXT_SIZE;
    case OP_CELL: /* it is in it */
    case OP_MKCLO:
    case OP_MKCLOAT:
    case OP_GO:
    case OP_DEFER:
        return CODE_EXT_FUNC;
    case OP_IMETH:
        return CODE_EXT_SELECTOR;
    case OP_MAPNEXT:
        return i == 1 ? CODE_EXT_JUMP : CODE_EXT_TYPE;
    case OP_SELECT: /* a direction and a type for each */
        return i % 2 == 1 ? CODE_EXT_NUMBER : CODE_EXT_TYPE;
    default:
        return CODE_EXT_TYPE;
    }
}

const struct code_ins *
code_after(const struct code_ins *pc)
{
    return pc + 1 + code_ext_words(pc);
}

const struct code_func *
code_find_func(const struct code_image *im, const struct code_ins *pc)
{
    uint32_t lo = 0, hi = im->nfuncs;

    if (pc < im->code || pc >= im->code + im->ncode)
        return NULL;
    /* The functions lie in the order of their numbers. */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (im->funcs[mid].code + im->funcs[mid].ncode <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == im->nfuncs || pc < im->funcs[lo].code)
        return NULL;
    return &im->funcs[lo];
}

const struct code_line *
code_find_line(const struct code_func *f, uint32_t off)
{
    uint32_t lo = 0, hi = f->nlines;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (f->lines[mid].off <= off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == 0 ? NULL : &f->lines[lo - 1];
}

bool
code_index_unsigned(const struct code_func *f, uint32_t off)
{
    uint32_t lo = 0, hi = f->nunsigned;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (f->unsigned_at[mid] == off)
            return true;
        if (f->unsigned_at[mid] < off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

bool
code_jump(const struct code_ins *pc, int32_t *disp)
{
    const struct code_opinfo *o = code_opinfo(pc->op);

    if (o == NULL)
        return false;
    if (code_plain(pc->op) == OP_MAPNEXT) {
        *disp = pc[1].imm;
        return true;
    }
    if (o->col[2][0] == 'j') {
        *disp = (int16_t)pc->c;
        return true;
    }
    if (o->col[1][0] == 'j') {
        *disp = pc->imm;
        return true;
    }
    return false;
}

unsigned
code_successors(const struct code_func *f, uint32_t off, uint32_t succ[2])
{
    const struct code_ins *pc = f->code + off;
    uint32_t next = (uint32_t)(code_after(pc) - f->code);
    int32_t disp;

    if (code_does(pc->op) & CODE_ENDS)
        return 0;
    if (pc->op == OP_JMP || pc->op == OP_LJMP) {
        succ[0] = (uint32_t)((int64_t)next + pc->imm);
        return 1;
    }
    succ[0] = next;
    if (!code_jump(pc, &disp))
        return 1;
    succ[1] = (uint32_t)((int64_t)next + disp);
    return 2;
}

struct emit {
    void (*each)(void *arg, const struct code_operand *o);
    void *arg;
};

static void
put_operand(const struct emit *e, const struct code_operand *o)
{
    if (o->n != 0 && o->slot != CODE_NO_SLOT)
        e->each(e->arg, o);
}

static void
put_use(const struct emit *e, uint32_t slot, uint32_t n, const char *holds)
{
    struct code_operand o = { .slot = slot, .n = n, .use = true,
        .holds = holds };

    put_operand(e, &o);
}

static void
put_def(const struct emit *e, uint32_t slot, uint32_t n, const char *holds)
{
    struct code_operand o = { .slot = slot, .n = n, .def = true,
        .holds = holds };

    put_operand(e, &o);
}

/* Slots of an operand whose descriptor ends in `n`: as the effect says. */
static uint32_t
count_n(const struct code_ins *pc)
{
    switch (code_plain(pc->op)) {
    case OP_MOVN:
    case OP_CONCAT:
        return code_plain(pc->op) == OP_CONCAT ? 2u * pc->c : pc->c;
    case OP_MKCLO:
    case OP_MKCLOAT:
        return pc->c;
    case OP_ZERO:
        return (uint32_t)pc->imm;
    case OP_LDM:
        return ((uint32_t)pc[1].imm + 7) / 8;
    case OP_FLDX:
    case OP_FSTX:
        return (uint32_t)pc[1].imm;
    case OP_RETN:
        return pc->b;
    case OP_PRINT:
        switch (pc->b) {
        case CODE_PRINT_SPACE:
        case CODE_PRINT_NEWLINE:
            return 0;
        case CODE_PRINT_COMPLEX:
        case CODE_PRINT_STRING:
        case CODE_PRINT_IFACE:
            return 2;
        case CODE_PRINT_SLICE:
            return 3;
        default:
            return 1;
        }
    default:
        return 1;
    }
}

static uint32_t
value_slots(const struct code_image *im, const struct code_ins *pc, char what)
{
    unsigned ext = code_ext_words(pc);
    uint32_t id = (uint32_t)pc[ext].imm;
    const struct rtype *t = id < im->ntypes ? im->types[id] : NULL;

    if (t != NULL && what == 'K')
        t = t->key;
    else if (t != NULL && what == 'V')
        t = t->elem;
    /* APPENDT names the element type itself. */
    return t == NULL ? 0 : t->slots;
}

/* The three bounds of SLICE and SLICESTR: only those that are given. */
static void
put_bounds(const struct emit *e, const struct code_ins *pc)
{
    for (unsigned i = 0; i < 3; i++)
        if (pc[1].a & (CODE_SLICE_LO << i))
            put_use(e, pc->c + i, 1, "i");
}

static void
put_select(const struct emit *e, const struct code_image *im,
    const struct code_ins *pc)
{
    for (unsigned i = 0; i < pc->b; i++) {
        const struct code_ins *x = pc + 1 + 2 * i;
        uint32_t id = (uint32_t)x[1].imm;
        const struct rtype *t = id < im->ntypes ? im->types[id] : NULL;
        bool send = x[0].imm == 1;
        uint32_t n = t == NULL || t->elem == NULL ? 0 : t->elem->slots;
        /* A receive that is not taken leaves its slots alone. */
        struct code_operand value = { .slot = x[1].a, .n = n, .use = send,
            .may = !send, .holds = "x" };

        put_use(e, x[0].a, 1, "p");
        put_operand(e, &value);
    }
}

/* One operand of a column, which begins at `slot`; how many slots it has. */
static uint32_t
put_part(const struct emit *e, const struct code_image *im,
    const struct code_ins *pc, const char *d, uint32_t slot)
{
    struct code_operand o = { .slot = slot, .holds = d + 2 };

    o.def = d[0] == 'd' || d[0] == 'm';
    o.use = d[0] == 'u' || d[0] == 'm';
    o.may = d[0] == 'w';
    if (d[1] >= '1' && d[1] <= '9')
        o.n = (uint32_t)(d[1] - '0');
    else if (d[1] == 'n')
        o.n = count_n(pc);
    else
        o.n = value_slots(im, pc, d[1]);
    put_operand(e, &o);
    return o.n;
}

static void
put_column(const struct emit *e, const struct code_image *im,
    const struct code_ins *pc, const char *d, uint32_t slot)
{
    if (slot == CODE_NO_SLOT ||
        (d[0] != 'd' && d[0] != 'u' && d[0] != 'm' && d[0] != 'w'))
        return;
    for (;;) {
        slot += put_part(e, im, pc, d, slot);
        while (*d != '+')
            if (*d++ == 0)
                return;
        d++;
    }
}

enum code_class
code_class_of(const struct code_operand *o, uint32_t i)
{
    uint32_t n = 0;

    while (o->holds[n] != 0 && o->holds[n] != '+')
        n++;
    if (n == 0)
        return CODE_CLASS_ANY; /* the type says it */
    switch (o->holds[i % n]) {
    case 'i': return CODE_CLASS_INT;
    case 'f': return CODE_CLASS_FLOAT64;
    case 'h': return CODE_CLASS_FLOAT32;
    case 'c': return CODE_CLASS_COMPLEX64;
    case 'p': return CODE_CLASS_POINTER;
    default: return CODE_CLASS_ANY;
    }
}

/* The operands of instructions that columns cannot describe; false: they
 * can. */
static bool
put_special(const struct emit *e, const struct code_image *im,
    const struct code_ins *pc)
{
    switch (pc->op) {
    case OP_SELECT:
        put_select(e, im, pc);
        return true;
    case OP_TAILCALL:
        if ((uint32_t)pc->imm < im->nfuncs)
            put_use(e, 0, im->funcs[pc->imm].nargs, "x");
        return true;
    case OP_GO:
    case OP_GOC:
    case OP_DEFER:
    case OP_DEFERC:
        put_use(e, pc->a, pc->b, "x");
        if (pc->op == OP_GOC || pc->op == OP_DEFERC)
            put_use(e, pc->c, 1, "p");
        return true;
    case OP_DEFERAT:
        put_use(e, pc->a, pc->b, "x");
        put_use(e, pc->c, 1, "p");
        put_use(e, pc->c + 1u, 1, "i");
        return true;
    case OP_SLICE:
    case OP_SLICESTR: {
        const char *holds = pc->op == OP_SLICE ? "pii" : "pi";

        put_use(e, pc->b, (uint32_t)strlen(holds), holds);
        put_bounds(e, pc);
        put_def(e, pc->a, (uint32_t)strlen(holds), holds);
        return true;
    }
    default:
        return false;
    }
}

/* Small parts of frames: the slot that holds the byte is read, also where a
 * part of it is written. */
static void
put_frame_byte(const struct emit *e, const struct code_ins *pc)
{
    if (pc->op >= OP_FX8U && pc->op <= OP_FS32)
        put_use(e, (uint32_t)pc->imm / 8, 1, "x");
}

void
code_operands(const struct code_image *im, const struct code_ins *pc,
    void (*each)(void *arg, const struct code_operand *o), void *arg)
{
    const struct code_opinfo *o = code_opinfo(pc->op);
    const struct emit e = { each, arg };

    if (o == NULL || put_special(&e, im, pc))
        return;
    if (code_plain(pc->op) == OP_MAPGETOK)
        put_def(&e, pc[1].a, 1, "i");
    put_frame_byte(&e, pc);
    put_column(&e, im, pc, o->col[0], pc->a);
    if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
        return;
    put_column(&e, im, pc, o->col[1], pc->b);
    put_column(&e, im, pc, o->col[2], pc->c);
}

/* Whether its columns tell all operands of an instruction. */
static bool
columns_tell(unsigned op)
{
    switch (op) {
    case OP_SELECT: /* put_special() */
    case OP_TAILCALL:
    case OP_GO:
    case OP_GOC:
    case OP_DEFER:
    case OP_DEFERC:
    case OP_DEFERAT:
    case OP_SLICE:
    case OP_SLICESTR:
    case OP_MAPGETOK:
        return false;
    default: /* put_frame_byte() */
        return op < OP_FX8U || op > OP_FS32;
    }
}

/* The slots of a column, behind the n that there are; how many there are
 * then, or -1. */
static int
fix_column(uint8_t column, const char *d, struct code_fixed *to, int n)
{
    unsigned plus = 0;

    if (strchr("dumw", d[0]) == NULL || d[0] == 0)
        return n;
    for (;;) {
        struct code_operand o = {.holds = d + 2};

        if (d[1] < '1' || d[1] > '9' || n + (d[1] - '0') > CODE_FIXED_MAX)
            return -1;
        for (uint32_t i = 0; i < (uint32_t)(d[1] - '0'); i++)
            to[n++] = (struct code_fixed){.column = column,
                .plus = (uint8_t)plus++,
                .def = d[0] == 'd' || d[0] == 'm',
                .use = d[0] == 'u' || d[0] == 'm',
                .may = d[0] == 'w',
                .holds = (uint8_t)code_class_of(&o, i)};
        d = strchr(d, '+');
        if (d == NULL)
            return n;
        d++;
    }
}

int
code_fixed_operands(unsigned op, struct code_fixed to[CODE_FIXED_MAX])
{
    const struct code_opinfo *o = code_opinfo(op);
    uint8_t columns;
    int n = 0;

    if (o == NULL || !columns_tell(code_plain(op)))
        return -1;
    columns = o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I ? 1 : 3;
    for (uint8_t i = 0; i < columns && n >= 0; i++)
        n = fix_column(i, o->col[i], to, n);
    return n;
}

bool
code_call_area(const struct code_image *im, const struct code_ins *pc,
    uint32_t *base, uint32_t *nargs)
{
    *base = pc->a;
    switch (code_plain(pc->op)) {
    case OP_CALL:
        *nargs = (uint32_t)pc->imm < im->nfuncs ? im->funcs[pc->imm].nargs
                                                : UINT16_MAX;
        return true;
    case OP_CALLN:
        *nargs = (uint32_t)pc->imm < im->nnatives
            ? im->natives[pc->imm].nargs
            : UINT16_MAX;
        return true;
    case OP_CALLC:
        *nargs = pc->c == 0 ? UINT16_MAX : pc->c - 1u;
        return true;
    case OP_CALLI:
        *nargs = UINT16_MAX;
        return true;
    case OP_RUNDEFER:
        *nargs = 0;
        return true;
    default:
        return false;
    }
}
