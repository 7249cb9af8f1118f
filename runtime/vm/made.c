/* SPDX-License-Identifier: MIT */

/*
 * Functions made while the program runs, for package reflect: one that calls
 * any function of a type, and one that is of a type and calls the library.
 * What differs from type to type is where the arguments lie and which of them
 * are pointers, so each type has a function of its own; its code is a few
 * instructions, two of which are natives of this file that look at the type.
 *
 * A caller, func(fn, args, results unsafe.Pointer), calls the closure fn.
 * args and results are arrays of the addresses of the values, in memory
 * layout.  For a method the first of args is the receiver's data word itself.
 *
 *     fp[0..3] fn, args, results | fp[3] ctx | header | callee's frame
 *
 * The other one calls body(impl, args unsafe.Pointer) unsafe.Pointer, where
 * impl is the word that its closure has captured and args an array of the
 * addresses of copies of its arguments; the result is such an array of
 * addresses of the results.  Its closures have a word more, the pc that they
 * seem to begin at.
 *
 *     fp[0..n) arguments, results | fp[n] ctx | header | body's frame
 *
 * Both begin with an instruction that is no call, so that a goroutine or a
 * deferred call that has yet to begin has its arguments where its frame says.
 * There are no liveness tables: every slot of such a frame counts as live.
 *
 * They live as long as the VM, in an array whose addresses are reserved at
 * once, so that a pc leads to its function without a lock.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/value/alg.h"
#include "runtime/vm/vm_int.h"

enum {
    MADE_MAX = VM_MADE_MAX,
    SLOTS = 2 * MADE_MAX,
    BODIES = 4,
    MADE_WORDS = 8 /* instructions of each, at most */
};

enum made_kind { MADE_CALLER, MADE_METHOD, MADE_BODY };

struct made_func {
    struct code_func func;
    const struct rtype *type; /* the signature */
    enum made_kind kind;
    uint32_t body; /* MADE_BODY: the function that it calls */
};

struct vm_made {
    /* const once n counts them */
    struct code_ins code[MADE_MAX][MADE_WORDS];
    struct made_func funcs[MADE_MAX];
    a_u32 n; /* atomic */
    a_u32 bodies[BODIES]; /* atomic: functions that are called so, + 1 */
    /* guarded by vm->lock: open addressing by type and kind, index + 1 */
    uint32_t table[SLOTS];
};

static struct vm_made *
made_of(const struct vm *vm)
{
    /* acq: pairs with the cas in reserve(). */
    return aptr_load_acq(&vm->made);
}

const struct code_func *
vm_made_at(const struct vm *vm, const struct code_ins *pc)
{
    struct vm_made *m = made_of(vm);

    if (m == NULL || (uintptr_t)pc < (uintptr_t)m->code)
        return NULL;
    uint64_t i = (uint64_t)(pc - m->code[0]) / MADE_WORDS;
    /* acq: pairs with the rel in made_add(). */
    return i < a32_load_acq(&m->n) ? &m->funcs[i].func : NULL;
}

const struct code_func *
vm_made_by_id(const struct vm *vm, uint32_t id)
{
    struct vm_made *m = made_of(vm);
    uint32_t i = id - vm->goexit.id - 1;

    /* acq: pairs with the rel in made_add(). */
    return m != NULL && i < a32_load_acq(&m->n) ? &m->funcs[i].func : NULL;
}

/* ---- making one ----------------------------------------------------------- */

static struct vm_made *
reserve(struct vm *vm)
{
    struct vm_made *m = made_of(vm);

    if (m != NULL)
        return m;
    m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m == MAP_FAILED)
        return NULL;
    /* full: pairs with the acq in made_of(). */
    if (aptr_cas_full(&vm->made, NULL, m))
        return m;
    munmap(m, sizeof *m);
    return made_of(vm);
}

uint32_t
vm_made_count(const struct vm *vm)
{
    struct vm_made *m = made_of(vm);

    return m == NULL ? 0 : a32_load_acq(&m->n); /* acq: as in vm_made_at() */
}

void
vm_made_free(struct vm *vm)
{
    struct vm_made *m = made_of(vm);

    if (m == NULL)
        return;
    for (uint32_t i = 0; i < a32_load_rlx(&m->n); i++)
        free((void *)m->funcs[i].func.ptrmask);
    munmap(m, sizeof *m);
}

static uint64_t
slots_of(const struct rtype *const *types, uint32_t n)
{
    uint64_t slots = 0;

    for (uint32_t i = 0; i < n; i++)
        slots += types[i]->slots;
    return slots;
}

/* The slots of the arguments, and of the results. */
static void
measure(const struct rtype *t, enum made_kind kind, uint64_t *in,
    uint64_t *out)
{
    *in = slots_of(t->params, t->nparams) + (kind == MADE_METHOD);
    *out = slots_of(t->params + t->nparams, t->nresults);
}

static void
mask_params(uint8_t *mask, const struct rtype *t)
{
    uint64_t at = 0;

    for (uint32_t i = 0; i < t->nparams; i++) {
        const struct rt_layout *l = &t->params[i]->layout;
        for (uint64_t w = 0; w < l->ptrdata / 8; w++)
            if (rt_layout_is_ptr(l, w))
                mask[(at + w) / 8] |= (uint8_t)(1u << ((at + w) % 8));
        at += t->params[i]->slots;
    }
}

/* Natives of this file stand behind those of the image. */
static int32_t
own_native(const struct vm *vm, unsigned i)
{
    return (int32_t)(vm->im->nnatives + i);
}

/* The instructions; base: of the frame that is called. */
static void
write_code(const struct vm *vm, struct made_func *f, uint16_t base,
    uint32_t body)
{
    bool calls = f->kind != MADE_BODY;
    const struct code_ins code[] = {
        { .op = OP_NOP },
        { .op = OP_CALLN, .a = base, .imm = own_native(vm,
              calls ? VM_NATIVE_CALL_IN : VM_NATIVE_BODY_IN) },
        calls ? (struct code_ins){ .op = OP_CALLC, .a = base, .b = 0 }
              : (struct code_ins){ .op = OP_CALL, .a = base,
                    .imm = (int32_t)body },
        { .op = OP_CALLN, .a = base, .imm = own_native(vm,
              calls ? VM_NATIVE_CALL_OUT : VM_NATIVE_BODY_OUT) },
        { .op = OP_RET },
    };

    static_assert(sizeof code / sizeof code[0] <= MADE_WORDS, "room");
    memcpy(f->func.code, code, sizeof code);
    f->func.ncode = sizeof code / sizeof code[0];
}

static bool
describe(const struct vm *vm, struct made_func *f, uint32_t body)
{
    uint64_t in, out, most;

    measure(f->type, f->kind, &in, &out);
    most = in > out ? in : out;
    if (most > UINT16_MAX - 32)
        return false;
    bool calls = f->kind != MADE_BODY;
    uint16_t ctx = calls ? 3 : (uint16_t)most;
    uint16_t base = (uint16_t)(ctx + 3);
    uint8_t *mask = calloc(1, ctx / 8u + 1);
    if (mask == NULL)
        return false;
    if (calls)
        mask[0] = 7;
    else
        mask_params(mask, f->type);
    f->func.name = calls ? "reflect.call" : "reflect.makeFuncStub";
    f->func.nargs = calls ? 3 : (uint16_t)in;
    f->func.nres = calls ? 0 : (uint16_t)out;
    f->func.ctx = ctx;
    f->func.nslots = (uint16_t)(ctx + 1);
    f->func.extent = (uint16_t)(base + (calls ? most : 3));
    f->func.flags = CODE_F_LIB | (calls ? CODE_F_WRAPPER : CODE_F_CLOSURE);
    f->func.ptrmask = mask;
    f->func.closure.size = calls ? 8 : 24;
    f->func.self.fn = &f->func;
    write_code(vm, f, base, body);
    return true;
}

static struct made_func *
made_add(struct vm *vm, struct vm_made *m, const struct rtype *t,
    enum made_kind kind, uint32_t body)
{
    uint32_t n = a32_load_rlx(&m->n);

    if (n == MADE_MAX)
        return NULL;
    struct made_func *f = &m->funcs[n];
    f->type = t;
    f->kind = kind;
    f->body = body;
    f->func.code = m->code[n];
    f->func.id = vm->goexit.id + 1 + n;
    if (!describe(vm, f, body))
        return NULL;
    struct vm_entry *e = (struct vm_entry *)(uintptr_t)&vm->entries[f->func.id];
    e->extent = 8u * f->func.extent;
    /* rel: pairs with the acq of the interpreter's calls. */
    aptr_store_rel(&e->code, f->func.code);
    /* rel: pairs with the acq in vm_made_at(). */
    a32_store_rel(&m->n, n + 1);
    return f;
}

/* body: the number of the function that one of MADE_BODY calls. */
static const struct code_func *
get(struct vm *vm, const struct rtype *t, enum made_kind kind, uint32_t body)
{
    struct vm_made *m = reserve(vm);
    const struct made_func *f = NULL;
    uint32_t i;

    rt_assert(t->kind == RK_FUNC);
    if (m == NULL)
        return NULL;
    rt_lock(&vm->lock);
    i = ((uint32_t)((uintptr_t)t >> 4) * 3 + kind) * 0x9e3779b1u % SLOTS;
    while (m->table[i] != 0) {
        f = &m->funcs[m->table[i] - 1];
        if (f->type == t && f->kind == kind && f->body == body)
            break;
        f = NULL;
        i = (i + 1) % SLOTS;
    }
    if (f == NULL) {
        f = made_add(vm, m, t, kind, body);
        if (f != NULL)
            m->table[i] = a32_load_rlx(&m->n);
    }
    rt_unlock(&vm->lock);
    return f == NULL ? NULL : &f->func;
}

const struct code_closure *
vm_caller_of(struct vm *vm, const struct rtype *t, bool method)
{
    const struct code_func *f =
        get(vm, t, method ? MADE_METHOD : MADE_CALLER, 0);

    return f == NULL ? NULL : &f->self;
}

/* Adds a word to the list of bodies, if it is not there. */
static void
add_body(struct vm_made *m, uint32_t mark)
{
    for (uint32_t i = 0; i < BODIES; i++)
        if (a32_load_rlx(&m->bodies[i]) == mark ||
            a32_cas_acq(&m->bodies[i], 0, mark) ||
            a32_load_rlx(&m->bodies[i]) == mark)
            return;
    rt_throw("vm: too many functions that made ones call");
}

const struct code_func *
vm_func_made(
    struct vm *vm, const struct rtype *t, const struct code_closure *body)
{
    rt_assert(body->fn->nargs == 2 && body->fn->nres == 1);
    struct vm_made *m = reserve(vm);

    if (m == NULL)
        return NULL;
    add_body(m, body->fn->id + 1);
    return get(vm, t, MADE_BODY, body->fn->id);
}

bool
vm_made_glue(const struct vm *vm, const struct code_func *f)
{
    struct vm_made *m = made_of(vm);

    if (m == NULL || f == NULL)
        return false;
    for (uint32_t i = 0; i < BODIES; i++)
        if (a32_load_rlx(&m->bodies[i]) == f->id + 1)
            return true;
    return f->id > vm->goexit.id;
}

uint64_t
vm_closure_pc(const struct vm *vm, const void *closure)
{
    const struct code_func *f = vm_closure_func(closure);
    const struct made_func *made =
        (const struct made_func *)(const void *)vm_made_by_id(vm, f->id);
    uint64_t pc = made == NULL || made->kind != MADE_BODY
        ? 0 : ((const union rt_slot *)closure)[2].u;

    return pc != 0 ? pc : vm_func_address(vm, f);
}

/* ---- what they do ---------------------------------------------------------- */

/* The frame of the function that has called a native of this file. */
static const struct made_func *
here(struct vm_thread *t, union rt_slot **fp)
{
    struct vm_g *vg = vm_g_of(t);
    const struct code_func *f = vm_made_at(t->vm, vg->pc - 1);

    rt_assert(f != NULL && !vg->exact);
    *fp = vg->fp;
    return (const struct made_func *)(const void *)f;
}

/* Values at the addresses in v into slots. */
static void
to_slots(union rt_slot *to, const struct rtype *const *types, uint32_t n,
    void *const *v)
{
    for (uint32_t i = 0; i < n; to += types[i]->slots, i++)
        if (types[i]->slots != 0)
            alg_load(types[i], to, v[i]);
}

static enum vm_status
call_in(struct vm_thread *t, union rt_slot *nfp)
{
    union rt_slot *fp;
    const struct made_func *f = here(t, &fp);
    void *const *args = fp[1].p;

    if (f->kind == MADE_METHOD)
        (nfp++)->p = *args++;
    to_slots(nfp, f->type->params, f->type->nparams, args);
    return VM_OK;
}

static enum vm_status
call_out(struct vm_thread *t, union rt_slot *nfp)
{
    union rt_slot *fp;
    const struct rtype *type = here(t, &fp)->type;
    void *const *to = fp[2].p;

    for (uint32_t i = 0; i < type->nresults; i++) {
        const struct rtype *r = type->params[type->nparams + i];
        if (rtype_size(r) != 0)
            vm_store(t, r, to[i], nfp);
        nfp += r->slots;
    }
    return VM_OK;
}

static enum vm_status
body_in(struct vm_thread *t, union rt_slot *nfp)
{
    static const uint8_t first_word[] = { 1 };
    static const struct rt_layout pointer = { 8, 8, first_word };
    union rt_slot *fp;
    const struct made_func *f = here(t, &fp);
    const struct rtype *type = f->type;
    void **args = gc_alloc_array(t->cache, &pointer, type->nparams);

    if (args == NULL)
        return vm_out_of_memory(t);
    for (uint32_t i = 0; i < type->nparams; i++) {
        const struct rtype *p = type->params[i];
        void *copy = vm_new(t, p);
        if (copy == NULL)
            return VM_EXIT;
        if (rtype_size(p) != 0)
            vm_store(t, p, copy, fp);
        vm_store_ptr(t, &args[i], copy);
        fp += p->slots;
    }
    here(t, &fp);
    nfp[0] = ((const union rt_slot *)fp[f->func.ctx].p)[1];
    nfp[1].p = args;
    return VM_OK;
}

static enum vm_status
body_out(struct vm_thread *t, union rt_slot *nfp)
{
    union rt_slot *fp;
    const struct rtype *type = here(t, &fp)->type;

    to_slots(fp, type->params + type->nparams, type->nresults, nfp[0].p);
    return VM_OK;
}

const vm_native_fn vm_own_natives[VM_NATIVE_COUNT] = {
    [VM_NATIVE_CALL_IN] = call_in,
    [VM_NATIVE_CALL_OUT] = call_out,
    [VM_NATIVE_BODY_IN] = body_in,
    [VM_NATIVE_BODY_OUT] = body_out,
};
