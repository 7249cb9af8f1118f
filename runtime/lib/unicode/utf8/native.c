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

static void
ret_rune(union rt_slot *fp, struct rt_str s, bool last)
{
    int32_t r = UTF8_ERROR;
    int size = 0;
    if (s.len > 0)
        size = last ? lib_utf8_decode_last(s.ptr, s.len, &r)
                    : lib_utf8_decode(s.ptr, s.len, &r);
    fp[0].i = r;
    fp[1].i = size;
}

/* The functions over strings serve []byte as well: pointer and length are
 * the same slots. */
enum vm_status
lib_utf8_DecodeRune(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    ret_rune(fp, vm_arg_str(fp, 0), false);
    return VM_OK;
}

enum vm_status
lib_utf8_DecodeLastRune(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    ret_rune(fp, vm_arg_str(fp, 0), true);
    return VM_OK;
}

enum vm_status
lib_utf8_FullRune(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = full(fp[0].p, fp[1].i);
    return VM_OK;
}

enum vm_status
lib_utf8_RuneCount(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].i = lib_utf8_count(fp[0].p, fp[1].i);
    return VM_OK;
}

enum vm_status
lib_utf8_Valid(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_utf8_valid(fp[0].p, fp[1].i);
    return VM_OK;
}

enum vm_status
lib_utf8_RuneLen(struct vm_thread *t, union lib_utf8_RuneLen_frame *f)
{
    (void)t;
    f->out.r = lib_utf8_len((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_utf8_RuneStart(struct vm_thread *t, union lib_utf8_RuneStart_frame *f)
{
    (void)t;
    f->out.r = (f->in.b & 0xC0) != 0x80;
    return VM_OK;
}

enum vm_status
lib_utf8_ValidRune(struct vm_thread *t, union lib_utf8_ValidRune_frame *f)
{
    (void)t;
    f->out.r = lib_utf8_len((int32_t)f->in.r) > 0;
    return VM_OK;
}
