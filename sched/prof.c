/* SPDX-License-Identifier: MIT */
/*
 * What the profiler sees of the scheduler: waits, goroutines, threads and
 * their CPU timers.
 */
#include "sched/sched_int.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- waits ------------------------------------------------------------------ */

/* Waits that the block profile is about: for other goroutines. */
static bool
is_block(enum sched_wait w)
{
    switch (w) {
    case WAIT_CHAN_RECV:
    case WAIT_CHAN_SEND:
    case WAIT_SELECT:
    case WAIT_SEMACQUIRE:
    case WAIT_MUTEX_LOCK:
    case WAIT_RWMUTEX_RLOCK:
    case WAIT_RWMUTEX_LOCK:
    case WAIT_WAITGROUP:
    case WAIT_COND:
        return true;
    default:
        return false;
    }
}

void
sched_prof_park(struct sched *s, struct sched_g *g, enum sched_wait w)
{
    bool on = prof_block_on(&s->prof->block) && is_block(w) && !g->system;

    g->prof.blocked_at = on ? rt_ticks(s->prof->clock) : 0;
}

/* The frame that Go shows above a wait in a channel operation. */
static enum prof_mark
mark_of(enum sched_wait w)
{
    switch (w) {
    case WAIT_CHAN_RECV: return PROF_MARK_CHANRECV;
    case WAIT_CHAN_SEND: return PROF_MARK_CHANSEND;
    case WAIT_SELECT: return PROF_MARK_SELECT;
    default: return PROF_MARK_NONE;
    }
}

/* The slow part of Lock is not to be seen, only Lock itself. */
static uint32_t
helpers(enum sched_wait w)
{
    return w == WAIT_MUTEX_LOCK ? 1 : 0;
}

void
sched_prof_ready(struct sched *s, struct sched_g *g)
{
    struct prof_block *b = &s->prof->block;
    int64_t t = (int64_t)(rt_ticks(s->prof->clock) - g->prof.blocked_at);
    enum sched_wait w = (enum sched_wait)g->wait_reason;
    enum prof_mark mark = mark_of(w);
    uint32_t skip = helpers(w), n = 0;
    vpc stk[PROF_STACK_MAX];

    g->prof.blocked_at = 0;
    if (!prof_block_sampled(b, t))
        return;
    if (mark != PROF_MARK_NONE)
        stk[n++] = prof_pc_mark(mark);
    n += s->host->walk_g(s->ha, g, stk + n, PROF_STACK_MAX - n);
    if (n <= skip)
        skip = 0;
    prof_block_event(b, t, stk + skip, n - skip);
}

void
sched_prof_unlock(struct sched_m *m, int64_t ticks, uint32_t skip)
{
    struct sched *s = m->sched;
    vpc stk[PROF_STACK_MAX];
    uint32_t n;

    if (m->g == NULL || !prof_mutex_sampled(&s->prof->block))
        return;
    n = s->host->walk_g(s->ha, m->g, stk, PROF_STACK_MAX);
    if (n <= skip)
        skip = 0;
    prof_mutex_event(&s->prof->block, ticks, stk + skip, n - skip);
}

/* ---- goroutines ---------------------------------------------------------------- */

struct sched_g *
sched_prof_g_of(struct prof_g *g)
{
    return (struct sched_g *)((char *)g - offsetof(struct sched_g, prof));
}

struct prof_g *
sched_prof_self(struct sched *s)
{
    struct sched_m *m = sched_m_self();

    return m == NULL || m->sched != s || m->g == NULL ? NULL : &m->g->prof;
}

static const char *
state_text(const struct sched_g *g, enum sched_gstate st)
{
    switch (st) {
    case G_RUNNABLE: return "runnable";
    case G_RUNNING: return "running";
    case G_SYSCALL: return "syscall";
    case G_WAITING: return sched_wait_text((enum sched_wait)g->wait_reason);
    case G_IDLE:
    case G_DEAD: break;
    }
    return "dead";
}

/* Of one that is dead or runs nothing else may be read: it may begin another
 * life at any time, and writes to itself then. */
bool
sched_prof_parked(struct prof_g *pg)
{
    switch (sched_g_state(sched_prof_g_of(pg))) {
    case G_RUNNABLE:
    case G_SYSCALL:
    case G_WAITING: return true;
    case G_RUNNING:
    case G_IDLE:
    case G_DEAD: break;
    }
    return false;
}

void
sched_prof_info(struct sched *s, struct prof_g *pg, struct prof_ginfo *out)
{
    struct sched_g *g = sched_prof_g_of(pg);
    enum sched_gstate st = sched_g_state(g);
    uint64_t since = a64_load_rlx(&g->wait_since);

    out->id = g->id;
    out->parent = g->parent_id;
    out->created_at = g->created_at;
    out->alive = st != G_IDLE && st != G_DEAD;
    out->system = sched_g_is_system(g);
    out->running = st == G_RUNNING;
    out->state = pg == sched_prof_self(s) ? "running" : state_text(g, st);
    out->waiting_ns = 0;
    if (st == G_WAITING && since != 0)
        out->waiting_ns = sched_now(s) - since;
}

struct each {
    void (*fn)(void *arg, struct prof_g *g);
    void *arg;
};

static void
each(void *arg, struct sched_g *g)
{
    struct each *e = arg;

    e->fn(e->arg, &g->prof);
}

void
sched_prof_each_g(struct sched *s, void (*fn)(void *arg, struct prof_g *g),
    void *arg)
{
    struct each e = {fn, arg};

    sched_each_g(s, each, &e);
}

struct prof_g *
sched_prof_finalizer(struct sched *s)
{
    struct sched_g *g = aptr_load_acq(&s->finalizer);

    return g == NULL ? NULL : &g->prof;
}

void
sched_user_code(struct sched_m *m, bool on)
{
    struct sched *s = m->sched;

    if (!m->g->system)
        return;
    a32_store_rel(&m->g->user_code, on);
    aptr_store_rel(&s->finalizer, m->g);
}

uint32_t
sched_prof_count(struct sched *s)
{
    struct sched_g *fin = aptr_load_acq(&s->finalizer);
    uint32_t n = sched_num_goroutine(s);

    return fin != NULL && !sched_g_is_system(fin) ? n + 1 : n;
}

void
sched_prof_wait_enter(struct sched *s)
{
    struct sched_m *m = sched_m_self();

    if (m != NULL && m->sched == s && m->g != NULL)
        sched_block_enter(m);
}

void
sched_prof_wait_leave(struct sched *s)
{
    struct sched_m *m = sched_m_self();

    if (m != NULL && m->sched == s && m->g != NULL)
        sched_block_exit(m);
}

/* ---- CPU timers ------------------------------------------------------------------ */

/* The signal goes to the thread whose time the timer counts, so there is an
 * M unless somebody else sends it. */
static void
on_sigprof(int sig, siginfo_t *si, void *ucontext)
{
    int e = errno;
    struct sched_m *m = sched_m_self();

    (void)sig;
    if (m != NULL && si->si_code == SI_TIMER)
        prof_cpu_signal(m->sched->prof, ucontext);
    else if (m != NULL && si->si_code == SI_TKILL &&
        si->si_pid == getpid())
        prof_wall_signal(m->sched->prof, ucontext);
    errno = e;
}

/* The disposition belongs to the process, and stays: a signal that is still
 * under way when the last profile ends must not kill. */
static enum rt_status
install(struct rt_err *e)
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_sigprof;
    sa.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&sa.sa_mask);
    if (sigaction(SIGPROF, &sa, NULL) != 0)
        return rt_errf(
            e, RT_EIO, UINT64_MAX, "SIGPROF: %s", strerror(errno));
    return RT_OK;
}

/* The clock of another thread's CPU time, as the kernel numbers them. */
static clockid_t
cpu_clock(uint64_t tid)
{
    enum { THREAD = 4, SCHED_CLOCK = 2 };

    return (clockid_t)(~(unsigned)tid << 3 | THREAD | SCHED_CLOCK);
}

static void
set_timer(struct sched_mi *m, uint32_t hz)
{
    long ns = 1000000000L / hz;
    /* The first one comes at random, lest short threads are never seen. */
    long first = 1 + (long)(rt_rand_u64(&m->prof_rand) % (uint64_t)ns);
    struct itimerspec t = {
        {ns / 1000000000, ns % 1000000000},
        {first / 1000000000, first % 1000000000},
    };

    timer_settime(m->prof_timer, 0, &t, NULL);
}

/* SCHED held; m's thread runs. */
static bool
arm_locked(struct sched_mi *m, uint32_t hz)
{
    struct sigevent ev;

    if (m->has_prof_timer)
        return true;
    memset(&ev, 0, sizeof ev);
    ev.sigev_notify = SIGEV_THREAD_ID;
    ev.sigev_signo = SIGPROF;
    ev._sigev_un._tid = (pid_t)m->m.tid;
    if (timer_create(cpu_clock(m->m.tid), &ev, &m->prof_timer) != 0)
        return false;
    m->has_prof_timer = true;
    set_timer(m, hz);
    return true;
}

static void
disarm_locked(struct sched_mi *m)
{
    if (m->has_prof_timer)
        timer_delete(m->prof_timer);
    m->has_prof_timer = false;
}

enum rt_status
sched_prof_timers(struct sched *s, uint32_t hz, struct rt_err *e)
{
    enum rt_status st = hz != 0 ? install(e) : RT_OK;
    int err = 0;

    if (st != RT_OK)
        return st;
    rt_lock(&s->lock);
    s->prof_hz = hz;
    for (struct sched_mi *m = s->allm; m != NULL; m = m->all_next) {
        if (hz == 0)
            disarm_locked(m);
        else if (m->prof_live && !arm_locked(m, hz) && err == 0)
            err = errno;
    }
    if (err != 0) {
        s->prof_hz = 0;
        for (struct sched_mi *m = s->allm; m != NULL; m = m->all_next)
            disarm_locked(m);
    }
    rt_unlock(&s->lock);
    return err == 0 ? RT_OK :
        rt_errf(e, RT_EIO, UINT64_MAX, "timer: %s", strerror(err));
}

void
sched_prof_wall_signal(struct sched *s)
{
    struct sched_mi *m;

    if (install(NULL) != RT_OK)
        return;
    rt_lock(&s->lock);
    for (m = s->allm; m != NULL; m = m->all_next)
        /* Those that sleep have no goroutine; what one in the kernel does is
         * read like that of one that is parked. */
        if (m->prof_live && !m->blocked &&
            a32_load_rlx(&m->in_syscall) == M_HERE)
            syscall(SYS_tgkill, getpid(), (pid_t)m->m.tid, SIGPROF);
    rt_unlock(&s->lock);
}

void
sched_prof_m_begin(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    sigset_t set;

    rt_rand_init(&m->prof_rand, (uint64_t)rt_nanotime() ^ m->m.tid);
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    rt_lock(&s->lock);
    m->prof_live = true;
    if (s->prof_hz != 0)
        arm_locked(m, s->prof_hz); /* or this thread is not seen */
    rt_unlock(&s->lock);
}

void
sched_prof_m_end(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    sigset_t set;

    rt_lock(&s->lock);
    m->prof_live = false;
    disarm_locked(m);
    rt_unlock(&s->lock);
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
