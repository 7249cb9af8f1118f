/* SPDX-License-Identifier: MIT */

/* What natives call: see native.h. */

#include "runtime/vm/native.h"

#include <string.h>
#include <unistd.h>

#include "runtime/value/str.h"
#include "runtime/vm/vm_int.h"

enum vm_status
vm_exit(struct vm_thread *t, int status)
{
    sched_exit(t->vm->sched, status);
    return VM_EXIT;
}

void *
vm_new(struct vm_thread *t, const struct rtype *type)
{
    void *p = gc_alloc(t->cache, &type->layout);

    if (p == NULL)
        vm_out_of_memory(t);
    return p;
}

void *
vm_new_array(struct vm_thread *t, const struct rtype *elem, int64_t n)
{
    void *p = n < 0 ? NULL
                    : gc_alloc_array(t->cache, &elem->layout, (uint64_t)n);

    if (p == NULL)
        vm_out_of_memory(t);
    return p;
}

void *
vm_new_bytes(struct vm_thread *t, size_t n)
{
    void *p = gc_alloc_noscan(t->cache, n);

    if (p == NULL)
        vm_out_of_memory(t);
    return p;
}

struct rt_str
vm_str(struct vm_thread *t, const void *bytes, size_t n)
{
    struct rt_str s = { NULL, 0 };

    if (!str_new(t->cache, bytes, n, &s))
        vm_out_of_memory(t);
    return s;
}

struct rt_iface
vm_box(struct vm_thread *t, const struct rtype *type, const void *src)
{
    struct rt_iface v = { type, iface_box(t->cache, type, src) };

    if (v.data == NULL && !rtype_direct(type))
        vm_out_of_memory(t);
    return v;
}

void
vm_store_ptr(struct vm_thread *t, void *slot, void *value)
{
    rt_assert(slot != NULL && t->cache == &t->m->p->cache);
    gc_write_barrier(t->cache, slot, value);
    *(void **)slot = value;
}

void
vm_store(struct vm_thread *t, const struct rtype *type, void *dst,
    const void *src)
{
    rt_assert((dst != NULL && src != NULL) || rtype_size(type) == 0);
    rt_assert(t->cache == &t->m->p->cache);
    gc_write_barrier_range(t->cache, &type->layout, dst, src, 1);
    memmove(dst, src, rtype_size(type));
}

void
vm_syscall_enter(struct vm_thread *t)
{
    sched_syscall_enter(t->m);
}

void
vm_syscall_exit(struct vm_thread *t)
{
    sched_syscall_exit(t->m);
    vm_sync(t);
}

uint64_t
vm_set_max_stack(struct vm *vm, uint64_t bytes)
{
    uint64_t old = a64_load_rlx(&vm->max_stack) * 8;

    a64_store_rlx(&vm->max_stack, bytes / 8);
    return old;
}

void
vm_set_crash_output(struct vm *vm, int fd)
{
    uint32_t old;

    rt_assert(fd >= -1);
    /* Whoever dies meanwhile may still write to the old one, which is closed
     * then: that text is lost. */
    old = a32_swap_full(&vm->crash_fd, (uint32_t)(fd + 1));
    if (old != 0)
        close((int)old - 1);
}

uint64_t
vm_stack_bytes(const struct vm *vm)
{
    return a64_load_rlx(&vm->stack_bytes);
}

enum vm_traceback
vm_traceback_level(const char *s, size_t n)
{
    static const struct {
        const char *name;
        enum vm_traceback level;
    } levels[] = {
        { "none", VM_TRACEBACK_NONE },
        { "0", VM_TRACEBACK_NONE },
        { "all", VM_TRACEBACK_ALL },
        { "system", VM_TRACEBACK_SYSTEM },
        { "2", VM_TRACEBACK_SYSTEM },
        { "crash", VM_TRACEBACK_CRASH },
    };

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strlen(levels[i].name) == n && memcmp(levels[i].name, s, n) == 0)
            return levels[i].level;
    return VM_TRACEBACK_SINGLE;
}

void
vm_set_traceback(struct vm *vm, enum vm_traceback level)
{
    a32_store_rlx(&vm->traceback, (uint32_t)level);
}

const char *
vm_godebug(const struct vm *vm)
{
    return vm->godebug;
}

const char *
vm_buildinfo(const struct vm *vm)
{
    return vm->buildinfo;
}

/* The last "key=value" of a list between commas decides; `old` where none
 * does. */
static bool
setting(const char *key, const char *s, size_t n, bool old)
{
    size_t k = strlen(key), i = 0;

    while (i < n) {
        const char *end = memchr(s + i, ',', n - i);
        size_t len = end == NULL ? n - i : (size_t)(end - s) - i;

        if (len > k && s[i + k] == '=' && memcmp(s + i, key, k) == 0)
            old = len == k + 2 && s[i + k + 1] >= '1' && s[i + k + 1] <= '9';
        i += len + 1;
    }
    return old;
}

/* The same, of a value that the program or its environment may set. */
static bool
setting_of(struct vm *vm, const char *key, const char *value, size_t n)
{
    bool on = setting(key, vm->godebug, strlen(vm->godebug), false);

    return setting(key, value, n, on);
}

void
vm_set_godebug(struct vm *vm, const char *value, size_t n)
{
    a32_store_rlx(&vm->panicnil, setting_of(vm, "panicnil", value, n));
    a32_store_rlx(&vm->buffered_timers,
        setting_of(vm, "asynctimerchan", value, n));
}

bool
vm_buffered_timers(const struct vm *vm)
{
    return a32_load_rlx(&vm->buffered_timers) != 0;
}

const char *const *
vm_args(const struct vm *vm, unsigned *n)
{
    *n = vm->nargs;
    return vm->args;
}

void *
vm_lib(const struct vm *vm)
{
    return vm->lib;
}
