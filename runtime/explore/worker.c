/* SPDX-License-Identifier: MIT */
#include "runtime/explore/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/explore/dfs.h"

enum {
    MAX_TEXT = 1 << 20,
    EMPTY_EVERY = 64,
    /* Where the rules have no budget it is SEED_BUDGET, or so many times what the
     * longest has taken. */
    ROOM = 4,
    /* That there is no end is believed after so many times SEED_BUDGET, or what
     * the longest has taken: some tests go round for long. */
    LONG = 50,
    LONGER = 20
};

/* ---- the connection --------------------------------------------------------- */

static bool
put(int fd, const void *data, size_t n)
{
    const char *p = data;

    while (n > 0) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static bool
get(int fd, void *data, size_t n)
{
    char *p = data;

    while (n > 0) {
        ssize_t k = read(fd, p, n);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* n elements, in memory that becomes the caller's; NULL: there is none, or the
 * other side has gone. */
static void *
get_array(int fd, size_t n, size_t size)
{
    char *p = calloc(n + 1, size);

    if (p != NULL && !get(fd, p, n * size)) {
        free(p);
        return NULL;
    }
    return p;
}

/* ---- the process -------------------------------------------------------------- */

/* What a worker process has. */
struct self {
    const struct explore_target *t;
    const struct seed_rules *rules;
    int fd;
    int input;      /* file that is its standard input */
    off_t input_at; /* where in it the program begins */
    int output;     /* and standard output */
    int said;       /* and standard error */
    off_t from;     /* where in it what the last execution says begins */
    struct dfs dfs; /* of one exploration, from request to request */
    bool dfs_begun;
};

/* Whether the plan gives each goroutine its turns. */
static bool
is_fair(const struct seed_plan *p)
{
    return p->kind == SEED_RANDOM || p->kind == SEED_SCRIPT;
}

static bool
is_failure(const struct seed_plan *p, const struct seed_result *r)
{
    if (r->end == SEED_END_LIVELOCK)
        return is_fair(p);
    return r->end != SEED_END_NORMAL || r->status != 0;
}

struct seed_plan
worker_plan(const struct worker_request *q, uint64_t i)
{
    struct seed_plan p = {.seed = q->seed + i, .kind = SEED_RANDOM};
    uint32_t steps = q->steps > 0 ? q->steps : 1;

    rt_assert(q->strategy != EXPLORE_DFS);
    switch (q->strategy) {
    case EXPLORE_MIX:
    case EXPLORE_PUNCTUAL:
        if (i == 0)
            p.kind = SEED_SCRIPT;
        else if (i % 4 == 1 || i % 4 == 3)
            p.kind = SEED_PCT;
        else if (i % 4 == 2)
            p.kind = SEED_POS;
        p.early = i % 4 == 3 && q->strategy == EXPLORE_MIX;
        p.depth = 2 + (uint32_t)(i / 4 % 3);
        break;
    case EXPLORE_PCT:
        p.kind = SEED_PCT;
        p.depth = q->depth;
        break;
    case EXPLORE_POS:
        p.kind = SEED_POS;
        break;
    case EXPLORE_RANDOM:
    case EXPLORE_DFS:
        break;
    }
    if (p.kind != SEED_PCT)
        return p;
    /* Rounded up, so that plans stay the same while programs vary a little. */
    for (p.steps = 16; p.steps < steps && p.steps < 1u << 31; p.steps *= 2) {
    }
    return p;
}

/* What the last execution has said. */
static char *
text_of(const struct self *me, size_t *n)
{
    struct stat sb;
    char *s;
    ssize_t k;

    *n = fstat(me->said, &sb) == 0 && sb.st_size > me->from
        ? (size_t)(sb.st_size - me->from) : 0;
    if (*n > MAX_TEXT)
        *n = MAX_TEXT;
    s = malloc(*n + 1);
    if (s == NULL)
        return NULL;
    k = pread(me->said, s, *n, me->from);
    *n = k < 0 ? 0 : (size_t)k;
    s[*n] = 0;
    return s;
}

/* Of all places such as "x.go:12:" that the text names. */
static uint64_t
places_in(const char *text)
{
    uint64_t sum = 0;

    for (const char *at = text; (at = strstr(at, ".go:")) != NULL; at++) {
        const char *begin = at, *end = at + strlen(".go:");
        uint64_t h = 0;

        while (begin > text && begin[-1] > ' ' && begin[-1] != '/')
            begin--;
        while (*end >= '0' && *end <= '9')
            end++;
        for (; *end == ':' && begin < end; begin++)
            h = rt_hash_u64((unsigned char)*begin, h);
        sum += h;
    }
    return sum;
}

/* What goes over the pipe before the arrays. */
struct head {
    uint64_t ran, endless, steps, used, failure, fail_steps, seed, budget;
    uint64_t early_by;
    uint32_t nhashes, ndevs, ntext;
    uint32_t kind, depth, plan_steps;
    int32_t end, status;
    bool failed, exhausted, broken, early, closed, races, orders;
};

static struct seed_dev *
devs_of(const struct seed_result *r, uint32_t *n)
{
    struct seed_dev *v;
    uint32_t k = 0;

    *n = 0;
    for (uint32_t i = 0; i < r->nrecs; i++)
        k += r->recs[i].rank != 0;
    v = malloc((k + 1) * sizeof *v);
    for (uint32_t i = 0; v != NULL && i < r->nrecs; i++)
        if (r->recs[i].rank != 0)
            v[(*n)++] = (struct seed_dev){i, r->recs[i].rank};
    return v;
}

static bool
answer(struct self *me, struct head *h, const uint64_t *hashes,
    const struct seed_result *r)
{
    struct seed_dev *devs = h->failed ? devs_of(r, &h->ndevs) : NULL;
    size_t n = 0;
    char *text = h->failed ? text_of(me, &n) : NULL;
    bool ok;

    h->ntext = (uint32_t)n;
    if (text != NULL && me->t->tests && h->end == SEED_END_NORMAL)
        h->failure += places_in(text);
    ok = (!h->failed || (devs != NULL && text != NULL)) &&
        put(me->fd, h, sizeof *h) &&
        put(me->fd, hashes, h->nhashes * sizeof *hashes) &&
        put(me->fd, devs, h->ndevs * sizeof *devs) &&
        put(me->fd, text, n);
    free(devs);
    free(text);
    return ok;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void
note(struct head *h, const struct seed_plan *p, uint64_t budget,
    const struct seed_result *r)
{
    h->ran++;
    /* How far one came that was given up says nothing of the others. */
    if (r->end != SEED_END_LIVELOCK) {
        h->steps = most(r->steps, h->steps);
        h->used = most(r->used, h->used);
    }
    h->failed = is_failure(p, r);
    if (!h->failed) {
        h->endless += r->end == SEED_END_LIVELOCK;
        return;
    }
    h->budget = budget;
    h->seed = p->seed;
    h->kind = p->kind;
    h->depth = p->depth;
    h->plan_steps = p->steps;
    h->early = p->early;
    h->early_by = r->early;
    h->end = (int32_t)r->end;
    h->status = r->status;
    h->closed = r->closed;
    h->races = r->races;
    h->orders = r->orders;
    h->failure = r->failure;
    h->fail_steps = r->steps;
}

/* The plan of the i-th of a request; false: DFS has no more. */
static bool
plan_of(struct self *me, const struct worker_request *q, uint64_t i,
    struct seed_plan *p)
{
    if (q->count == 0) {
        *p = (struct seed_plan){.seed = q->seed, .kind = SEED_SCRIPT,
            .early = q->early, .devs = q->devs, .ndevs = q->ndevs};
        return true;
    }
    if (q->strategy != EXPLORE_DFS) {
        *p = worker_plan(q, q->first + i);
        return true;
    }
    if (!me->dfs_begun)
        dfs_begin(&me->dfs, q->bound);
    me->dfs_begun = true;
    return dfs_next(&me->dfs, q->seed, p);
}

/* Before an execution: the three files that a program begins with, whatever the
 * last one has done to them, and where its text will begin. */
static bool
room(struct self *me)
{
    struct stat sb;

    if (dup2(me->input, 0) < 0 || dup2(me->output, 1) < 0 ||
        dup2(me->said, 2) < 0 || fstat(me->said, &sb) != 0)
        return false;
    lseek(0, me->input_at, SEEK_SET);
    me->from = sb.st_size;
    return true;
}

/* Runs it; *budget is by what.  A fair one that does not come to an end gets much
 * more before that is believed, unless the budget was asked for.  False: it
 * cannot be run. */
static bool
run(struct self *me, const struct worker_request *q, const struct seed_plan *p,
    uint64_t *budget, struct seed_result *r)
{
    struct seed_rules rules = *me->rules;
    uint64_t last = most((uint64_t)LONG * SEED_BUDGET, LONGER * q->used);

    if (rules.budget == 0)
        rules.budget = q->budget;
    if (rules.budget != 0)
        last = rules.budget;
    else
        rules.budget = most(SEED_BUDGET, ROOM * q->used);
    for (;; rules.budget = last) {
        if (!room(me) || !me->t->run(me->t->arg, p, &rules, r))
            return false;
        if (r->end != SEED_END_LIVELOCK || !is_fair(p) || rules.budget >= last)
            break;
    }
    *budget = rules.budget;
    return true;
}

static bool
serve(struct self *me, const struct worker_request *q)
{
    uint64_t count = q->count == 0 ? 1 : q->count;
    uint64_t *hashes = calloc(count, sizeof *hashes);
    struct seed_result r = {0};
    struct head h = {0};
    bool ok;

    for (uint64_t i = 0; hashes != NULL && i < count && !h.failed; i++) {
        struct seed_plan p;
        uint64_t budget = 0;

        if (i % EMPTY_EVERY == 0 && ftruncate(me->said, 0) != 0)
            break;
        h.exhausted = !plan_of(me, q, i, &p);
        h.broken = !h.exhausted && !run(me, q, &p, &budget, &r);
        if (h.exhausted || h.broken)
            break;
        hashes[h.nhashes++] = r.hash;
        note(&h, &p, budget, &r);
        if (q->count > 0 && q->strategy == EXPLORE_DFS &&
            !dfs_ran(&me->dfs, &r))
            break;
    }
    rt_assert(h.nhashes == h.ran && h.ran <= count);
    ok = hashes != NULL && answer(me, &h, hashes, &r);
    free(hashes);
    return ok;
}

/* Each execution reads what the program is given, if that can be read again and
 * again; else nothing.  Opened anew, as workers go through it side by side. */
static void
take_input(struct self *me, int null)
{
    struct stat sb;

    me->input = null;
    if (fstat(0, &sb) != 0 || !S_ISREG(sb.st_mode))
        return;
    me->input_at = lseek(0, 0, SEEK_CUR);
    me->input = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (me->input < 0)
        me->input = null;
}

static void
silence(struct self *me)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    me->said = memfd_create("vole-said", MFD_CLOEXEC);
    if (null < 0 || me->said < 0 ||
        fcntl(me->said, F_SETFL, O_RDWR | O_APPEND) != 0)
        rt_quit(1);
    take_input(me, null);
    me->output = me->t->tests ? me->said : null;
    if (!room(me))
        rt_quit(1);
}

static _Noreturn void
work(struct self *me)
{
    struct worker_request q;

    silence(me);
    while (get(me->fd, &q, sizeof q)) {
        struct seed_dev *devs = get_array(me->fd, q.ndevs, sizeof *devs);

        q.devs = devs;
        if (devs == NULL || !serve(me, &q))
            break;
        free(devs);
    }
    dfs_free(&me->dfs);
    rt_quit(0);
}

/* ---- for the caller --------------------------------------------------------------- */

enum rt_status
worker_start(struct worker *w, const struct explore_target *t,
    const struct seed_rules *rules, const sigset_t *mask, struct rt_err *err)
{
    int fd[2];

    *w = (struct worker){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
        return rt_errf(
            err, RT_EIO, UINT64_MAX, "socketpair: %s", strerror(errno));
    w->pid = fork();
    if (w->pid == 0) {
        struct self me = {.t = t, .rules = rules, .fd = fd[1]};

        close(fd[0]);
        setpgid(0, 0);
        /* It may be in a schedule that has no end. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (mask != NULL)
            sigprocmask(SIG_SETMASK, mask, NULL);
        work(&me);
    }
    close(fd[1]);
    w->fd = fd[0];
    if (w->pid > 0)
        return RT_OK;
    w->pid = 0;
    worker_stop(w);
    return rt_errf(err, RT_EIO, UINT64_MAX, "fork: %s", strerror(errno));
}

void
worker_stop(struct worker *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->pid > 0) {
        kill(w->pid, SIGKILL);
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    *w = (struct worker){.fd = -1};
}

static int64_t
cpu_time(pid_t pid)
{
    struct timespec ts;
    clockid_t id;

    if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &ts) != 0)
        return 0;
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

bool
worker_ask(struct worker *w, const struct worker_request *q)
{
    w->count = q->count;
    w->cpu = cpu_time(w->pid);
    return put(w->fd, q, sizeof *q) &&
        put(w->fd, q->devs, q->ndevs * sizeof *q->devs);
}

/* Whether the thread of this name in the folder is on a processor or waits for
 * one: in what the kernel tells of it, R behind its name in parentheses. */
static bool
can_run(int dir, const char *name)
{
    char path[300], text[256];
    const char *end;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "%s/stat", name);
    fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    end = strrchr(text, ')');
    return end != NULL && strncmp(end, ") R", 3) == 0;
}

static bool
some_can_run(pid_t pid)
{
    char path[64];
    DIR *dir;
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    dir = opendir(path);
    if (dir == NULL)
        return false;
    for (const struct dirent *e; !found && (e = readdir(dir)) != NULL;)
        found = e->d_name[0] != '.' && can_run(dirfd(dir), e->d_name);
    closedir(dir);
    return found;
}

bool
worker_computes(struct worker *w, int64_t least)
{
    int64_t now = cpu_time(w->pid);

    rt_assert(w->pid > 0 && least > 0);
    if (now - w->cpu < least && !some_can_run(w->pid))
        return false;
    w->cpu = now;
    return true;
}

/* The program may do to its process what it likes: whether this can be an
 * answer to what the worker is at. */
static bool
is_sound(const struct worker *w, const struct head *h)
{
    return h->ran <= most(w->count, 1) && h->nhashes == h->ran &&
        h->endless <= h->ran && h->kind <= SEED_SCRIPT && h->end >= 0 &&
        h->end < SEED_NENDS && h->ntext <= MAX_TEXT &&
        (h->failed ? h->ran > 0 : h->ndevs == 0 && h->ntext == 0);
}

bool
worker_answer(struct worker *w, struct worker_reply *r)
{
    struct head h;

    *r = (struct worker_reply){0};
    if (!get(w->fd, &h, sizeof h) || !is_sound(w, &h))
        return false;
    *r = (struct worker_reply){
        .ran = h.ran,
        .endless = h.endless,
        .steps = h.steps,
        .used = h.used,
        .failed = h.failed,
        .exhausted = h.exhausted,
        .broken = h.broken,
        .f = {
            .plan = {.seed = h.seed, .kind = (enum seed_kind)h.kind,
                .depth = h.depth, .steps = h.plan_steps, .early = h.early},
            .ndevs = h.ndevs,
            .early = h.early,
            .early_by = h.early_by,
            .closed = h.closed,
            .end = (enum seed_end)h.end,
            .status = h.status,
            .races = h.races,
            .orders = h.orders,
            .failure = h.failure,
            .steps = h.fail_steps,
            .budget = h.budget,
            .times = 1,
        },
    };
    r->hashes = get_array(w->fd, h.nhashes, sizeof *r->hashes);
    if (r->hashes != NULL)
        r->f.devs = get_array(w->fd, h.ndevs, sizeof *r->f.devs);
    if (r->f.devs != NULL)
        r->f.text = get_array(w->fd, h.ntext, 1);
    if (r->f.text != NULL)
        return true;
    worker_reply_free(r);
    return false;
}

void
worker_reply_free(struct worker_reply *r)
{
    free(r->hashes);
    free(r->f.devs);
    free(r->f.text);
    *r = (struct worker_reply){0};
}
