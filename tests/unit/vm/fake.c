/* SPDX-License-Identifier: MIT */
#include "tests/unit/vm/fake.h"

#include <fcntl.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/code/verify.h"
#include "sched/bubble.h"

bool fake_gc_always, fake_no_memory;
uint64_t fake_collections, fake_safepoints;
a_u32 fake_in_kernel;
void (*fake_on_go)(struct sched_m *m);
void (*fake_on_vm)(struct vm *vm);
void (*fake_off_vm)(struct vm *vm);

const uint8_t fake_mask1[] = { 1 };

struct rtype fake_int = {
    .layout = { 8, 0, NULL },
    .kind = RK_INT,
    .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MEMEQ,
    .slots = 1,
    .string = "int",
    .name = "int",
    .pkgpath = "",
};

struct rtype fake_chan = {
    .layout = { 8, 8, fake_mask1 },
    .kind = RK_CHAN,
    .align = 8,
    .flags = RT_F_DIRECT | RT_F_COMPARABLE,
    .slots = 1,
    .string = "chan int",
    .name = "",
    .pkgpath = "",
    .elem = &fake_int,
};

struct sched {
    struct sched_m m;
    struct sched_p p;
    struct vm *vm;
    struct gc_heap *heap;
    struct sched_g *head, *tail; /* runnable */
    struct sched_g *all;
    vgoid next_id;
    int status;
    bool exiting;
};

struct sched_chan {
    struct rt_layout elem;
    struct sched_g *q; /* waiting senders or receivers */
    bool senders;
    bool closed;
};

static struct sched *cur;

struct sched_m *
sched_m_self(void)
{
    return cur == NULL ? NULL : &cur->m;
}

static void
push(struct sched_g *g)
{
    g->sched_link = NULL;
    if (cur->head == NULL)
        cur->head = g;
    else
        cur->tail->sched_link = g;
    cur->tail = g;
    a32_store_rlx(&g->state, G_RUNNABLE);
}

struct sched_g *
sched_go(struct sched_m *m, const void *fn, const union rt_slot *args,
    uint32_t nargs, vpc at, vpc entry)
{
    struct sched_g *g = calloc(1, sizeof *g);

    if (fake_on_go != NULL && m->g != NULL)
        fake_on_go(m);
    g->id = ++cur->next_id;
    g->parent_id = m->g == NULL ? 0 : m->g->id;
    g->created_at = at;
    g->entry = entry;
    g->gc_link = cur->all;
    cur->all = g;
    if (vm_sched_host.g_init(cur->vm, g, fn, args, nargs) != RT_OK)
        return NULL;
    push(g);
    return g;
}

void
sched_park_begin(struct sched_m *m, struct sched_g *g, enum sched_wait why)
{
    (void)m;
    g->wait_reason = why;
    a32_store_rlx(&g->state, G_WAITING);
}

uint64_t
sched_entropy(struct sched *s)
{
    (void)s;
    return 1;
}

bool
seed_point(struct sched_m *m, uint64_t where, enum seed_at at)
{
    (void)m;
    (void)where;
    (void)at;
    return false;
}

bool
seed_wait_fd(struct sched_m *m, int fd, enum seed_fd how)
{
    (void)m;
    (void)fd;
    (void)how;
    return false;
}

bool
seed_wait_poll(struct sched_m *m, const struct pollfd *v, size_t n)
{
    (void)m;
    (void)v;
    (void)n;
    return false;
}

bool
seed_wait_process(struct sched_m *m, int pid, bool pidfd)
{
    (void)m;
    (void)pid;
    (void)pidfd;
    return false;
}

void
sched_ready(struct sched_m *m, struct sched_g *g)
{
    (void)m;
    push(g);
}

void
sched_syscall_enter(struct sched_m *m)
{
    (void)m;
    a32_add_full(&fake_in_kernel, 1);
}

void
sched_syscall_exit(struct sched_m *m)
{
    (void)m;
    a32_add_full(&fake_in_kernel, UINT32_MAX);
}

bool
sched_safepoint(struct sched_m *m)
{
    fake_safepoints++;
    if (fake_gc_always) {
        gc_collect(cur->heap, &m->p->cache, GC_WHY_FORCED);
        fake_collections++;
    } else {
        a32_store_rlx(&m->p->preempt, 0);
    }
    return fake_gc_always && (fake_collections & 1);
}

void
sched_exit(struct sched *s, int status)
{
    s->exiting = true;
    s->status = status;
}

const char *
sched_native_name(enum sched_native n)
{
    (void)n;
    return "native";
}

uint64_t
sched_now(struct sched *s)
{
    (void)s;
    return (uint64_t)rt_nanotime();
}

bool
sched_freeze(struct sched *s)
{
    (void)s;
    return true;
}

struct sched_g *
sched_next(struct sched_m *m)
{
    (void)m;
    return NULL;
}

void
sched_for_each_g(struct sched *s, void (*fn)(void *arg, struct sched_g *g),
    void *arg)
{
    for (struct sched_g *g = s->all; g != NULL; g = g->gc_link)
        if (a32_load_rlx(&g->state) != G_DEAD)
            fn(arg, g);
}

void
sched_each_g(struct sched *s, void (*fn)(void *arg, struct sched_g *g),
    void *arg)
{
    sched_for_each_g(s, fn, arg);
}

bool
sched_ends_for_lost(const struct sched *s)
{
    (void)s;
    return false;
}

void
sched_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    (void)s;
    (void)mark;
    (void)arg;
}

void
sched_stop_world(struct sched_m *m, enum sched_stw why)
{
    (void)m;
    (void)why;
}

void
sched_join_stop(struct sched_m *m)
{
    (void)m;
}

void
sched_start_world(struct sched_m *m)
{
    (void)m;
}

void
sched_stop_world_any(struct sched *s, enum sched_stw why)
{
    (void)s;
    (void)why;
}

void
sched_start_world_any(struct sched *s)
{
    (void)s;
}

static void
count_g(void *arg, struct sched_g *g)
{
    (void)g;
    ++*(uint32_t *)arg;
}

uint32_t
sched_num_goroutine(struct sched *s)
{
    uint32_t n = 0;

    sched_each_g(s, count_g, &n);
    return n;
}

uint64_t
bubble_id(const struct sched_bubble *b)
{
    (void)b;
    return 0;
}

const char *
sched_wait_text(enum sched_wait w)
{
    return w == WAIT_CHAN_RECV ? "chan receive" : "chan send";
}

/* ---- channels ------------------------------------------------------------ */

struct sched_chan *
chan_make(struct sched_m *m, const struct rt_layout *elem, enum chan_ext ext,
    int64_t size)
{
    static const struct rt_layout l = { sizeof(struct sched_chan), 0, NULL };

    (void)ext;
    if (size < 0 || fake_no_memory ||
        !gc_array_fits(elem, (uint64_t)size))
        return NULL;
    struct sched_chan *c = gc_alloc(&m->p->cache, &l);
    c->elem = *elem;
    return c;
}

void
chan_stays_open(struct sched_chan *c)
{
    (void)c;
}

static void
wait_on(struct sched_chan *c, bool send, union rt_slot *elem,
    enum sched_wait why)
{
    struct sched_g *g = cur->m.g, **p = &c->q;

    g->sudog.elem = elem;
    g->sched_link = NULL;
    while (*p != NULL)
        p = &(*p)->sched_link;
    *p = g;
    c->senders = send;
    sched_park_begin(&cur->m, g, why);
}

static struct sched_g *
pop(struct sched_chan *c)
{
    struct sched_g *g = c->q;

    c->q = g->sched_link;
    return g;
}

enum chan_status
chan_send(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    if (c->closed)
        return CHAN_CLOSED;
    if (c->q != NULL && !c->senders) {
        struct sched_g *g = pop(c);
        if (g->sudog.elem != NULL)
            memcpy(g->sudog.elem, elem, c->elem.size);
        g->wake_ok = true;
        sched_ready(m, g);
        return CHAN_DONE;
    }
    wait_on(c, true, elem, WAIT_CHAN_SEND);
    return CHAN_PARK;
}

enum chan_status
chan_recv(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    if (c->q != NULL && c->senders) {
        struct sched_g *g = pop(c);
        if (elem != NULL)
            memcpy(elem, g->sudog.elem, c->elem.size);
        m->g->wake_ok = true;
        sched_ready(m, g);
        return CHAN_DONE;
    }
    if (c->closed) {
        if (elem != NULL)
            memset(elem, 0, c->elem.size);
        m->g->wake_ok = false;
        return CHAN_DONE;
    }
    wait_on(c, false, elem, WAIT_CHAN_RECV);
    return CHAN_PARK;
}

enum chan_status
chan_close(struct sched_m *m, struct sched_chan *c)
{
    if (c == NULL)
        return CHAN_NIL;
    if (c->closed)
        return CHAN_CLOSED;
    c->closed = true;
    while (c->q != NULL) {
        struct sched_g *g = pop(c);
        if (c->senders)
            g->wake_panic = true;
        else if (g->sudog.elem != NULL)
            memset(g->sudog.elem, 0, c->elem.size);
        g->wake_ok = false;
        sched_ready(m, g);
    }
    return CHAN_DONE;
}

int64_t
chan_len(const struct sched_chan *c)
{
    (void)c;
    return 0;
}

int64_t
chan_cap(const struct sched_chan *c)
{
    (void)c;
    return 0;
}

enum chan_status
chan_select(struct sched_m *m, const struct chan_case *cases, uint32_t n,
    bool has_default)
{
    for (uint32_t i = 0; i < n; i++) {
        struct sched_chan *c = cases[i].chan;
        if (c == NULL || c->q == NULL || c->senders == cases[i].send)
            continue;
        m->g->sel_index = (int32_t)i;
        return cases[i].send ? chan_send(m, c, cases[i].elem)
                             : chan_recv(m, c, cases[i].elem);
    }
    assert_true(has_default);
    m->g->sel_index = -1;
    return CHAN_DONE;
}

/* ---- running ----------------------------------------------------------------- */

static void
world(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

static void
world2(void *arg)
{
    (void)arg;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct sched *s = arg;

    vm_mark_roots(s->vm, m);
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    (void)arg;
    (void)pc;
}

static void
print_line(void *arg, const char *line)
{
    (void)arg;
    (void)line;
}

static const struct gc_host gc_host = {
    .stop_world = world,
    .start_world = world2,
    .mark_roots = mark_roots,
    .request_gc = request_gc,
    .print = print_line,
};

/* One goroutine until it stops; true when the program is over. */
static bool
turn(struct sched *s, struct sched_g *main_g, struct fake_result *res)
{
    struct sched_g *g = s->head;

    if (g == NULL) {
        res->deadlock = true;
        vm_sched_host.fatal(s->vm, "all goroutines are asleep - deadlock!");
        return true;
    }
    s->head = g->sched_link;
    s->m.g = g;
    g->m = &s->m;
    a32_store_rlx(&g->state, G_RUNNING);
    a32_store_rlx(&s->p.preempt, fake_gc_always);
    if (fake_gc_always)
        vm_sched_host.poison_g(s->vm, g);
    enum sched_run r = vm_sched_host.run_g(s->vm, &s->m, g);
    res->switches++;
    s->m.g = NULL;
    g->m = NULL;
    switch (r) {
    case SCHED_RUN_PARKED:
        return false;
    case SCHED_RUN_YIELD:
    case SCHED_RUN_PREEMPT:
        push(g);
        return false;
    case SCHED_RUN_EXIT:
        return true;
    case SCHED_RUN_DONE:
        break;
    }
    if (g == main_g)
        return true;
    vm_sched_host.g_free(s->vm, g);
    a32_store_rlx(&g->state, G_DEAD);
    return false;
}

/* The results of the entry lie where its frame began. */
union rt_slot *fake_entry_frame(struct sched_g *g);

void
fake_run(struct asm_prog *p, const struct vm_native *natives,
    struct fake_result *res)
{
    static const struct vm_native none[] = { { NULL, NULL, NULL } };
    const struct vm_native *tables[] = { natives ? natives : none };
    struct sched s = { .status = 0 };
    struct gc_config gcfg = GC_CONFIG_DEFAULT;
    struct rt_err err = { 0 };
    int fds[2];

    memset(res, 0, sizeof *res);
    assert_int_equal(code_verify(&p->im, &err), RT_OK);
    assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
    fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
    struct vm_config cfg = { .image = &p->im,
        .natives = tables,
        .nnatives = 1,
        .traceback = VM_TRACEBACK_SINGLE,
        .err_fd = fds[1] };
    assert_int_equal(vm_load(&cfg, &s.vm, &err), RT_OK);
    assert_int_equal(
        gc_heap_new(&s.heap, &gcfg, &gc_host, &s, NULL, NULL, NULL), RT_OK);
    gc_pcache_init(s.heap, &s.p.cache, &s.p);
    vm_attach(s.vm, &s, s.heap);
    if (fake_on_vm != NULL)
        fake_on_vm(s.vm);
    cur = &s;
    s.m.sched = &s;
    s.m.p = &s.p;
    assert_true(vm_sched_host.m_init(s.vm, &s.m));
    fake_collections = fake_safepoints = 0;
    struct sched_g *g =
        sched_go(&s.m, vm_entry_fn(s.vm), NULL, 0, 0, vpc_make(0, 0));
    while (!turn(&s, g, res)) {
    }
    res->status = s.status;
    memcpy(res->r, fake_entry_frame(g), sizeof res->r);
    ssize_t n = read(fds[0], res->text, sizeof res->text - 1);
    res->text[n < 0 ? 0 : n] = '\0';
    close(fds[0]);
    close(fds[1]);
    for (struct sched_g *i = s.all; i != NULL;) {
        struct sched_g *next = i->gc_link;
        if (i->vg != NULL)
            vm_sched_host.g_free(s.vm, i);
        free(i);
        i = next;
    }
    vm_sched_host.m_free(s.vm, &s.m);
    if (fake_off_vm != NULL)
        fake_off_vm(s.vm);
    vm_free(s.vm);
    gc_heap_free(s.heap);
    cur = NULL;
}

bool
sched_shift_elems(struct sched_m *m, struct sched_g *g,
    const union rt_slot *lo, const union rt_slot *hi, union rt_slot *to,
    void (*move)(void *arg), void *arg)
{
    union rt_slot *elem = g->sudog.elem;

    (void)m;
    if (elem >= lo && elem < hi)
        g->sudog.elem = to + (elem - lo);
    move(arg);
    return true;
}
