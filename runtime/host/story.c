/* SPDX-License-Identifier: MIT */
/*
 * A turn is what one goroutine does until another goes on.  All turns are kept
 * while the program runs, as two places each; printed are those at whose end
 * somebody was chosen who would not have been by a scheduler without
 * preemption, those around them, and the last.
 */
#include "runtime/host/story.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/host/locks.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

enum { LAST_TURNS = 12, AROUND = 1, MAX_TURNS = 1 << 20 };

enum stop { STOP_CHOICE, STOP_WAITS, STOP_ENDED, STOP_YIELDS };

struct turn {
    vgoid id;
    struct lock_place from, to;
    uint8_t stop; /* enum stop */
    uint8_t wait; /* enum sched_wait */
    struct lock_place vain; /* the last signal to nobody, if any: line 0 */
    bool chosen;  /* the turn began by a deviation */
    bool early;   /* before it a timer came early */
    uint16_t rank, ncand;
};

struct story {
    enum story_kind kind;
    struct seed_watch watch;
    struct turn *turns;
    uint32_t n, cap;
    struct locks locks;
    bool early; /* since the last turn began */
    bool lost;  /* memory was lacking: it is not whole */
};

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
    rt_assert(st->locks.vm != NULL);
    t->to = locks_place_of(st->locks.vm, g);
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

    rt_assert(next != NULL && st->n <= st->cap && st->cap <= MAX_TURNS);
    if (st->kind == STORY_WAITERS)
        return;
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
    st->turns[st->n].from = locks_place_of(st->locks.vm, next);
    st->turns[st->n].to = st->turns[st->n].from;
    st->turns[st->n].early = st->early;
    st->early = false;
    if (rec != NULL && rec->rank != 0) {
        st->turns[st->n].chosen = true;
        rt_assert(rec->rank < rec->ncand);
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

static void
point(void *arg, struct sched_g *g)
{
    struct story *st = arg;

    locks_point(&st->locks, g);
    struct turn *t = last_turn(st);
    if (t != NULL && t->id == g->id &&
        vm_notifies_nobody(st->locks.vm, g))
        t->vain = locks_place_of(st->locks.vm, g);
}

/* ---- telling ----------------------------------------------------------------------- */

static void
say_turn(FILE *out, const struct turn *t)
{
    if (t->early)
        fprintf(out, "    (a timer comes early: the clock jumps)\n");
    fprintf(out, "    goroutine %" PRIu64 "%s: ", t->id,
        t->chosen ? " was chosen" : "");
    fprintf(out, "%s, ", t->from.func);
    locks_place_say(out, &t->from);
    if (t->stop != STOP_ENDED && (t->to.line != t->from.line ||
        strcmp(t->to.func, t->from.func) != 0)) {
        fprintf(out, " to ");
        if (strcmp(t->to.func, t->from.func) != 0)
            fprintf(out, "%s, ", t->to.func);
        locks_place_say(out, &t->to);
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
    if (t->vain.line != 0) {
        fprintf(out, "        it signals to a sync.Cond at ");
        locks_place_say(out, &t->vain);
        fprintf(out, ", where nobody waits yet\n");
    }
}

static bool
worth(const struct story *st, uint32_t i)
{
    rt_assert(i < st->n);
    if (i + LAST_TURNS >= st->n || i < AROUND || st->turns[i].vain.line != 0)
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

/* The last turn was g's. */
static void
end_last(void *arg, struct sched_g *g)
{
    struct story *st = arg;

    if (st->n > 0 && st->turns[st->n - 1].id == g->id)
        end_turn(st, g);
}

/* Whether there is anything to be told of a run that ends so. */
static bool
is_told(const struct story *st, enum seed_end e, int status)
{
    if (st->kind == STORY_WHOLE)
        return e != SEED_END_NORMAL || status != 0;
    return e == SEED_END_DEADLOCK || e == SEED_END_PARTIAL ||
        e == SEED_END_STUCK || e == SEED_END_LEAK;
}

static void
end(void *arg, enum seed_end e, int status)
{
    struct story *st = arg;
    struct sched *s = vm_sched(st->locks.vm);
    FILE *out;
    size_t size = 0;
    char *text = NULL;

    if (!is_told(st, e, status) ||
        (out = open_memstream(&text, &size)) == NULL)
        return;
    if (st->kind == STORY_WHOLE) {
        end_turn(st, NULL);
        sched_for_each_g(s, end_last, st);
        say_turns(st, out);
    }
    if (e == SEED_END_STUCK)
        locks_say_lost(&st->locks, s, false, out);
    else
        locks_say(&st->locks, s, out);
    if (st->lost || st->locks.lost)
        fprintf(out, "    (memory was lacking: not all is told)\n");
    if (fclose(out) == 0)
        fwrite(text, 1, size, stderr);
    free(text);
}

/* ---- life ---------------------------------------------------------------------------- */

struct story *
story_new(enum story_kind kind)
{
    struct story *st = calloc(1, sizeof *st);

    if (st == NULL)
        return NULL;
    st->kind = kind;
    st->watch = (struct seed_watch){st, point, turn, early, end};
    return st;
}

void
story_free(struct story *st)
{
    if (st == NULL)
        return;
    free(st->turns);
    locks_fini(&st->locks);
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
    locks_begin(&st->locks, vm);
    st->n = 0;
    st->lost = st->early = false;
}
