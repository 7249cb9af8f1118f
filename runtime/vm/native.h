/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_NATIVE_H
#define RUNTIME_VM_NATIVE_H

/*
 * What a native (a leaf function of the library, in C) may use.  A native is
 * called by OP_CALLN on the goroutine's M, with a P.  Its arguments are the
 * slots fp[0..nargs): each parameter starts on a slot and takes (size + 7) / 8
 * slots in memory layout; results go to fp[0..nres) and overlap the arguments.
 * Integers and bools of less than 64 bits lie there extended, and are extended
 * by who writes them.  The library's natives see the slots as a union that
 * runtime/lib/natives.py makes from the Go declaration, a struct `in` and a
 * struct `out`; a row of vm_native is the same for them and for natives that
 * a host program brings.
 *
 * Between entry and return nothing moves and no collection stops this
 * goroutine, so raw pointers in C locals are fine (design: "an allocation
 * never stops its own goroutine").  A native never calls back into script
 * code.  One that blocks in the kernel brackets the call with
 * vm_syscall_enter/exit and must not touch the heap in between: memory that
 * the kernel reads or writes stays reachable because the argument slots are
 * scanned with the kinds of the parameters.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/layout.h"
#include "runtime/code/rtype.h"

struct race_g;
struct sched_g;
struct sched_m;
struct gc_pcache;
struct vm;

enum vm_status {
    VM_OK,     /* done: results are in place */
    VM_PANIC,  /* vm_panicf() or vm_panic_value() was called */
    VM_PARK,   /* the goroutine was parked; when it runs again the native
                  counts as returned: results were written before, or are
                  written by the waker into the frame */
    VM_YIELD,  /* give up the P, stay runnable */
    VM_GOEXIT, /* runtime.Goexit */
    VM_EXIT    /* the process ends: vm_exit() was called */
};

/* The thread's view while script code runs.  One per M. */
struct vm_thread {
    struct vm *vm;
    struct sched_m *m;
    struct sched_g *g;       /* current goroutine */
    struct gc_pcache *cache; /* of the current P; reload after a syscall */
    struct race_g *race;     /* the goroutine's, or NULL: nobody watches */
};

typedef enum vm_status (*vm_native_fn)(
    struct vm_thread *t, union rt_slot *fp);

/*
 * What a native does to memory of the program, for the race detector: a list
 * that ends with VM_ACCESS_END.  runtime/lib/access.py says it in words, and
 * makes the lists of the library's natives.
 */
enum vm_access_what {
    VM_ACCESS_END,
    /* Before the native runs.  A slice: pointer and length at `slot`. */
    VM_READS,        /* its elements, of `size` bytes each */
    VM_WRITES,
    VM_READS_FIRST,  /* as many first ones as the slot `other` says */
    VM_READS_LAST,   /* as many last ones */
    VM_READS_EACH,   /* slices of elements of `size` bytes, and these */
    /* A pointer at `slot`. */
    VM_READS_FIXED,  /* to `size` bytes */
    VM_WRITES_FIXED,
    VM_READS_BYTES,  /* to as many bytes as the slot `other` says */
    VM_WRITES_BYTES,
    VM_READS_TYPE,   /* to a value of the type in the slot `other`; size: 1
                        of its key, 2 of its element, and << 8 the slot + 1 of
                        an index into an array of such */
    VM_WRITES_TYPE,
    VM_IO_OUT,       /* what the program did before comes before ... */
    /* After it, when it has answered VM_OK; `other` is the slot of a result. */
    VM_IO_IN,        /* ... what it does after this, if result 0 is > 0 */
    VM_READS_FIRST_OUT, /* as many first elements as the result says */
    VM_READS_LAST_OUT,
    VM_WRITES_FIRST_OUT,
    VM_READS_UPTO,   /* up to the index that the result is; < 0: all */
    VM_READS_FROM,   /* from it on */
    VM_READS_AROUND, /* what is left and right of the slice that the result is,
                        and an element more on each side */
    VM_APPENDS,      /* result 0 is the slice with something appended */
    /* In one step with it: `size` bytes behind the pointer at `slot`.  No
     * other row goes with these. */
    VM_ATOMIC_LOAD,
    VM_ATOMIC_STORE,
    VM_ATOMIC_RMW,
    VM_ATOMIC_CAS /* result 0 says whether it has been written */
};

enum { VM_ACCESS_MAX = 8 }; /* rows of a native */

struct vm_access {
    uint8_t what; /* enum vm_access_what */
    uint8_t slot;
    uint8_t other;
    uint32_t size;
};

/* A row of a table of natives, the library's or a host program's: name is
 * "import/path.func", for a function that this package declares without a
 * body, and fn does what it says with the slots of that declaration. */
struct vm_native {
    const char *name;
    vm_native_fn fn;
    const struct vm_access *access; /* NULL: nothing to be told */
};

/* A package whose functions are not checked for races; natives: the natives
 * that they call are, all the same. */
struct vm_unchecked {
    const char *package;
    bool natives;
};

/* Starts a run-time panic (a runtime.Error whose text is "runtime error: "
 * followed by the formatted text); returns VM_PANIC for `return`. */
enum vm_status vm_panicf(struct vm_thread *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with a text that does not begin with "runtime error: ". */
enum vm_status vm_panic_plain(struct vm_thread *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* panic(v) with any Go value. */
enum vm_status vm_panic_value(struct vm_thread *t, struct rt_iface v);

/* Unrecoverable: prints "fatal error: text" and goroutine stacks, exit
 * status 2.  Returns VM_EXIT. */
enum vm_status vm_fatalf(struct vm_thread *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Memory is out: prints "fatal error: runtime: out of memory" and the stacks
 * of all goroutines, the runtime's own among them, for which the world stops;
 * no locks held.  Exit status 2.  Returns VM_EXIT. */
enum vm_status vm_out_of_memory(struct vm_thread *t);

/* Ends the process with the given status once the native has returned
 * VM_EXIT; traces and profiles are completed first. */
enum vm_status vm_exit(struct vm_thread *t, int status);

/* The program's arguments (os.Args), as vm_config gave them; *n of them. */
const char *const *vm_args(const struct vm *vm, unsigned *n);

/* The settings of GODEBUG by default, as vm_config gave them, or "". */
const char *vm_godebug(const struct vm *vm);

/* What there is to say of the program's modules, as vm_config gave it, or "". */
const char *vm_buildinfo(const struct vm *vm);

/* Memory from the collected heap, zeroed.  NULL only after the fatal error
 * "out of memory" was started: return VM_EXIT then. */
void *vm_new(struct vm_thread *t, const struct rtype *type);
void *vm_new_array(struct vm_thread *t, const struct rtype *elem, int64_t n);
void *vm_new_bytes(struct vm_thread *t, size_t n); /* holds no pointers */

/* A Go string with a copy of n bytes. */
struct rt_str vm_str(struct vm_thread *t, const void *bytes, size_t n);

/* Boxes the value of type `type` at `src` (memory layout) in an interface. */
struct rt_iface vm_box(
    struct vm_thread *t, const struct rtype *type, const void *src);

/* Stores a pointer into heap memory with the write barrier. */
void vm_store_ptr(struct vm_thread *t, void *slot, void *value);
/* Copies a typed value into heap memory with write barriers. */
void vm_store(struct vm_thread *t, const struct rtype *type, void *dst,
    const void *src);

/* A random word, from a generator of the thread's own. */
uint64_t vm_random(struct vm_thread *t);

/* Around a call that may block in the kernel; the P may be handed off. */
void vm_syscall_enter(struct vm_thread *t);
void vm_syscall_exit(struct vm_thread *t);

/* Argument access by slot number. */
static inline struct rt_str
vm_arg_str(const union rt_slot *fp, unsigned i)
{
    return (struct rt_str){fp[i].p, fp[i + 1].i};
}

static inline struct rt_slice
vm_arg_slice(const union rt_slot *fp, unsigned i)
{
    return (struct rt_slice){fp[i].p, fp[i + 1].i, fp[i + 2].i};
}

static inline struct rt_iface
vm_arg_iface(const union rt_slot *fp, unsigned i)
{
    return (struct rt_iface){fp[i].p, fp[i + 1].p};
}

static inline void
vm_ret_str(union rt_slot *fp, unsigned i, struct rt_str s)
{
    fp[i].p = (void *)s.ptr;
    fp[i + 1].i = s.len;
}

static inline void
vm_ret_slice(union rt_slot *fp, unsigned i, struct rt_slice s)
{
    fp[i].p = s.ptr;
    fp[i + 1].i = s.len;
    fp[i + 2].i = s.cap;
}

static inline void
vm_ret_iface(union rt_slot *fp, unsigned i, struct rt_iface v)
{
    fp[i].p = (void *)v.type;
    fp[i + 1].p = v.data;
}

#endif
