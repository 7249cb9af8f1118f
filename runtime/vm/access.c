/* SPDX-License-Identifier: MIT */

/*
 * What the race detector is told of instructions that are more than a load or
 * a store, and of natives; and which instructions are replaced by their
 * checked forms when a program is loaded.
 */

#include <string.h>

#include "runtime/race/race.h"
#include "runtime/vm/ops_int.h"
#include "runtime/vm/vm_int.h"

/* Who accesses, and where that is; or what is asked of accesses before they
 * happen. */
struct look {
    struct race_g *g;
    const struct code_ins *pc;
    const union rt_slot *fp;
    bool *shared; /* not NULL: whether others have to do with any of it */
};

static void
reads(const struct look *l, const void *p, uint64_t n)
{
    if (l->shared == NULL)
        race_read_range(l->g, p, n, l->pc, l->fp);
    else
        *l->shared = *l->shared || race_read_shared(l->g, p, n);
}

static void
writes(const struct look *l, const void *p, uint64_t n)
{
    if (l->shared == NULL)
        race_write_range(l->g, p, n, l->pc, l->fp);
    else
        *l->shared = *l->shared || race_write_shared(l->g, p, n);
}

/* ---- instructions --------------------------------------------------------- */

/* n elements are appended to the slice: they are written behind its own where
 * there is room, else its own are copied.  A length out of range panics. */
static void
appends(const struct look *l, const union rt_slot *s, int64_t n,
    uint64_t size)
{
    if (n < 0)
        return;
    if (n <= s[2].i - s[1].i)
        writes(l, (const uint8_t *)s[0].p + s[1].u * size,
            (uint64_t)n * size);
    else
        reads(l, s[0].p, s[1].u * size);
}

/* The accesses of the instruction. */
static void
look_at_op(struct vm_thread *t, const struct look *l)
{
    const union rt_slot *fp = l->fp;
    const struct code_ins *pc = l->pc;
    const struct rtype *const *types = t->vm->im->types;
    unsigned op = code_plain(pc->op);
    uint64_t size = 0;

    rt_assert(t->race != NULL && op != pc->op);
    if (op == OP_MAPNEXT) { /* its B may be no slot */
        rt_assert(R(A).p != NULL);
        reads(l, ((const struct map_iter *)R(A).p)->map, 8);
        return;
    }
    /* A page of addresses stands for nil; fields of it are not accessed. */
    const uint8_t *b = op == OP_CLRT || IS_NIL(R(B).p) ? NULL : R(B).p;
    switch (op) {
    case OP_LDM:
        if (b != NULL)
            reads(l, b + C, (uint32_t)pc[1].imm);
        return;
    case OP_BYTES2STR:
        reads(l, b, R(B + 1).u);
        return;
    case OP_RUNES2STR:
        reads(l, b, 4 * R(B + 1).u);
        return;
    case OP_MAPLEN:
    case OP_MAPGET:
    case OP_MAPGETOK:
    case OP_MAPITER:
        /* Of a map its first word stands for all of it. */
        reads(l, b, 8);
        return;
    case OP_MAPSET:
    case OP_MAPREF: /* what is done by the address is told by itself */
    case OP_MAPDEL:
    case OP_MAPCLR:
        writes(l, b, 8);
        return;
    default:
        break;
    }
    /* The others name a type. */
    rt_assert(pc[1].op == OP_EXT && (uint32_t)pc[1].imm < t->vm->im->ntypes);
    size = rtype_size(types[pc[1].imm]);
    switch (op) {
    case OP_STT:
        if (b != NULL)
            writes(l, b + C, size);
        return;
    case OP_COPYT:
        if (b == NULL || IS_NIL(R(A).p))
            return;
        reads(l, b, size);
        writes(l, R(A).p, size);
        return;
    case OP_CLRT:
        if (!IS_NIL(R(A).p))
            writes(l, R(A).p, size);
        return;
    case OP_MKIFACEM:
        reads(l, b, size);
        return;
    case OP_EQMEM:
        reads(l, b, size);
        reads(l, R(C).p, size);
        return;
    case OP_APPEND64:
    case OP_APPENDT:
        appends(l, &R(B), 1, size);
        return;
    case OP_APPENDG:
        /* The stores that follow are told by themselves. */
        if ((C | (int64_t)pc[1].a << 16) > R(B + 2).i - R(B + 1).i)
            reads(l, b, R(B + 1).u * size);
        return;
    case OP_APPENDSL:
        reads(l, R(C).p, R(C + 1).u * size);
        appends(l, &R(B), R(C + 1).i, size);
        return;
    case OP_APPENDZ:
        appends(l, &R(B), R(C).i, size);
        return;
    case OP_COPYSL: {
        int64_t n = R(B + 1).i < R(C + 1).i ? R(B + 1).i : R(C + 1).i;

        reads(l, R(C).p, (uint64_t)n * size);
        writes(l, b, (uint64_t)n * size);
        return;
    }
    case OP_CLRSL:
        writes(l, b, R(B + 1).u * size);
        return;
    default:
        rt_throwf("vm: no checked form of %s", code_op_name(op));
    }
}

void
vm_race_op(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc)
{
    look_at_op(t, &(struct look){ t->race, pc, fp, NULL });
}

bool
vm_race_op_shared(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc)
{
    bool shared = false;

    look_at_op(t, &(struct look){ t->race, pc, fp, &shared });
    return shared;
}

/* ---- natives ---------------------------------------------------------------- */

/* A parameter of a native as it was before the call, which may have written
 * its result over it. */
struct before {
    const uint8_t *p;
    uint64_t len;
};

/* Rows that are about a slice, at two slots or more. */
static bool
of_slice(const struct vm_access *a)
{
    return a->what <= VM_READS_EACH ||
        (a->what >= VM_READS_FIRST_OUT && a->what <= VM_APPENDS);
}

/* The value, or the i-th of an array of such, whose type a parameter says. */
static void
typed(const struct look *l, const union rt_slot *arg,
    const struct vm_access *a)
{
    const struct rtype *type = arg[a->other].p;
    const uint8_t *p = arg[a->slot].p;
    unsigned part = a->size & 0xff, index = a->size >> 8;

    if (part != 0)
        type = part == 1 ? type->key : type->elem;
    rt_assert(type != NULL);
    uint64_t size = rtype_size(type);
    if (index != 0)
        p += arg[index - 1].u * size;
    if (a->what == VM_READS_TYPE)
        reads(l, p, size);
    else
        writes(l, p, size);
}

/* What it does at its entry. */
static void
tell_before(const struct look *l, const union rt_slot *arg,
    const struct vm_access *a, const void *io)
{
    const uint8_t *p = arg[a->slot].p;
    uint64_t size = a->size, len = of_slice(a) ? arg[a->slot + 1].u : 0;

    switch ((enum vm_access_what)a->what) {
    case VM_READS:
        reads(l, p, len * size);
        break;
    case VM_WRITES:
        writes(l, p, len * size);
        break;
    case VM_READS_FIRST:
    case VM_READS_LAST: {
        uint64_t n = arg[a->other].u;

        if (n > len)
            break;
        if (a->what == VM_READS_LAST)
            p += (len - n) * size;
        reads(l, p, n * size);
        break;
    }
    case VM_READS_EACH:
        reads(l, p, len * sizeof(struct rt_slice));
        for (uint64_t i = 0; i < len; i++) {
            const struct rt_slice *s = (const struct rt_slice *)(const void *)p
                + i;
            reads(l, s->ptr, (uint64_t)s->len * size);
        }
        break;
    case VM_READS_FIXED:
        reads(l, p, size);
        break;
    case VM_WRITES_FIXED:
        writes(l, p, size);
        break;
    case VM_READS_BYTES:
        reads(l, p, arg[a->other].u);
        break;
    case VM_WRITES_BYTES:
        writes(l, p, arg[a->other].u);
        break;
    case VM_READS_TYPE:
    case VM_WRITES_TYPE:
        typed(l, arg, a);
        break;
    case VM_IO_OUT:
        if (l->shared == NULL)
            race_merge(l->g, io);
        break;
    default:
        break;
    }
}

/* What it has done, where its results say how much that was; b: what its
 * parameter was. */
static void
tell_after(const struct look *l, const union rt_slot *out,
    const struct vm_access *a, const struct before *b, const void *io)
{
    uint64_t size = a->size, left, r = out[a->other].u;
    const uint8_t *p = out[a->other].p;

    switch ((enum vm_access_what)a->what) {
    case VM_IO_IN:
        if (out[0].i > 0)
            race_acquire(l->g, io);
        break;
    case VM_READS_FIRST_OUT:
        if ((int64_t)r > 0)
            reads(l, b->p, (r < b->len ? r : b->len) * size);
        break;
    case VM_READS_LAST_OUT:
        if ((int64_t)r > 0 && r <= b->len)
            reads(l, b->p + (b->len - r) * size, r * size);
        break;
    case VM_WRITES_FIRST_OUT:
        if ((int64_t)r > 0)
            writes(l, b->p, (r < b->len ? r : b->len) * size);
        break;
    case VM_READS_UPTO:
        reads(l, b->p, (r < b->len ? r + 1 : b->len) * size);
        break;
    case VM_READS_FROM:
        r = r < b->len ? r : 0;
        reads(l, b->p + r * size, (b->len - r) * size);
        break;
    case VM_READS_AROUND:
        /* Empty results may be anywhere. */
        left = p >= b->p && p < b->p + b->len * size
            ? (uint64_t)(p - b->p) / size : b->len;
        r = left + out[a->other + 1].u;
        reads(l, b->p, (left < b->len ? left + 1 : b->len) * size);
        if (left < b->len && r <= b->len && r > 0)
            reads(l, b->p + (r - 1) * size, (b->len - r + 1) * size);
        break;
    case VM_APPENDS:
        if (out[0].p != b->p)
            reads(l, b->p, b->len * size);
        else if (out[1].u > b->len)
            writes(l, b->p + b->len * size, (out[1].u - b->len) * size);
        break;
    default:
        break;
    }
}

/* An atomic operation and the order that it makes are one step. */
static enum vm_status
atomic(struct vm_thread *t, const struct look *l, union rt_slot *arg,
    vm_native_fn fn, const struct vm_access *a)
{
    static const enum race_atomic kinds[] = { RACE_LOAD, RACE_STORE,
        RACE_RMW, RACE_RMW };
    void *p = arg[a->slot].p;
    enum race_atomic kind = kinds[a->what - VM_ATOMIC_LOAD];

    if (IS_NIL(p))
        return fn(t, arg); /* which panics */
    race_atomic_begin(l->g, p);
    enum vm_status st = fn(t, arg);
    rt_assert(st == VM_OK);
    if (a->what == VM_ATOMIC_CAS && arg[0].u == 0)
        kind = RACE_LOAD;
    race_atomic_end(l->g, p, a->size, kind, l->pc, l->fp);
    return st;
}

enum vm_status
vm_race_native(struct vm_thread *t, union rt_slot *fp,
    const struct code_ins *pc)
{
    const struct look l = { t->race, pc, fp, NULL };
    const struct vm *vm = t->vm;
    const struct vm_access *list = vm->tables.access[(uint32_t)IMM];
    vm_native_fn fn = vm->tables.natives[(uint32_t)IMM];
    union rt_slot *arg = fp + A;
    struct before b[VM_ACCESS_MAX];
    unsigned n = 0;

    rt_assert(t->race != NULL && list != NULL);
    if (list->what >= VM_ATOMIC_LOAD) {
        rt_assert(list[1].what == VM_ACCESS_END);
        return atomic(t, &l, arg, fn, list);
    }
    for (; list[n].what != VM_ACCESS_END; n++) {
        rt_assert(n < VM_ACCESS_MAX);
        const union rt_slot *s = &arg[list[n].slot];
        b[n] = (struct before){ s[0].p, of_slice(&list[n]) ? s[1].u : 0 };
        tell_before(&l, arg, &list[n], vm);
    }
    enum vm_status st = fn(t, arg);
    if (st != VM_OK)
        return st;
    vm_sync(t);
    for (unsigned i = 0; i < n; i++)
        tell_after(&l, arg, &list[i], &b[i], vm);
    return VM_OK;
}

bool
vm_race_native_shared(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc)
{
    const struct vm_access *a = t->vm->tables.access[(uint32_t)IMM];
    bool shared = false;
    const struct look l = { t->race, pc, fp, &shared };

    rt_assert(t->race != NULL && a != NULL);
    for (; a->what < VM_ATOMIC_LOAD && a->what != VM_ACCESS_END && !shared;
        a++)
        tell_before(&l, fp + A, a, NULL);
    return shared;
}

/* ---- channels that stay open --------------------------------------------------- */

/* Channels of the same elements are converted to each other, no others are.  The
 * native closes whatever reflection brings. */
static void
find_closed(const struct vm *vm, const struct code_ins *pc)
{
    const struct code_image *im = vm->im;
    uint32_t n = (uint32_t)pc->imm;

    switch (code_plain(pc->op)) {
    case OP_CHANCLOSE:
        rt_assert(n < im->ntypes && im->types[n]->kind == RK_CHAN);
        rt_assert(im->types[n]->elem->id < im->ntypes);
        vm->tables.closed[im->types[n]->elem->id] = 1;
        break;
    case OP_CALLN:
        if (strcmp(im->natives[n].name, "internal/rt.Close") == 0)
            memset(vm->tables.closed, 1, im->ntypes);
        break;
    default:
        break;
    }
}

bool
vm_race_find_closed(struct vm *vm)
{
    const struct code_image *im = vm->im;

    vm->tables.closed = calloc(im->ntypes + 1, 1);
    if (vm->tables.closed == NULL)
        return false;
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        const struct code_func *f = &im->funcs[i];

        for (const struct code_ins *pc = f->code; pc < f->code + f->ncode;
             pc += 1 + code_ext_words(pc))
            find_closed(vm, pc);
    }
    return true;
}

bool
vm_race_stays_open(const struct vm *vm, const struct rtype *elem)
{
    const struct code_image *im = vm->im;

    /* A type that was made while the program ran is none of the image's. */
    return vm->race != NULL && elem->id < im->ntypes &&
        im->types[elem->id] == elem && !vm->tables.closed[elem->id];
}

/* ---- loading ------------------------------------------------------------------ */

static bool
in_package(const char *func, const char *package)
{
    size_t n = strlen(package);

    return strncmp(func, package, n) == 0 && func[n] == '.';
}

/* The row that says that the function is not checked; NULL: it is. */
static const struct vm_unchecked *
unchecked(const struct vm_unchecked *list, const char *func)
{
    for (; list != NULL && list->package != NULL; list++)
        if (in_package(func, list->package))
            return list;
    return NULL;
}

void
vm_race_rewrite(struct vm *vm, const struct vm_unchecked *list)
{
    for (uint32_t i = 0; i < vm->im->nfuncs; i++) {
        const struct code_func *f = &vm->im->funcs[i];
        const struct vm_unchecked *row = unchecked(list, f->name);

        for (struct code_ins *pc = f->code; pc < f->code + f->ncode;
             pc += 1 + code_ext_words(pc)) {
            bool native = code_plain(pc->op) == OP_CALLN;

            if (row != NULL && !(native && row->natives))
                continue;
            if (native && vm->tables.access[(uint32_t)pc->imm] == NULL)
                continue;
            pc->op = (uint16_t)code_checked(pc->op);
        }
    }
}
