/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_VM_INT_H
#define RUNTIME_VM_VM_INT_H

/*
 * The inside of the VM.
 *
 * Control flow.  The interpreter keeps fp and pc in registers; everything
 * that changes them in an unusual way (panics, deferred calls, stack growth)
 * is a function that finds them in struct vm_g, changes them there and
 * answers VM_GO_ON, or the value with which run_g must return.
 *
 * Return stubs.  A frame that no instruction of the image has called returns
 * into vm->stubs: the goroutine's first function to OP_END, a deferred call
 * to OP_DEFERRET.  Both are preceded by a CALL word with a = 0, because RET
 * recovers the caller's fp from the word before the return pc.  Who called a
 * deferred function is in the topmost struct vm_run.
 *
 * After an operation that parked the goroutine, another thread may already
 * run it: nothing of struct vm_g may be touched then.
 *
 * Frames lie within their stack.  A frame begins above that of its caller but
 * need not end above it (code.h): where the caller has many slots and calls
 * with few of them live, the callee's frame lies in the middle of the
 * caller's, and a deferred call that runs on a panic does likewise.  So the
 * innermost frame says where frames begin, never where the stack's contents
 * end: that is the largest end of all frames, vm_stack_used().  Every call and
 * return finds all of the frame that it enters within the stack: growth only
 * adds, and who makes a stack smaller keeps what is used.  Builds with
 * -Dchecks=full test that at each call and return.
 */

#include "runtime/vm/state.h"

/* made.c */
/* Functions that a program may make: for each type two kinds of callers, and
 * what MakeFunc needs. */
enum { VM_MADE_MAX = 1 << 14 };
enum vm_own_native {
    VM_NATIVE_CALL_IN,
    VM_NATIVE_CALL_OUT,
    VM_NATIVE_BODY_IN,
    VM_NATIVE_BODY_OUT,
    VM_NATIVE_COUNT
};
/* The natives of functions made while the program runs; in vm->tables.natives behind
 * those of the image. */
extern const vm_native_fn vm_own_natives[VM_NATIVE_COUNT];
/* The function of that number, in the numbering of code_func.id; NULL: none. */
const struct code_func *vm_made_by_id(const struct vm *vm, uint32_t id);
/* Whether f is a made function or one that such call: between a deferred call
 * and what it calls in the end these do not count for recover(). */
bool vm_made_glue(const struct vm *vm, const struct code_func *f);
void vm_made_free(struct vm *vm);
/* How many there are. */
uint32_t vm_made_count(const struct vm *vm);

/* ---- tables.c ---- */
/* Makes vm->tables, or takes them from vm->kept; false: no memory.  With a race
 * detector the image's code is of the checked kind from then on, for good. */
bool vm_tables_make(struct vm *vm, const struct vm_config *cfg);
void vm_tables_end(struct vm *vm);
/* A zeroed mapping that a machine before has left, as rt_keep_take(); NULL:
 * there is none. */
void *vm_kept_map(const struct vm *vm, void *at, size_t size);
/* Takes a mapping back, of which the first `dirty` bytes have been written. */
void vm_kept_unmap(
    const struct vm *vm, void *p, size_t size, size_t dirty);

vpc vm_pc(const struct vm *vm, const struct code_ins *pc);

/* The frame of whoever called the one at fp, which is not the first of a
 * goroutine or of a deferred call: the call stands before the return pc and
 * says how far above the caller's frame the callee's begins. */
static inline const union rt_slot *
vm_caller(const union rt_slot *fp)
{
    const struct code_ins *ret = fp[-1].p;

    return fp - ret[-1].a;
}

/* Why a nil check failed at pc: fills in the address and asks for the
 * panic. */
enum vm_status vm_panic_nil(struct vm_thread *t, uint64_t addr);
/* A panic whose value is a run-time error. */
enum vm_status vm_panic_error(struct vm_thread *t, enum vm_error what,
    const char *fmt, ...) RT_PRINTF(3, 4);
/* The run-time error that is of type t; VM_ERR_COUNT: none.  *prefix is what
 * Error() puts before its text. */
enum vm_error vm_error_of(
    const struct vm *vm, const struct rtype *t, const char **prefix);

/* stack.c */
enum rt_status vm_g_init(void *host, struct sched_g *g, const void *fn,
    const union rt_slot *args, uint32_t nargs);
void vm_g_free(void *host, struct sched_g *g);
void vm_g_poison(void *host, struct sched_g *g);
void vm_g_chunks_free(struct vm *vm);
void vm_defers_free(struct vm_defers *d);
/* A call found too little room, or the limit poisoned.  Grows the stack or
 * takes part in a stop; the instruction at vg->pc is then run again. */
int vm_stack_check(struct vm_thread *t, uint64_t need_end);
/* Makes room for `need` slots from fp on, whatever the limit says. */
enum vm_status vm_stack_reserve(
    struct vm_thread *t, union rt_slot **fp, uint64_t need);
/* The slots of the stack up to the largest end of any frame on it.  Who may
 * walk over it. */
uint64_t vm_stack_used(const struct vm *vm, const struct vm_g *vg);
/* Halves the stack of a goroutine that does not run and uses little of it;
 * used: vm_stack_used().  Owner of g (G_SCAN or world stopped) on a thread
 * with a P. */
void vm_stack_shrink(struct vm *vm, struct sched_g *g, uint64_t used);
/* For assertions: whether the frame at fp, whose current instruction is at pc,
 * lies within the stack. */
bool vm_frame_fits(const struct vm *vm, const struct vm_g *vg,
    const union rt_slot *fp, const struct code_ins *pc);
/* For assertions: whether the stack is a whole: its bounds, every frame within
 * them and above its caller's.  Who may walk over it. */
bool vm_stack_valid(const struct vm *vm, const struct vm_g *vg);
/* Keeps the stack of a goroutine that does not run where it is. */
void vm_stack_hold(struct vm_g *vg);
void vm_stack_release(struct vm_g *vg);
/* At a safepoint: VM_GO_ON or SCHED_RUN_PREEMPT. */
int vm_safepoint(struct vm_thread *t);

/* defer.c */
enum vm_status vm_defer_push(struct vm_thread *t, union rt_slot *fp,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs);
/* A word that names the frame at fp, and a defer on behalf of such a frame,
 * which lies below the current one. */
uint64_t vm_defer_frame(struct vm_thread *t, const union rt_slot *fp);
enum vm_status vm_defer_push_at(struct vm_thread *t, uint64_t frame,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs);
int vm_run_defers(struct vm_thread *t, const struct code_ins *pc);
int vm_defer_return(struct vm_thread *t);

/* A deferred call as it comes off the stack. */
struct vm_deferred {
    const struct code_closure *fn;
    const union rt_slot *args;
    uint32_t nargs;
    uint32_t frame;
};
bool vm_defer_top(const struct vm_defers *d, struct vm_deferred *out);
void vm_defer_pop(struct vm_defers *d, const struct vm_deferred *out);
struct vm_defers *vm_defers_get(struct vm_g *vg);
/* For assertions: whether deferred calls, those in flight and panics are each
 * whole, and in the order of their frames. */
bool vm_defers_valid(const struct vm_g *vg);
/* Starts a call at run->callee that returns to the stub; fp and pc of vg
 * become the callee's. */
int vm_enter_call(struct vm_thread *t, const struct vm_run *run,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs);
/* The same for a deferred call, which is taken off the stack. */
int vm_enter_deferred(struct vm_thread *t, const struct vm_run *run,
    const struct vm_deferred *d);

/* cells.c */
/* Gives back the block and all above it. */
void vm_cells_pop(struct vm_g *vg, void *block);
/* Gives back the blocks of all frames above that one, an offset in slots. */
void vm_cells_cut(struct vm_g *vg, uint32_t frame);
/* Shows them to the collector: who may walk over the stack. */
void vm_cells_mark(struct vm_g *vg, struct gc_marker *m);
/* Gives back what is not in use; it does not run, and whoever calls may walk
 * over its stack. */
void vm_cells_trim(struct vm_g *vg);
/* The goroutine is dead; its memory goes. */
void vm_cells_end(struct vm_g *vg);
void vm_cells_free(struct vm_g *vg);
/* For assertions: whether blocks are whole and in the order of their frames. */
bool vm_cells_valid(const struct vm_g *vg);

/* panic.c */
/* What follows the operation at fp and pc, interpreted or machine code, that
 * answered st, which is not VM_OK: VM_GO_ON where vg->fp and vg->pc then say,
 * or what run_g() must return.  Only there is decided what an answer means. */
int vm_after(struct vm_thread *t, union rt_slot *fp,
    const struct code_ins *pc, enum vm_status st);
/* These take vg->fp and vg->pc = the instruction. */
int vm_panic_returned(struct vm_thread *t, const struct vm_run *run);
int vm_recovered_returned(struct vm_thread *t, const struct vm_run *run);
int vm_print_returned(struct vm_thread *t, const struct vm_run *run);
struct rt_iface vm_recover(
    struct vm_thread *t, const union rt_slot *fp, bool deferred);
void vm_panics_free(struct vm_panic *p);

/* fatal.c */
int vm_die_panicking(struct vm_thread *t);
void vm_fatal(void *host, const char *text);
/* Memory is out where no goroutine is concerned; the program ends. */
void vm_no_memory(struct vm *vm);
/* Memory is out at the goroutine's current instruction; for run_g() to
 * return.  vm_out_of_memory() (native.h) is the same for operations. */
int vm_no_memory_here(struct vm_thread *t);
int vm_stack_overflow(struct vm_thread *t);
/* A fault of the interpreter: a panic where the goroutine asked for that, else
 * the end; for run_g() to return, or VM_GO_ON. */
int vm_fault_end(struct vm_thread *t);
/* out.c: text for people, to a descriptor or into memory.  One for the last words of a program, into buf. */
struct vm_out vm_out_last(const struct vm *vm, char *buf, size_t cap);
void vm_out_flush(struct vm_out *o);
void vm_out_bytes(struct vm_out *o, const void *p, size_t n);
void vm_outf(struct vm_out *o, const char *fmt, ...) RT_PRINTF(2, 3);
/* A float as Go's println writes it: shortest, bits 32 or 64. */
void vm_out_float(struct vm_out *o, double x, unsigned bits);
void vm_out_panic_value(struct vm_out *o, const struct vm_panic *p,
    const struct vm *vm);
/* A string whose further lines are indented. */
void vm_out_indented(struct vm_out *o, struct rt_str s);
/* traceback.c */
/* Wrappers and what runs before main.main: not shown below GOTRACEBACK=system.
 */
bool vm_frame_hidden(const struct vm *vm, const struct code_func *f);
/* A traceback shows this many innermost and as many outermost frames. */
enum { VM_SHOWN = 50 };
/* The frames of a goroutine that a traceback shows, innermost first; returns
 * how many are at pcs, which has room for 2 * VM_SHOWN.  system: with those of
 * the runtime, of which the last is runtime.goexit.  *elided: how many were
 * left out after the first VM_SHOWN.  Who may walk over its stack. */
uint16_t vm_walk_shown(const struct vm *vm, const struct vm_g *vg, bool system,
    vpc *pcs, uint64_t *elided);
/* The lines of such frames. */
void vm_out_frames(struct vm_out *o, const struct vm *vm, const vpc *pcs,
    uint16_t n, uint64_t elided);
/* The lines that end a goroutine's stack: which go statement has created it,
 * and in which goroutine, if in any. */
void vm_out_created(struct vm_out *o, const struct vm *vm, vpc at,
    vgoid parent);
/* What a program ends by: its own mistake, or something that the runtime can
 * not go on after.  Then tracebacks show what GOTRACEBACK=system shows: the
 * runtime's frames and goroutines, and where the scheduler's structures are. */
enum vm_blame { VM_BLAME_PROGRAM, VM_BLAME_RUNTIME };
bool vm_shows_system(const struct vm *vm, enum vm_blame blame);
/* What the first line of a goroutine's stack says of it. */
struct vm_head {
    vgoid id;
    const struct sched_g *g; /* g, m and m's number are for debuggers */
    const struct sched_m *m; /* NULL: none runs it */
    uint32_t mid;
    bool locked, leaked, durable;
    const char *state;
    uint64_t wait_since; /* 0: it does not wait, or that is not known */
    uint64_t bubble;     /* bubble_id(); 0: none */
};
/* running: whatever its state says. */
struct vm_head vm_head_of(const struct sched_g *g, bool running);
/* system: where its structures are, too.  now: sched_now(). */
void vm_out_head(
    struct vm_out *o, const struct vm_head *h, bool system, uint64_t now);
/* vm_dump_take() of all goroutines for a program's last words: a signal ends
 * it, which is to blame on nobody, and shows what the runtime can. */
struct vm_dump *vm_dump_take_last(struct vm *vm);
void vm_out_goroutine(struct vm_out *o, const struct vm *vm,
    const struct sched_g *g, bool running, enum vm_blame blame);
/* All but one, NULL: all; or only those that can never go on, where these are why
 * the program ends, and how many others there are. */
void vm_out_others(struct vm_out *o, struct vm *vm, const struct sched_g *but,
    enum vm_blame blame);
enum vm_status vm_print(struct vm_thread *t, const union rt_slot *v,
    unsigned what, bool more);
/* What t has gathered of a line that it will not write to its end. */
void vm_print_rest(struct vm_thread *t);

/* walk.c */
struct vm_walker {
    const struct vm *vm;
    const struct vm_g *vg;
    const union rt_slot *fp;
    const struct code_ins *pc;   /* the instruction in progress */
    const struct code_ins *next; /* where the frame goes on; NULL = nowhere:
                                    it panics */
    const struct code_func *func;
    uint32_t runs;               /* runs below this are still to come */
    bool leaf;
    bool panics;  /* the frame above this one was called by its panic */
};
/* Positions at the innermost frame; false where there is none. */
bool vm_walk_begin(
    struct vm_walker *w, const struct vm *vm, const struct vm_g *vg);
bool vm_walk_next(struct vm_walker *w);
/* The slots of the stack up to the end of the frame. */
static inline uint64_t
vm_walk_end(const struct vm_walker *w)
{
    return (uint64_t)(w->fp - w->vg->stack) + w->func->extent;
}
unsigned vm_walk_host(void *host, struct sched_g *g, vpc *pcs, unsigned n);

/* live.c; vm_live_at() is in state.h */
void vm_live_free(struct vm *vm);

/* interp.c */
/*
 * Whether the interpreter's pc and fp can be found in registers, by notes in
 * the section vole_interp_regs; else they are in struct vm_g all the time, as
 * after each instruction.
 */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VM_INTERP_NOTES 1
#else
#define VM_INTERP_NOTES 0
#endif
int vm_interp(struct vm_thread *t);
/* interp_race.c: the same with the checked forms of instructions. */
int vm_interp_race(struct vm_thread *t);
/* interp_points.c: the same with points, for programs that run by a seed. */
int vm_interp_points(struct vm_thread *t);
/* What vm_interp() seems to return after a fault in it, beside enum
 * sched_run; vg's position is that of the fault. */
enum { VM_FAULTED = 1000 };

/* access.c */
/* Tells the race detector what the checked form of an instruction at pc, in
 * the frame fp, is about to do: those of opcode.def that say `by`. */
void vm_race_op(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc);
/* Whether any of that is memory that others have to do with. */
bool vm_race_op_shared(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc);
/* A checked CALLN: calls the native and tells what it does. */
enum vm_status vm_race_native(struct vm_thread *t, union rt_slot *fp,
    const struct code_ins *pc);
/* As above, of what the native says that it accesses before it begins. */
bool vm_race_native_shared(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc);
/* Puts checked forms in place of the image's instructions, but for packages
 * of the list, ended by a row without a name, or NULL.  Natives are bound. */
void vm_race_rewrite(struct vm *vm, const struct vm_unchecked *list);
/* Makes vm->tables.closed; false: no memory. */
bool vm_race_find_closed(struct vm *vm);
/* Whether races are looked for, and nothing in the program can close a channel
 * of such elements. */
bool vm_race_stays_open(const struct vm *vm, const struct rtype *elem);

/* points.c */
/* Rounds of loops without another point that make one. */
enum { VM_POINT_LOOPS = 10000 };
/* By op: an instruction of this kind may be a point. */
extern const uint8_t vm_may_be_point[];
/* Marks those that are in a new vm; false: no memory. */
bool vm_points_init(struct vm *vm);
/* The goroutine of t stands before the instruction at pc, or (loop) has gone
 * round for long: true: it yields, and goes on from there. */
bool vm_point(struct vm_thread *t, union rt_slot *fp,
    const struct code_ins *pc, bool loop);
/* The same before an access to memory that others have to do with. */
bool vm_access_point(
    struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc);

/* interrupt.c */
/* Whether the machine code at the address is the interpreter's loop, made of
 * bytecode, or one of the operations' functions, which share nothing half done
 * either.  Async-signal-safe. */
bool vm_is_running(const struct vm *vm, uintptr_t addr);
/* In the handler of a fault at an address that vm_is_running(): the
 * interpreter shall have returned VM_FAULTED when the handler returns.  False:
 * it cannot. */
bool vm_interrupted_return(const struct vm *vm, void *ucontext);
/* In the handler of a SIGSEGV: machine code has accessed memory by what may be a
 * nil pointer, and shall be left before that when the handler returns.  False: it
 * is another fault. */
bool vm_trapped(const struct vm *vm, void *ucontext);

/* fault.c */
void vm_out_fault(
    struct vm_out *o, const struct vm_fault *f, const char *text);

/* ops that are functions: ops_*.c */
#define VM_OP(name)                                                  \
    enum vm_status vm_op_##name(                                     \
        struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)

VM_OP(slice);
VM_OP(slicestr);
VM_OP(makeslice);
VM_OP(append64);
VM_OP(appendt);
VM_OP(appendg);
VM_OP(appendsl);
VM_OP(appendz);
VM_OP(copysl);
VM_OP(clrsl);
VM_OP(sl2arr);
VM_OP(concat);
VM_OP(str2bytes);
VM_OP(bytes2str);
VM_OP(str2runes);
VM_OP(runes2str);
VM_OP(rune2str);
VM_OP(mapmake);
VM_OP(mapget);
VM_OP(mapgetok);
VM_OP(mapset);
VM_OP(mapref);
VM_OP(mapdel);
VM_OP(mapclr);
VM_OP(mapiter);
VM_OP(mapnext);
VM_OP(chanmake);
VM_OP(chansend);
VM_OP(chanrecv);
VM_OP(chanclose);
VM_OP(select);
VM_OP(mkiface);
VM_OP(mkifacem);
VM_OP(assert);
VM_OP(assertok);
VM_OP(asserti);
VM_OP(assertiok);
VM_OP(eqiface);
VM_OP(eqt);
VM_OP(eqmem);
VM_OP(new);
VM_OP(mkclo);
VM_OP(cell);
VM_OP(cellend);
VM_OP(mkcloat);
VM_OP(go);
VM_OP(goc);
VM_OP(throw);
VM_OP(chkunsafe);
VM_OP(copyt);
VM_OP(clrt);
VM_OP(index);  /* the index panic of LDX.. and STX.. */
VM_OP(chkidx); /* the index panic of CHKIDX */
VM_OP(nil);    /* the nil panic of a memory access */

/* Numbers in memory may lie anywhere: unsafe makes such pointers, the kernel's structs are
 * packed, and Go's loads do not mind.  Pointers are where they belong. */
typedef uint16_t any_u16 __attribute__((aligned(1)));
typedef uint32_t any_u32 __attribute__((aligned(1)));
typedef uint64_t any_u64 __attribute__((aligned(1)));
typedef int16_t any_i16 __attribute__((aligned(1)));
typedef int32_t any_i32 __attribute__((aligned(1)));

/* Whether pc is no function's, but a stub (see above). */
static inline bool
vm_is_stub(const struct vm *vm, const struct code_ins *pc)
{
    return (size_t)((uintptr_t)pc - (uintptr_t)vm->stubs) <
        VM_STUB_COUNT * sizeof *pc;
}

/* The type that the EXT word i words behind an operation names. */
static inline const struct rtype *
vm_ext_type(const struct vm_thread *t, const struct code_ins *pc, unsigned i)
{
    rt_assert(pc[i].op == OP_EXT);
    rt_assert((uint32_t)pc[i].imm < t->vm->im->ntypes);
    return t->vm->im->types[pc[i].imm];
}

#endif
