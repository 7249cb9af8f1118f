/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_VM_H
#define RUNTIME_VM_VM_H

/*
 * The virtual machine as the layer above (runtime/host/wiring.c) sees it: makes one
 * from a program image and hands out the tables with which the scheduler and
 * the collector call it.  Order of construction: gc heap and sched need the
 * tables, which need only the vm pointer; the vm needs both before the first
 * goroutine runs, through vm_attach().
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/code/code.h"
#include "runtime/value/map.h"
#include "runtime/vm/native.h"
#include "sched/sched.h"

struct race;
struct race_host;
struct rt_keep;
struct types_key;
struct vm;
struct vm_kept;

/* GOTRACEBACK: which goroutines a dying program prints. */
enum vm_traceback {
    VM_TRACEBACK_NONE,
    VM_TRACEBACK_SINGLE, /* the current one: the default */
    VM_TRACEBACK_ALL,
    VM_TRACEBACK_SYSTEM, /* wrappers and system goroutines too */
    VM_TRACEBACK_CRASH   /* as system; the caller aborts afterwards */
};

/* Who is told of points.  With this there is no machine code. */
struct vm_watch {
    void *arg;
    /* g is about to do what stands at its point.  On any M, no locks held. */
    void (*point)(void *arg, struct sched_g *g);
    /* Marks what the watcher keeps; in any phase of the collector, on any
     * thread. */
    void (*mark)(void *arg, struct gc_marker *m);
};

struct vm_config {
    const struct code_image *image;
    /* Tables of natives, each ended by a row whose name is NULL. */
    const struct vm_native *const *natives;
    unsigned nnatives;
    enum vm_traceback traceback;
    uint64_t max_stack; /* bytes; 0 = Go's 1000000000 */
    int err_fd;         /* where panics and print() go; 2 */
    const char *const *args; /* os.Args; must outlive the vm */
    unsigned nargs;
    const char *godebug; /* settings of GODEBUG by default, "a=1,b=0"; must
                           outlive the vm; NULL: none */
    const char *buildinfo; /* lines of debug.BuildInfo; likewise */
    void *lib;          /* of the library's natives; see vm_lib() */
    bool points;        /* for a scheduler that runs by a seed */
    const struct vm_watch *watch; /* or NULL; likewise has points */
    /* Packages that are not checked for races, ended by a row without a name;
     * NULL: none such. */
    const struct vm_unchecked *unchecked;
    void *globals_at;   /* page-aligned: where the package variables are to
                           be; NULL: anywhere */
    struct race *race;  /* tells accesses to it; NULL: to nobody */
    struct vm_kept *kept; /* what machines before this one have left, of the
                             same image, natives and wishes; it must outlive
                             the vm; NULL: nothing */
};

/* For a program that is run again and again: what one machine leaves for the
 * next, and mappings that are kept in maps.  NULL: no memory. */
struct vm_kept *vm_kept_new(struct rt_keep *maps);
void vm_kept_free(struct vm_kept *k);

/* Loads an image: binds natives, allocates globals.  To call a native that no
 * table has is a panic.  The image must outlive the vm. */
enum rt_status vm_load(
    const struct vm_config *cfg, struct vm **out, struct rt_err *err);
/* What the variable GODEBUG says now: settings besides those by default. */
void vm_set_godebug(struct vm *vm, const char *value, size_t n);

/* Whether that asks for timers as they were before Go 1.23. */
bool vm_buffered_timers(const struct vm *vm);
void vm_attach(struct vm *vm, struct sched *s, struct gc_heap *heap);
void vm_free(struct vm *vm);

/* Table for struct sched_config; host_arg is the struct vm *. */
extern const struct sched_host vm_sched_host;
/* Likewise for race_attach(). */
extern const struct race_host vm_race_host;

/* The closure to give to sched_run(): the image's entry. */
const void *vm_entry_fn(const struct vm *vm);

/* Marks everything the VM keeps: globals, every goroutine's frames, deferred
 * calls and panics (through sched_each_g), and what the scheduler keeps.
 * World stopped. */
void vm_mark_roots(struct vm *vm, struct gc_marker *m);

/* Marks piece i of the package variables, each word by one aligned load;
 * false when there are not so many.  The program may run. */
bool vm_mark_globals(void *vm, uint32_t i, struct gc_marker *m);

/* Marks one goroutine's roots; it must not run. */
void vm_mark_g(struct vm *vm, struct sched_g *g, struct gc_marker *m);

/* What a pc means.  For calls in progress it is that of the call. */
struct vm_frame {
    const struct code_func *func;
    const char *file; /* "?" where unknown */
    uint32_t line;
    uint32_t off;
};
bool vm_symbolize(const struct vm *vm, vpc pc, struct vm_frame *f);

/* The pcs of g, leaf first, wrappers left out: at most n, after the first
 * `skip`.  g is not running, or is the caller's own. */
unsigned vm_walk(const struct vm *vm, const struct sched_g *g, unsigned skip,
    vpc *pcs, unsigned n);

/* What the goroutine, which stands at a point, is about to do to other
 * goroutines by an object: a lock, a channel, something else of package sync. */
enum vm_sync_op {
    VM_SYNC_NONE,
    VM_LOCK,        /* of a sync.Mutex */
    VM_LOCK_RW,     /* of a sync.RWMutex, whose Mutex it has taken before */
    VM_LOCK_SHARED,
    VM_UNLOCK,
    VM_UNLOCK_SHARED,
    VM_SYNC_TELL,   /* what it has done comes before what those do who hear it */
    VM_SYNC_NOTIFY, /* the same, by a sync.Cond */
    VM_SYNC_HEAR,   /* when it is over */
    VM_SYNC_BOTH,
    VM_SYNC_SPAWN   /* tell, to the goroutine that it starts; obj is NULL */
};

struct vm_sync {
    enum vm_sync_op op;
    const void *obj;
};

/* Whether p lies in a cell of g (cells.c), which only g knows of: whoever else
 * finds that address later finds another object.  g does not run, or is the
 * caller's. */
bool vm_private_to(const struct sched_g *g, const void *p);

/* At most n; their number. */
unsigned vm_sync_at(
    const struct vm *vm, const struct sched_g *g, struct vm_sync *v, unsigned n);

/* What the function of that pc does so; VM_SYNC_NONE: it is none of those. */
enum vm_sync_op vm_sync_of(const struct vm *vm, vpc pc);

/* Whether g, which stands at a point, is about to signal to a sync.Cond at
 * which nobody waits. */
bool vm_notifies_nobody(const struct vm *vm, const struct sched_g *g);

/* What runtime.Callers says: the same of the caller's own goroutine, with
 * runtime.goexit after the outermost. */
unsigned vm_walk_callers(const struct vm *vm, const struct sched_g *g,
    unsigned skip, vpc *pcs, unsigned n);

/* The same for the goroutine that the calling thread runs, faster, for the
 * tracer and the memory profile.  entry: a stack of more than n frames has the
 * entry function last, else it is cut off. */
unsigned vm_walk_self(struct sched_m *m, vpc *pcs, unsigned n, bool entry);
/* The place of the path of the same stack, of the goroutine that the calling
 * thread, whose sched_m is self, runs: struct trace_host.path_self.  NULL: the
 * stack is too deep, or deferred calls are under way, which are no words of
 * it. */
struct callpath *vm_walk_path(void *self, struct callpath *paths);
/*
 * The number of the same stack, for who walks again and again: one() gives a
 * number to the stack `outer` (0: none) with one frame more, always the same to
 * the same.  Frames that are as they were at the thread's last walk of this kind
 * are not walked again, and keep their numbers; of very deep stacks the frames
 * far outside are left out.
 */
struct vm_adder {
    uint32_t (*one)(void *arg, uint32_t outer, vpc pc);
    void *arg;
};
uint32_t vm_walk_number(struct sched_m *m, const struct vm_adder *add);
/* The innermost place of it; 0: one that is not shown. */
vpc vm_walk_place(struct sched_m *m);

/* How many of a stack's n pcs a trace shows: runtime.main, below main.main and
 * the functions that initialise packages, is left out, as in Go's traces.
 * (Profiles and samples have it.) */
unsigned vm_walk_trim(const struct vm *vm, const vpc *pcs, unsigned n);

/*
 * A snapshot of goroutines' stacks as a traceback shows them.  all: of every
 * goroutine, for which the world is stopped, `self` (the caller's, NULL on a
 * thread that is no M) first and the others in order of id; else of self
 * only.  Text is made later, by vm_dump_next().  Any thread, no locks held.
 * NULL where memory is out; otherwise it goes to vm_dump_free().
 */
struct vm_dump;
struct vm_dump *vm_dump_take(
    struct vm *vm, const struct sched_g *self, bool all);
/* Writes the next goroutine, with an empty line before it if it is not the
 * first, into buf: cut to n bytes.  Returns the bytes written; 0: no more. */
size_t vm_dump_next(struct vm_dump *d, char *buf, size_t n);
/* The next one is the first again. */
void vm_dump_rewind(struct vm_dump *d);
void vm_dump_free(struct vm_dump *d);

/* From now on faults of threads that run scripts (SIGSEGV, SIGBUS, SIGILL,
 * SIGFPE) end the program with a message, stacks and status 2; those of other
 * threads of the process keep their default effect.  Of the process; any
 * thread, not under sanitizers, which do it themselves.  Machine code that has
 * been made for that (jit_config.traps) tells nil pointers by them. */
void vm_catch_faults(void);
/* Whether that does so: not under sanitizers. */
bool vm_can_catch_faults(void);

/* From now on a throw on a thread that runs a program of this or any other
 * runtime is followed by the stacks of its goroutines. */
void vm_report_throws(void);

/* Whether the program has died, by its own fault and message, and is to leave
 * a core file. */
bool vm_wants_abort(const struct vm *vm);

/* Whether the current goroutine panics instead; the old setting. */
bool vm_set_panic_on_fault(struct vm_thread *t, bool on);

/* The end by SIGQUIT: prints all stacks and ends the program with status 2.
 * On a thread that is no M. */
void vm_quit(struct vm *vm);

/* Whether the machine code at the address is the interpreter's loop. */
bool vm_is_interp(uintptr_t addr);

/*
 * The CPU profiler's signal has interrupted the calling thread: fills pcs,
 * leaf first, with machine code of the runtime, if that was running, and the
 * goroutine's frames; *w tells whose they are.  Without a goroutine the whole
 * machine stack.  Async-signal-safe after rt_cstack_prepare().
 */
void vm_interrupted(const struct vm *vm, const void *ucontext, vpc *pcs,
    uint32_t max, struct prof_where *w);

/* The map type's computed part, for map_*(); NULL where t is no map. */
const struct map_type *vm_map_type(struct vm *vm, const struct rtype *t);
/* The type with a structure, made if the program has none: as types_get(). */
const struct rtype *vm_type_get(struct vm *vm, const struct types_key *k);
/*
 * A function value func(fn, args, results unsafe.Pointer) that calls fn, of
 * the function type t: args and results are arrays of the addresses of the
 * values.  method: fn is the code of a method for interfaces (struct rmethod),
 * t its type without receiver, and args begins with the receiver's data word.
 * It lives as long as the vm.  NULL where memory is out, or a frame cannot
 * have that many arguments.  Any thread.
 */
const struct code_closure *vm_caller_of(
    struct vm *vm, const struct rtype *t, bool method);
/* A function of type t whose closures capture a pointer, impl.  It calls
 * body(impl, args unsafe.Pointer) unsafe.Pointer, where args has the addresses
 * of copies of its arguments and the result has those of its results.  There
 * are few different bodies in all.  Else as above. */
const struct code_func *vm_func_made(
    struct vm *vm, const struct rtype *t, const struct code_closure *body);
/* The panic or fatal error that map_get() and its like ask for by a status
 * that is not MAP_OK. */
enum vm_status vm_map_failed(
    struct vm_thread *t, enum map_status st, const struct rtype *bad);

const struct code_image *vm_image(const struct vm *vm);
struct sched *vm_sched(const struct vm *vm);
struct gc_heap *vm_heap(const struct vm *vm);

/* Sets the most bytes that a goroutine's stack may have (debug.SetMaxStack)
 * and returns the old limit.  Any thread; stacks notice when they grow. */
uint64_t vm_set_max_stack(struct vm *vm, uint64_t bytes);
/* From now on what a dying program prints goes to descriptor fd, too, which
 * belongs to vm then (debug.SetCrashOutput); -1: no longer.  Any thread. */
void vm_set_crash_output(struct vm *vm, int fd);
/* Bytes of memory that goroutine stacks have, those of dead goroutines kept
 * for new ones included.  Any thread. */
uint64_t vm_stack_bytes(const struct vm *vm);

/* GOTRACEBACK's levels by name; anything else is like single.  Sets what a
 * dying program prints (debug.SetTraceback).  Any thread. */
enum vm_traceback vm_traceback_level(const char *s, size_t n);
void vm_set_traceback(struct vm *vm, enum vm_traceback level);

/* What vm_config.lib was. */
void *vm_lib(const struct vm *vm);
/* The block of package variables. */
void *vm_globals(const struct vm *vm);
/* The closure's function. */
static inline const struct code_func *
vm_closure_func(const void *closure)
{
    return ((const struct code_closure *)closure)->fn;
}
/* Where f begins, as package reflect says it: the address of f, which is the
 * first word of its closures, so that a func value whose only word a program
 * has got from reflection, as some do by package unsafe, calls f.  By a seed
 * that is the same in each process, as images are then at a place of their own.
 * Of a function that was made at run time it is the first pc. */
uint64_t vm_func_address(const struct vm *vm, const struct code_func *f);
/* That of the closure's function; of a closure that package reflect has made,
 * what its third word says, unless that is 0. */
uint64_t vm_closure_pc(const struct vm *vm, const void *closure);

#endif
