/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/name.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/token.h"
#include "runtime/lang/syntax/uniclass.h"

enum {
    FIRST_SLOTS = 1024,
    PIECE = 8192 /* bytes of names that lie together */
};

static const struct {
    const char *text;
    uint8_t tok;
} keywords[] = {

#define TOK(name, text)
#define OP(name, text, prec)
#define KW(name, text) {text, TOK_##name},
#include "runtime/lang/syntax/token.def"
#undef TOK
#undef OP
#undef KW
};

static int
grow(struct lang_names *t)
{
    uint32_t n = t->nslot * 2, i, j;
    const struct lang_name **slot = calloc(n, sizeof *slot);

    if (slot == NULL)
        return -1;
    for (i = 0; i < t->nslot; i++) {
        if (t->slot[i] == NULL)
            continue;
        for (j = t->slot[i]->hash & (n - 1); slot[j] != NULL;)
            j = (j + 1) & (n - 1);
        slot[j] = t->slot[i];
    }
    free(t->slot);
    t->slot = slot;
    t->nslot = n;
    return 0;
}

/* Zeroed memory for a name.  Names are looked at all the time; between the
 * nodes of trees each would be on a page of its own. */
static struct lang_name *
new_name(struct lang_names *t, size_t size)
{
    uint8_t *p;

    size = (size + 7) & ~(size_t)7;
    if (size > PIECE / 8)
        return rt_arena_alloc(t->arena, size);
    if (size > (size_t)(t->end - t->pos)) {
        p = rt_arena_alloc(t->arena, PIECE);
        if (p == NULL)
            return NULL;
        t->pos = p;
        t->end = p + PIECE;
    }
    p = t->pos;
    t->pos += size;
    return (struct lang_name *)p;
}

static const struct lang_name *
enter(struct lang_names *t, const char *text, size_t len, uint32_t hash,
    uint8_t kw)
{
    struct lang_name *n;
    uint32_t i, c;

    if (t->count >= t->nslot / 2 && grow(t) != 0) {
        rt_arena_nomem(t->arena);
        return NULL;
    }
    n = new_name(t, sizeof *n + len + 1);
    if (n == NULL)
        return NULL;
    n->hash = hash;
    n->len = (uint32_t)len;
    n->kw = kw;
    memcpy(n->text, text, len);
    n->text[len] = '\0';
    if (len != 0 && lang_utf8_decode((const uint8_t *)n->text, &c) != 0)
        n->exported = (uint8_t)lang_is_upper(c);
    for (i = hash & (t->nslot - 1); t->slot[i] != NULL;)
        i = (i + 1) & (t->nslot - 1);
    t->slot[i] = n;
    t->count++;
    return n;
}

int
lang_names_init(struct lang_names *t, struct rt_arena *arena)
{
    size_t i;

    t->arena = arena;
    t->count = 0;
    t->pos = t->end = NULL;
    t->nslot = FIRST_SLOTS;
    t->slot = calloc(t->nslot, sizeof *t->slot);
    if (t->slot == NULL)
        return -1;
    for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        size_t len = strlen(keywords[i].text);
        uint32_t h = lang_name_hash(keywords[i].text, len);

        if (!enter(t, keywords[i].text, len, h, keywords[i].tok))
            goto fail;
    }
    t->blank = lang_name_str(t, "_");
    if (t->blank != NULL)
        return 0;
fail:
    lang_names_free(t);
    return -1;
}

void
lang_names_free(struct lang_names *t)
{
    free(t->slot);
    t->slot = NULL;
    t->nslot = t->count = 0;
}

const struct lang_name *
lang_name_get_hashed(
    struct lang_names *t, const char *text, size_t len, uint32_t hash)
{
    uint32_t i = hash & (t->nslot - 1);

    for (; t->slot[i] != NULL; i = (i + 1) & (t->nslot - 1)) {
        const struct lang_name *n = t->slot[i];

        if (n->hash == hash && n->len == len && memcmp(n->text, text, len) == 0)
            return n;
    }
    return enter(t, text, len, hash, 0);
}

const struct lang_name *
lang_name_get(struct lang_names *t, const char *text, size_t len)
{
    return lang_name_get_hashed(t, text, len, lang_name_hash(text, len));
}

const struct lang_name *
lang_name_str(struct lang_names *t, const char *text)
{
    return lang_name_get(t, text, strlen(text));
}
