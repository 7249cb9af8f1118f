/* SPDX-License-Identifier: MIT */
/* Lists of the pieces of a text. */
#include "gc/gc.h"
#include "runtime/base/throw.h"
#include "runtime/lib/support/text_native.h"
#include "runtime/vm/native.h"

const uint64_t text_empty;

/* The n elements of the list *out, to be filled with parts of s; NULL: no
 * memory. */
static void *
make_list(struct vm_thread *t, const struct text_list *l, struct rt_slice s,
    int64_t n, struct rt_slice *out)
{
    void *p = (void *)&text_empty;

    rt_assert(n >= 0);
    if (n > 0 && (p = vm_new_array(t, l->type, n)) == NULL)
        return NULL;
    /* What s points to may be white still and then is in the hands of this
     * frame only, where the result is written over it. */
    gc_shade(t->cache, s.ptr);
    *out = (struct rt_slice){p, n, n};
    return p;
}

enum vm_status
text_split(struct vm_thread *t, const struct text_list *l, struct rt_slice s,
    struct rt_str sep, int64_t n, bool after, struct rt_slice *out)
{
    struct text_pieces p;
    int64_t i, count, lo, hi;
    void *list;
    bool rest;

    if (n == 0) {
        *out = (struct rt_slice){NULL, 0, 0};
        return VM_OK;
    }
    count = text_pieces_init(&p, text_of_slice(s), sep, n, after);
    /* The last one is the rest; of runes only where there are as many as were
     * asked for. */
    rest = sep.len > 0 || (n < 0 || n > s.len ? count == s.len : count >= n);
    list = make_list(t, l, s, count, out);
    if (list == NULL)
        return VM_EXIT;
    for (i = 0; i < count; i++) {
        text_next_piece(&p, &lo, &hi);
        l->put(list, i, s, lo, hi, rest && i == count - 1);
    }
    return VM_OK;
}

enum vm_status
text_fields(struct vm_thread *t, const struct text_list *l, struct rt_slice s,
    struct rt_slice *out)
{
    /* Where the first ones are is kept, so that they are not looked for again
     * when there is a list. */
    enum { KEPT = 32 };
    struct {
        int64_t start, end;
    } kept[KEPT];
    struct rt_str a = text_of_slice(s);
    int64_t n = 0, at = 0, start, i;
    void *list;

    while (text_next_field(a, &at, &start)) {
        if (n < KEPT) {
            kept[n].start = start;
            kept[n].end = at;
        }
        n++;
    }
    list = make_list(t, l, s, n, out);
    if (list == NULL)
        return VM_EXIT;
    for (i = 0; i < n && i < KEPT; i++)
        l->put(list, i, s, kept[i].start, kept[i].end, false);
    at = n > KEPT ? kept[KEPT - 1].end : a.len;
    for (; i < n; i++) {
        text_next_field(a, &at, &start);
        l->put(list, i, s, start, at, false);
    }
    return VM_OK;
}
