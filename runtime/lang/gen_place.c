/* SPDX-License-Identifier: MIT */
/*
 * Places: where a value is or goes.  Every load and store of the generated
 * code is chosen here, by kind of place and type.
 */
#include "runtime/lang/gen_int.h"

#include <string.h>

bool
gen_var_on_heap(struct object *v)
{
    return object_escapes(v) || v->gen_ptr != NULL ||
        type_slots(v->type) > GEN_FRAME_VAR_SLOTS;
}

static bool
is_blank(const struct object *v)
{
    return v->name == NULL || strcmp(v->name->text, "_") == 0;
}

/* Gives a local variable its slot; zero: and its zero value. */
void
gf_declare(struct gfunc *f, struct object *v, bool zero)
{
    int slot;

    *gvec_push(f->g, &f->var_objs) = v;
    if (gen_var_on_heap(v)) {
        slot = gf_temp_ptr(f);
        gf_ai(f, OP_NEW, slot, gen_type(f->g, v->type));
    } else {
        slot = gf_temp(f, v->type);
        if (zero)
            gf_zero(f, slot, type_slots(v->type));
    }
    v->gen = (uint64_t)slot + 1;
}

/* A loop variable's next instance: a new cell with the value of the old. */
void
gf_fresh_copy(struct gfunc *f, struct object *v)
{
    uint32_t m = gf_mark(f);
    int cell, slot = (int)v->gen - 1;

    if (!object_escapes(v))
        return;
    cell = gf_temp_ptr(f);
    gf_ai(f, OP_NEW, cell, gen_type(f->g, v->type));
    gf_abc(f, OP_COPYT, cell, slot, 0);
    gf_ext(f, 0, gen_type(f->g, v->type));
    gf_move(f, slot, cell, 1);
    gf_release(f, m);
}

struct place
gf_mem_place(int slot, int64_t off, struct type *t)
{
    struct place p = {0};

    p.kind = PLACE_MEM;
    p.slot = slot;
    p.off = off;
    p.type = t;
    return p;
}

/* The runtime wants to know at once when this variable changes. */
static struct object *
store_hook(const struct object *v)
{
    if (strcmp(v->name->text, "MemProfileRate") != 0 ||
        strcmp(v->pkg->path, "runtime") != 0)
        return NULL;
    return check_lookup(v->pkg, "memRateChanged");
}

struct place
gf_var_place(struct gfunc *f, struct object *v)
{
    struct place p = {0};

    p.type = v->type;
    if (is_blank(v)) {
        p.kind = PLACE_BLANK;
        return p;
    }
    if (v->var_kind == VAR_PACKAGE) {
        p.kind = PLACE_GLOBAL;
        p.off = (int64_t)gen_global(f->g, v);
        p.hook = store_hook(v);
        return p;
    }
    if (v->gen == 0) {
        gen_errorf(f->g, f->pos, "vole: variable %s has no place",
            v->name->text);
        p.kind = PLACE_BLANK;
        return p;
    }
    p.slot = (int)v->gen - 1;
    p.kind = gen_var_on_heap(v) ? PLACE_MEM : PLACE_SLOT;
    p.sure = true;
    return p;
}

/* ---- memory ------------------------------------------------------------------ */

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

/* ---- globals ---------------------------------------------------------------------- */

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

/* ---- parts of frames ------------------------------------------------------------------ */

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

/* ---- elements ----------------------------------------------------------------------------- */

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

/* The operation that is emitted next takes an index. */
static void
note_index(struct gfunc *f, bool nosign)
{
    if (nosign)
        *gvec_push(f->g, &f->unsigned_at) = f->code.n;
}

static bool
has_no_sign(struct type *t)
{
    return type_is_unsigned(t) && type_size(t) == 8;
}

static void
elem_addr(struct gfunc *f, const struct place *p, int dst)
{
    note_index(f, p->nosign);
    gf_abc(f, OP_XADDR, dst, p->slot, p->idx);
    gf_ext(f, 0, type_size(p->type));
}

static void
pidx_addr(struct gfunc *f, const struct place *p, int dst)
{
    gf_abc(f, OP_PADDR, dst, p->slot, p->idx);
    gf_ext(f, 0, type_size(p->type));
}

static void
load_elem(struct gfunc *f, const struct place *p, int dst)
{
    enum code_op op = elem_load_op(p->type);
    uint32_t m = gf_mark(f);
    int t;

    if (op != OP_NOP) {
        note_index(f, p->nosign);
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
        note_index(f, p->nosign);
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

/* ---- the general ones ---------------------------------------------------------------------------- */

bool
gf_place_in_memory(const struct place *p)
{
    return p->kind == PLACE_MEM || p->kind == PLACE_GLOBAL ||
        p->kind == PLACE_ELEM || p->kind == PLACE_PIDX;
}

void
gf_load(struct gfunc *f, const struct place *p, int dst)
{
    switch (p->kind) {
    case PLACE_SLOT:
        gf_move(f, dst, p->slot, type_slots(p->type));
        break;
    case PLACE_BYTES:
        load_bytes(f, p, dst);
        break;
    case PLACE_FIDX:
        gf_abc(f, OP_FLDX, dst, p->slot, p->idx);
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

void
gf_store(struct gfunc *f, const struct place *p, int src)
{
    switch (p->kind) {
    case PLACE_SLOT:
        gf_move(f, p->slot, src, type_slots(p->type));
        break;
    case PLACE_BYTES:
        store_raw(f, p->off, src, type_size(p->type));
        break;
    case PLACE_FIDX:
        gf_abc(f, OP_FSTX, src, p->slot, p->idx);
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
    case PLACE_BLANK:
        break;
    }
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

struct place
gf_field_place(struct gfunc *f, struct place p, struct object *fld)
{
    struct type *ft = fld->type;

    type_size(p.type);
    switch (p.kind) {
    case PLACE_SLOT:
    case PLACE_BYTES: {
        int64_t off =
            (p.kind == PLACE_SLOT ? (int64_t)p.slot * 8 : p.off) +
            fld->offset;

        p.type = ft;
        if (off % 8 == 0 && (type_size(ft) >= 8 || type_size(ft) == 0)) {
            p.kind = PLACE_SLOT;
            p.slot = (int)(off / 8);
        } else {
            p.kind = PLACE_BYTES;
            p.off = off;
        }
        return p;
    }
    case PLACE_MEM:
    case PLACE_GLOBAL:
        p.off += fld->offset;
        p.type = ft;
        return p;
    case PLACE_ELEM:
    case PLACE_PIDX: {
        int t = gf_addr(f, &p, NO_SLOT);

        return gf_mem_place(t, fld->offset, ft);
    }
    default: {
        struct place q = {0};

        q.kind = PLACE_SLOT;
        q.type = p.type;
        q.slot = gf_load_temp(f, &p);
        return gf_field_place(f, q, fld);
    }
    }
}

/* ---- places of expressions ----------------------------------------------------------------------- */

static struct place
value_place(struct gfunc *f, struct ast_expr *e)
{
    struct place p = {0};

    p.kind = PLACE_SLOT;
    p.type = e->type;
    p.slot = gf_expr(f, e);
    return p;
}

static int64_t
const_index(struct ast_expr *e)
{
    int64_t v = -1;

    if (e->cv != NULL && const_to_int64(e->cv, &v))
        return v;
    return -1;
}

void
gf_check_late(struct gfunc *f, const struct place *p)
{
    if (p->kind == PLACE_PIDX)
        gf_abc(f, OP_CHKNIL, p->slot, 0, 0);
    note_index(f, p->nosign);
    gf_ai(f, OP_CHKIDX, p->idx, p->len);
}

static struct place
array_elem(struct gfunc *f, struct place a, struct ast_expr *ix, bool late)
{
    struct type *at = type_under(a.type);
    int64_t k = const_index(ix), es = type_size(at->elem);
    int i;

    if (k >= 0 && k < at->len) {
        struct object fld = {0};

        fld.type = at->elem;
        fld.offset = k * es;
        return gf_field_place(f, a, &fld);
    }
    if (a.kind == PLACE_SLOT && es == 8 && type_in_frame_scalar(at->elem)) {
        i = gf_expr(f, ix);
        a.kind = PLACE_FIDX;
    } else {
        /* In memory, or put there. */
        if (!late || a.kind != PLACE_MEM || a.off != 0)
            a.slot = gf_addr(f, &a, NO_SLOT);
        i = gf_expr(f, ix);
        a.kind = PLACE_PIDX;
    }
    a.nosign = has_no_sign(ix->type);
    if (!late) {
        note_index(f, a.nosign);
        gf_ai(f, OP_CHKIDX, i, at->len);
    }
    a.late = late;
    a.len = at->len;
    a.idx = i;
    a.type = at->elem;
    return a;
}

static struct place
index_place(struct gfunc *f, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x, *ix = e->index.at.at[0];
    struct type *xt = type_under(x->type);
    struct place p = {0};
    bool late = f->late;

    f->late = false;
    f->pos = e->pos;
    switch (xt->kind) {
    case TYPE_MAP:
        p.kind = PLACE_MAP;
        p.mtype = x->type;
        p.type = xt->elem;
        p.slot = gf_expr(f, x);
        p.idx = gf_expr_as(f, ix, xt->key);
        break;
    case TYPE_POINTER: /* to an array */
        p = gf_mem_place(gf_expr(f, x), 0, xt->elem);
        p = array_elem(f, p, ix, late);
        break;
    case TYPE_ARRAY:
        p = gf_place_of(f, x);
        p = array_elem(f, p, ix, late);
        break;
    default: /* slice, string */
        p.kind = PLACE_ELEM;
        p.type = xt->kind == TYPE_SLICE ? xt->elem :
            &f->g->c->types.basic[TYPE_UINT8];
        p.slot = gf_expr(f, x);
        p.idx = gf_expr(f, ix);
        p.nosign = has_no_sign(ix->type);
        break;
    }
    f->pos = e->pos;
    return p;
}

struct place
gf_walk_steps(struct gfunc *f, struct ast_expr *x, const struct selection *s,
    uint32_t nsteps)
{
    struct place p;
    uint32_t i;

    if (nsteps > 0 && s->steps[0].deref)
        p = value_place(f, x);
    else
        p = gf_place_of(f, x);
    for (i = 0; i < nsteps; i++) {
        if (s->steps[i].deref) {
            int ptr = gf_load_temp(f, &p);

            p = gf_mem_place(ptr, 0, type_under(p.type)->elem);
        }
        p = gf_field_place(f, p, s->steps[i].field);
    }
    return p;
}

/* Does e denote something that has an address, or a part of such? */
bool
gf_is_place(struct ast_expr *e)
{
    e = ast_unparen(e);
    if (e->cv != NULL)
        return false;
    return e->kind == EXPR_STAR || e->kind == EXPR_INDEX ||
        (e->kind == EXPR_NAME && e->obj != NULL && e->obj->kind == OBJ_VAR) ||
        (e->kind == EXPR_SELECTOR && e->selector.how != NULL &&
            e->selector.how->kind == SEL_FIELD);
}

struct place
gf_place_of(struct gfunc *f, struct ast_expr *e)
{
    struct place p = {0};

    e = ast_unparen(e);
    if (e->cv != NULL)
        return value_place(f, e);
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            return gf_var_place(f, e->obj);
        if (strcmp(e->name->text, "_") == 0) {
            p.kind = PLACE_BLANK;
            p.type = e->type;
            return p;
        }
        return value_place(f, e);
    case EXPR_SELECTOR:
        if (e->selector.how == NULL) {
            if (e->obj != NULL && e->obj->kind == OBJ_VAR)
                return gf_var_place(f, e->obj);
            return value_place(f, e);
        }
        if (e->selector.how->kind == SEL_FIELD) {
            f->pos = e->pos;
            return gf_walk_steps(
                f, e->selector.x, e->selector.how, e->selector.how->nsteps);
        }
        return value_place(f, e);
    case EXPR_INDEX:
        return index_place(f, e);
    case EXPR_STAR:
        f->pos = e->pos;
        return gf_mem_place(gf_expr(f, e->x), 0, e->type);
    default:
        return value_place(f, e);
    }
}
