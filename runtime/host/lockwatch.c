/* SPDX-License-Identifier: MIT */
#include "runtime/host/lockwatch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/lock.h"
#include "runtime/base/throw.h"
#include "runtime/host/lockorder.h"
#include "runtime/host/locks.h"
#include "sched/sched.h"

enum { STATUS_DEADLOCK = 2, STATUS_ORDER = 66 };

struct lockwatch {
    struct vm_watch hooks;
    bool order_wanted, deadlocks;
    bool warned;
    const char *file; /* or NULL */
    struct rt_lock lock; /* LOCKWATCH: the rest */
    struct locks locks;
    struct order *order; /* or NULL */
};

static void
watch_point(void *arg, struct sched_g *g)
{
    struct lockwatch *w = arg;

    rt_lock(&w->lock);
    const struct hold *want = locks_point(&w->locks, g);
    if (w->order != NULL)
        lockorder_point(w->order, g, &w->locks.held, want);
    rt_unlock(&w->lock);
}

static void
mark_locks(void *arg, struct gc_marker *m)
{
    const struct lockwatch *w = arg;

    if (w->order != NULL)
        lockorder_mark(w->order, m);
}

struct lockwatch *
lockwatch_new(bool order, bool deadlocks)
{
    struct lockwatch *w = calloc(1, sizeof *w);

    if (w == NULL)
        return NULL;
    w->hooks = (struct vm_watch){w, watch_point, mark_locks};
    w->order_wanted = order;
    w->deadlocks = deadlocks;
    rt_lock_init(&w->lock, RANK_LOCKWATCH);
    return w;
}

void
lockwatch_free(struct lockwatch *w)
{
    if (w == NULL)
        return;
    locks_fini(&w->locks);
    lockorder_free(w->order);
    free(w);
}

const struct vm_watch *
lockwatch_hooks(const struct lockwatch *w)
{
    return &w->hooks;
}

bool
lockwatch_begin(struct lockwatch *w, struct vm *vm)
{
    rt_assert(vm != NULL && (w->order == NULL || w->order_wanted));
    locks_begin(&w->locks, vm);
    w->warned = false;
    lockorder_free(w->order);
    w->order = w->order_wanted ? lockorder_new(vm) : NULL;
    return w->order != NULL || !w->order_wanted;
}

static void
nothing(void *arg, struct prof_g *g)
{
    (void)arg;
    (void)g;
}

/* Goroutines that wait for a lock and can never get it.  Whoever waits for a
 * channel when main has ended may just not have been told that it is over. */
static int
say_deadlocks(struct lockwatch *w, struct sched *s, int status, FILE *out)
{
    if (!sched_prof_leaked(s, nothing, NULL))
        return status;
    uint32_t n = locks_say_lost(&w->locks, s, status != 0, out);
    return n > 0 && status == 0 ? STATUS_DEADLOCK : status;
}

void
lockwatch_draw(struct lockwatch *w, const char *file)
{
    w->file = file;
}

static int
write_graph(struct lockwatch *w, struct sched *s, int status, FILE *out)
{
    rt_assert(w->file != NULL);
    size_t n = strlen(w->file);
    bool json = n > 5 && strcmp(w->file + n - 5, ".json") == 0;
    FILE *f = strcmp(w->file, "-") == 0 ? stdout : fopen(w->file, "w");
    bool ok = f != NULL && sched_prof_leaked(s, nothing, NULL) &&
        locks_graph(&w->locks, s, json ? LOCKS_JSON : LOCKS_DOT, f);

    if (f == stdout)
        ok = fflush(f) == 0 && ok;
    else if (f != NULL)
        ok = fclose(f) == 0 && ok;
    if (ok)
        return status;
    fprintf(out, "vole: %s: %s\n", w->file, strerror(errno));
    return status == 0 ? 1 : status;
}

int
lockwatch_end(struct lockwatch *w, struct sched *s, int status)
{
    size_t size = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return status;
    rt_assert(s != NULL && w->locks.vm != NULL);
    if (w->deadlocks)
        status = say_deadlocks(w, s, status, out);
    if (w->file != NULL)
        status = write_graph(w, s, status, out);
    w->warned = w->order != NULL && lockorder_say(w->order, out) > 0;
    if (w->warned && status == 0)
        status = STATUS_ORDER;
    if (fclose(out) == 0)
        fwrite(text, 1, size, stderr);
    free(text);
    return status;
}

bool
lockwatch_warned(const struct lockwatch *w)
{
    return w->warned;
}
