/* SPDX-License-Identifier: MIT */
/*
 * What channels tell the race detector, by Go's memory model: a send happens
 * before its receive is complete; of a channel with room for n values the k-th
 * receive happens before send k + n is complete; a close happens before a
 * receive that returns because of it.
 *
 * Each place of the ring is a synchronisation object that is handed to and fro,
 * by its address; where elements have no size all places are one.  Besides, a
 * send reads the channel and a close writes it, so that these can race: not of
 * channels that nothing in the program can close.  There a goroutine that only
 * hands values on, as those of a prime sieve do, accesses nothing, and its clock
 * need not tick.
 *
 * Values that a timer sends have no sender: they come after whoever has set
 * the timer.  All functions run with the channel's lock held.
 */
#include "sched/chan_int.h"

#include "runtime/race/race.h"

/* The object of place i. */
static const void *
place_key(const struct sched_chan *c, uint64_t i)
{
    rt_assert(c->cap > 0 && i < c->cap);
    return c->elem->size == 0 ? (const void *)&c->cap
        : c->buf + i * c->elem->size;
}

/* What send and close race for; and whoever waits in vain acquires it. */
static const void *
word_key(const struct sched_chan *c)
{
    return &c->buf;
}

/* g, which is NULL where nobody watches, gives a value to place i or takes it
 * from there. */
static void
use_place(struct race_g *g, const struct sched_chan *c, uint64_t i)
{
    if (c->elem->size != 0) {
        race_swap(g, place_key(c, i));
        return;
    }
    race_acquire(g, place_key(c, i));
    race_merge(g, place_key(c, i));
}

void
chan_race_send(struct sched_m *m, const struct sched_chan *c)
{
    if (!c->timed && !c->open)
        race_read(m->g->race, word_key(c), 8, NULL, NULL);
}

void
chan_race_put(struct sched_m *m, const struct sched_chan *c)
{
    if (c->timed)
        race_pass(m->sched->cfg.race, c, place_key(c, c->sendx));
    else
        use_place(m->g->race, c, c->sendx);
}

void
chan_race_take(struct sched_m *m, const struct sched_chan *c)
{
    if (c->timed)
        race_acquire(m->g->race, place_key(c, c->recvx));
    else
        use_place(m->g->race, c, c->recvx);
}

bool
chan_race_to_receiver(
    struct sched_m *m, const struct sched_chan *c, struct sched_g *g)
{
    if (c->timed) {
        race_acquire(g->race, c);
        return false;
    }
    if (c->cap == 0) {
        race_meet(m->g->race, g->race);
        return false;
    }
    use_place(m->g->race, c, c->recvx);
    use_place(g->race, c, c->recvx);
    return true;
}

void
chan_race_from_sender(
    struct sched_m *m, const struct sched_chan *c, struct sched_g *g)
{
    if (c->cap == 0) {
        race_meet(m->g->race, g->race);
        return;
    }
    use_place(m->g->race, c, c->recvx);
    use_place(g->race, c, c->recvx);
}

void
chan_race_close(struct sched_m *m, const struct sched_chan *c)
{
    rt_assert(!c->open);
    race_write(m->g->race, word_key(c), 8, NULL, NULL);
    race_release(m->g->race, word_key(c));
}

void
chan_race_closed(struct sched_g *g, const struct sched_chan *c)
{
    race_acquire(g->race, word_key(c));
}

void
tchan_race_set(struct sched_m *m, const struct sched_chan *c, bool calls)
{
    if (calls)
        race_share(m->g->race);
    race_merge(m->g->race, c);
}
