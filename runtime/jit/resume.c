/* SPDX-License-Identifier: MIT */

/* Between the interpreter and machine code: into it, by records, and what
 * becomes of its ends. */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/base/utf8.h"
#include "runtime/race/race.h"
#include "runtime/value/alg.h"
#include "runtime/vm/cells.h"

_Static_assert(offsetof(struct jit_area, fp) == 256 &&
        offsetof(struct jit_area, kind) == 264 &&
        offsetof(struct jit_area, value) == 268 &&
        offsetof(struct jit_area, pc) == 272,
    "as enter_x64.S has it");
_Static_assert(offsetof(struct sched_p, alone) ==
        offsetof(struct sched_p, preempt) + 4, "likewise");
_Static_assert(offsetof(struct race_g, epoch) == 0 &&
        offsetof(struct race_g, cells) == 8 &&
        offsetof(struct race_g, lo) == 16 &&
        offsetof(struct race_g, where) == 32 &&
        offsetof(struct race_g, place) == 40 &&
        offsetof(struct race_g, place_stack) == 48 &&
        sizeof(struct race_cell) == 16 && sizeof(struct race_where) == 8 &&
        offsetof(struct race_cell, write) == 8 &&
        offsetof(struct race_where, write) == 4 && RACE_MASK == 0xff,
    "likewise");

/* The record by which machine code begins at pc; NULL: there is none. */
static const struct jit_record *
find(const struct jit *jit, const struct code_ins *pc)
{
    const struct code_image *im = jit->vm->im;
    uint64_t off = (uint64_t)(pc - im->code);

    /* acq: pairs with the rel in open_jit(). */
    if (a32_load_acq(&jit->open) == 0 ||
        (uintptr_t)pc < (uintptr_t)im->code || off >= im->ncode)
        return NULL;
    /* acq: pairs with the rel in publish(). */
    uint32_t i = a32_load_acq(&jit->resume[off]);
    return i == 0 ? NULL : &jit->recs[i - 1];
}

/* Whether pc is at the header of a loop that some machine code has spliced
 * in. */
static bool
is_head(const struct jit *jit, const struct code_ins *pc)
{
    const struct code_image *im = jit->vm->im;
    uint64_t off = (uint64_t)(pc - im->code);

    /* acq: pairs with the rel in open_jit(), and in publish_inside(). */
    return a32_load_acq(&jit->open) != 0 &&
        (uintptr_t)pc >= (uintptr_t)im->code && off < im->ncode &&
        a32_load_acq(&jit->heads[off]) != 0;
}

/* It may be that there is such a loop, but with other frames around it. */
static bool
resumes(void *arg, const struct code_ins *pc)
{
    return find(arg, pc) != NULL || is_head(arg, pc);
}

/* Whether the frames from the one at fp on, which r's instruction is in, are
 * those that r has spliced in; *outer is the one that they are in then. */
static bool
has_frames(const struct jit *jit, const struct jit_record *r,
    union rt_slot *fp, union rt_slot **outer)
{
    for (uint32_t i = r->frame; i != 0; i = jit->frames[i].up) {
        const struct code_ins *ret = jit->frames[i].ret;

        if (fp[-1].p != ret)
            return false;
        fp -= ret[-1].a;
    }
    *outer = fp;
    return true;
}

/* How many slots what r has spliced in has been promised, from the outermost
 * frame on. */
static uint32_t
room_of(const struct jit *jit, const struct jit_record *r)
{
    uint32_t room = 0;

    for (uint32_t i = r->frame; i != 0; i = jit->frames[i].up)
        if (jit->frames[i].room > room)
            room = jit->frames[i].room;
    return room;
}

/* The record by which machine code that has spliced in the functions whose
 * frames are on the stack begins at pc; of several the one with most of them.
 * NULL: there is none, or no room for all.  *fp is where its function's frame
 * is. */
static const struct jit_record *
find_within(const struct jit *jit, const struct vm_g *vg,
    const struct code_ins *pc, union rt_slot **fp)
{
    const struct code_image *im = jit->vm->im;
    const struct jit_record *found = NULL;
    union rt_slot *frame = *fp, *at = frame, *outer;

    rt_assert(is_head(jit, pc));
    for (unsigned depth = 0; depth < VM_JIT_FRAMES; depth++) {
        const struct code_ins *ret = frame[-1].p;
        uint64_t off = (uint64_t)(ret - im->code);

        if ((uintptr_t)ret < (uintptr_t)im->code || off >= im->ncode ||
            off == 0)
            break;
        frame -= ret[-1].a;
        /* acq: pairs with the rel in publish_inside(). */
        uint32_t i = a32_load_acq(&jit->within[off]);
        for (; i != 0; i = jit->recs[i - 1].next) {
            const struct jit_record *r = &jit->recs[i - 1];
            if (jit_record_pc(jit, r) != pc || !has_frames(jit, r, at, &outer) ||
                outer + room_of(jit, r) > vg->stack + vg->nslots)
                continue;
            found = r;
            *fp = outer;
            break;
        }
    }
    return found;
}

/*
 * From slots to registers; two slots that hold the same may have one register.
 * The last words of a frame, which may be arguments of a closure that is called
 * next, need not be right where there are fewer of them: whatever has left
 * machine code there knew them for lost.  So what comes first, which is right,
 * is loaded last.
 */
static void
fill(const struct jit *jit, struct jit_area *a, const struct jit_record *r,
    const union rt_slot *fp)
{
    const struct jit_pair *p = jit->pairs + r->first;

    rt_assert(r->addr != 0 && r->first + r->n <= JIT_PAIRS);
    for (uint32_t i = r->n; i-- > 0;)
        if (p[i].cell && !p[i].constant)
            a->reg[p[i].reg] =
                ((const union rt_slot *)fp[p[i].slot].p)[p[i].value].u;
        else if (!p[i].constant)
            a->reg[p[i].reg] = fp[p[i].slot].u;
}

/* Where machine code may go on with t's goroutine, which stands at at_pc in the
 * frame at_fp; NULL: nowhere.  Where it was left for a safepoint nothing has
 * been done since, so that all frames are what they were, but the stack may
 * have moved, and have less room than what is spliced in has been promised.
 * *frame, which is that one, becomes that of the function that has it. */
static const struct jit_record *
place(struct jit *jit, struct vm_thread *t, union rt_slot **frame)
{
    struct vm_m *vt = vm_m_of(t);
    struct vm_g *vg = vm_g_of(t);
    uint32_t again = vg->again;
    const struct jit_record *r;

    vg->again = 0;
    if (again == 0) {
        r = is_head(jit, vt->at_pc)
            ? find_within(jit, vg, vt->at_pc, frame) : NULL;
        if (r != NULL && jit->cfg.stats)
            a64_add_rlx(&jit->entered_within, 1);
        return r != NULL ? r : find(jit, vt->at_pc);
    }
    r = &jit->recs[again - 1];
    union rt_slot *fp = *frame - jit->frames[r->frame].base;
    rt_assert(jit_record_pc(jit, r) == vt->at_pc && r->addr != 0);
    rt_assert(fp >= vg->stack + 2);
    if (fp + room_of(jit, r) > vg->stack + vg->nslots)
        return find(jit, vt->at_pc);
    *frame = fp;
    return r;
}

static void
count_exit(const struct jit *jit, const struct jit_record *r)
{
    if (jit->left != NULL)
        a32_add_rlx(&jit->left[r->off], 1);
}

/* Machine code has been left: the goroutine stands there. */
static void
stand(struct vm_m *vt, union rt_slot *fp, const struct code_ins *pc)
{
    vt->at_fp = fp;
    vt->at_pc = pc;
    vm_stands(&vt->t, VM_STANDS_AT);
}

/* Makes the frame and those around it, of the function whose frame is at fp;
 * its own place. */
static union rt_slot *
put_frames(const struct jit *jit, uint32_t frame, union rt_slot *fp)
{
    const struct jit_frame *f = &jit->frames[frame];
    union rt_slot *top = fp + f->base;

    for (; frame != 0; frame = f->up) {
        f = &jit->frames[frame];
        fp[f->base - 1].p = (void *)f->ret;
        fp[f->base - 2].p = (void *)(uintptr_t)f->land;
    }
    return top;
}

/* What is derived of a slot, which is in memory. */
static void *
work_out(const struct jit_area *a, const struct jit_pair *p)
{
    union rt_slot *block = a->fp[jit_derived_of(p)].p;

    rt_assert(p->derived && p->constant && block != NULL);
    return block + jit_derived_words(p);
}

/* A block of cells, if it is not there yet, of the innermost frame around r that
 * has its slot. */
static void
make_cells(const struct jit *jit, struct vm_g *vg, const struct jit_record *r,
    union rt_slot *fp, const struct jit_pair *p)
{
    uint32_t frame = r->frame;

    rt_assert(p->block && p->derived && p->constant && !p->cell);
    if (fp[p->slot].p != NULL)
        return;
    while (jit->frames[frame].base > p->slot)
        frame = jit->frames[frame].up;
    fp[p->slot].p = vm_cells_push(vg, fp + jit->frames[frame].base,
        &jit->vm->im->funcs[p->value].cells);
    if (fp[p->slot].p == NULL)
        rt_throw("jit: out of memory");
}

/* A variable that has not been stored yet, whose address is in its slot; or what
 * is derived. */
static void
spill_late(const struct jit_area *a, const struct jit_pair *p)
{
    union rt_slot *at = a->fp[p->slot].p;

    if (!p->cell) {
        a->fp[p->slot].p = work_out(a, p);
        return;
    }
    rt_assert(at != NULL);
    if (p->derived)
        at[p->reg].p = work_out(a, p);
    else if (p->constant)
        at[p->reg].i = p->value;
    else
        at[p->value].u = a->reg[p->reg];
}

/* And back, with all frames. */
static void
spill(const struct jit *jit, struct vm_m *vt, const struct jit_area *a,
    const struct jit_record *r)
{
    const struct jit_pair *p = jit->pairs + r->first;
    union rt_slot *fp = a->fp;

    count_exit(jit, r);
    stand(vt, put_frames(jit, r->frame, fp), jit_record_pc(jit, r));
    for (uint32_t i = 0; i < r->n; i++)
        if (p[i].cell || p[i].derived)
            continue;
        else if (p[i].constant)
            fp[p[i].slot].i = p[i].value;
        else
            fp[p[i].slot].u = a->reg[p[i].reg];
    for (uint32_t i = 0; i < r->n; i++)
        if (p[i].block)
            make_cells(jit, vm_g_of(&vt->t), r, fp, &p[i]);
    for (uint32_t i = 0; i < r->n; i++)
        if (!p[i].block && (p[i].late || (p[i].derived && !p[i].cell)))
            spill_late(a, &p[i]);
}

/* Behind a safepoint it goes on where it is left now. */
static void
come_again(const struct jit *jit, struct vm_thread *t, uint32_t record)
{
    rt_assert(vm_g_of(t)->again == 0);
    if (jit->recs[record].frame != 0 && jit->recs[record].addr != 0)
        vm_g_of(t)->again = record + 1;
}

/* What is to be done after an end of machine code. */
enum next { NEXT_DONE, NEXT_RESUME };

/* The frame at fp, which the interpreter has called, has returned. */
static void
return_from(struct vm_m *vt, union rt_slot *fp)
{
    const struct code_ins *pc = fp[-1].p;

    rt_assert(pc != NULL);
    stand(vt, fp - pc[-1].a, pc);
}

static enum next
after(struct jit *jit, struct vm_thread *t, const struct jit_area *a,
    enum vm_jit_end *end)
{
    struct vm_m *vt = vm_m_of(t);

    /* acq: pairs with the rel in publish().  Machine code has been entered by
     * a word that was stored behind that, and has loaded it itself: its records
     * are there. */
    (void)a32_load_acq(&jit->spots_done);
    *end = VM_JIT_GO_ON;
    switch ((enum jit_exit)a->kind) {
    case JIT_EXIT_RETURN:
        return_from(vt, a->fp);
        return NEXT_RESUME;
    case JIT_EXIT_SIDE:
        spill(jit, vt, a, &jit->recs[a->value]);
        if (jit->recs[a->value].room != 0) {
            vt->need = (uintptr_t)(a->fp + jit->recs[a->value].room);
            *end = VM_JIT_ROOM;
            come_again(jit, t, a->value);
        }
        return NEXT_DONE;
    case JIT_EXIT_PREEMPT:
        spill(jit, vt, a, &jit->recs[a->value]);
        *end = VM_JIT_PREEMPT;
        come_again(jit, t, a->value);
        return NEXT_DONE;
    case JIT_EXIT_STATUS:
        stand(vt, a->fp, a->pc);
        if (a->value == VM_PARK && vm_next(t)) {
            stand(vt, vm_g_of(t)->fp, vm_g_of(t)->pc);
            return NEXT_RESUME;
        }
        vt->answer = (enum vm_status)a->value;
        *end = VM_JIT_ANSWER;
        return NEXT_DONE;
    case JIT_EXIT_OP:
        break;
    case JIT_EXIT_FAULT:
        *end = VM_JIT_FAULTED;
        return NEXT_DONE;
    case JIT_EXIT_CALL:
        if (a->value >= jit->vm->im->nfuncs) {
            /* acq: as in the interpreter's calls. */
            stand(vt, a->fp, aptr_load_acq(&jit->vm->entries[a->value].code));
            rt_assert(vt->at_pc != NULL);
            return NEXT_DONE;
        }
        stand(vt, a->fp, jit->vm->im->funcs[a->value].code);
        vt->heat -= VM_HEAT_CALL;
        return vt->heat < 0 && jit_hot(jit, t, vt->at_pc) ? NEXT_RESUME
                                                          : NEXT_DONE;
    }
    rt_throw("jit: machine code has ended in no known way");
}

/* Where to begin at the frame at fp. */
static const void *
target(const struct jit *jit, const struct vm_m *vt, enum vm_jit_how how,
    const struct jit_record *r, union rt_slot *fp, struct jit_area *a)
{
    rt_assert(fp != NULL);
    rt_assert(how != VM_JIT_RETURN || fp[-2].p != NULL);
    if (how == VM_JIT_RETURN)
        return fp[-2].p;
    /* Nobody's machine code has called: it returns to C. */
    if (fp[-2].p == NULL)
        fp[-2].p = jit->region.exec + jit_exit_offsets[JIT_EXIT_RETURN];
    if (how == VM_JIT_ENTRY) {
        rt_assert(vt->at_pc->op == OP_MACHINE &&
            (uint32_t)vt->at_pc->imm < jit->vm->im->nfuncs);
        return (const void *)(uintptr_t)
            jit->region.table[JIT_FUNCS + (uint32_t)vt->at_pc->imm];
    }
    rt_assert(r != NULL);
    fill(jit, a, r, fp);
    return (const void *)(uintptr_t)r->addr;
}

static enum vm_jit_end
run(void *arg, struct vm_thread *t, enum vm_jit_how how)
{
    struct jit *jit = arg;
    struct vm_m *vt = vm_m_of(t);
    union rt_slot *fp = vt->at_fp;
    const struct jit_record *r =
        how == VM_JIT_RESUME ? place(jit, t, &fp) : NULL;
    struct jit_area a;
    enum vm_jit_end end;

    if (how == VM_JIT_RESUME && r == NULL)
        return VM_JIT_GO_ON;
    do {
        const void *at = target(jit, vt, how, r, fp, &a);

        if (jit->cfg.stats)
            a64_add_rlx(&jit->entered, 1);
        rt_assert((t->race != NULL) == (jit->vm->race != NULL));
        if (t->race != NULL)
            a.reg[X_R15] = (uintptr_t)t->race; /* OP_RACE */
        jit_enter(t, vm_g_of(t), fp, at, &a, vt->preempt);
        vm_stands(t, VM_STANDS_AWAY);
        if (after(jit, t, &a, &end) == NEXT_DONE)
            break;
        how = VM_JIT_RESUME;
        fp = vt->at_fp;
        r = place(jit, t, &fp);
    } while (r != NULL);
    return end;
}

/* ---- what machine code calls -------------------------------------------- */

/* The first character of n bytes, more than none, and in the upper half its
 * width. */
uint64_t
jit_rune(const uint8_t *s, uint64_t n)
{
    int32_t r;
    unsigned width = rt_utf8_decode(s, n, &r);

    return (uint64_t)width << 32 | (uint32_t)r;
}

/* Whether values of two interfaces of one type are equal; negative: they
 * cannot be compared. */
int
jit_equal(const struct rtype *t, void *x, void *y)
{
    const struct rtype *bad;
    enum alg_result r = alg_equal_iface(
        (struct rt_iface){t, x}, (struct rt_iface){t, y}, &bad);

    rt_assert(t != NULL);
    return r == ALG_YES ? 1 : r == ALG_NO ? 0 : -1;
}

void
jit_shade(struct vm_thread *t, void *old, void *val)
{
    gc_barrier_slow(t->cache, old, val);
}

void
jit_look(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc, const void *p, uint32_t how)
{
    struct race_g *g = t->race;
    uint64_t off = (uintptr_t)p - g->lo, n = how >> 1;
    bool write = (how & 1) != 0;

    rt_assert(n > 0 && n <= 32);
    if ((off & 7) + n <= 8 && off < g->span)
        race_access(g, off >> 3,
            g->epoch | ((UINT64_C(1) << n) - 1) << (off & 7), write, pc, fp);
    else if (write)
        race_write_range(g, p, n, pc, fp);
    else
        race_read_range(g, p, n, pc, fp);
}

/* ---- for signal handlers ------------------------------------------------ */

static bool
part(void *arg, uintptr_t *lo, uintptr_t *hi, int *reg)
{
    enum { DWARF_RBX = 3 };
    const struct jit *jit = arg;
    /* acq: pairs with the rel in publish(). */
    uint32_t bytes = a32_load_acq(&jit->code_done);

    *lo = (uintptr_t)jit->region.exec;
    *hi = *lo + bytes;
    *reg = DWARF_RBX;
    return bytes != 0;
}

static bool
at(void *arg, uintptr_t addr, struct vm_jit_spot *out)
{
    const struct jit *jit = arg;
    const struct code_ins *code = jit->vm->im->code;
    /* acq: pairs with the rel in publish(). */
    uint32_t lo = 0, hi = a32_load_acq(&jit->spots_done);

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (jit->spots[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return false; /* among the exits */
    const struct jit_spot *s = &jit->spots[lo - 1];
    *out = (struct vm_jit_spot){.pc = code + s->off, .above = s->above};
    for (uint32_t i = s->frame; i != 0; i = jit->frames[i].up) {
        rt_assert(out->nframes < VM_JIT_FRAMES);
        out->frames[out->nframes++] = (struct vm_jit_frame){
            jit->frames[i].ret, jit->frames[i].base};
    }
    return true;
}

static uintptr_t
fault(void *arg)
{
    const struct jit *jit = arg;

    return (uintptr_t)jit->region.exec + jit_exit_offsets[JIT_EXIT_FAULT];
}

static bool
trap(void *arg, uintptr_t addr, uintptr_t *to, uint64_t *value)
{
    const struct jit *jit = arg;
    uint32_t record;

    if (!jit_trap_at(jit, addr, &record))
        return false;
    *to = (uintptr_t)jit->region.exec + jit_exit_offsets[JIT_EXIT_SIDE];
    *value = record;
    return true;
}

const struct vm_jit_host jit_host = {
    .hot = jit_hot,
    .resumes = resumes,
    .run = run,
    .part = part,
    .at = at,
    .fault = fault,
    .trap = trap,
};
