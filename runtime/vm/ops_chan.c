/* SPDX-License-Identifier: MIT */

/* Operations that concern the scheduler.  Those that may park find pc and fp
 * saved; when the answer is VM_PARK another thread may run the goroutine. */

#include <stdlib.h>

#include "runtime/value/alg.h"
#include "runtime/vm/vm_int.h"

VM_OP(chanmake)
{
    const struct rtype *elem = vm_ext_type(t, pc, 1)->elem;
    rt_assert(elem != NULL);
    struct sched_chan *c = chan_make(
        t->m, &elem->layout, alg_extend_kind(elem), fp[pc->b].i);

    if (rt_unlikely(c == NULL))
        return fp[pc->b].i < 0 ||
                !gc_array_fits(&elem->layout, (uint64_t)fp[pc->b].i)
            ? vm_panic_plain(t, "makechan: size out of range")
            : vm_out_of_memory(t);
    if (rt_unlikely(vm_race_stays_open(t->vm, elem)))
        chan_stays_open(c);
    fp[pc->a].p = c;
    return VM_OK;
}

static RT_COLD enum vm_status
send_closed(struct vm_thread *t)
{
    return vm_panic_plain(t, "send on closed channel");
}

/* `what` is the operation, as in messages. */
static RT_COLD enum vm_status
outside(struct vm_thread *t, const char *what)
{
    return vm_fatalf(t, "%s synctest channel from outside bubble", what);
}

static enum vm_status
chan_answer(struct vm_thread *t, enum chan_status st, const char *what)
{
    switch (st) {
    case CHAN_DONE:
    case CHAN_WOULD_BLOCK:
        return VM_OK;
    case CHAN_CLOSED:
        return send_closed(t);
    case CHAN_OUTSIDE:
        return outside(t, what);
    default:
        return VM_PARK;
    }
}

VM_OP(chansend)
{
    enum chan_status st = chan_send(t->m, fp[pc->b].p, &fp[pc->c]);

    return rt_likely(st == CHAN_DONE) ? VM_OK : chan_answer(t, st, "send on");
}

/* A receive never panics: from a closed channel it takes the zero value. */
VM_OP(chanrecv)
{
    union rt_slot *to = pc->a == CODE_NO_SLOT ? NULL : &fp[pc->a];
    enum chan_status st = chan_recv(t->m, fp[pc->b].p, to);

    return rt_likely(st == CHAN_DONE) ? VM_OK
                                      : chan_answer(t, st, "receive on");
}

VM_OP(chanclose)
{
    switch (chan_close(t->m, fp[pc->a].p)) {
    case CHAN_CLOSED:
        return vm_panic_plain(t, "close of closed channel");
    case CHAN_NIL:
        return vm_panic_plain(t, "close of nil channel");
    case CHAN_OUTSIDE:
        return outside(t, "close of");
    default:
        return VM_OK;
    }
}

VM_OP(select)
{
    enum { INLINE = 16 };
    struct chan_case few[INLINE] = { { NULL, NULL, false } };
    struct chan_case *cases = few;
    enum vm_status st;

    if (pc->b > INLINE) {
        cases = malloc(pc->b * sizeof *cases);
        if (cases == NULL)
            return vm_out_of_memory(t);
    }
    for (unsigned i = 0; i < pc->b; i++) {
        const struct code_ins *x = pc + 1 + 2 * i;
        rt_assert(x[0].op == OP_EXT && x[1].op == OP_EXT);
        cases[i].chan = fp[x[0].a].p;
        cases[i].send = x[0].imm == 1;
        cases[i].elem = x[1].a == CODE_NO_SLOT ? NULL : &fp[x[1].a];
    }
    st = chan_answer(t, chan_select(t->m, cases, pc->b, pc->c == 1),
        pc->b != 1 ? "select on" : cases->send ? "send on" : "receive on");
    if (cases != few)
        free(cases);
    return st;
}

static enum vm_status
start(struct vm_thread *t, const struct code_ins *pc,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs)
{
    struct sched_g *g = sched_go(t->m, c, args, nargs, vm_pc(t->vm, pc),
        vpc_make(c->fn->id, 0));

    return g == NULL ? vm_out_of_memory(t) : VM_OK;
}

VM_OP(go)
{
    /* The scheduler may walk this stack for the tracer. */
    vm_g_of(t)->fp = fp;
    vm_g_of(t)->pc = pc + 1;
    return start(t, pc, &t->vm->im->funcs[pc[1].imm].self, &fp[pc->a],
        pc->b);
}

VM_OP(goc)
{
    const struct code_closure *c = fp[pc->c].p;

    if (c == NULL)
        return vm_fatalf(t, "go of nil func value");
    vm_g_of(t)->fp = fp;
    vm_g_of(t)->pc = pc + 1;
    return start(t, pc, c, &fp[pc->a], pc->b);
}
