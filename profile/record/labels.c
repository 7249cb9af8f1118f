/* SPDX-License-Identifier: MIT */
#include "profile/record/labels.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

static int
compare(const struct prof_pair *a, const struct prof_pair *b)
{
    size_t n = a->key_len < b->key_len ? a->key_len : b->key_len;
    int c = n == 0 ? 0 : memcmp(a->key, b->key, n);

    if (c != 0)
        return c;
    return a->key_len < b->key_len ? -1 : a->key_len > b->key_len;
}

/* Copies the pairs into v sorted by key, the last one of each; returns how
 * many.  Few, and mostly sorted already. */
static uint32_t
sort(struct prof_pair *v, const struct prof_pair *pairs, uint32_t n)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = k;
        int c = 1;

        while (at > 0 && (c = compare(&v[at - 1], &pairs[i])) > 0)
            at--;
        if (at > 0 && c == 0) {
            v[at - 1] = pairs[i];
            continue;
        }
        memmove(&v[at + 1], &v[at], (k - at) * sizeof *v);
        v[at] = pairs[i];
        k++;
    }
    return k;
}

static const char *
copy(char **pos, const char *s, size_t n)
{
    char *p = *pos;

    if (n > 0)
        memcpy(p, s, n);
    p[n] = 0;
    *pos = p + n + 1;
    return p;
}

static struct prof_labels *
build(const struct prof_pair *v, uint32_t n)
{
    size_t bytes = sizeof(struct prof_labels) + n * sizeof(struct wire_label);
    size_t text = bytes;

    for (uint32_t i = 0; i < n; i++)
        bytes += v[i].key_len + v[i].val_len + 2;
    struct prof_labels *l = calloc(1, bytes);
    if (l == NULL)
        return NULL;
    char *pos = (char *)l + text;
    a32_store_rlx(&l->refs, 1);
    l->n = n;
    l->hash = n;
    for (uint32_t i = 0; i < n; i++) {
        l->v[i].key = copy(&pos, v[i].key, v[i].key_len);
        l->v[i].str = copy(&pos, v[i].val, v[i].val_len);
        l->hash = rt_hash_bytes(v[i].key, v[i].key_len, l->hash);
        l->hash = rt_hash_bytes(v[i].val, v[i].val_len, l->hash);
    }
    return l;
}

/* The i-th key; between it and its value is one NUL, and others may be in
 * it. */
static struct prof_pair
key_of(const struct prof_labels *l, uint32_t i)
{
    const struct wire_label *v = &l->v[i];

    return (struct prof_pair){
        .key = v->key, .key_len = (size_t)(v->str - v->key) - 1 };
}

bool
prof_labels_valid(const struct prof_labels *l)
{
    if (l->n == 0 || a32_load_rlx(&l->refs) == 0)
        return false;
    for (uint32_t i = 0; i < l->n; i++) {
        struct prof_pair k = key_of(l, i), before;

        if (l->v[i].key >= l->v[i].str || k.key[k.key_len] != 0)
            return false;
        if (i > 0 && (before = key_of(l, i - 1), compare(&before, &k) >= 0))
            return false;
    }
    return true;
}

struct prof_labels *
prof_labels_new(const struct prof_pair *pairs, uint32_t n)
{
    struct prof_pair *v;
    struct prof_labels *l;

    if (n == 0)
        return NULL;
    v = malloc(n * sizeof *v);
    if (v == NULL)
        return NULL;
    l = build(v, sort(v, pairs, n));
    free(v);
    rt_assert_full(l == NULL || prof_labels_valid(l));
    return l;
}

void
prof_labels_unref(struct prof_labels *l)
{
    /* full: whoever frees sees what the others did with the set. */
    rt_assert(l == NULL || a32_load_rlx(&l->refs) > 0);
    if (l != NULL && a32_add_full(&l->refs, UINT32_MAX) == 1)
        free(l);
}
