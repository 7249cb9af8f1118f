/* SPDX-License-Identifier: MIT */

/*
 * Natives of package time: clocks, Sleep and timers.
 *
 * Note [timer ownership].  A struct time_timer lives in the collected heap;
 * armed is the scheduler's timer that will fire for it.  Both fields are
 * changed with `lock` held, a spin lock that is never held across a
 * safepoint.  Whoever takes armed away decides: stop() frees the scheduler's
 * timer if it could still disarm it; otherwise fire() is on its way, finds
 * that armed is not its own any more, and frees it without a word.  A ticker
 * is a one-shot timer that fire() arms again under the lock, so that no
 * other fire() is in flight while it is armed.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/compiler.h"
#include "runtime/code/code.h"
#include "runtime/lib/lib.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* Go's struct timer of sleep.go. */
struct time_timer {
    a_u32 lock;
    uint64_t armed; /* struct sched_timer *; not a pointer for the collector */
    int64_t period;
    struct sched_chan *c;
    const struct code_closure *f;
    void *loc;
};

/* Go's time.Time. */
struct time_time {
    uint64_t wall;
    int64_t ext;
    void *loc;
};

/* Seconds from year 1 to 1970 and to 1885. */
#define UNIX_TO_INTERNAL INT64_C(62135596800)
#define WALL_TO_INTERNAL INT64_C(59453308800)

/* func now() (sec int64, nsec int32, mono int64) */
enum vm_status
lib_time_now(struct vm_thread *t, union rt_slot *fp)
{
    int64_t wall = rt_walltime();
    int64_t sec = wall / 1000000000, nsec = wall % 1000000000;
    if (nsec < 0) {
        nsec += 1000000000;
        sec--;
    }
    fp[0].i = sec;
    fp[1].i = nsec;
    fp[2].u = sched_now(vm_sched(t->vm));
    return VM_OK;
}

/* func monotonic() int64 */
enum vm_status
lib_time_monotonic(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].u = sched_now(vm_sched(t->vm));
    return VM_OK;
}

/* func Sleep(d Duration) */
enum vm_status
lib_time_Sleep(struct vm_thread *t, union rt_slot *fp)
{
    return timer_sleep(t->m, fp[0].i) ? VM_PARK : VM_OK;
}

static void
lock(struct time_timer *t)
{
    for (int i = 0; !a32_cas_acq(&t->lock, 0, 1); i++) {
        if (i < 100)
            rt_cpu_relax();
        else
            sched_yield();
    }
}

static void
unlock(struct time_timer *t)
{
    a32_store_rel(&t->lock, 0); /* rel: pairs with the cas in lock() */
}

/* The time that a timer sends: now, with its monotonic reading. */
static struct time_time
time_of(const struct time_timer *t, uint64_t now, int64_t start)
{
    int64_t wall = rt_walltime();
    int64_t sec = wall / 1000000000 + UNIX_TO_INTERNAL - WALL_TO_INTERNAL;
    struct time_time v = {.loc = t->loc};
    v.wall = (uint64_t)1 << 63 | (uint64_t)sec << 30 |
        (uint64_t)(wall % 1000000000);
    v.ext = (int64_t)now - start;
    return v;
}

/* sched_timer.fire; see Note [timer ownership]. */
static void
fire(struct sched_m *m, struct sched_timer *st, uint64_t now)
{
    struct time_timer *t = st->obj;
    lock(t);
    bool mine = t->armed == (uint64_t)(uintptr_t)st;
    if (mine && t->c != NULL) {
        struct time_time v = time_of(t, now, (int64_t)st->arg);
        union rt_slot slots[3];
        memcpy(slots, &v, sizeof v);
        chan_send_timer(m, t->c, slots);
    } else if (mine) {
        const struct code_func *f = t->f->fn;
        sched_go(m, t->f, NULL, 0, st->arg, vpc_make(f->id, 0));
    }
    if (mine && t->period > 0) {
        /* The next tick is a whole number of periods away, so that a late
         * one does not shift those after it. */
        uint64_t period = (uint64_t)t->period;
        uint64_t late = now > st->when ? now - st->when : 0;
        st->when += period * (1 + late / period);
        timer_start(m, st);
        unlock(t);
        return;
    }
    if (mine)
        t->armed = 0;
    unlock(t);
    timer_free(m->sched, st);
}

/* func startTimer(t *timer, d, start int64, by func(func())): start is when
 * the process began, for the times that are sent, and by is what goroutines
 * are created by. */
enum vm_status
lib_time_startTimer(struct vm_thread *t, union rt_slot *fp)
{
    struct time_timer *x = fp[0].p;
    int64_t d = fp[1].i > 0 ? fp[1].i : 0;
    struct sched *s = vm_sched(t->vm);
    struct sched_timer *st = timer_new(s);
    if (st == NULL)
        return vm_fatalf(t, "runtime: out of memory");
    const struct code_closure *by = fp[3].p;
    uint64_t now = sched_now(s);
    uint64_t when = now + (uint64_t)d;
    st->when = when > INT64_MAX ? INT64_MAX : when;
    st->period = 0;
    st->fire = fire;
    st->obj = x;
    st->arg = x->f != NULL ? vpc_make(by->fn->id, 0) : fp[2].u;
    lock(x);
    x->armed = (uint64_t)(uintptr_t)st;
    timer_start(t->m, st);
    unlock(x);
    return VM_OK;
}

/* func stopTimer(t *timer) bool */
enum vm_status
lib_time_stopTimer(struct vm_thread *t, union rt_slot *fp)
{
    struct time_timer *x = fp[0].p;
    lock(x);
    struct sched_timer *st = (void *)(uintptr_t)x->armed;
    bool stopped = false;
    if (st != NULL) {
        x->armed = 0;
        stopped = timer_stop(t->m, st);
    }
    unlock(x);
    if (stopped)
        timer_free(vm_sched(t->vm), st);
    /* A timer that was about to fire and may not any more counts too. */
    fp[0].u = st != NULL;
    return VM_OK;
}

/* Reads the whole file into collected memory; false if that fails. */
static bool
read_all(struct vm_thread *t, int fd, struct rt_str *out)
{
    struct stat sb;
    if (fstat(fd, &sb) != 0 || !S_ISREG(sb.st_mode) || sb.st_size > 10 << 20)
        return false;
    size_t size = (size_t)sb.st_size, n = 0;
    uint8_t *p = vm_new_bytes(t, size == 0 ? 1 : size);
    if (p == NULL)
        return false;
    while (n < size) {
        ssize_t k = read(fd, p + n, size - n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        n += (size_t)k;
    }
    *out = (struct rt_str){p, (int64_t)n};
    return n == size;
}

/* func readFile(path string) (data string, ok bool) */
enum vm_status
lib_time_readFile(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str path = vm_arg_str(fp, 0), data = {NULL, 0};
    char name[4096];
    bool ok = path.len < (int64_t)sizeof name &&
        (path.len == 0 || memchr(path.ptr, 0, (size_t)path.len) == NULL);
    int fd = -1;
    if (ok) {
        memcpy(name, path.ptr, (size_t)path.len);
        name[path.len] = 0;
        fd = open(name, O_RDONLY | O_CLOEXEC);
    }
    ok = fd >= 0 && read_all(t, fd, &data);
    if (fd >= 0)
        close(fd);
    vm_ret_str(fp, 0, data);
    fp[2].u = ok;
    return VM_OK;
}

/* func getenv(name string) (value string, ok bool) */
enum vm_status
lib_time_getenv(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str name = vm_arg_str(fp, 0), s = {NULL, 0};
    char buf[64];
    const char *v = NULL;
    if (name.len > 0 && name.len < (int64_t)sizeof buf) {
        memcpy(buf, name.ptr, (size_t)name.len);
        buf[name.len] = 0;
        v = getenv(buf);
    }
    if (v != NULL)
        s = vm_str(t, v, strlen(v));
    vm_ret_str(fp, 0, s);
    fp[2].u = v != NULL;
    return VM_OK;
}
