/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of places: the instructions for each are chosen here, by
 * kind of place and type.
 */
#include "runtime/lang/gen/gen_int.h"

/* ---- memory -------------------------------------------------------------- */

static enum code_op
load_op(struct type *t)
{
    switch (type_kind_of(t)) {
    case TYPE_BOOL:
    case TYPE_UINT8: return OP_LD8U;
    case TYPE_INT8: return OP_LD8S;
    case TYPE_UINT16: return OP_LD16U;
    case TYPE_INT16: return OP_LD16S;
    case TYPE_UINT32:
    case TYPE_FLOAT32: return OP_LD32U;
    case TYPE_INT32: return OP_LD32S;
    default: break;
    }
    if (type_size(t) == 8)
        return OP_LD64;
    if (type_size(t) == 16)
        return OP_LD2;
    if (type_size(t) == 24)
        return OP_LD3;
    return OP_LDM;
}

static enum code_op
store_op(struct type *t)
{
    switch (type_kind_of(t)) {
    case TYPE_BOOL:
    case TYPE_UINT8:
    case TYPE_INT8: return OP_ST8;
    case TYPE_UINT16:
    case TYPE_INT16: return OP_ST16;
    case TYPE_UINT32:
    case TYPE_FLOAT32:
    case TYPE_INT32: return OP_ST32;
    case TYPE_STRING: return OP_STSTR;
    case TYPE_SLICE: return OP_STSLICE;
    case TYPE_INTERFACE: return OP_STIFACE;
    case TYPE_POINTER:
    case TYPE_MAP:
    case TYPE_CHAN:
    case TYPE_FUNC:
    case TYPE_UNSAFE_POINTER: return OP_STP;
    default: break;
    }
    if (type_size(t) == 8 && !type_has_pointers(t))
        return OP_ST64;
    return OP_STT;
}

/* An address whose offset fits the 16-bit operand; may take a temporary. */
static int
near_base(struct gfunc *f, int ptr, int64_t *off)
{
    int t, k;

    if (*off >= 0 && *off + 24 < 65536)
        return ptr;
    t = gf_temp_ptr(f);
    k = gf_temp_int(f);
    gf_load_const(f, k, (uint64_t)*off);
    gf_abc(f, OP_CHKNIL, ptr, 0, 0);
    gf_abc(f, OP_PADDR, t, ptr, k);
    gf_ext(f, 0, 1);
    *off = 0;
    return t;
}

void
gf_load_mem(struct gfunc *f, int dst, int ptr, int64_t off, struct type *t)
{
    uint32_t m = gf_mark(f);
    enum code_op op = load_op(t);

    if (type_size(t) == 0) {
        gf_abc(f, OP_CHKNIL, ptr, 0, 0);
        return;
    }
    ptr = near_base(f, ptr, &off);
    gf_abc(f, op, dst, ptr, (int)off);
    if (op == OP_LDM)
        gf_ext(f, 0, type_size(t));
    gf_release(f, m);
}

void
gf_store_mem(struct gfunc *f, int src, int ptr, int64_t off, struct type *t)
{
    uint32_t m = gf_mark(f);
    enum code_op op = store_op(t);

    if (type_size(t) == 0) {
        gf_abc(f, OP_CHKNIL, ptr, 0, 0);
        return;
    }
    ptr = near_base(f, ptr, &off);
    gf_abc(f, op, src, ptr, (int)off);
    if (op == OP_STT)
        gf_ext(f, 0, gen_type(f->g, t));
    gf_release(f, m);
}

/* ---- globals ------------------------------------------------------------- */

static void
load_global(struct gfunc *f, const struct place *p, int dst)
{
    enum code_op op = OP_NOP;
    uint32_t m = gf_mark(f);
    int t;

    switch (load_op(p->type)) {
    case OP_LD8U: op = OP_GLD8U; break;
    case OP_LD8S: op = OP_GLD8S; break;
    case OP_LD32U: op = OP_GLD32U; break;
    case OP_LD32S: op = OP_GLD32S; break;
    case OP_LD64: op = OP_GLD64; break;
    case OP_LD2: op = OP_GLD2; break;
    case OP_LD3: op = OP_GLD3; break;
    default: break;
    }
    if (op != OP_NOP) {
        gf_ai(f, op, dst, p->off);
        return;
    }
    t = gf_temp_ptr(f);
    gf_ai(f, OP_GADDR, t, p->off);
    gf_load_mem(f, dst, t, 0, p->type);
    gf_release(f, m);
}

static void
store_global(struct gfunc *f, const struct place *p, int src)
{
    enum code_op op = OP_NOP;
    uint32_t m = gf_mark(f);
    int t;

    switch (store_op(p->type)) {
    case OP_ST8: op = OP_GST8; break;
    case OP_ST32: op = OP_GST32; break;
    case OP_ST64: op = OP_GST64; break;
    case OP_STP: op = OP_GSTP; break;
    default: break;
    }
    if (op != OP_NOP) {
        gf_ai(f, op, src, p->off);
        return;
    }
    t = gf_temp_ptr(f);
    gf_ai(f, OP_GADDR, t, p->off);
    gf_store_mem(f, src, t, 0, p->type);
    gf_release(f, m);
}

/* ---- parts of frames ----------------------------------------------------- */

/* How many bytes one access at frame byte `off` can take, of n. */
static int64_t
piece(int64_t off, int64_t n)
{
    if (n >= 4 && off % 4 == 0)
        return 4;
    return n >= 2 && off % 2 == 0 ? 2 : 1;
}

/* A small struct or array that does not fill its slots: gathered by pieces. */
static void
load_raw(struct gfunc *f, int64_t off, int dst, int64_t n)
{
    uint32_t m = gf_mark(f);
    int t = gf_temp_int(f), u = gf_temp_int(f);
    int64_t done, k;

    for (done = 0; done < n; done += k) {
        k = piece(off + done, n - done);
        if (done % 8 + k > 8)
            k = 1;
        gf_ai(f, k == 4 ? OP_FX32U : k == 2 ? OP_FX16U : OP_FX8U, u,
            off + done);
        if (done % 8 != 0) {
            gf_abc(f, OP_SHLI, u, u, (int)(done % 8 * 8));
            gf_abc(f, OP_OR, t, t, u);
        } else {
            gf_move(f, t, u, 1);
        }
        if (done % 8 + k == 8 || done + k == n)
            gf_move(f, dst + (int)(done / 8), t, 1);
    }
    gf_release(f, m);
}

static void
load_bytes(struct gfunc *f, const struct place *p, int dst)
{
    enum code_op op;

    switch (load_op(p->type)) {
    case OP_LD8U: op = OP_FX8U; break;
    case OP_LD8S: op = OP_FX8S; break;
    case OP_LD16U: op = OP_FX16U; break;
    case OP_LD16S: op = OP_FX16S; break;
    case OP_LD32U: op = OP_FX32U; break;
    case OP_LD32S: op = OP_FX32S; break;
    default:
        load_raw(f, p->off, dst, type_size(p->type));
        return;
    }
    gf_ai(f, op, dst, p->off);
}

/* Stores the first n bytes of the slots from src at byte off of the frame. */
static void
store_raw(struct gfunc *f, int64_t off, int src, int64_t n)
{
    uint32_t m = gf_mark(f);
    int64_t done, k;

    for (done = 0; done < n; done += k) {
        int t = src + (int)(done / 8);

        k = piece(off + done, n - done);
        if (done % 8 + k > 8)
            k = 1;
        if (done % 8 != 0) {
            int u = gf_temp_int(f);

            gf_abc(f, OP_USHRI, u, t, (int)(done % 8 * 8));
            t = u;
        }
        gf_ai(f, k == 4 ? OP_FS32 : k == 2 ? OP_FS16 : OP_FS8, t,
            off + done);
    }
    gf_release(f, m);
}

/* ---- elements ------------------------------------------------------------ */

static enum code_op
elem_load_op(struct type *t)
{
    switch (load_op(t)) {
    case OP_LD8U: return OP_LDX8U;
    case OP_LD8S: return OP_LDX8S;
    case OP_LD16U: return OP_LDX16U;
    case OP_LD16S: return OP_LDX16S;
    case OP_LD32U: return OP_LDX32U;
    case OP_LD32S: return OP_LDX32S;
    case OP_LD64: return OP_LDX64;
    case OP_LD2: return OP_LDX2;
    case OP_LD3: return OP_LDX3;
    default: return OP_NOP;
    }
}

static enum code_op
elem_store_op(struct type *t)
{
    switch (store_op(t)) {
    case OP_ST8: return OP_STX8;
    case OP_ST16: return OP_STX16;
    case OP_ST32: return OP_STX32;
    case OP_ST64: return OP_STX64;
    case OP_STP: return OP_STXP;
    case OP_STSTR: return OP_STXSTR;
    default: return OP_NOP;
    }
}

void
gf_note_index(struct gfunc *f, bool nosign)
{
    if (nosign)
        *gvec_push(f->g, &f->unsigned_at) = f->code.n;
}

static void
elem_addr(struct gfunc *f, const struct place *p, int dst)
{
    gf_note_index(f, p->nosign);
    gf_abc(f, OP_XADDR, dst, p->slot, p->idx);
    gf_ext_size(f, 0, type_size(p->type));
}

static void
pidx_addr(struct gfunc *f, const struct place *p, int dst)
{
    gf_abc(f, OP_PADDR, dst, p->slot, p->idx);
    gf_ext_size(f, 0, type_size(p->type));
}

static void
load_elem(struct gfunc *f, const struct place *p, int dst)
{
    enum code_op op = elem_load_op(p->type);
    uint32_t m = gf_mark(f);
    int t;

    if (op != OP_NOP) {
        gf_note_index(f, p->nosign);
        gf_abc(f, op, dst, p->slot, p->idx);
        return;
    }
    t = gf_temp_ptr(f);
    elem_addr(f, p, t);
    gf_load_mem(f, dst, t, 0, p->type);
    gf_release(f, m);
}

static void
store_elem(struct gfunc *f, const struct place *p, int src)
{
    enum code_op op = elem_store_op(p->type);
    uint32_t m = gf_mark(f);
    int t;

    if (op != OP_NOP) {
        gf_note_index(f, p->nosign);
        gf_abc(f, op, src, p->slot, p->idx);
        return;
    }
    t = gf_temp_ptr(f);
    elem_addr(f, p, t);
    gf_store_mem(f, src, t, 0, p->type);
    gf_release(f, m);
}

static void
load_pidx(struct gfunc *f, const struct place *p, int dst)
{
    enum code_op op = OP_NOP;
    uint32_t m = gf_mark(f);
    int t;

    switch (load_op(p->type)) {
    case OP_LD8U: op = OP_LDP8U; break;
    case OP_LD32U: op = OP_LDP32U; break;
    case OP_LD32S: op = OP_LDP32S; break;
    case OP_LD64: op = OP_LDP64; break;
    default: break;
    }
    if (op != OP_NOP) {
        gf_abc(f, op, dst, p->slot, p->idx);
        return;
    }
    t = gf_temp_ptr(f);
    pidx_addr(f, p, t);
    gf_load_mem(f, dst, t, 0, p->type);
    gf_release(f, m);
}

static void
store_pidx(struct gfunc *f, const struct place *p, int src)
{
    enum code_op op = OP_NOP;
    uint32_t m = gf_mark(f);
    int t;

    switch (store_op(p->type)) {
    case OP_ST8: op = OP_STP8; break;
    case OP_ST32: op = OP_STP32; break;
    case OP_ST64: op = OP_STP64; break;
    default: break;
    }
    if (op != OP_NOP) {
        gf_abc(f, op, src, p->slot, p->idx);
        return;
    }
    t = gf_temp_ptr(f);
    pidx_addr(f, p, t);
    gf_store_mem(f, src, t, 0, p->type);
    gf_release(f, m);
}

/* ---- the general ones ---------------------------------------------------- */

bool
gf_place_in_memory(const struct place *p)
{
    return p->kind == PLACE_MEM || p->kind == PLACE_GLOBAL ||
        p->kind == PLACE_ELEM || p->kind == PLACE_PIDX;
}

void
gf_load(struct gfunc *f, const struct place *p, int dst)
{
    rt_assert(p->type != NULL && (f->g->failed || dst >= 0));
    switch (p->kind) {
    case PLACE_SLOT:
        gf_move(f, dst, p->slot, type_slots(p->type));
        break;
    case PLACE_BYTES:
        load_bytes(f, p, dst);
        break;
    case PLACE_FIDX:
        gf_abc(f, OP_FLDX, dst, p->slot, p->idx);
        gf_ext(f, 0, p->len);
        break;
    case PLACE_MEM:
        gf_load_mem(f, dst, p->slot, p->off, p->type);
        break;
    case PLACE_GLOBAL:
        load_global(f, p, dst);
        break;
    case PLACE_ELEM:
        load_elem(f, p, dst);
        break;
    case PLACE_PIDX:
        load_pidx(f, p, dst);
        break;
    case PLACE_MAP:
        gf_abc(f, OP_MAPGET, dst, p->slot, p->idx);
        gf_ext(f, 0, gen_type(f->g, p->mtype));
        break;
    case PLACE_LATER:
        rt_assert(false); /* it is only assigned to */
        break;
    case PLACE_BLANK:
        gf_zero(f, dst, type_slots(p->type));
        break;
    }
}

int
gf_load_temp(struct gfunc *f, const struct place *p)
{
    int t;

    if (p->kind == PLACE_SLOT)
        return p->slot;
    t = gf_temp(f, p->type);
    gf_load(f, p, t);
    return t;
}

static void
store_later(struct gfunc *f, const struct place *p, int src)
{
    uint32_t m = gf_mark(f);
    struct place q = gf_found_later(f, p);

    gf_store(f, &q, src);
    gf_release(f, m);
}

void
gf_store(struct gfunc *f, const struct place *p, int src)
{
    rt_assert(p->kind == PLACE_BLANK || p->type != NULL);
    switch (p->kind) {
    case PLACE_SLOT:
        gf_move(f, p->slot, src, type_slots(p->type));
        break;
    case PLACE_BYTES:
        store_raw(f, p->off, src, type_size(p->type));
        break;
    case PLACE_FIDX:
        gf_abc(f, OP_FSTX, src, p->slot, p->idx);
        gf_ext(f, 0, p->len);
        break;
    case PLACE_MEM:
        gf_store_mem(f, src, p->slot, p->off, p->type);
        break;
    case PLACE_GLOBAL:
        store_global(f, p, src);
        if (p->hook != NULL) {
            gf_need(f, gf_call_base(f));
            gf_ai(f, OP_CALLN, gf_call_base(f), gen_native(f->g, p->hook));
        }
        break;
    case PLACE_ELEM:
        store_elem(f, p, src);
        break;
    case PLACE_PIDX:
        store_pidx(f, p, src);
        break;
    case PLACE_MAP:
        gf_abc(f, OP_MAPSET, src, p->slot, p->idx);
        gf_ext(f, 0, gen_type(f->g, p->mtype));
        break;
    case PLACE_LATER:
        store_later(f, p, src);
        break;
    case PLACE_BLANK:
        break;
    }
}

void
gf_copy(struct gfunc *f, const struct place *to, const struct place *from)
{
    uint32_t m = gf_mark(f);
    struct place found;
    int a, b;

    if (to->kind == PLACE_LATER) {
        found = gf_found_later(f, to);
        to = &found;
    }
    if (type_slots(to->type) <= 4 || !gf_place_in_memory(to) ||
        !gf_place_in_memory(from)) {
        gf_store(f, to, gf_load_temp(f, from));
    } else {
        b = gf_addr(f, from, NO_SLOT);
        a = gf_addr(f, to, NO_SLOT);
        gf_abc(f, OP_COPYT, a, b, 0);
        gf_ext(f, 0, gen_type(f->g, to->type));
    }
    gf_release(f, m);
}

/* The address of a place in memory, in dst or (NO_SLOT) a slot of choice. */
int
gf_addr(struct gfunc *f, const struct place *p, int dst)
{
    uint32_t m;

    if (dst == NO_SLOT) {
        if (p->kind == PLACE_MEM && p->off == 0) {
            if (!p->sure)
                gf_abc(f, OP_CHKNIL, p->slot, 0, 0);
            return p->slot;
        }
        dst = gf_temp_ptr(f);
    }
    m = gf_mark(f);
    switch (p->kind) {
    case PLACE_MEM: {
        int64_t off = p->off;
        int base = near_base(f, p->slot, &off);

        if (off == 0 && base != p->slot)
            gf_move(f, dst, base, 1);
        else
            gf_abc(f, OP_LEA, dst, base, (int)off);
        break;
    }
    case PLACE_GLOBAL:
        gf_ai(f, OP_GADDR, dst, p->off);
        break;
    case PLACE_ELEM:
        elem_addr(f, p, dst);
        break;
    case PLACE_PIDX:
        pidx_addr(f, p, dst);
        break;
    default:
        /* A value in the frame: a copy of it on the heap stands for it (only
         * unaddressable operands come here). */
        gf_ai(f, OP_NEW, dst, gen_type(f->g, p->type));
        {
            int v = gf_load_temp(f, p);

            gf_store_mem(f, v, dst, 0, p->type);
        }
        break;
    }
    gf_release(f, m);
    return dst;
}

void
gf_zero_place(struct gfunc *f, const struct place *p)
{
    uint32_t m = gf_mark(f);
    uint32_t n = type_slots(p->type);
    int t;

    if (p->kind == PLACE_SLOT) {
        gf_zero(f, p->slot, n);
        return;
    }
    if (p->kind == PLACE_BLANK)
        return;
    if (gf_place_in_memory(p) && n > 3) {
        t = gf_addr(f, p, NO_SLOT);
        gf_abc(f, OP_CLRT, t, 0, 0);
        gf_ext(f, 0, gen_type(f->g, p->type));
    } else {
        t = gf_temp(f, p->type);
        gf_zero(f, t, n);
        gf_store(f, p, t);
    }
    gf_release(f, m);
}
