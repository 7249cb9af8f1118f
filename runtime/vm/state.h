/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_STATE_H
#define RUNTIME_VM_STATE_H

/*
 * What the VM consists of: goroutines' stacks, threads, the program.  Of the
 * layers above only machine code (runtime/jit) looks at it, which does the
 * interpreter's work on the same frames.
 */

#include <stdbool.h>
#include <stdint.h>

#include "gc/gc.h"
#include "runtime/base/asan.h"
#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/base/lock.h"
#include "runtime/base/rand.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"
#include "runtime/code/code.h"
#include "runtime/value/iface.h"
#include "runtime/value/types.h"
#include "runtime/value/map.h"
#include "runtime/vm/native.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* Slots of the stack that is part of struct vm_g; hostile builds make it
 * tiny so that every program grows stacks. */
#if VOLE_HOSTILE
enum { VM_STACK_FIRST = 8 };
#else
enum { VM_STACK_FIRST = 46 }; /* struct vm_g is seven cache lines */
#endif

/* A stack is halved when less than one part in VM_STACK_SPARE of it is used.
 * Hostile builds halve as soon as the half will do. */
#if VOLE_HOSTILE
enum { VM_STACK_SPARE = 2 };
#else
enum { VM_STACK_SPARE = 4 };
#endif

/* Under ASan the stacks inside of struct vm_g's have red zones between them,
 * as wide as a large frame. */
enum { VM_RED_ZONE = RT_ASAN ? 1024 : 0 };

enum {
    VM_SEEN = 256,             /* instructions of stacks that are kept, where
                                  64 had two of a ping-pong's six at one place,
                                  so that half of the walks were slow ones */
    VM_STACK_MMAP = 1 << 17,   /* slots from which a stack is a mapping */
    VM_G_CHUNK = 64,           /* struct vm_g's obtained at a time */
    VM_G_REFILL = 32,          /* new ones that a thread takes at a time */
    VM_FMAP_SHIFT = 3          /* instruction words per entry of fmap */
};

/* The address range of Go's nil dereference: no object lies there. */
enum { VM_NIL_PAGE = 4096 };

/* What the interpreter's helpers answer besides enum sched_run. */
enum { VM_GO_ON = -1 };

/* What a CALL needs of its callee, 16 bytes apart. */
struct vm_entry {
    a_ptr code; /* atomic: const struct code_ins *: the function's, or a word
                   that enters its machine code */
    uint64_t extent; /* bytes */
};

/* What a call counts in vm_m.heat, and from where that counts down. */
enum { VM_HEAT_CALL = 10, VM_HEAT = 1000 };

enum vm_stub { VM_STUB_END = 1, VM_STUB_DEFER = 3, VM_STUB_COUNT = 4 };

/* Why a deferred call (or a method called for printing) runs. */
enum vm_run_kind {
    VM_RUN_NORMAL,    /* RUNDEFER */
    VM_RUN_PANIC,     /* a panic or Goexit unwinds */
    VM_RUN_RECOVERED, /* the frame returns after a recovered panic */
    VM_RUN_PRINT      /* Error or String method of a panic value */
};

/* A deferred call in flight.  Offsets are slots from the stack's base. */
struct vm_run {
    uint8_t kind;
    uint32_t callee; /* the deferred function's frame */
    uint32_t frame;  /* the frame that deferred it */
    uint32_t caller; /* the frame below callee, and its instruction */
    const struct code_ins *pc;
    struct vm_panic *panic; /* VM_RUN_PANIC, VM_RUN_PRINT */
};

/* The types of run-time errors: runtime.errorString and so on, as load.c names
 * them.  The memory of their values begins with the text, which Error() may
 * precede with something. */
enum vm_error {
    VM_ERR_RUNTIME,    /* "runtime error: " and the text */
    VM_ERR_PLAIN,      /* the text alone */
    VM_ERR_BOUNDS,     /* an index or a slice expression is out of range */
    VM_ERR_UNHASHABLE, /* the text is a type */
    VM_ERR_ASSERT,     /* a pointer to it: of a failed type assertion */
    VM_ERR_NIL,        /* a pointer to it: of panic(nil) */
    VM_ERR_COUNT
};

struct vm_panic {
    struct vm_panic *prev; /* the one that was in progress before */
    struct vm_panic *next; /* the one raised while this was in progress */
    struct rt_iface value;
    struct rt_str text;    /* what Error or String said, once asked */
    bool asked;
    bool gave_text;
    bool is_error;         /* text is of an Error method */
    bool recovered;
    bool goexit;           /* not a panic: runtime.Goexit */
    bool sigsegv;
    uint64_t sigaddr;
    uint32_t frame;        /* where it was raised, and its instruction */
    const struct code_ins *pc;
};

/*
 * What only goroutines with defers or panics need.  A deferred call on the
 * stack `defers` is its arguments, the closure and on top a word of meta.
 */
struct vm_defers {
    union rt_slot *v;
    uint32_t n, cap;
    struct vm_run *runs;
    uint32_t nruns, runs_cap;
    struct vm_panic *panics; /* innermost first */
};

struct vm_g {
    a_ptr limit;  /* end of the stack; NULL = poisoned: any thread */
    union rt_slot *stack;
    union rt_slot *fp;          /* while not running */
    const struct code_ins *pc;  /* where it goes on */
    struct vm_defers *defers;   /* NULL until needed */
    struct vm_cells *cells;     /* the current chunk; NULL until needed */
    struct sched_g *g;
    struct vm_g *link;          /* list of new ones */
    uint32_t nslots;            /* of the stack */
    a_u32 held; /* atomic: somebody else walks over the stack or moves it */
    bool exact; /* pc is the current instruction, not the one after it */
    bool panic_on_fault; /* debug.SetPanicOnFault */
    uint32_t again; /* machine code has been left at pc for a safepoint only,
                       within what is spliced in, and can go on there: by this
                       number; else 0 */
    union rt_slot first[VM_STACK_FIRST];
#if RT_ASAN
    uint8_t red_zone[VM_RED_ZONE];
#endif
};

/* A fault: fault.c. */
struct vm_fault {
    int sig;
    int code;      /* si_code */
    uint64_t pc;   /* in native code or, at the end, in the script's */
    uint64_t addr; /* si_addr */
};

/* What tells where a thread's goroutine stands, unless that is in machine
 * code, whose addresses say it. */
enum vm_stands {
    VM_STANDS_LOOP, /* the registers of the interpreter's loop */
    VM_STANDS_AT,   /* vm_m.at_fp and at_pc: machine code has been left, and
                       the loop has not gone on */
    VM_STANDS_AWAY  /* nothing: machine code is being left */
};

/* The VM's part of a thread.  t comes first. */
struct vm_m {
    struct vm_thread t;
    const a_u32 *preempt; /* of the current P */
    struct vm_g *free;    /* new ones */
    /* the panic that a native or helper has asked for */
    struct rt_iface panic;
    bool sigsegv;
    uint64_t sigaddr;
    struct vm_fault fault;
    struct rt_rand rand;
    /* Goes down by one at each jump backwards and by VM_HEAT_CALL at each call
     * that the interpreter executes; below 0 somebody is asked whether the
     * function is worth machine code. */
    int32_t heat;
    /* Between the interpreter and machine code: where one has stopped and the
     * other is to go on, and what an operation has answered. */
    union rt_slot *at_fp;
    const struct code_ins *at_pc;
    a_u32 stands; /* enum vm_stands, for signal handlers */
    enum vm_status answer;
    uintptr_t need;
    /* vm_walk_self(): instructions seen lately, direct-mapped; v = 0 for a
     * wrapper, which is not shown */
    struct vm_seen {
        const struct code_ins *pc;
        vpc v;
    } seen[VM_SEEN];
    /* vm_walk_number(): what it saw the last time, outermost first: frames, what
     * they return to, and the number of the stack of their callers; the first
     * one returns to a stub. */
    struct vm_trail {
        const union rt_slot *stack;
        uint32_t n;
        struct vm_step {
            const union rt_slot *fp;
            const struct code_ins *ret;
            uint32_t id;
        } at[128];
    } trail;
};

/* What follows from the image, the natives and what is asked for. */
struct vm_tables {
    const struct code_image *of; /* NULL: empty */
    const vm_native_fn *natives;
    /* By native, what it does to memory; NULL where races are not looked for */
    const struct vm_access **access;
    /* By number of a type, whether something in the program may close channels
     * of such elements; NULL likewise */
    uint8_t *closed;
    const uint32_t *fmap;
    uint64_t *points; /* a bit for each word of code; NULL: nobody wants them */
    uint8_t *sync;    /* enum vm_sync_op of natives' calls by function id */
    uint8_t *waits;   /* enum native_waits by native, with a seed */
};

/* From one machine to the next. */
struct vm_kept {
    struct rt_keep *maps;
    struct vm_tables tables;
};

/* Text for people: out.c. */
struct vm_out {
    int fd;       /* -1: into buf only */
    char *buf;
    size_t n, cap;
    const struct vm *dying; /* the text goes to its crash output, too; NULL:
                               only to fd */
};

/* What print and println are writing. */
struct vm_printer {
    struct rt_lock lock; /* PRINT: from a line's first PRINT to its last, among
                            which the goroutine does not stop */
    a_ptr who; /* atomic: the vm_thread that holds it, or NULL */
    struct vm_out out; /* the lock's holder only: into text */
    char text[512];
};

/* A power of two: so few that a short program touches few pages, and so many
 * that the calls of hot code have one each, most often. */
enum { VM_CALLEES = RT_TUNE(2048, 4) };

struct vm {
    /* const after vm_load() */
    const struct code_image *im;
    struct vm_entry *entries;
    struct vm_tables tables;
    uint8_t *globals;
    struct vm_kept *kept; /* vm_config's */
    struct code_ins stubs[VM_STUB_COUNT];
    int err_fd;
    const char *const *args; /* vm_config's */
    unsigned nargs;
    void *lib;               /* likewise */
    const struct rtype *errors[VM_ERR_COUNT];
    const struct rtype *type_string;
    /* where the program has none */
    struct rtype own_string, own_errors[VM_ERR_COUNT];
    /* Stands in stacks between a panicking frame and the deferred call that
     * it runs, as in Go; its number is im->nfuncs. */
    struct code_func gopanic;
    /* Stand for the native goroutines' functions; the numbers after that. */
    struct code_func natfuncs[NATIVE_COUNT];
    /* Stands for what calls a goroutine's function; the number after those.
     * Functions that the program makes have the numbers behind it. */
    struct code_func goexit;
    const char *godebug; /* const after init */
    const char *buildinfo; /* const after init */
    a_u32 panicnil;  /* atomic: panic(nil) panics with nil */
    a_u32 buffered_timers; /* atomic: new timers' channels have a buffer */
    a_u32 traceback; /* atomic: enum vm_traceback */
    a_u64 max_stack; /* atomic: slots */
    a_u64 stack_bytes; /* atomic: memory of goroutine stacks */
    /* const after vm_attach() */
    struct sched *sched;
    struct gc_heap *heap;
    /* const after vm_set_jit(); NULL: no machine code */
    const struct vm_jit_host *jit;
    void *jit_arg;

    struct iface_cache ifaces;
    struct types types; /* those made while the program runs */
    a_ptr made; /* atomic: functions made then; NULL = none yet */

    struct vm_printer print;

    struct rt_lock lock; /* LEAF: the rest */
    struct vm_g *free;
    struct vm_gchunk *chunks;
    a_ptr *live; /* atomic: uint64_t * by function; NULL = not yet computed */
    a_u32 crash_fd; /* where a dying program's text goes besides, plus 1; 0:
                       nowhere */
    a_u32 dying; /* 1: somebody prints the end of the program; 2: has */
    a_u32 main_exited; /* goroutine 1 called Goexit */
    struct map_type *maps; /* by type id; const after vm_load() */

    /* const after vm_load() */
    void *globals_at; /* vm_config's */
    bool seeded;
    const struct vm_watch *watch; /* or NULL */
    struct race *race; /* vm_config's */
    a_u64 callees[VM_CALLEES]; /* atomic: vm_note_callee(); 0: none */
};

_Static_assert(sizeof(struct vm_g) <= 448 + VM_RED_ZONE,
    "a million of them must fit");

/* The func that implements selector sel in t. */
static inline uint32_t
vm_method(const struct rtype *t, uint32_t sel)
{
    if (t->msize == 0)
        return CODE_NO_FUNC;
    rt_assert((t->msize & (t->msize - 1)) == 0);
    for (uint32_t i = sel & (t->msize - 1);;) {
        const struct rsel *s = &t->mtab[i];
        if (s->sel == sel)
            return s->func;
        if (s->sel == UINT32_MAX)
            return CODE_NO_FUNC;
        i = (i + 1) & (t->msize - 1);
    }
}

/* The interpreter notes whom an instruction has called last: of a method of an
 * interface the number of the type, of a closure its function's.  Another
 * instruction may take its place. */
static inline void
vm_note_callee(struct vm *vm, const struct code_ins *pc, uint32_t id)
{
    uintptr_t at = (uintptr_t)pc / sizeof *pc;

    a64_store_rlx(&vm->callees[at % VM_CALLEES],
        (uint64_t)(uint32_t)(at / VM_CALLEES) << 32 | (id + 1u));
}

/* The number; false: nobody knows.  It is an answer to a question about that
 * very instruction: what is called there takes such arguments. */
static inline bool
vm_noted_callee(const struct vm *vm, const struct code_ins *pc, uint32_t *id)
{
    uintptr_t at = (uintptr_t)pc / sizeof *pc;
    uint64_t noted = a64_load_rlx(&vm->callees[at % VM_CALLEES]);

    *id = (uint32_t)noted - 1;
    return noted != 0 && noted >> 32 == (uint32_t)(at / VM_CALLEES);
}

static inline struct vm_m *
vm_m_of(struct vm_thread *t)
{
    return (struct vm_m *)t;
}

/* What is true by then tells it from now on, to signal handlers on this
 * thread. */
static inline void
vm_stands(struct vm_thread *t, enum vm_stands how)
{
    a_signal_fence();
    a32_store_rlx(&vm_m_of(t)->stands, how);
    a_signal_fence();
}

static inline struct vm_g *
vm_g_of(const struct vm_thread *t)
{
    rt_assert(t->g != NULL && t->g->vg != NULL);
    return t->g->vg;
}

/* The P may have changed: after syscalls, stops and natives. */
static inline void
vm_sync(struct vm_thread *t)
{
    struct sched_p *p = t->m->p;

    rt_assert(p != NULL);
    t->cache = &p->cache;
    vm_m_of(t)->preempt = &p->preempt;
}

/* made.c: functions made while the program runs; see there.  The one that
 * holds pc; NULL: none.  Any thread, async-signal-safe. */
const struct code_func *vm_made_at(
    const struct vm *vm, const struct code_ins *pc);

/* The function that holds pc, in constant time; NULL for stubs. */
static inline const struct code_func *
vm_func_at(const struct vm *vm, const struct code_ins *pc)
{
    const struct code_image *im = vm->im;
    uint64_t off = (uint64_t)(pc - im->code);

    if ((uintptr_t)pc < (uintptr_t)im->code || off >= im->ncode)
        return vm_made_at(vm, pc);
    const struct code_func *f = &im->funcs[vm->tables.fmap[off >> VM_FMAP_SHIFT]];
    while (pc >= f->code + f->ncode)
        f++;
    return f;
}


/* live.c: a bit for each named slot of f that may be read from the
 * instruction at off on; NULL where the function is too large or memory ran
 * out (then every slot counts). */
const uint64_t *vm_live_at(
    struct vm *vm, const struct code_func *f, uint32_t off);

#endif
