/* SPDX-License-Identifier: MIT */
/* A detector as a whole: making it and its end. */
#include "runtime/race/race_int.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Goroutines, entries of lists and stacks that race_again() clears at most. */
enum { AGAIN_MAX = 1 << 14 };

static uint64_t
cells_size(const struct race *r)
{
    return r->cfg.span / 8 * sizeof(struct race_cell);
}

static uint64_t
where_size(const struct race *r)
{
    return r->cfg.span / 8 * sizeof(struct race_where);
}

static uint64_t
pages(const struct race *r)
{
    return r->cfg.span >> RACE_PAGE_SHIFT;
}

static uint64_t
pieces_size(const struct race *r)
{
    return ((r->cfg.span >> RACE_CHUNK_SHIFT) + 1) * sizeof(a_ptr);
}

static void
init_locks(struct race *r)
{
    for (unsigned i = 0; i < RACE_SYNC_LOCKS; i++)
        rt_lock_init(&r->sync_locks[i].lock, RANK_RACE_SYNC);
    for (unsigned i = 0; i < RACE_CELL_LOCKS; i++)
        rt_lock_init(&r->cell_locks[i].lock, RANK_RACE_CELL);
    rt_lock_init(&r->slot_lock, RANK_RACE_SLOT);
    rt_lock_init(&r->list_lock, RANK_RACE_LIST);
    race_mem_init(&r->mem, &r->os);
    r->mem.fail_at = r->cfg.fail_piece;
    rt_lock_init(&r->report_lock, RANK_RACE_REPORT);
}

/* All that is mapped. */
static bool
map_all(struct race *r)
{
    r->cells = rt_os_map_sparse(&r->os, cells_size(r));
    r->where = rt_os_map_sparse(&r->os, where_size(r));
    r->known = rt_os_map_sparse(&r->os, pages(r) * sizeof *r->known);
    r->pieces = rt_os_map_sparse(&r->os, pieces_size(r));
    r->nodes = rt_os_map_sparse(&r->os, RACE_NODES * sizeof *r->nodes);
    r->slots = rt_os_map_sparse(&r->os, RACE_SLOTS * sizeof *r->slots);
    r->last = rt_os_map_sparse(&r->os, RACE_SLOTS * sizeof *r->last);
    r->gs = rt_os_map_sparse(&r->os, RACE_SLOTS * sizeof *r->gs);
    r->owners = rt_os_map_sparse(&r->os, RACE_OWNERS * sizeof *r->owners);
    r->text = rt_os_map_sparse(&r->os, RACE_TEXT);
    return r->cells != NULL && r->where != NULL && r->known != NULL &&
        r->pieces != NULL && r->nodes != NULL && r->slots != NULL &&
        r->last != NULL && r->gs != NULL && r->owners != NULL &&
        r->text != NULL && race_stacks_init(r) == RT_OK;
}

static void
unmap(struct race *r, void *p, uint64_t size)
{
    if (p != NULL)
        rt_os_unmap(&r->os, p, size);
}

enum rt_status
race_new(
    struct race **out, const struct race_config *cfg, struct rt_err *err)
{
    struct race *r;

    rt_assert(cfg->lo % 4096 == 0 && cfg->span % 4096 == 0 && cfg->span > 0);
    *out = NULL;
    if (posix_memalign((void **)&r, RT_CACHE_LINE, sizeof *r) != 0)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    *r = (struct race){.cfg = *cfg, .fd = -1, .nslots = 1, .nnodes = 1};
    r->os.fail_at = cfg->fail_at;
    init_locks(r);
    if (!map_all(r)) {
        race_free(r);
        return rt_errf(err, RT_ENOMEM, UINT64_MAX,
            "no address space for the race detector");
    }
    *out = r;
    return RT_OK;
}

void
race_free(struct race *r)
{
    if (r == NULL)
        return;
    race_mem_fini(&r->mem);
    race_stacks_fini(r);
    unmap(r, r->cells, cells_size(r));
    unmap(r, r->where, where_size(r));
    unmap(r, r->known, pages(r) * sizeof *r->known);
    unmap(r, r->pieces, pieces_size(r));
    unmap(r, r->nodes, RACE_NODES * sizeof *r->nodes);
    unmap(r, r->slots, RACE_SLOTS * sizeof *r->slots);
    unmap(r, r->last, RACE_SLOTS * sizeof *r->last);
    unmap(r, r->gs, RACE_SLOTS * sizeof *r->gs);
    unmap(r, r->owners, RACE_OWNERS * sizeof *r->owners);
    unmap(r, r->text, RACE_TEXT);
    rt_assert(a64_load_rlx(&r->os.reserved) == 0);
    if (r->fd > 2)
        close(r->fd);
    free(r);
}

/* Whether so little has been written that to clear it takes less time than to
 * map all of it anew. */
static bool
is_small(const struct race *r)
{
    return a32_load_rlx(&r->ntouched) <= RACE_TOUCHED &&
        r->nowners <= AGAIN_MAX && r->nnodes <= AGAIN_MAX &&
        r->stacks.n <= AGAIN_MAX;
}

bool
race_again(struct race *r, const struct race_config *cfg)
{
    if (cfg->lo != r->cfg.lo || cfg->span != r->cfg.span || !is_small(r) ||
        (r->cfg.fail_at | r->cfg.fail_piece | cfg->fail_at |
            cfg->fail_piece) != 0)
        return false;
    race_cells_reset(r);
    race_objects_reset(r);
    race_stacks_reset(r);
    race_slots_reset(r);
    race_mem_reset(&r->mem);
    memset(r->nodes, 0, r->nnodes * sizeof *r->nodes);
    r->nnodes = 1;
    r->free_node = 0;
    a64_store_rlx(&r->dropped, 0);
    if (a32_load_rlx(&r->errors) != 0)
        memset(r->seen, 0, sizeof r->seen);
    a32_store_rlx(&r->errors, 0);
    a32_store_rlx(&r->shared, 0);
    r->ntext = 0;
    if (r->fd > 2)
        close(r->fd);
    r->fd = -1;
    r->host = NULL;
    r->cfg = *cfg;
    rt_assert_full(race_valid(r));
    return true;
}

void
race_attach(struct race *r, const struct race_host *host, void *arg)
{
    r->host = host;
    r->host_arg = arg;
}

bool
race_valid(const struct race *r)
{
    return race_slots_valid(r) && race_objects_valid(r) &&
        race_mem_valid(&r->mem) &&
        r->free_node < r->nnodes && r->stacks.n > 0;
}
