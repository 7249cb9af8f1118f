/* SPDX-License-Identifier: MIT */
#include "runtime/code/disasm.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/code/opinfo.h"

struct text {
    char *p;
    size_t left; /* the terminating NUL included */
    bool first;
};

static void add(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
add(struct text *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(t->p, t->left, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    size_t k = (size_t)n < t->left ? (size_t)n : t->left - 1;
    t->p += k;
    t->left -= k;
}

static void
sep(struct text *t)
{
    add(t, t->first ? " " : ", ");
    t->first = false;
}

static const char *
type_name(const struct code_image *im, int32_t id)
{
    return (uint32_t)id < im->ntypes ? im->types[id]->string : "?";
}

static const char *
func_name(const struct code_image *im, int32_t id)
{
    return (uint32_t)id < im->nfuncs ? im->funcs[id].name : "?";
}

/* A string constant, quoted and cut. */
static void
add_string(struct text *t, const struct code_image *im, int32_t id)
{
    if ((uint32_t)id >= im->nstrings) {
        add(t, "?");
        return;
    }
    struct rt_str s = im->strings[id];
    int64_t n = s.len < 40 ? s.len : 40;
    add(t, "\"");
    for (int64_t i = 0; i < n; i++) {
        uint8_t c = s.ptr[i];
        if (c < 32 || c == '"' || c == '\\' || c >= 127)
            add(t, "\\x%02x", c);
        else
            add(t, "%c", c);
    }
    add(t, n < s.len ? "\"..." : "\"");
}

/* An operand that is a 16-bit number. */
static void
add_small(struct text *t, const struct code_image *im,
    const struct code_func *f, const struct code_ins *pc, const char *d,
    uint16_t v, bool sgn)
{
    switch (d[0]) {
    case 'd':
    case 'u':
    case 'm':
    case 'w':
        sep(t);
        if (v == CODE_NO_SLOT)
            add(t, "_");
        else
            add(t, "r%u", v);
        break;
    case 'B':
        sep(t);
        add(t, "@%u", v);
        break;
    case 'i':
        sep(t);
        if (pc->op == OP_CALLI)
            add(t, ".%s", v < im->nselectors ? im->selectors[v] : "?");
        else if (sgn)
            add(t, "%d", (int16_t)v);
        else
            add(t, "%u", v);
        break;
    case 'j':
        sep(t);
        add(t, "->%d",
            (int)(code_after(pc) - f->code) + (int16_t)v);
        break;
    default:
        break;
    }
}

static void
add_imm(struct text *t, const struct code_image *im,
    const struct code_func *f, const struct code_ins *pc, const char *d)
{
    if (d[0] == '-')
        return;
    sep(t);
    switch (d[0]) {
    case 'k':
        if ((uint32_t)pc->imm < im->nconsts) {
            double x;
            memcpy(&x, &im->consts[pc->imm], 8);
            add(t, "%#" PRIx64 " (%g)", im->consts[pc->imm], x);
        }
        break;
    case 's':
        add_string(t, im, pc->imm);
        break;
    case 'F':
        add(t, "%s", func_name(im, pc->imm));
        break;
    case 'T':
        add(t, "%s", type_name(im, pc->imm));
        break;
    case 'N':
        add(t, "%s", (uint32_t)pc->imm < im->nnatives
                ? im->natives[pc->imm].name : "?");
        break;
    case 'g':
        add(t, "globals+%d", pc->imm);
        break;
    case 'j':
        add(t, "->%d",
            (int)(code_after(pc) - f->code) + pc->imm);
        break;
    default:
        add(t, "%d", pc->imm);
        break;
    }
}

static void
add_ext_word(struct text *t, const struct code_image *im,
    const struct code_ins *pc, unsigned i)
{
    int32_t imm = pc[i].imm;

    switch (code_ext_kind(pc, i)) {
    case CODE_EXT_TYPE:
        add(t, ", %s", type_name(im, imm));
        break;
    case CODE_EXT_FUNC:
        add(t, ", %s", func_name(im, imm));
        break;
    case CODE_EXT_SELECTOR:
        add(t, ", .%s",
            (uint32_t)imm < im->nselectors ? im->selectors[imm] : "?");
        break;
    case CODE_EXT_NUMBER:
    case CODE_EXT_SIZE:
    case CODE_EXT_JUMP:
        add(t, ", %d", imm);
        break;
    }
}

/* What the EXT words of an instruction mean. */
static void
add_ext(struct text *t, const struct code_image *im,
    const struct code_func *f, const struct code_ins *pc)
{
    unsigned n = code_ext_words(pc);

    switch (code_plain(pc->op)) {
    case OP_SELECT:
        for (unsigned i = 0; i < pc->b; i++) {
            const struct code_ins *x = pc + 1 + 2 * i;
            add(t, " {r%u %s ", x[0].a, x[0].imm == 1 ? "<-" : "->");
            if (x[1].a == CODE_NO_SLOT)
                add(t, "_");
            else
                add(t, "r%u", x[1].a);
            add(t, " %s}", type_name(im, x[1].imm));
        }
        return;
    case OP_MAPNEXT:
        add(t, ", ->%d, %s", (int)(pc + 3 - f->code) + pc[1].imm,
            type_name(im, pc[2].imm));
        return;
    case OP_SLICE:
    case OP_SLICESTR:
        add(t, ", size %d,%s%s%s", pc[1].imm,
            pc[1].a & CODE_SLICE_LO ? " lo" : "",
            pc[1].a & CODE_SLICE_HI ? " hi" : "",
            pc[1].a & CODE_SLICE_MAX ? " max" : "");
        return;
    case OP_CELL:
        add(t, ", %u words", pc[1].a);
        return;
    case OP_MAPGETOK:
        add(t, ", ok r%u", pc[1].a);
        break;
    default:
        break;
    }
    for (unsigned i = 1; i <= n; i++)
        add_ext_word(t, im, pc, i);
    if ((pc->op == OP_MKCLO || pc->op == OP_MKCLOAT) && pc[1].a != 0)
        add(t, ", %u own", pc[1].a);
}

void
code_disasm_ins(const struct code_image *im, const struct code_func *f,
    const struct code_ins *pc, char *buf, size_t n)
{
    const struct code_opinfo *o = code_opinfo(pc->op);
    struct text t = { buf, n, true };

    if (n == 0)
        return;
    buf[0] = '\0';
    if (o == NULL) {
        add(&t, "?%u", pc->op);
        return;
    }
    add(&t, "%s%s", o->name, pc->op >= OP_COUNT ? "!" : "");
    switch (o->fmt) {
    case CODE_FMT_I:
        add_imm(&t, im, f, pc, o->col[1]);
        break;
    case CODE_FMT_AI:
        add_small(&t, im, f, pc, o->col[0], pc->a, false);
        add_imm(&t, im, f, pc, o->col[1]);
        break;
    default:
        add_small(&t, im, f, pc, o->col[0], pc->a, false);
        add_small(&t, im, f, pc, o->col[1], pc->b, o->fmt == CODE_FMT_ABS);
        add_small(&t, im, f, pc, o->col[2], pc->c, o->fmt == CODE_FMT_ABS);
        break;
    }
    add_ext(&t, im, f, pc);
}

void
code_disasm_head(const struct code_func *f, FILE *out)
{
    fprintf(out, "func %s  #%u  args %u  results %u  slots %u  extent %u%s\n",
        f->name, f->id, f->nargs, f->nres, f->nslots, f->extent,
        f->flags & CODE_F_WRAPPER ? "  wrapper" : "");
}

void
code_disasm_at(const struct code_image *im, const struct code_func *f,
    uint32_t off, const struct code_line **last, FILE *out)
{
    const struct code_line *l = code_find_line(f, off);
    char buf[512];

    rt_assert(off < f->ncode);
    if (l != NULL && l != *last)
        fprintf(out, "  %s:%u\n",
            l->file < im->nfiles ? im->files[l->file] : "?", l->line);
    *last = l;
    code_disasm_ins(im, f, f->code + off, buf, sizeof buf);
    fprintf(out, "    %4u  %s\n", off, buf);
}

bool
code_disasm_func(
    const struct code_image *im, const struct code_func *f, FILE *out)
{
    const struct code_line *last = NULL;

    code_disasm_head(f, out);
    for (uint32_t off = 0; off < f->ncode;
         off += 1 + code_ext_words(f->code + off))
        code_disasm_at(im, f, off, &last, out);
    return !ferror(out);
}
