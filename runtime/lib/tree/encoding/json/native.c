/* SPDX-License-Identifier: MIT */

/* Whether a text is JSON, by the rules of Go's scanner. */

#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

/* How deep objects and arrays may nest: as Go's maxNestingDepth. */
enum { DEPTH_MOST = 10000 };

/* The text from p to end, and in bit i whether the value at depth i that is
 * not ended is an object. */
struct reader {
    const uint8_t *p, *end;
    unsigned depth;
    uint64_t objects[DEPTH_MOST / 64 + 1];
};

/* The byte at p, and one that is nowhere allowed at the end. */
static unsigned
peek(const struct reader *r)
{
    return r->p < r->end ? *r->p : 0;
}

static unsigned
skip_space(struct reader *r)
{
    unsigned c = peek(r);

    while (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        r->p++;
        c = peek(r);
    }
    return c;
}

static bool
is_digit(unsigned c)
{
    return c >= '0' && c <= '9';
}

/* Passes digits; false if there is none. */
static bool
pass_digits(struct reader *r)
{
    const uint8_t *start = r->p;

    while (is_digit(peek(r)))
        r->p++;
    return r->p != start;
}

static bool
pass_number(struct reader *r)
{
    if (*r->p == '-')
        r->p++;
    if (peek(r) == '0')
        r->p++;
    else if (!pass_digits(r))
        return false;
    if (peek(r) == '.') {
        r->p++;
        if (!pass_digits(r))
            return false;
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->p++;
        if (peek(r) == '+' || peek(r) == '-')
            r->p++;
        return pass_digits(r);
    }
    return true;
}

/* Passes what follows a backslash. */
static bool
pass_escape(struct reader *r)
{
    unsigned c = peek(r);

    if (c == 0 || strchr("bfnrt\\/\"u", (int)c) == NULL)
        return false;
    r->p++;
    for (int i = 0; c == 'u' && i < 4; i++, r->p++) {
        unsigned x = peek(r) | 0x20;

        if (!is_digit(peek(r)) && !(x >= 'a' && x <= 'f'))
            return false;
    }
    return true;
}

static bool
pass_string(struct reader *r)
{
    if (peek(r) != '"')
        return false;
    r->p++;
    while (r->p < r->end) {
        unsigned c = *r->p++;

        if (c == '"')
            return true;
        if (c < 0x20 || (c == '\\' && !pass_escape(r)))
            return false;
    }
    return false;
}

static bool
pass_word(struct reader *r, const char *word)
{
    size_t n = strlen(word);

    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
        return false;
    r->p += n;
    return true;
}

/* Passes a value that is no object or array. */
static bool
pass_scalar(struct reader *r)
{
    switch (peek(r)) {
    case '"':
        return pass_string(r);
    case 't':
        return pass_word(r, "true");
    case 'f':
        return pass_word(r, "false");
    case 'n':
        return pass_word(r, "null");
    default:
        return (peek(r) == '-' || is_digit(peek(r))) && pass_number(r);
    }
}

static bool
in_object(const struct reader *r)
{
    rt_assert(r->depth > 0);
    return (r->objects[r->depth / 64] >> r->depth % 64 & 1) != 0;
}

static bool
enter(struct reader *r, bool object)
{
    uint64_t bit;

    if (r->depth == DEPTH_MOST)
        return false;
    r->depth++;
    r->p++;
    bit = UINT64_C(1) << r->depth % 64;
    r->objects[r->depth / 64] &= ~bit;
    if (object)
        r->objects[r->depth / 64] |= bit;
    return true;
}

/* Passes a key and its colon. */
static bool
pass_key(struct reader *r)
{
    if (!pass_string(r) || skip_space(r) != ':')
        return false;
    r->p++;
    return true;
}

/*
 * Passes the ends of objects and arrays behind a value, and the comma before
 * the next one; false if something else is there. *ended: the outermost value
 * has.
 */
static bool
pass_ends(struct reader *r, bool *ended)
{
    while (r->depth > 0) {
        bool object = in_object(r);
        unsigned c = skip_space(r);

        if (c == ',') {
            r->p++;
            skip_space(r);
            return !object || pass_key(r);
        }
        if (c != (object ? '}' : ']'))
            return false;
        r->p++;
        r->depth--;
    }
    *ended = true;
    return true;
}

static bool
pass_value(struct reader *r)
{
    bool ended = false;

    while (!ended) {
        unsigned c = skip_space(r);

        if (c != '{' && c != '[') {
            if (!pass_scalar(r))
                return false;
        } else {
            if (!enter(r, c == '{'))
                return false;
            if (skip_space(r) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !pass_key(r))
                    return false;
                continue;
            }
        }
        if (!pass_ends(r, &ended))
            return false;
    }
    return true;
}

/* func wellFormed(data []byte) bool */
enum vm_status
lib_tree_json_wellFormed(
    struct vm_thread *t, union lib_tree_json_wellFormed_1to1 *f)
{
    struct reader r;

    (void)t;
    r.p = f->in.data.ptr;
    r.end = r.p + f->in.data.len;
    r.depth = 0;
    f->out.r = pass_value(&r) && skip_space(&r) == 0 && r.p == r.end;
    return VM_OK;
}
