/* SPDX-License-Identifier: MIT */
/* The frontier of a merge against a search of all cursors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "trace/read/frontier.h"

enum { CURSORS = 20, ROUNDS = 20000, KEYS = 30 };

#define OUT UINT64_MAX /* key of a cursor that is not in the frontier */

static uint32_t
first_of(const uint64_t *key)
{
    uint32_t c, best = 0;

    for (c = 1; c < CURSORS; c++) {
        if (key[c] < key[best])
            best = c;
    }
    return best;
}

/* Few keys, so that many are equal: then the smaller cursor is first. */
static void
test_order(void **state)
{
    struct trace_front room[CURSORS + 1];
    struct trace_frontier f = {.a = room};
    uint64_t key[CURSORS];
    unsigned seed = 7, i;
    uint32_t c;

    (void)state;
    for (c = 0; c < CURSORS; c++)
        key[c] = OUT;
    for (i = 0; i < ROUNDS; i++) {
        c = (uint32_t)rand_r(&seed) % CURSORS;
        if (key[c] == OUT) {
            key[c] = (uint64_t)rand_r(&seed) % KEYS;
            trace_frontier_push(&f, key[c], c);
        } else if (c % 4 == 0) {
            key[f.a[0].c] = OUT;
            trace_frontier_drop(&f);
        } else {
            /* Back, too: some traces have times out of order. */
            key[f.a[0].c] = (uint64_t)rand_r(&seed) % KEYS;
            trace_frontier_move(&f, key[f.a[0].c]);
        }
        if (f.n == 0)
            continue;
        assert_int_equal(f.a[0].c, first_of(key));
        assert_int_equal(f.a[0].key, key[f.a[0].c]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
