/* SPDX-License-Identifier: MIT */
#include "runtime/lib/regexp/rematch.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/lib/support/utf8.h"

/* The instructions that wait for the next character, by priority, each once:
 * inst[k] is in the list iff where[inst] = k and k < n. */
struct list {
    uint32_t *inst;
    uint32_t *where;
    int64_t *caps; /* ncap of them for each k */
    size_t n;
};

/* What is left to do in follow(): an instruction, or a slot to restore. */
struct todo {
    uint32_t inst;
    uint32_t slot; /* NO_SLOT: go to inst */
    int64_t old;
};

#define NO_SLOT UINT32_MAX

struct run {
    const struct re_prog *p;
    struct re_text s;
    size_t ncap;
    int64_t *cap;  /* of the way being followed */
    int64_t *best; /* of the match found */
    struct todo *stack;
    struct list now, next;
};

static bool
is_word(int32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
        (c >= 'a' && c <= 'z') || c == '_';
}

/* The conditions that hold between before and after; -1 is outside. */
static uint32_t
conditions(int32_t before, int32_t after)
{
    uint32_t c = 0;

    if (before < 0)
        c |= RE_BEGIN_TEXT | RE_BEGIN_LINE;
    else if (before == '\n')
        c |= RE_BEGIN_LINE;
    if (after < 0)
        c |= RE_END_TEXT | RE_END_LINE;
    else if (after == '\n')
        c |= RE_END_LINE;
    return c | (is_word(before) != is_word(after) ? RE_WORD : RE_NO_WORD);
}

static bool
in_list(const struct list *l, uint32_t inst)
{
    uint32_t k = l->where[inst];

    return k < l->n && l->inst[k] == inst;
}

/* Adds every instruction that can be reached from `from` without reading. */
static void
follow(struct run *r, struct list *l, uint32_t from, int64_t pos,
    uint32_t holds)
{
    size_t depth = 0;

    r->stack[depth++] = (struct todo){from, NO_SLOT, 0};
    while (depth > 0) {
        struct todo t = r->stack[--depth];

        if (t.slot != NO_SLOT) {
            r->cap[t.slot] = t.old;
            continue;
        }
        if (in_list(l, t.inst))
            continue;

        const struct re_inst *i = &r->p->inst[t.inst];
        size_t k = l->n++;

        l->inst[k] = t.inst;
        l->where[t.inst] = (uint32_t)k;
        switch (i->op) {
        case RE_SPLIT:
            r->stack[depth++] = (struct todo){i->arg, NO_SLOT, 0};
            r->stack[depth++] = (struct todo){i->out, NO_SLOT, 0};
            break;
        case RE_SAVE:
            if (i->arg < r->ncap) {
                r->stack[depth++] =
                    (struct todo){0, i->arg, r->cap[i->arg]};
                r->cap[i->arg] = pos;
            }
            r->stack[depth++] = (struct todo){i->out, NO_SLOT, 0};
            break;
        case RE_ASSERT:
            if ((i->arg & ~holds) == 0)
                r->stack[depth++] = (struct todo){i->out, NO_SLOT, 0};
            break;
        default:
            memcpy(l->caps + k * r->ncap, r->cap, r->ncap * sizeof *r->cap);
        }
    }
}

static bool
in_ranges(const int32_t *pairs, uint32_t n, int32_t c)
{
    uint32_t lo = 0;

    while (lo < n) {
        uint32_t mid = lo + (n - lo) / 2;

        if (c < pairs[2 * mid])
            n = mid;
        else if (c > pairs[2 * mid + 1])
            lo = mid + 1;
        else
            return true;
    }
    return false;
}

static bool
takes(const struct re_prog *p, const struct re_inst *i, int32_t c)
{
    switch (i->op) {
    case RE_RUNE:
        return c == (int32_t)i->arg;
    case RE_RANGES:
        return in_ranges(p->ranges + i->arg, i->len, c);
    case RE_ANY:
        return true;
    case RE_ANY_LINE:
        return c != '\n';
    default:
        return false;
    }
}

/* Whether the way in caps, which ends at pos, is better than the match. */
static bool
better(const struct run *r, const int64_t *caps, int64_t pos, bool matched)
{
    if (!r->p->longest || !matched || r->ncap == 0)
        return true;
    return caps[0] < r->best[0] ||
        (caps[0] == r->best[0] && pos > r->best[1]);
}

/* Takes the character c, which ends at after; holds are the conditions there.
 * Returns whether a match ends before c. */
static bool
step(struct run *r, int32_t c, int64_t pos, int64_t after, uint32_t holds,
    bool matched)
{
    struct list *l = &r->now;

    for (size_t k = 0; k < l->n; k++) {
        const struct re_inst *i = &r->p->inst[l->inst[k]];
        const int64_t *caps = l->caps + k * r->ncap;

        if (i->op == RE_SPLIT || i->op == RE_SAVE || i->op == RE_ASSERT)
            continue;
        if (r->p->longest && matched && r->ncap > 0 &&
            caps[0] > r->best[0])
            continue;
        if (i->op == RE_MATCH) {
            if (better(r, caps, pos, matched)) {
                memcpy(r->best, caps, r->ncap * sizeof *caps);
                if (r->ncap > 1)
                    r->best[1] = pos;
            }
            matched = true;
            if (!r->p->longest)
                break; /* the rest has lower priority */
        } else if (c >= 0 && takes(r->p, i, c)) {
            memcpy(r->cap, caps, r->ncap * sizeof *caps);
            follow(r, &r->next, i->out, after, holds);
        }
    }
    return matched;
}

static int32_t
char_at(const struct run *r, int64_t pos, int *width)
{
    int32_t c;

    *width = 0;
    if (pos >= r->s.n)
        return -1;
    if (r->s.chars != NULL) {
        *width = 1;
        return r->s.chars[pos];
    }
    *width = lib_utf8_decode(r->s.bytes + pos, r->s.n - pos, &c);
    return c;
}

static int32_t
char_before(const struct run *r, int64_t pos)
{
    int32_t c;

    if (pos <= 0)
        return -1;
    if (r->s.chars != NULL)
        return r->s.chars[pos - 1];
    lib_utf8_decode_last(r->s.bytes, pos, &c);
    return c;
}

/* Where the next match may begin, -1 if nowhere. */
static int64_t
skip(const struct run *r, int64_t pos)
{
    const uint8_t *at = memmem(r->s.bytes + pos, (size_t)(r->s.n - pos),
        r->p->prefix, r->p->nprefix);

    return at == NULL ? -1 : at - r->s.bytes;
}

static bool
search(struct run *r, int64_t pos)
{
    const struct re_prog *p = r->p;
    int64_t start = pos;
    bool matched = false;
    int width, width2;
    int32_t before = char_before(r, pos), c, c2;

    if (p->anchored && pos > 0)
        return false;
    c = char_at(r, pos, &width);
    for (;;) {
        if (r->now.n == 0) {
            if (matched || (p->anchored && pos > start))
                break;
            if (p->nprefix > 0 && !p->anchored && r->s.chars == NULL) {
                int64_t at = skip(r, pos);

                if (at < 0)
                    break;
                if (at != pos) {
                    pos = at;
                    before = char_before(r, pos);
                    c = char_at(r, pos, &width);
                }
            }
        }
        if (!matched && (!p->anchored || pos == start)) {
            for (size_t i = 0; i < r->ncap; i++)
                r->cap[i] = -1;
            if (r->ncap > 0)
                r->cap[0] = pos;
            follow(r, &r->now, p->start, pos, conditions(before, c));
        }
        c2 = char_at(r, pos + width, &width2);
        matched = step(
            r, c, pos, pos + width, conditions(c, c2), matched);
        if (width == 0 || (matched && r->ncap == 0))
            break;

        struct list t = r->now;
        r->now = r->next;
        r->next = t;
        r->next.n = 0;
        pos += width;
        before = c;
        c = c2;
        width = width2;
    }
    return matched;
}

enum re_result
lib_re_match(const struct re_prog *p, const struct re_text *text, int64_t pos,
    int64_t *cap, size_t ncap)
{
    size_t k = p->ninst;
    /* follow() pushes at most two for each instruction. */
    size_t nstack = 2 * k + 2;
    size_t bytes = 2 * (k * ncap + ncap) * sizeof(int64_t) +
        nstack * sizeof(struct todo) + 4 * k * sizeof(uint32_t);
    int64_t *mem = malloc(bytes);
    struct run r = {.p = p, .s = *text, .ncap = ncap};

    if (mem == NULL)
        return RE_NOMEM;
    if (text->n == 0)
        r.s.bytes = (const uint8_t *)"";
    r.cap = mem;
    r.best = r.cap + ncap;
    r.now.caps = r.best + ncap;
    r.next.caps = r.now.caps + k * ncap;
    r.stack = (struct todo *)(void *)(r.next.caps + k * ncap);
    r.now.inst = (uint32_t *)(void *)(r.stack + nstack);
    r.now.where = r.now.inst + k;
    r.next.inst = r.now.where + k;
    r.next.where = r.next.inst + k;
    memset(r.now.where, 0, k * sizeof *r.now.where);
    memset(r.next.where, 0, k * sizeof *r.next.where);

    bool matched = search(&r, pos);

    if (matched && ncap > 0)
        memcpy(cap, r.best, ncap * sizeof *cap);
    free(mem);
    return matched ? RE_YES : RE_NO;
}
