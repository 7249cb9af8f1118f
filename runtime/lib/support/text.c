/* SPDX-License-Identifier: MIT */

#include "runtime/lib/support/text.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

static struct rt_str
from(struct rt_str a, int64_t i)
{
    return (struct rt_str){text_at(a, i), a.len - i};
}

int64_t
text_index_byte(struct rt_str a, uint8_t c)
{
    if (a.len <= 0)
        return -1;
    const uint8_t *p = memchr(a.ptr, c, (size_t)a.len);
    return p == NULL ? -1 : p - a.ptr;
}

int64_t
text_last_index_byte(struct rt_str a, uint8_t c)
{
    if (a.len <= 0)
        return -1;
    const uint8_t *p = memrchr(a.ptr, c, (size_t)a.len);
    return p == NULL ? -1 : p - a.ptr;
}

int64_t
text_index(struct rt_str a, struct rt_str b)
{
    if (b.len == 0)
        return 0;
    if (b.len == 1)
        return text_index_byte(a, b.ptr[0]);
    if (b.len > a.len)
        return -1;
    /* The first byte is usually rare; where it is not, memmem() is better
     * than looking at every place where it occurs. */
    const uint8_t *p = a.ptr, *last = a.ptr + (a.len - b.len);
    for (int tries = 8; p <= last; p++) {
        p = memchr(p, b.ptr[0], (size_t)(last - p) + 1);
        if (p == NULL)
            return -1;
        if (p[1] == b.ptr[1] && memcmp(p, b.ptr, (size_t)b.len) == 0)
            return p - a.ptr;
        if (--tries == 0) {
            p = memmem(p, (size_t)(a.ptr + a.len - p), b.ptr, (size_t)b.len);
            return p == NULL ? -1 : p - a.ptr;
        }
    }
    return -1;
}

/* Rabin and Karp's search from the end: linear whatever the texts are. */
int64_t
text_last_index(struct rt_str a, struct rt_str b)
{
    if (b.len == 0)
        return a.len;
    if (b.len == 1)
        return text_last_index_byte(a, b.ptr[0]);
    if (b.len > a.len)
        return -1;
    const uint32_t prime = 16777619;
    uint32_t want = 0, have = 0, power = 1;
    int64_t last = a.len - b.len;
    for (int64_t i = b.len - 1; i >= 0; i--) {
        want = want * prime + b.ptr[i];
        have = have * prime + a.ptr[last + i];
        if (i > 0)
            power *= prime;
    }
    for (int64_t i = last;; i--) {
        if (have == want && memcmp(a.ptr + i, b.ptr, (size_t)b.len) == 0)
            return i;
        if (i == 0)
            return -1;
        have -= a.ptr[i + b.len - 1] * power;
        have = have * prime + a.ptr[i - 1];
    }
}

int64_t
text_index_rune(struct rt_str a, int32_t r)
{
    if (r >= 0 && r < 0x80)
        return text_index_byte(a, (uint8_t)r);
    if (r == UTF8_ERROR) {
        for (int64_t i = 0; i < a.len;) {
            int32_t c;
            int size = lib_utf8_decode(a.ptr + i, a.len - i, &c);
            if (c == UTF8_ERROR)
                return i;
            i += size;
        }
        return -1;
    }
    if (lib_utf8_len(r) < 0)
        return -1;
    uint8_t enc[4];
    return text_index(a, (struct rt_str){enc, lib_utf8_encode(enc, r)});
}

/* A set of ASCII's characters, a bit each. */
struct ascii_set {
    uint64_t bits[2];
};

/* The set of the bytes of chars; false if one is not ASCII. */
static bool
ascii_set(struct ascii_set *set, struct rt_str chars)
{
    *set = (struct ascii_set){{0, 0}};
    for (int64_t i = 0; i < chars.len; i++) {
        uint8_t c = chars.ptr[i];

        if (c >= 0x80)
            return false;
        set->bits[c / 64] |= UINT64_C(1) << c % 64;
    }
    return true;
}

static inline bool
is_in(const struct ascii_set *set, uint8_t c)
{
    return c < 0x80 && (set->bits[c / 64] >> c % 64 & 1) != 0;
}

int64_t
text_index_any(struct rt_str a, struct rt_str chars)
{
    struct ascii_set set;
    if (chars.len == 0)
        return -1;
    if (ascii_set(&set, chars)) {
        for (int64_t i = 0; i < a.len; i++)
            if (is_in(&set, a.ptr[i]))
                return i;
        return -1;
    }
    for (int64_t i = 0; i < a.len;) {
        int32_t r;
        int size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (text_index_rune(chars, r) >= 0)
            return i;
        i += size;
    }
    return -1;
}

int64_t
text_last_index_any(struct rt_str a, struct rt_str chars)
{
    struct ascii_set set;
    if (chars.len == 0)
        return -1;
    if (ascii_set(&set, chars)) {
        for (int64_t i = a.len - 1; i >= 0; i--)
            if (is_in(&set, a.ptr[i]))
                return i;
        return -1;
    }
    for (int64_t i = a.len; i > 0;) {
        int32_t r;
        i -= lib_utf8_decode_last(a.ptr, i, &r);
        if (text_index_rune(chars, r) >= 0)
            return i;
    }
    return -1;
}

/* How often a byte is there, eight places at a time. */
static int64_t
count_byte(struct rt_str a, uint8_t c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = 0x7f * ones;
    int64_t n = 0, i = 0;

    for (; i + 8 <= a.len; i += 8) {
        uint64_t x;

        memcpy(&x, a.ptr + i, 8);
        x ^= ones * c;
        /* The highest bit of a byte is 1 then if the byte was c. */
        x = ~(((x & low) + low) | x | low);
        n += (int64_t)((x >> 7) * ones >> 56);
    }
    for (; i < a.len; i++)
        n += a.ptr[i] == c;
    return n;
}

int64_t
text_count(struct rt_str a, struct rt_str b)
{
    int64_t n = 0;
    if (b.len == 0)
        return lib_utf8_count(a.ptr, a.len) + 1;
    if (b.len == 1)
        return count_byte(a, b.ptr[0]);
    for (int64_t i; (i = text_index(a, b)) >= 0; n++)
        a = from(a, i + b.len);
    return n;
}

int
text_compare(struct rt_str a, struct rt_str b)
{
    int64_t n = a.len < b.len ? a.len : b.len;
    int c = n > 0 ? memcmp(a.ptr, b.ptr, (size_t)n) : 0;
    if (c != 0)
        return c < 0 ? -1 : 1;
    return (a.len > b.len) - (a.len < b.len);
}

bool
text_equal(struct rt_str a, struct rt_str b)
{
    return a.len == b.len &&
        (a.len == 0 || memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

bool
text_has_prefix(struct rt_str a, struct rt_str b)
{
    return a.len >= b.len &&
        (b.len == 0 || memcmp(a.ptr, b.ptr, (size_t)b.len) == 0);
}

bool
text_has_suffix(struct rt_str a, struct rt_str b)
{
    return a.len >= b.len && text_has_prefix(from(a, a.len - b.len), b);
}

/* Whether two runes are in one folding orbit. */
static bool
same_fold(int32_t a, int32_t b)
{
    for (int32_t r = uni_fold(a); r != a; r = uni_fold(r))
        if (r == b)
            return true;
    return a == b;
}

bool
text_equal_fold(struct rt_str a, struct rt_str b)
{
    int64_t i = 0, j = 0;
    while (i < a.len && j < b.len) {
        int32_t r = a.ptr[i], q = b.ptr[j];
        if (r < 0x80 && q < 0x80) {
            i++;
            j++;
            if (r != q && uni_to(UNI_LOWER, r) != uni_to(UNI_LOWER, q))
                return false;
            continue;
        }
        i += lib_utf8_decode(a.ptr + i, a.len - i, &r);
        j += lib_utf8_decode(b.ptr + j, b.len - j, &q);
        if (r != q && !same_fold(r, q))
            return false;
    }
    return i == a.len && j == b.len;
}

int64_t
text_trim_left(struct rt_str a, struct rt_str cutset)
{
    struct ascii_set set;
    int64_t i = 0;
    if (a.len == 0 || cutset.len == 0)
        return 0;
    if (ascii_set(&set, cutset)) {
        while (i < a.len && is_in(&set, a.ptr[i]))
            i++;
        return i;
    }
    while (i < a.len) {
        int32_t r;
        int size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (text_index_rune(cutset, r) < 0)
            break;
        i += size;
    }
    return i;
}

int64_t
text_trim_right(struct rt_str a, struct rt_str cutset)
{
    struct ascii_set set;
    int64_t i = a.len;
    if (a.len == 0 || cutset.len == 0)
        return i;
    if (ascii_set(&set, cutset)) {
        while (i > 0 && is_in(&set, a.ptr[i - 1]))
            i--;
        return i;
    }
    while (i > 0) {
        int32_t r;
        int size = lib_utf8_decode_last(a.ptr, i, &r);
        if (text_index_rune(cutset, r) < 0)
            break;
        i -= size;
    }
    return i;
}

int64_t
text_trim_left_space(struct rt_str a)
{
    int64_t i = 0;
    while (i < a.len) {
        int32_t r = a.ptr[i];
        int size = 1;
        if (r >= 0x80)
            size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (!uni_is_space(r))
            break;
        i += size;
    }
    return i;
}

int64_t
text_trim_right_space(struct rt_str a)
{
    int64_t i = a.len;
    while (i > 0) {
        int32_t r = a.ptr[i - 1];
        int size = 1;
        if (r >= 0x80)
            size = lib_utf8_decode_last(a.ptr, i, &r);
        if (!uni_is_space(r))
            break;
        i -= size;
    }
    return i;
}

bool
text_next_field(struct rt_str a, int64_t *at, int64_t *start)
{
    int64_t i = *at;
    i += text_trim_left_space(from(a, i));
    if (i >= a.len)
        return false;
    *start = i;
    while (i < a.len) {
        int32_t r = a.ptr[i];
        int size = 1;
        if (r >= 0x80)
            size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (uni_is_space(r))
            break;
        i += size;
    }
    *at = i;
    return true;
}

void
text_buf_init(struct text_buf *b, struct vm_thread *t, int64_t cap)
{
    *b = (struct text_buf){.t = t};
    if (cap > 0) {
        b->p = vm_new_bytes(t, (size_t)cap);
        b->cap = cap;
        b->failed = b->p == NULL;
    }
}

static bool
make_room(struct text_buf *b, int64_t n)
{
    if (b->failed)
        return false;
    if (n <= b->cap - b->len)
        return true;
    int64_t cap = b->cap < (INT64_MAX - n) / 2 ? 2 * b->cap + n : INT64_MAX;
    uint8_t *p = vm_new_bytes(b->t, (size_t)cap);
    if (p == NULL) {
        b->failed = true;
        return false;
    }
    if (b->len > 0)
        memcpy(p, b->p, (size_t)b->len);
    b->p = p;
    b->cap = cap;
    return true;
}

void
text_buf_add(struct text_buf *b, const void *p, int64_t n)
{
    if (n <= 0 || !make_room(b, n))
        return;
    memcpy(b->p + b->len, p, (size_t)n);
    b->len += n;
}

bool
text_to_case(struct text_buf *b, struct rt_str a, enum uni_case_to to)
{
    /* The unchanged beginning. */
    int64_t i = 0;
    while (i < a.len) {
        int32_t r;
        int size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (uni_to(to, r) != r || (r == UTF8_ERROR && size == 1))
            break;
        i += size;
    }
    if (i >= a.len)
        return false;
    text_buf_init(b, b->t, a.len);
    text_buf_add(b, a.ptr, i);
    while (i < a.len && !b->failed) {
        int32_t r = a.ptr[i];
        if (r < 0x80 && b->len < b->cap) {
            b->p[b->len++] = (uint8_t)uni_to(to, r);
            i++;
            continue;
        }
        i += lib_utf8_decode(a.ptr + i, a.len - i, &r);
        r = uni_to(to, r);
        uint8_t enc[4];
        text_buf_add(b, enc, lib_utf8_encode(enc, r));
    }
    return true;
}

bool
text_replace(struct text_buf *b, struct rt_str a, struct rt_str old,
    struct rt_str new, int64_t n)
{
    if (n == 0)
        return false;
    int64_t m = text_count(a, old);
    if (m == 0)
        return false;
    if (n < 0 || m < n)
        n = m;
    int64_t grow, size;
    if (__builtin_mul_overflow(n, new.len - old.len, &grow) ||
        __builtin_add_overflow(a.len, grow, &size)) {
        size = INT64_MAX;
    }
    text_buf_init(b, b->t, size);
    int64_t at = 0;
    for (int64_t i = 0; i < n && !b->failed; i++) {
        int64_t next = at;
        if (old.len == 0) {
            int32_t r;
            if (i > 0)
                next += lib_utf8_decode(text_at(a, at), a.len - at, &r);
        } else {
            next += text_index(from(a, at), old);
        }
        text_buf_add(b, text_at(a, at), next - at);
        text_buf_add(b, new.ptr, new.len);
        at = next + old.len;
    }
    text_buf_add(b, text_at(a, at), a.len - at);
    return true;
}

void
text_to_valid(struct text_buf *b, struct rt_str a, struct rt_str rep)
{
    bool invalid = false;
    for (int64_t i = 0; i < a.len;) {
        int32_t r;
        int size = lib_utf8_decode(a.ptr + i, a.len - i, &r);
        if (r == UTF8_ERROR && size == 1) {
            if (!invalid)
                text_buf_add(b, rep.ptr, rep.len);
            invalid = true;
        } else {
            text_buf_add(b, a.ptr + i, size);
            invalid = false;
        }
        i += size;
    }
}

void
text_repeat(uint8_t *dst, struct rt_str a, int64_t n)
{
    int64_t total = a.len * n;
    if (total <= 0)
        return;
    if (a.len == 1) {
        memset(dst, a.ptr[0], (size_t)n);
        return;
    }
    memcpy(dst, a.ptr, (size_t)a.len);
    for (int64_t have = a.len; have < total;) {
        int64_t more = have < total - have ? have : total - have;
        memcpy(dst + have, dst, (size_t)more);
        have += more;
    }
}

bool
text_join(struct text_buf *b, const void *elems, int64_t n, size_t stride,
    struct rt_str sep)
{
    const char *from = elems;
    struct rt_str e;
    int64_t total = 0;
    bool over = n > 1 && __builtin_mul_overflow(sep.len, n - 1, &total);

    for (int64_t i = 0; i < n && !over; i++) {
        memcpy(&e, from + (size_t)i * stride, sizeof e);
        over = __builtin_add_overflow(total, e.len, &total);
    }
    if (over)
        return false;
    text_buf_init(b, b->t, total);
    for (int64_t i = 0; i < n && !b->failed; i++) {
        memcpy(&e, from + (size_t)i * stride, sizeof e);
        if (i > 0)
            text_buf_add(b, sep.ptr, sep.len);
        text_buf_add(b, e.ptr, e.len);
    }
    return true;
}

int64_t
text_pieces_init(struct text_pieces *p, struct rt_str s, struct rt_str sep,
    int64_t n, bool after)
{
    int64_t most = sep.len == 0 ? lib_utf8_count(s.ptr, s.len)
        : n == 0 ? 0 : text_count(s, sep) + 1;

    *p = (struct text_pieces){.s = s, .sep = sep, .after = after};
    p->left = n < 0 || n > most ? most : n;
    return p->left;
}

void
text_next_piece(struct text_pieces *p, int64_t *lo, int64_t *hi)
{
    struct rt_str rest = {text_at(p->s, p->at), p->s.len - p->at};
    int64_t end = rest.len, next = rest.len;

    rt_assert(p->left > 0);
    if (--p->left > 0 && p->sep.len == 0) {
        int32_t r;

        end = next = lib_utf8_decode(rest.ptr, rest.len, &r);
    } else if (p->left > 0) {
        end = text_index(rest, p->sep);
        rt_assert(end >= 0);
        next = end + p->sep.len;
        if (p->after)
            end = next;
    }
    *lo = p->at;
    *hi = p->at + end;
    p->at += next;
}

char *
text_c_string(struct rt_str a)
{
    char *p = malloc((size_t)a.len + 1);

    if (p != NULL) {
        if (a.len > 0)
            memcpy(p, a.ptr, (size_t)a.len);
        p[a.len] = 0;
    }
    return p;
}
