/* SPDX-License-Identifier: MIT */

/* Natives of package strconv: see numtext.h and quote.h. */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/buf.h"
#include "runtime/num/numtext.h"
#include "runtime/lib/support/quote.h"
#include "runtime/lib/unicode/unicode.h"

/* Texts up to this size are made on the C stack. */
enum { SMALL = 512 };

enum vm_status
lib_strconv_parseUint(struct vm_thread *t, union lib_strconv_parseUint_3to2 *f)
{
    struct rt_str s = f->in.s;
    uint64_t v;
    enum num_code rc;

    (void)t;
    rc = num_parse_uint(
        (const char *)s.ptr, (size_t)s.len, f->in.base, f->in.bits, &v);
    f->out.n = v;
    f->out.code = rc;
    return VM_OK;
}

enum vm_status
lib_strconv_parseInt(struct vm_thread *t, union lib_strconv_parseInt_3to2 *f)
{
    struct rt_str s = f->in.s;
    int64_t v;
    enum num_code rc;

    (void)t;
    rc = num_parse_int(
        (const char *)s.ptr, (size_t)s.len, f->in.base, f->in.bits, &v);
    f->out.n = v;
    f->out.code = rc;
    return VM_OK;
}

enum vm_status
lib_strconv_parseFloat(
    struct vm_thread *t, union lib_strconv_parseFloat_2to3 *frame)
{
    struct rt_str s = frame->in.s;
    double v;
    size_t used;
    enum num_code rc;

    (void)t;
    rc = num_parse_float(
        (const char *)s.ptr, (size_t)s.len, (int)frame->in.bits, &v, &used);
    frame->out.f = v;
    frame->out.used = (int64_t)used;
    frame->out.code = rc;
    return VM_OK;
}

/* The text of an integer in *out. */
static enum vm_status
format(struct vm_thread *t, struct rt_str *out, uint64_t u, bool neg,
    int64_t base)
{
    char buf[NUM_UINT_ROOM];
    struct rt_str s =
        vm_str(t, buf, num_format_uint(buf, u, neg, (int)base));

    if (s.ptr == NULL)
        return VM_EXIT;
    *out = s;
    return VM_OK;
}

/* The same behind what *s has. */
static enum vm_status
append(struct vm_thread *t, struct rt_slice *s, uint64_t u, bool neg,
    int64_t base)
{
    char buf[NUM_UINT_ROOM];

    return lib_append(t, s, buf, num_format_uint(buf, u, neg, (int)base));
}

static uint64_t
magnitude(int64_t i)
{
    return i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
}

enum vm_status
lib_strconv_formatInt(
    struct vm_thread *t, union lib_strconv_formatInt_2to1 *f)
{
    int64_t i = f->in.i;

    return format(t, &f->out.r, magnitude(i), i < 0, f->in.base);
}

enum vm_status
lib_strconv_formatUint(
    struct vm_thread *t, union lib_strconv_formatUint_2to1 *f)
{
    return format(t, &f->out.r, f->in.u, false, f->in.base);
}

enum vm_status
lib_strconv_appendInt(
    struct vm_thread *t, union lib_strconv_appendInt_3to1 *f)
{
    struct rt_slice s = f->in.dst;
    int64_t i = f->in.i;
    enum vm_status st = append(t, &s, magnitude(i), i < 0, f->in.base);

    if (st == VM_OK)
        f->out.r = s;
    return st;
}

enum vm_status
lib_strconv_appendUint(
    struct vm_thread *t, union lib_strconv_appendUint_3to1 *f)
{
    struct rt_slice s = f->in.dst;
    enum vm_status st = append(t, &s, f->in.u, false, f->in.base);

    if (st == VM_OK)
        f->out.r = s;
    return st;
}

/* Appends a float's text to *s. */
static enum vm_status
add_float(struct vm_thread *t, struct rt_slice *s, double v, char fmt,
    int64_t prec, int bits)
{
    char buf[SMALL];
    size_t room = num_float_room(fmt, prec), n;

    if (room == SIZE_MAX)
        return vm_panicf(t, "makeslice: len out of range");
    if (room <= sizeof buf) {
        n = num_format_float(buf, v, fmt, prec, bits);
        if (!lib_reserve(t, s, n))
            return VM_EXIT;
        memcpy((char *)s->ptr + s->len, buf, n);
    } else {
        if (!lib_reserve(t, s, room))
            return VM_EXIT;
        n = num_format_float(
            (char *)s->ptr + s->len, v, fmt, prec, bits);
    }
    s->len += (int64_t)n;
    return VM_OK;
}

enum vm_status
lib_strconv_appendFloat(
    struct vm_thread *t, union lib_strconv_appendFloat_5to1 *frame)
{
    struct rt_slice s = frame->in.dst;
    enum vm_status st = add_float(
        t, &s, frame->in.f, (char)frame->in.fmt, frame->in.prec,
        (int)frame->in.bits);

    if (st == VM_OK)
        frame->out.r = s;
    return st;
}

enum vm_status
lib_strconv_formatFloat(
    struct vm_thread *t, union lib_strconv_formatFloat_4to1 *frame)
{
    struct rt_slice s = {NULL, 0, 0};
    enum vm_status st = add_float(
        t, &s, frame->in.f, (char)frame->in.fmt, frame->in.prec,
        (int)frame->in.bits);

    if (st == VM_OK)
        frame->out.r = (struct rt_str){s.ptr, s.len};
    return st;
}

enum vm_status
lib_strconv_appendQuote(
    struct vm_thread *t, union lib_strconv_appendQuote_3to1 *f)
{
    struct rt_slice s = f->in.dst;
    const char *text = (const char *)f->in.s.ptr;
    enum quote_mode mode = (enum quote_mode)f->in.mode;
    size_t len = (size_t)f->in.s.len, room = quote_room(len);
    char buf[SMALL];

    if (room <= sizeof buf) {
        size_t n = quote_string(buf, text, len, '"', mode);

        if (lib_append(t, &s, buf, n) != VM_OK)
            return VM_EXIT;
    } else {
        if (!lib_reserve(t, &s, room))
            return VM_EXIT;
        s.len += (int64_t)quote_string(
            (char *)s.ptr + s.len, text, len, '"', mode);
    }
    f->out.r = s;
    return VM_OK;
}

enum vm_status
lib_strconv_appendQuoteRune(
    struct vm_thread *t, union lib_strconv_appendQuoteRune_3to1 *f)
{
    struct rt_slice s = f->in.dst;
    char buf[16];
    size_t n =
        quote_rune(buf, (int32_t)f->in.r, (enum quote_mode)f->in.mode);
    enum vm_status st = lib_append(t, &s, buf, n);

    if (st == VM_OK)
        f->out.r = s;
    return st;
}

enum vm_status
lib_strconv_isPrint(struct vm_thread *t, union lib_strconv_isPrint_1to1 *f)
{
    (void)t;
    f->out.r = uni_is_print((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_strconv_isGraphic(struct vm_thread *t, union lib_strconv_isGraphic_1to1 *f)
{
    (void)t;
    f->out.r = quote_is_graphic((int32_t)f->in.r);
    return VM_OK;
}
