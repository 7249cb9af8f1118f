/* SPDX-License-Identifier: MIT */

/*
 * Natives of runtime/trace.  The recorder's calls that wait (stop, read) hand
 * the P off by themselves, through the host's block_enter; after them the
 * thread may have another P.
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"
#include "trace/record/trace.h"

static struct trace_rec *
recorder(const struct vm_thread *t)
{
    return sched_tracer(vm_sched(t->vm));
}

static struct trace_pbuf *
buffer(const struct vm_thread *t)
{
    return &t->m->p->trace;
}

/* The stack of the goroutine without the frames of package trace. */
static uint32_t
walk(const struct vm_thread *t, int64_t skip, vpc *pcs)
{
    return vm_walk(t->vm, t->g, (unsigned)skip, pcs,
        recorder(t)->max_stack);
}

static struct rt_str
str_of(struct vm_thread *t, const char *text)
{
    size_t n = strlen(text);

    return n == 0 ? (struct rt_str){NULL, 0} : vm_str(t, text, n);
}

/* func start() string */
enum vm_status
lib_trace_start(struct vm_thread *t, union lib_trace_start_0to1 *f)
{
    struct trace_config cfg = {.fd = -1};
    struct rt_err e = {0};

    trace_start(recorder(t), &cfg, &e);
    t->cache = &t->m->p->cache;
    f->out.r = str_of(t, e.text);
    return VM_OK;
}

/* func stop() */
enum vm_status
lib_trace_stop(struct vm_thread *t, union lib_trace_stop_0to0 *f)
{
    struct rt_err e = {0};

    (void)f;
    if (sched_by_seed(vm_sched(t->vm)))
        trace_stop_read(recorder(t));
    else
        trace_stop(recorder(t), &e);
    return VM_OK;
}

/* func bySeed() bool */
enum vm_status
lib_trace_bySeed(struct vm_thread *t, union lib_trace_bySeed_0to1 *f)
{
    f->out.r = sched_by_seed(vm_sched(t->vm));
    return VM_OK;
}

/* func read() []byte */
enum vm_status
lib_trace_read(struct vm_thread *t, union lib_trace_read_0to1 *f)
{
    struct rt_err e = {0};
    const uint8_t *data;
    void *copy = NULL;
    size_t n;

    trace_read(recorder(t), &data, &n, &e);
    t->cache = &t->m->p->cache;
    if (n > 0) {
        copy = vm_new_bytes(t, n);
        if (copy == NULL)
            return VM_EXIT;
        memcpy(copy, data, n);
    }
    f->out.r = (struct rt_slice){copy, (int64_t)n, (int64_t)n};
    return VM_OK;
}

/* func IsEnabled() bool */
enum vm_status
lib_trace_IsEnabled(struct vm_thread *t, union lib_trace_IsEnabled_0to1 *f)
{
    f->out.r = trace_on(recorder(t));
    return VM_OK;
}

/* func taskCreate(id, parent uint64, name string, skip int) */
enum vm_status
lib_trace_taskCreate(struct vm_thread *t, union lib_trace_taskCreate_4to0 *f)
{
    struct rt_str name = f->in.name;
    vpc pcs[TRACE_STACK_MAX];

    if (trace_on(recorder(t)))
        trace_task_create(recorder(t), buffer(t), f->in.id, f->in.parent,
            (const char *)name.ptr, (size_t)name.len, pcs,
            walk(t, f->in.skip, pcs));
    return VM_OK;
}

/* func taskEnd(id uint64, skip int) */
enum vm_status
lib_trace_taskEnd(struct vm_thread *t, union lib_trace_taskEnd_2to0 *f)
{
    vpc pcs[TRACE_STACK_MAX];

    if (trace_on(recorder(t)))
        trace_task_end(recorder(t), buffer(t), f->in.id, pcs,
            walk(t, f->in.skip, pcs));
    return VM_OK;
}

/* func region(id uint64, end bool, name string, skip int) */
enum vm_status
lib_trace_region(struct vm_thread *t, union lib_trace_region_4to0 *f)
{
    struct rt_str name = f->in.name;
    vpc pcs[TRACE_STACK_MAX];

    if (trace_on(recorder(t)))
        trace_region(recorder(t), buffer(t), f->in.id, f->in.end != 0,
            (const char *)name.ptr, (size_t)name.len, pcs,
            walk(t, f->in.skip, pcs));
    return VM_OK;
}

/* func userLog(id uint64, category, message string, skip int) */
enum vm_status
lib_trace_userLog(struct vm_thread *t, union lib_trace_userLog_4to0 *f)
{
    struct rt_str key = f->in.category, text = f->in.message;
    vpc pcs[TRACE_STACK_MAX];

    if (trace_on(recorder(t)))
        trace_log(recorder(t), buffer(t), f->in.id, (const char *)key.ptr,
            (size_t)key.len, (const char *)text.ptr, (size_t)text.len, pcs,
            walk(t, f->in.skip, pcs));
    return VM_OK;
}

/* func flightStart(minAge int64, maxBytes uint64) string */
enum vm_status
lib_trace_flightStart(struct vm_thread *t, union lib_trace_flightStart_2to1 *f)
{
    struct trace_flight_config cfg = {f->in.minAge, f->in.maxBytes};
    struct rt_err e = {0};

    trace_flight_start(recorder(t), &cfg, &e);
    t->cache = &t->m->p->cache;
    f->out.r = str_of(t, e.text);
    return VM_OK;
}

/* func flightStop() */
enum vm_status
lib_trace_flightStop(struct vm_thread *t, union lib_trace_flightStop_0to0 *f)
{
    (void)f;
    trace_flight_stop(recorder(t));
    return VM_OK;
}

/* func flightDump() ([]byte, string) */
enum vm_status
lib_trace_flightDump(struct vm_thread *t, union lib_trace_flightDump_0to2 *f)
{
    struct rt_err e = {0};
    void *copy = NULL;
    uint8_t *data;
    size_t n;

    trace_flight_dump(recorder(t), &data, &n, &e);
    t->cache = &t->m->p->cache;
    if (n > 0) {
        copy = vm_new_bytes(t, n);
        if (copy != NULL)
            memcpy(copy, data, n);
        free(data);
        if (copy == NULL)
            return VM_EXIT;
    }
    f->out.r0 = (struct rt_slice){copy, (int64_t)n, (int64_t)n};
    f->out.r1 = str_of(t, e.text);
    return VM_OK;
}
