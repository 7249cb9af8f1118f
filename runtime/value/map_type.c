/* SPDX-License-Identifier: MIT */

/* What all maps of a type have in common: where keys and elements lie in a
 * group, which of them are pointers, and how keys are compared. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/bits.h"
#include "runtime/base/throw.h"
#include "runtime/value/map.h"

static bool
has_float(const struct rtype *t)
{
    switch (t->kind) {
    case RK_FLOAT32:
    case RK_FLOAT64:
    case RK_COMPLEX64:
    case RK_COMPLEX128:
    case RK_INTERFACE:
        return true;
    case RK_ARRAY:
        return has_float(t->elem);
    case RK_STRUCT:
        for (uint32_t i = 0; i < t->nfields; i++)
            if (has_float(t->fields[i].type))
                return true;
        return false;
    default:
        return false;
    }
}

static uint8_t
fast_kind(const struct rtype *key)
{
    if (key->kind == RK_STRING)
        return MAP_KEYSTR;
    if ((key->flags & RT_F_MEMEQ) && key->kind != RK_ARRAY &&
        key->kind != RK_STRUCT) {
        if (rtype_size(key) == 8)
            return MAP_KEY64;
        if (rtype_size(key) == 4)
            return MAP_KEY32;
    }
    return MAP_GENERIC;
}

static void
set_ptr_bits(struct map_type *mt, uint64_t at, const struct rt_layout *l)
{
    for (uint64_t w = 0; w < l->ptrdata / 8; w++)
        if (rt_layout_is_ptr(l, w)) {
            uint64_t bit = at / 8 + w;
            mt->mask[bit / 8] |= (uint8_t)(1u << (bit % 8));
            mt->group.ptrdata = (bit + 1) * 8;
        }
}

bool
map_type_init(struct map_type *mt, const struct rtype *type)
{
    const struct rtype *key = type->key, *elem = type->elem;

    memset(mt, 0, sizeof *mt);
    mt->type = type;
    mt->key = key;
    mt->elem = elem;
    mt->fast = fast_kind(key);
    mt->reflexive = !has_float(key);
    uint64_t align = key->align > elem->align ? key->align : elem->align;
    uint64_t off = rt_align_up(rtype_size(key), elem->align ? elem->align : 1);
    uint64_t slot =
        rt_align_up(off + rtype_size(elem), align ? align : 1);
    if (slot > UINT32_MAX / 16)
        return false;
    mt->elem_off = (uint32_t)off;
    mt->slot = (uint32_t)slot;
    mt->group.size = rt_align_up(8 + 8 * slot, 8);
    rt_assert(off + rtype_size(elem) <= slot && off >= rtype_size(key));
    if (key->layout.ptrdata == 0 && elem->layout.ptrdata == 0)
        return true;
    mt->mask = calloc(1, mt->group.size / 64 + 1);
    if (mt->mask == NULL)
        return false;
    for (unsigned i = 0; i < MAP_GROUP; i++) {
        set_ptr_bits(mt, 8 + i * slot, &key->layout);
        set_ptr_bits(mt, 8 + i * slot + off, &elem->layout);
    }
    mt->group.ptrmask = mt->mask;
    rt_assert(mt->group.ptrdata > 8 && mt->group.ptrdata <= mt->group.size);
    return true;
}

void
map_type_free(struct map_type *mt)
{
    free(mt->mask);
    mt->mask = NULL;
}
