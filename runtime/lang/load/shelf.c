/* SPDX-License-Identifier: MIT */
/* An entry is a sum of what follows, the words of the stock, and a 0 where it
 * takes one to have a whole number of eight bytes. */
#include "runtime/lang/load/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/lang/gen/stock.h"

static uint64_t
sum_of(const void *at, size_t size)
{
    return rt_hash_bytes(at, size, STOCK_MAGIC);
}

/* The stock in an entry; NULL: it is damaged. */
static const uint32_t *
stock_in(const struct entry *e)
{
    const uint8_t *words = e->at + sizeof(uint64_t);
    size_t size = e->size - sizeof(uint64_t);
    uint64_t sum;

    if (e->size < sizeof sum + STOCK_H_SIZE * sizeof(uint32_t))
        return NULL;
    memcpy(&sum, e->at, sizeof sum);
    return sum == sum_of(words, size) ? (const uint32_t *)words : NULL;
}

static bool
open_entry(struct shelf *s, unsigned i, const struct entry_folder *f)
{
    const uint32_t *stock;

    if (!entry_open(f, &s->names[i], &s->entries[i]))
        return false;
    stock = stock_in(&s->entries[i]);
    if (stock == NULL) {
        entry_close(&s->entries[i]);
        return false;
    }
    s->stocks[s->n++] = stock;
    return true;
}

void
shelf_open(struct shelf *s, const struct entry_folder *f,
    const struct tree *tree, const char *more)
{
    struct sha256 h;
    unsigned i;

    rt_assert(!s->open);
    s->next = SHELF_MOST;
    for (i = 0; i < SHELF_MOST && f->path != NULL; i++) {
        if (!entry_hash(&h))
            return;
        entry_add_text(&h, tree_root(tree));
        entry_add_number(&h, tree_minor(tree));
        entry_add_text(&h, more);
        entry_add_number(&h, i);
        s->names[i] = entry_name_end(&h, ENTRY_STOCK);
        if (!open_entry(s, i, f) && s->next == SHELF_MOST)
            s->next = i;
        s->open = true;
    }
}

void
shelf_add(struct shelf *s, const struct entry_folder *f,
    const uint32_t *words, size_t n)
{
    size_t size = (n + 1) / 2 * 8;
    uint8_t *at;
    uint64_t sum;
    unsigned i;

    if (!s->open || f->deps == NULL)
        return;
    at = calloc(1, sizeof sum + size);
    if (at == NULL)
        return;
    memcpy(at + sizeof sum, words, n * sizeof *words);
    sum = sum_of(at + sizeof sum, size);
    memcpy(at, &sum, sizeof sum);
    if (s->next == SHELF_MOST) {
        for (i = 0; i < SHELF_MOST; i++)
            entry_remove(f, &s->names[i]);
        s->next = 0;
    }
    entry_store(f, &s->names[s->next], at, sizeof sum + size);
    free(at);
}

void
shelf_close(struct shelf *s)
{
    unsigned i;

    for (i = 0; i < SHELF_MOST; i++)
        entry_close(&s->entries[i]);
    s->open = false;
    s->n = 0;
}
