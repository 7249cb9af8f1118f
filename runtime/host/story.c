/* SPDX-License-Identifier: MIT */
/*
 * A turn is what one goroutine does until another goes on.  All turns are kept
 * while the program runs, as two places each; printed are those at whose end
 * somebody was chosen who would not have been by a scheduler without
 * preemption, those around them, and the last.
 *
 * Locks.  At its point before Lock a goroutine wants the lock; when it comes to
 * its next point it has got it.  So who holds what is known without a word from
 * package sync.
 */
#include "runtime/host/story.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/vm.h"
#include "sched/sched.h"

enum { FRAMES = 32, LAST_TURNS = 12, AROUND = 1, MAX_TURNS = 1 << 20 };

/* A line of the program's own code. */
struct place {
    const char *func, *file;
    uint32_t line; /* 0: unknown */
};

enum stop { STOP_CHOICE, STOP_WAITS, STOP_ENDED, STOP_YIELDS };

struct turn {
    vgoid id;
    struct place from, to;
    uint8_t stop; /* enum stop */
    uint8_t wait; /* enum sched_wait */
    bool chosen;  /* the turn began by a deviation */
    bool early;   /* before it a timer came early */
    uint16_t rank, ncand;
};

/* Somebody holds a lock or wants it. */
struct hold {
    const void *lock;
    vgoid id;
    bool shared;
    struct place at;
};

struct holds {
    struct hold *v;
    uint32_t n, cap;
};

struct story {
    struct seed_watch watch;
    struct vm *vm;
    struct turn *turns;
    uint32_t n, cap;
    struct holds held, wanted;
    bool early; /* since the last turn began */
    bool lost;  /* memory was lacking: it is not whole */
};

/* ---- places -------------------------------------------------------------------- */

/* The innermost line of g that is not the library's. */
static struct place
place_of(const struct story *st, const struct sched_g *g)
{
    vpc pcs[FRAMES];
    unsigned n = g->native != NULL ? 0 : vm_walk(st->vm, g, 0, pcs, FRAMES);
    struct place p = {"?", "?", 0};

    for (unsigned i = 0; i < n; i++) {
        struct vm_frame f;

        if (!vm_symbolize(st->vm, pcs[i], &f))
            continue;
        p = (struct place){f.func->name, f.file, f.line};
        if ((f.func->flags & CODE_F_LIB) == 0)
            break;
    }
    return p;
}

static const char *
base(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash != NULL ? slash + 1 : file;
}

/* ---- turns --------------------------------------------------------------------- */

static struct turn *
last_turn(struct story *st)
{
    return st->n == 0 ? NULL : &st->turns[st->n - 1];
}

static void
end_turn(struct story *st, struct sched_g *g)
{
    struct turn *t = last_turn(st);

    if (t == NULL)
        return;
    t->stop = STOP_ENDED;
    if (g == NULL || g->id != t->id)
        return;
    t->to = place_of(st, g);
    t->stop = STOP_YIELDS;
    if (sched_g_state(g) != G_WAITING)
        return;
    t->stop = STOP_WAITS;
    t->wait = (uint8_t)g->wait_reason;
}

static void
turn(void *arg, struct sched_g *prev, struct sched_g *next,
    const struct seed_rec *rec)
{
    struct story *st = arg;

    end_turn(st, prev);
    if (st->n == st->cap) {
        uint32_t cap = st->cap ? 2 * st->cap : 256;
        struct turn *v = cap > MAX_TURNS
            ? NULL : realloc(st->turns, cap * sizeof *v);

        st->lost = st->lost || v == NULL;
        if (v == NULL)
            return;
        st->turns = v;
        st->cap = cap;
    }
    if (rec != NULL && rec->rank != 0 && rec->what == SEED_WHO &&
        st->n > 0 && st->turns[st->n - 1].stop == STOP_YIELDS)
        st->turns[st->n - 1].stop = STOP_CHOICE;
    st->turns[st->n] = (struct turn){.id = next->id};
    st->turns[st->n].from = place_of(st, next);
    st->turns[st->n].to = st->turns[st->n].from;
    st->turns[st->n].early = st->early;
    st->early = false;
    if (rec != NULL && rec->rank != 0) {
        st->turns[st->n].chosen = true;
        st->turns[st->n].rank = rec->rank;
        st->turns[st->n].ncand = rec->ncand;
    }
    st->n++;
}

static void
early(void *arg)
{
    struct story *st = arg;

    st->early = true;
}

/* ---- locks ----------------------------------------------------------------------- */

static void
add(struct story *st, struct holds *h, struct hold x)
{
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? 2 * h->cap : 16;
        struct hold *v = realloc(h->v, cap * sizeof *v);

        st->lost = st->lost || v == NULL;
        if (v == NULL)
            return;
        h->v = v;
        h->cap = cap;
    }
    h->v[h->n++] = x;
}

static void
remove_at(struct holds *h, uint32_t i)
{
    h->v[i] = h->v[--h->n];
}

/* Of those that hold the lock g, if it does, else anybody. */
static void
unlocked(struct story *st, const void *lock, vgoid id)
{
    struct holds *h = &st->held;
    uint32_t at = h->n;

    for (uint32_t i = 0; i < h->n; i++)
        if (h->v[i].lock == lock && (at == h->n || h->v[i].id == id))
            at = i;
    if (at < h->n)
        remove_at(h, at);
}

static bool
holds(const struct story *st, const struct hold *x)
{
    for (uint32_t i = 0; i < st->held.n; i++)
        if (st->held.v[i].lock == x->lock && st->held.v[i].id == x->id &&
            st->held.v[i].shared == x->shared)
            return true;
    return false;
}

/* g has gone on: what it wanted it has got. */
static void
got(struct story *st, vgoid id)
{
    struct holds *w = &st->wanted;

    for (uint32_t i = w->n; i-- > 0;) {
        if (w->v[i].id != id)
            continue;
        /* Lock of an RWMutex first locks the Mutex that it begins with. */
        if (w->v[i].shared || !holds(st, &w->v[i]))
            add(st, &st->held, w->v[i]);
        remove_at(w, i);
    }
}

static void
point(void *arg, struct sched_g *g)
{
    struct story *st = arg;
    const void *lock;
    enum vm_lock_op op = vm_lock_op(st->vm, g, &lock);

    got(st, g->id);
    if (op == VM_UNLOCK)
        unlocked(st, lock, g->id);
    else if (op != VM_LOCK_NONE)
        add(st, &st->wanted, (struct hold){lock, g->id,
            op == VM_LOCK_SHARED, place_of(st, g)});
}

/* ---- telling ----------------------------------------------------------------------- */

static void
say_place(FILE *out, const struct place *p)
{
    fprintf(out, "%s:%" PRIu32, base(p->file), p->line);
}

static void
say_turn(FILE *out, const struct turn *t)
{
    if (t->early)
        fprintf(out, "    (a timer comes early: the clock jumps)\n");
    fprintf(out, "    goroutine %" PRIu64 "%s: ", t->id,
        t->chosen ? " was chosen" : "");
    fprintf(out, "%s, ", t->from.func);
    say_place(out, &t->from);
    if (t->stop != STOP_ENDED && (t->to.line != t->from.line ||
        strcmp(t->to.func, t->from.func) != 0)) {
        fprintf(out, " to ");
        if (strcmp(t->to.func, t->from.func) != 0)
            fprintf(out, "%s, ", t->to.func);
        say_place(out, &t->to);
    }
    switch ((enum stop)t->stop) {
    case STOP_CHOICE:
        fprintf(out, "; it could go on\n");
        break;
    case STOP_WAITS:
        fprintf(out, "; it waits: %s\n",
            sched_wait_text((enum sched_wait)t->wait));
        break;
    case STOP_ENDED:
        fprintf(out, ", and ends\n");
        break;
    case STOP_YIELDS:
        fprintf(out, "\n");
        break;
    }
}

static bool
worth(const struct story *st, uint32_t i)
{
    if (i + LAST_TURNS >= st->n || i < AROUND)
        return true;
    for (uint32_t k = i - AROUND; k <= i + AROUND && k < st->n; k++)
        if (st->turns[k].chosen || st->turns[k].early)
            return true;
    return false;
}

static void
say_turns(const struct story *st, FILE *out)
{
    uint32_t left = 0;

    fprintf(out, "\nthe turns that led here:\n");
    for (uint32_t i = 0; i < st->n; i++) {
        if (!worth(st, i)) {
            left++;
            continue;
        }
        if (left > 0)
            fprintf(out, "    ... %" PRIu32 " turns\n", left);
        left = 0;
        say_turn(out, &st->turns[i]);
    }
}

/* Who keeps id from the lock that it wants; 0: nobody is known. */
static vgoid
keeper(const struct story *st, vgoid id, const struct hold **want,
    const struct hold **has)
{
    *want = *has = NULL;
    for (uint32_t i = 0; i < st->wanted.n; i++)
        if (st->wanted.v[i].id == id)
            *want = &st->wanted.v[i];
    for (uint32_t i = 0; *want != NULL && i < st->held.n; i++)
        if (st->held.v[i].lock == (*want)->lock &&
            (*has == NULL || (*has)->id == id))
            *has = &st->held.v[i];
    return *has == NULL ? 0 : (*has)->id;
}

/* The goroutines that wait for each other in a circle, from id on. */
static void
say_cycle(const struct story *st, vgoid id, FILE *out)
{
    const struct hold *want, *has;
    vgoid at = id, least = id;
    uint32_t n = 0;

    do {
        at = keeper(st, at, &want, &has);
        least = at < least ? at : least;
    } while (at != 0 && at != id && n++ <= st->wanted.n);
    if (at != id || least != id)
        return; /* none, or told from another on */
    fprintf(out, "    a circle: goroutine %" PRIu64, id);
    do {
        at = keeper(st, at, &want, &has);
        fprintf(out, " -> %" PRIu64, at);
    } while (at != id);
    fprintf(out, "\n");
}

struct telling {
    const struct story *st;
    FILE *out;
    uint32_t n; /* goroutines told of */
};

static void
say_waiting(void *arg, struct sched_g *g)
{
    struct telling *t = arg;
    const struct hold *want, *has;
    struct place p;

    if (g->native != NULL || sched_g_is_system(g) ||
        sched_g_state(g) != G_WAITING)
        return;
    if (t->n++ == 0)
        fprintf(t->out, "\nwho waits for whom:\n");
    p = place_of(t->st, g);
    fprintf(t->out, "    goroutine %" PRIu64 " waits at ", g->id);
    say_place(t->out, &p);
    fprintf(t->out, " (%s)",
        sched_wait_text((enum sched_wait)g->wait_reason));
    if (keeper(t->st, g->id, &want, &has) != 0) {
        if (has->id == g->id)
            fprintf(t->out, " for a lock that it took itself at ");
        else
            fprintf(t->out, " for a lock that goroutine %" PRIu64
                " took at ", has->id);
        say_place(t->out, &has->at);
    }
    fprintf(t->out, "\n");
    for (uint32_t i = 0; i < t->st->held.n; i++)
        if (t->st->held.v[i].id == g->id) {
            fprintf(t->out, "        it holds a lock%s since ",
                t->st->held.v[i].shared ? " for reading" : "");
            say_place(t->out, &t->st->held.v[i].at);
            fprintf(t->out, "\n");
        }
    say_cycle(t->st, g->id, t->out);
}

/* Those that have gone on since they wanted a lock have it. */
static void
settle(void *arg, struct sched_g *g)
{
    struct story *st = arg;

    if (sched_g_state(g) != G_WAITING ||
        (g->wait_reason != WAIT_MUTEX_LOCK &&
            g->wait_reason != WAIT_RWMUTEX_LOCK &&
            g->wait_reason != WAIT_RWMUTEX_RLOCK))
        got(st, g->id);
}

/* The last turn was g's. */
static void
end_last(void *arg, struct sched_g *g)
{
    struct story *st = arg;

    if (st->n > 0 && st->turns[st->n - 1].id == g->id)
        end_turn(st, g);
}

static void
end(void *arg, enum seed_end e, int status)
{
    struct story *st = arg;
    struct sched *s = vm_sched(st->vm);
    struct telling t = {st, NULL, 0};
    size_t size = 0;
    char *text = NULL;

    if ((e == SEED_END_NORMAL && status == 0) ||
        (t.out = open_memstream(&text, &size)) == NULL)
        return;
    end_turn(st, NULL);
    sched_for_each_g(s, end_last, st);
    say_turns(st, t.out);
    sched_for_each_g(s, settle, st);
    sched_for_each_g(s, say_waiting, &t);
    if (st->lost)
        fprintf(t.out, "    (memory was lacking: not all is told)\n");
    if (fclose(t.out) == 0)
        fwrite(text, 1, size, stderr);
    free(text);
}

/* ---- life ---------------------------------------------------------------------------- */

struct story *
story_new(void)
{
    struct story *st = calloc(1, sizeof *st);

    if (st != NULL)
        st->watch = (struct seed_watch){st, point, turn, early, end};
    return st;
}

void
story_free(struct story *st)
{
    if (st == NULL)
        return;
    free(st->turns);
    free(st->held.v);
    free(st->wanted.v);
    free(st);
}

const struct seed_watch *
story_watch(struct story *st)
{
    return &st->watch;
}

void
story_begin(struct story *st, struct vm *vm)
{
    st->vm = vm;
    st->n = st->held.n = st->wanted.n = 0;
    st->lost = st->early = false;
}
