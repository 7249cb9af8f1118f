/* SPDX-License-Identifier: MIT */

/* Messages about declarations that refer to each other in a circle. */

#include "runtime/lang/types/check_int.h"

uint32_t
check_cycle_first(struct object **cycle, uint32_t n)
{
    uint32_t i, best = 0;

    for (i = 1; i < n; i++)
        if (cycle[i]->pos < cycle[best]->pos)
            best = i;
    return best;
}

void
check_cycle_error(struct check *c, struct object **cycle, uint32_t n)
{
    check_cycle_error_from(c, cycle, n, check_cycle_first(cycle, n));
}

void
check_cycle_error_from(
    struct check *c, struct object **cycle, uint32_t n, uint32_t start)
{
    uint32_t i;
    struct object *o = cycle[start];
    struct check_text b = {.c = c};

    if (n == 1) {
        check_errf(c, o->pos,
            o->kind == OBJ_TYPE
                ? "invalid recursive type: %s refers to itself"
                : "invalid cycle in declaration: %s refers to itself",
            o->name->text);
        return;
    }
    check_text_add(&b, o->kind == OBJ_TYPE
                           ? "invalid recursive type "
                           : "invalid cycle in declaration of ");
    check_text_add(&b, o->name->text);
    for (i = 0; i < n; i++) {
        struct object *a = cycle[(start + i) % n];
        struct object *z = cycle[(start + i + 1) % n];

        check_text_add(&b, "\n\t");
        check_text_add(&b, check_place(c, a->pos));
        check_text_add(&b, ": ");
        check_text_add(&b, a->name->text);
        check_text_add(&b, " refers to ");
        check_text_add(&b, z->name->text);
    }
    check_errf(c, o->pos, "%s", check_text_str(&b));
}
