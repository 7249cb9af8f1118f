/* SPDX-License-Identifier: MIT */

/* Natives of unicode/utf8. */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

/* Whether the n bytes begin with a whole rune, a wrong one counting as whole:
 * false only for a proper prefix of an encoding. */
static bool
full(const uint8_t *p, int64_t n)
{
    if (n == 0)
        return false;
    uint8_t c = p[0];
    int need = c < 0xC2 || c > 0xF4 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (n >= need)
        return true;
    /* Short: it is whole only where the bytes there already are wrong. */
    if (n > 1) {
        uint8_t lo = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
        uint8_t hi = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
        if (p[1] < lo || p[1] > hi)
            return true;
    }
    return n > 2 && (p[2] & 0xC0) != 0x80;
}

/* A native and the one that takes a string: the text is the parameter p of
 * the one, s of the other. */
#define TEXT(fn, pa, expr, out_)                                             \
    enum vm_status lib_utf8_##fn(                                            \
        struct vm_thread *t, union lib_utf8_##fn##_1to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        f->out.out_ = expr(f->in.pa.ptr, f->in.pa.len);                      \
        return VM_OK;                                                        \
    }

TEXT(FullRune, p, full, r)
TEXT(FullRuneInString, s, full, r)
TEXT(RuneCount, p, lib_utf8_count, r)
TEXT(RuneCountInString, s, lib_utf8_count, n)
TEXT(Valid, p, lib_utf8_valid, r)
TEXT(ValidString, s, lib_utf8_valid, r)

/* The same for those that give a rune and its size. */
#define RUNE(fn, pa, decode)                                                 \
    enum vm_status lib_utf8_##fn(                                            \
        struct vm_thread *t, union lib_utf8_##fn##_1to2 *f)                  \
    {                                                                        \
        int32_t r = UTF8_ERROR;                                              \
        int size = 0;                                                        \
                                                                             \
        (void)t;                                                             \
        if (f->in.pa.len > 0)                                                \
            size = decode(f->in.pa.ptr, f->in.pa.len, &r);                   \
        f->out.r = r;                                                        \
        f->out.size = size;                                                  \
        return VM_OK;                                                        \
    }

RUNE(decodeRune, p, lib_utf8_decode)
RUNE(decodeRuneInString, s, lib_utf8_decode)
RUNE(DecodeLastRune, p, lib_utf8_decode_last)
RUNE(DecodeLastRuneInString, s, lib_utf8_decode_last)

enum vm_status
lib_utf8_RuneLen(struct vm_thread *t, union lib_utf8_RuneLen_1to1 *f)
{
    (void)t;
    f->out.r = lib_utf8_len((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_utf8_RuneStart(struct vm_thread *t, union lib_utf8_RuneStart_1to1 *f)
{
    (void)t;
    f->out.r = (f->in.b & 0xC0) != 0x80;
    return VM_OK;
}

enum vm_status
lib_utf8_ValidRune(struct vm_thread *t, union lib_utf8_ValidRune_1to1 *f)
{
    (void)t;
    f->out.r = lib_utf8_len((int32_t)f->in.r) > 0;
    return VM_OK;
}
