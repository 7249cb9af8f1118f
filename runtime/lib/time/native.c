/* SPDX-License-Identifier: MIT */

/*
 * Natives of package time: clocks, Sleep and timers.  A Timer or Ticker is a
 * channel with a timer of the scheduler's (tchan_make()).
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/base/clock.h"
#include "runtime/base/throw.h"
#include "runtime/code/code.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/bubble.h"
#include "sched/sched.h"

/* Go's time.Time. */
struct time_time {
    uint64_t wall;
    int64_t ext;
    void *loc;
};

/* Seconds from year 1 to 1970 and to 1885. */
#define UNIX_TO_INTERNAL INT64_C(62135596800)
#define WALL_TO_INTERNAL INT64_C(59453308800)

/* func now() (sec int64, nsec int32, mono int64): in a bubble mono is 0. */
enum vm_status
lib_time_now(struct vm_thread *t, union lib_time_now_0to3 *f)
{
    struct sched *s = vm_sched(t->vm);
    const struct sched_bubble *b = bubble_of(t->m);
    int64_t wall = b != NULL ? (int64_t)bubble_now(b) : sched_walltime(s);
    int64_t sec = wall / 1000000000, nsec = wall % 1000000000;
    if (nsec < 0) {
        nsec += 1000000000;
        sec--;
    }
    f->out.sec = sec;
    f->out.nsec = nsec;
    f->out.mono = b != NULL ? 0 : (int64_t)sched_read_clock(s);
    return VM_OK;
}

/* func monotonic() int64: 0 in a bubble */
enum vm_status
lib_time_monotonic(struct vm_thread *t, union lib_time_monotonic_0to1 *f)
{
    f->out.r = bubble_of(t->m) != NULL
        ? 0 : (int64_t)sched_read_clock(vm_sched(t->vm));
    return VM_OK;
}

/* func inBubble() bool */
enum vm_status
lib_time_inBubble(struct vm_thread *t, union lib_time_inBubble_0to1 *f)
{
    f->out.r = bubble_of(t->m) != NULL;
    return VM_OK;
}

/* func Sleep(d Duration) */
enum vm_status
lib_time_Sleep(struct vm_thread *t, union lib_time_Sleep_1to0 *f)
{
    return timer_sleep(t->m, f->in.d) ? VM_PARK : VM_OK;
}

/* tchan_ops.value: the time `when`, with its monotonic reading; `now` is the
 * present on the same clock, start when that began for the program.  Of a
 * bubble's clock, which shows the time of day, there is no such reading. */
static void
time_value(void *loc, uint64_t start, uint64_t when, uint64_t now,
    bool bubble, union rt_slot *v)
{
    if (bubble) {
        struct time_time x = {.wall = when % 1000000000,
            .ext = (int64_t)(when / 1000000000) + UNIX_TO_INTERNAL,
            .loc = loc};

        memcpy(v, &x, sizeof x);
        return;
    }
    int64_t wall = sched_walltime(sched_m_self()->sched) -
        (int64_t)(now - when);
    int64_t sec = wall / 1000000000 + UNIX_TO_INTERNAL - WALL_TO_INTERNAL;
    struct time_time x = {.loc = loc};

    x.wall = (uint64_t)1 << 63 | (uint64_t)sec << 30 |
        (uint64_t)(wall % 1000000000);
    x.ext = (int64_t)(when - start);
    memcpy(v, &x, sizeof x);
}

/* tchan_ops.call: starts the function of AfterFunc, seemingly at pc. */
static void
start_func(struct sched_m *m, void *closure, uint64_t pc)
{
    const struct code_closure *f = closure;

    if (sched_go(m, f, NULL, 0, pc, vpc_make(f->fn->id, 0)) == NULL)
        rt_no_memory();
}

static const uint8_t time_mask[] = {4};
static const struct rt_layout time_layout = {
    sizeof(struct time_time), sizeof(struct time_time), time_mask};
static const struct tchan_ops sends = {&time_layout, time_value, NULL, false};
static const struct tchan_ops old_sends = {
    &time_layout, time_value, NULL, true};
static const struct tchan_ops calls = {&time_layout, NULL, start_func, false};

_Static_assert(sizeof(struct time_time) == 24, "time.Time");

/* func newTimer(loc *Location, start int64, f func(), by func(func())) chan
 * Time: f is called, in a goroutine that by seems to have started; or it is
 * nil, and times are sent, in the zone loc and with readings that count from
 * start. */
enum vm_status
lib_time_newTimer(struct vm_thread *t, union lib_time_newTimer_4to1 *frame)
{
    const struct code_closure *by = frame->in.by;
    const struct tchan_ops *send =
        vm_buffered_timers(t->vm) ? &old_sends : &sends;

    frame->out.r = frame->in.f == NULL
        ? tchan_make(t->m, send, frame->in.loc, frame->in.start)
        : tchan_make(t->m, &calls, frame->in.f, vpc_make(by->fn->id, 0));
    return frame->out.r != NULL ? VM_OK
                           : vm_out_of_memory(t);
}

/* func setTimer(c chan Time, d, period int64) bool */
enum vm_status
lib_time_setTimer(struct vm_thread *t, union lib_time_setTimer_3to1 *f)
{
    uint64_t d = f->in.d > 0 ? f->in.d : 0;
    uint64_t when;

    if (tchan_outside(t->m, f->in.c))
        return vm_fatalf(t, "reset of synctest timer from outside bubble");
    when = tchan_now(t->m, f->in.c) + d;
    if (when > INT64_MAX)
        when = INT64_MAX;
    f->out.r = tchan_set(t->m, f->in.c, when, f->in.period);
    return VM_OK;
}

/* func stopTimer(c chan Time) bool */
enum vm_status
lib_time_stopTimer(struct vm_thread *t, union lib_time_stopTimer_1to1 *f)
{
    if (tchan_outside(t->m, f->in.c))
        return vm_fatalf(t, "stop of synctest timer from outside bubble");
    f->out.r = tchan_stop(t->m, f->in.c);
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
lib_time_readFile(struct vm_thread *t, union lib_time_readFile_1to2 *f)
{
    struct rt_str path = f->in.path, data = {NULL, 0};
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
    f->out.data = data;
    f->out.ok = ok;
    return VM_OK;
}

/* func getenv(name string) (value string, ok bool) */
enum vm_status
lib_time_getenv(struct vm_thread *t, union lib_time_getenv_1to2 *f)
{
    struct rt_str name = f->in.name, s = {NULL, 0};
    char buf[64];
    const char *v = NULL;
    if (name.len > 0 && name.len < (int64_t)sizeof buf) {
        memcpy(buf, name.ptr, (size_t)name.len);
        buf[name.len] = 0;
        v = getenv(buf);
    }
    if (v != NULL)
        s = vm_str(t, v, strlen(v));
    f->out.value = s;
    f->out.ok = v != NULL;
    return VM_OK;
}
