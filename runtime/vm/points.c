/* SPDX-License-Identifier: MIT */
/*
 * Where a schedule by a seed may change hands: in front of what other
 * goroutines may notice, or what may notice them.  Operations on channels and
 * go statements are points everywhere; of natives those that synchronise, but
 * within package sync each operation is one point only: what its methods do by
 * several atomic operations is meant to be seen as a whole, and a story of
 * what happened is told in terms of Lock and Wait.  Where races are looked for,
 * accesses to memory are points, too, if the detector knows of an access to
 * the same memory that does not cover them; so memory that is new to all is
 * none, nor is what a goroutine goes through again and again by itself.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "runtime/code/opinfo.h"
#include "runtime/vm/vm_int.h"

const uint8_t vm_may_be_point[2 * OP_COUNT] = {
    [OP_CHANSEND] = 1,
    [OP_CHANRECV] = 1,
    [OP_CHANCLOSE] = 1,
    [OP_CHANLEN] = 1,
    [OP_SELECT] = 1,
    [OP_GO] = 1,
    [OP_GOC] = 1,
    [OP_CALLN] = 1,
    [OP_COUNT + OP_CALLN] = 1,
};

/* What a native means for schedules. */
enum sync_kind {
    SYNC_NO,
    SYNC_INNER, /* a step of an operation, in the library's own code */
    SYNC_WHOLE  /* an operation by itself, whoever calls it */
};

static bool
begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static enum sync_kind
kind_of(const char *native)
{
    static const char *const whole[] = {"sync.lock", "sync.unlock",
        "time.Sleep", "time.setTimer", "time.stopTimer", "runtime.Gosched",
        "runtime.NumGoroutine"};

    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(native, whole[i]) == 0)
            return SYNC_WHOLE;
    return begins(native, "sync") || begins(native, "internal/sema.")
        ? SYNC_INNER : SYNC_NO;
}

/* How a native may wait for a descriptor: which of its arguments tells. */
enum native_waits {
    WAITS_NOT,
    WAITS_READ,  /* the first is the descriptor */
    WAITS_WRITE,
    WAITS_EVENTS,
    WAITS_PROCESS, /* the first is its number */
    WAITS_CALL   /* the first is the number of a system call */
};

static enum native_waits
waits_of(const char *native)
{
    static const struct {
        const char *name;
        enum native_waits how;
    } rows[] = {
        {"os.read", WAITS_READ},
        {"os.write", WAITS_WRITE},
        {"os.writeString", WAITS_WRITE},
        {"internal/stdio.read", WAITS_READ},
        {"internal/stdio.write", WAITS_WRITE},
        {"internal/netpoll.events", WAITS_EVENTS},
        {"os.awaitProcess", WAITS_PROCESS},
        {"syscall.call", WAITS_CALL},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(native, rows[i].name) == 0)
            return rows[i].how;
    return WAITS_NOT;
}

/* waitid(). */
static bool
waits_for_process(struct vm_thread *t, const union rt_slot *arg)
{
    if ((arg[4].i & WNOHANG) != 0)
        return false;
    return (arg[1].i == P_PID || arg[1].i == P_PIDFD) &&
        seed_wait_process(t->m, (int)arg[2].i, arg[1].i == P_PIDFD);
}

/* The same for a system call: its number and arguments. */
static bool
waits_in_call(struct vm_thread *t, const union rt_slot *arg)
{
    switch (arg[0].u) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_accept:
    case SYS_accept4:
        return seed_wait_fd(t->m, (int)arg[1].i, SEED_FD_READ);
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
        return seed_wait_fd(t->m, (int)arg[1].i, SEED_FD_WRITE);
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
        return (int)arg[4].i < 0 &&
            seed_wait_fd(t->m, (int)arg[1].i, SEED_FD_EVENTS);
    case SYS_poll:
        return (int)arg[3].i < 0 && seed_wait_poll(t->m, arg[1].p, arg[2].u);
    case SYS_ppoll:
        return arg[3].p == NULL && seed_wait_poll(t->m, arg[1].p, arg[2].u);
    case SYS_wait4:
        return arg[1].i > 0 && (arg[3].i & WNOHANG) == 0 &&
            seed_wait_process(t->m, (int)arg[1].i, false);
    case SYS_waitid:
        return waits_for_process(t, arg);
    default:
        return false;
    }
}

/*
 * The goroutine may be about to wait in the kernel for a descriptor by which
 * another goroutine would wake it: with one thread for all that would be for
 * ever.
 */
static bool
waits_for_fd(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc)
{
    const union rt_slot *arg = fp + pc->a;

    switch ((enum native_waits)t->vm->tables.waits[(uint32_t)pc->imm]) {
    case WAITS_READ:
        return seed_wait_fd(t->m, (int)arg[0].i, SEED_FD_READ);
    case WAITS_WRITE:
        return seed_wait_fd(t->m, (int)arg[0].i, SEED_FD_WRITE);
    case WAITS_EVENTS:
        return seed_wait_fd(t->m, (int)arg[0].i, SEED_FD_EVENTS);
    case WAITS_PROCESS:
        return seed_wait_process(t->m, (int)arg[0].i, false);
    case WAITS_CALL:
        return waits_in_call(t, arg);
    case WAITS_NOT:
        break;
    }
    return false;
}

/* Whether the function is one that package sync exports. */
static bool
is_sync_method(const char *name)
{
    const char *dot = strrchr(name, '.');

    return begins(name, "sync.") && dot != NULL &&
        isupper((unsigned char)dot[1]);
}

/* What the first call of a native in a function of package sync means. */
static enum vm_sync_op
sync_of(const char *name)
{
    static const struct {
        const char *name;
        enum vm_sync_op op;
    } ops[] = {
        {"(*Mutex).Lock", VM_LOCK},
        {"(*Mutex).Unlock", VM_UNLOCK},
        {"(*RWMutex).Lock", VM_LOCK_RW},
        {"(*RWMutex).Unlock", VM_UNLOCK},
        {"(*RWMutex).RLock", VM_LOCK_SHARED},
        {"(*RWMutex).RUnlock", VM_UNLOCK_SHARED},
        {"(*WaitGroup).Add", VM_SYNC_TELL},
        {"(*WaitGroup).Done", VM_SYNC_TELL},
        {"(*WaitGroup).Wait", VM_SYNC_HEAR},
        {"(*Once).Do", VM_SYNC_BOTH},
        {"(*Cond).Signal", VM_SYNC_NOTIFY},
        {"(*Cond).Broadcast", VM_SYNC_NOTIFY},
        {"(*Cond).Wait", VM_SYNC_HEAR},
    };

    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (begins(name, "sync.") && strcmp(name + 5, ops[i].name) == 0)
            return ops[i].op;
    return VM_SYNC_NONE;
}

/* The first step of an operation that a function of package sync begins with:
 * code that is never come to, before it, does not count. */
static uint32_t
first_step(const struct code_func *f, const uint8_t *kinds)
{
    uint32_t k = 0, succ[2];

    for (uint32_t n = 0; n < f->ncode; n++) {
        const struct code_ins *pc = f->code + k;

        /* Whatever form of the instruction it is. */
        if (pc->op % OP_COUNT == OP_CALLN &&
            kinds[(uint32_t)pc->imm] != SYNC_NO)
            return k;
        if (code_successors(f, k, succ) == 0)
            break;
        k = succ[0];
        rt_assert(k < f->ncode);
    }
    return f->ncode;
}

/* Marks the points of one function. */
static void
mark(struct vm *vm, const struct code_func *f, const uint8_t *kinds)
{
    bool own = (f->flags & CODE_F_LIB) == 0 ||
        begins(f->name, "sync/atomic.");
    uint32_t first =
        is_sync_method(f->name) ? first_step(f, kinds) : f->ncode;

    for (uint32_t k = 0; k < f->ncode; k++) {
        const struct code_ins *pc = f->code + k;
        uint64_t at = (uint64_t)(pc - vm->im->code);
        unsigned op = code_plain(pc->op);
        bool point = op < OP_COUNT && vm_may_be_point[op] != 0;

        if (point && op == OP_CALLN) {
            enum sync_kind kind = kinds[(uint32_t)pc->imm];

            point = kind == SYNC_WHOLE ||
                (kind == SYNC_INNER && (own || k == first));
            point = point || (vm->seeded && vm->tables.waits[(uint32_t)pc->imm] != 0);
        }
        if (point)
            vm->tables.points[at / 64] |= UINT64_C(1) << at % 64;
    }
}

bool
vm_points_init(struct vm *vm)
{
    const struct code_image *im = vm->im;
    uint8_t *kinds = calloc(im->nnatives + 1, 1);

    vm->tables.points = calloc(im->ncode / 64 + 1, sizeof *vm->tables.points);
    vm->tables.sync = calloc(im->nfuncs + 1, 1);
    vm->tables.waits = calloc(im->nnatives + 1, 1);
    if (kinds == NULL || vm->tables.points == NULL || vm->tables.sync == NULL ||
        vm->tables.waits == NULL) {
        free(kinds);
        return false;
    }
    for (uint32_t i = 0; i < im->nnatives; i++)
        kinds[i] = (uint8_t)kind_of(im->natives[i].name);
    for (uint32_t i = 0; i < im->nnatives; i++)
        vm->tables.waits[i] = (uint8_t)waits_of(im->natives[i].name);
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        mark(vm, &im->funcs[i], kinds);
        vm->tables.sync[i] = (uint8_t)sync_of(im->funcs[i].name);
    }
    free(kinds);
    return true;
}

bool
vm_point(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc,
    bool loop)
{
    struct vm_g *vg = vm_g_of(t);
    uint64_t at = (uint64_t)(pc - t->vm->im->code);

    rt_assert(t->vm->tables.points != NULL);
    /* What package reflect calls functions by is made while the program runs,
     * lies elsewhere, and is no point. */
    if (at >= t->vm->im->ncode)
        return false;
    if (loop ? !t->vm->seeded
             : (t->vm->tables.points[at / 64] >> at % 64 & 1) == 0)
        return false;
    vg->fp = fp;
    vg->pc = pc;
    vg->exact = true;
    bool yields;
    if (t->vm->seeded && !loop && pc->op % OP_COUNT == OP_CALLN &&
        t->vm->tables.waits[(uint32_t)pc->imm] != WAITS_NOT)
        yields = waits_for_fd(t, fp, pc);
    else
        yields = t->vm->seeded &&
            seed_point(t->m, at, loop ? SEED_AT_LOOP : SEED_AT_OP);
    if (!yields && !loop && t->vm->watch != NULL)
        t->vm->watch->point(t->vm->watch->arg, t->m->g);
    if (!yields)
        vg->exact = false;
    return yields;
}

bool
vm_access_point(
    struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)
{
    struct vm_g *vg = vm_g_of(t);
    uint64_t at = (uint64_t)(pc - t->vm->im->code);

    rt_assert(t->vm->tables.points != NULL && t->race != NULL);
    if (at >= t->vm->im->ncode)
        return false;
    /* Of a native that is a point itself one is enough. */
    if (!t->vm->seeded || (t->vm->tables.points[at / 64] >> at % 64 & 1) != 0)
        return false;
    vg->fp = fp;
    vg->pc = pc;
    vg->exact = true;
    bool yields = seed_point(t->m, at, SEED_AT_ACCESS);
    if (!yields)
        vg->exact = false;
    return yields;
}

/* Whom a select may tell something, and who may tell it something. */
static unsigned
select_at(const struct vm_g *vg, struct vm_sync *v, unsigned n)
{
    const struct code_ins *pc = vg->pc;
    unsigned k = 0;

    for (; k < pc->b && k < n; k++) {
        const struct code_ins *x = pc + 1 + 2 * k;

        rt_assert(x[0].op == OP_EXT && x[1].op == OP_EXT);
        v[k] = (struct vm_sync){VM_SYNC_BOTH, vg->fp[x[0].a].p};
    }
    return k;
}

unsigned
vm_sync_at(
    const struct vm *vm, const struct sched_g *g, struct vm_sync *v, unsigned n)
{
    const struct vm_g *vg = g->vg;
    const struct code_func *f;

    rt_assert(n > 0 && vm->tables.sync != NULL);
    switch (code_plain(vg->pc->op)) {
    case OP_CHANSEND:
    case OP_CHANRECV:
        *v = (struct vm_sync){VM_SYNC_BOTH, vg->fp[vg->pc->b].p};
        return 1;
    case OP_CHANCLOSE:
        *v = (struct vm_sync){VM_SYNC_TELL, vg->fp[vg->pc->a].p};
        return 1;
    case OP_SELECT:
        return select_at(vg, v, n);
    case OP_GO:
    case OP_GOC:
        *v = (struct vm_sync){VM_SYNC_SPAWN, NULL};
        return 1;
    case OP_CALLN:
        f = vm_func_at(vm, vg->pc);
        if (f == NULL || vm->tables.sync[f->id] == VM_SYNC_NONE)
            return 0;
        /* The receiver. */
        *v = (struct vm_sync){
            (enum vm_sync_op)vm->tables.sync[f->id], vg->fp[0].p};
        return 1;
    default:
        return 0;
    }
}

enum vm_sync_op
vm_sync_of(const struct vm *vm, vpc pc)
{
    uint32_t id = vpc_func(pc);

    rt_assert(vm->tables.sync != NULL);
    return id < vm->im->nfuncs ? (enum vm_sync_op)vm->tables.sync[id]
                               : VM_SYNC_NONE;
}

bool
vm_notifies_nobody(const struct vm *vm, const struct sched_g *g)
{
    const struct vm_g *vg = g->vg;
    struct vm_sync op;
    const char *native;

    if (vm_sync_at(vm, g, &op, 1) == 0 || op.op != VM_SYNC_NOTIFY)
        return false;
    native = vm->im->natives[(uint32_t)vg->pc->imm].name;
    return begins(native, "internal/sema.Notify") &&
        notify_is_vain(vg->fp[vg->pc->a].p);
}
