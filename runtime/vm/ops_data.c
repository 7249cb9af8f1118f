/* SPDX-License-Identifier: MIT */

/* Operations on slices and strings, too long for the loop. */

#include <inttypes.h>
#include <string.h>

#include "runtime/value/slice.h"
#include "runtime/value/str.h"
#include "runtime/vm/vm_int.h"

static struct rt_slice
get_slice(const union rt_slot *r)
{
    return (struct rt_slice){ r[0].p, r[1].i, r[2].i };
}

static void
put_slice(union rt_slot *r, struct rt_slice s)
{
    r[0].p = s.ptr;
    r[1].i = s.len;
    r[2].i = s.cap;
}

static struct rt_str
get_str(const union rt_slot *r)
{
    return (struct rt_str){ r[0].p, r[1].i };
}

static void
put_str(union rt_slot *r, struct rt_str s)
{
    r[0].p = (void *)s.ptr;
    r[1].i = s.len;
}

static RT_COLD enum vm_status
slice_fault(struct vm_thread *t, enum slice_status st)
{
    switch (st) {
    case SLICE_LEN:
        return vm_panicf(t, "makeslice: len out of range");
    case SLICE_CAP:
        return vm_panicf(t, "makeslice: cap out of range");
    case SLICE_TOO_LARGE:
        return vm_panicf(t, "growslice: len out of range");
    default:
        return vm_out_of_memory(t);
    }
}

static RT_COLD enum vm_status
bounds_fault(struct vm_thread *t, const char *text)
{
    return vm_panic_error(t, VM_ERR_BOUNDS, "%s", text);
}

/* Which of the three bounds have no sign, from bit 0 on. */
static unsigned
no_signs(unsigned given)
{
    return given / CODE_SLICE_NO_SIGN & CODE_SLICE_GIVEN;
}

VM_OP(slice)
{
    struct rt_slice s = get_slice(&fp[pc->b]);
    const union rt_slot *r = &fp[pc->c];
    unsigned given = pc[1].a;
    int64_t lo, hi, max;
    char text[128];

    lo = given & CODE_SLICE_LO ? r[0].i : 0;
    hi = given & CODE_SLICE_HI ? r[1].i : s.len;
    max = given & CODE_SLICE_MAX ? r[2].i : s.cap;
    if (rt_unlikely((uint64_t)max > (uint64_t)s.cap ||
            (uint64_t)hi > (uint64_t)max || (uint64_t)lo > (uint64_t)hi)) {
        slice_bounds(given & CODE_SLICE_LO ? &r[0].i : NULL,
            given & CODE_SLICE_HI ? &r[1].i : NULL,
            given & CODE_SLICE_MAX ? &r[2].i : NULL, no_signs(given), s.len,
            s.cap, !(given & CODE_SLICE_ARRAY), &lo, &hi, &max, text, sizeof text);
        return bounds_fault(t, text);
    }
    /* No pointer past the end of the array. */
    if (max != lo)
        s.ptr = (uint8_t *)s.ptr + (uint64_t)lo * (uint32_t)pc[1].imm;
    rt_assert(0 <= lo && lo <= hi && hi <= max && max <= s.cap);
    s.len = hi - lo;
    s.cap = max - lo;
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(slicestr)
{
    struct rt_str s = get_str(&fp[pc->b]);
    const union rt_slot *r = &fp[pc->c];
    unsigned given = pc[1].a;
    int64_t lo, hi, max;
    char text[128];

    lo = given & CODE_SLICE_LO ? r[0].i : 0;
    hi = given & CODE_SLICE_HI ? r[1].i : s.len;
    if (rt_unlikely((uint64_t)hi > (uint64_t)s.len ||
            (uint64_t)lo > (uint64_t)hi)) {
        slice_bounds(given & CODE_SLICE_LO ? &r[0].i : NULL,
            given & CODE_SLICE_HI ? &r[1].i : NULL, NULL, no_signs(given), s.len,
            s.len, false, &lo, &hi, &max, text, sizeof text);
        return bounds_fault(t, text);
    }
    if (hi != lo)
        s.ptr += lo;
    s.len = hi - lo;
    put_str(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(makeslice)
{
    struct rt_slice s;
    enum slice_status st = slice_make(t->cache, vm_ext_type(t, pc, 1),
        fp[pc->b].i, fp[pc->c].i, &s);

    if (rt_unlikely(st != SLICE_OK))
        return slice_fault(t, st);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

/* memmove() without a call for the pieces that texts are made of. */
static inline void
move_few(uint8_t *dst, const uint8_t *src, uint64_t n)
{
    if (n > 16 || n < 4) {
        if (n == 1)
            *dst = *src;
        else
            memmove(dst, src, n);
    } else if (n >= 8) {
        uint64_t head, tail;

        memcpy(&head, src, sizeof head);
        memcpy(&tail, src + n - sizeof tail, sizeof tail);
        memcpy(dst, &head, sizeof head);
        memcpy(dst + n - sizeof tail, &tail, sizeof tail);
    } else {
        uint32_t head, tail;

        memcpy(&head, src, sizeof head);
        memcpy(&tail, src + n - sizeof tail, sizeof tail);
        memcpy(dst, &head, sizeof head);
        memcpy(dst + n - sizeof tail, &tail, sizeof tail);
    }
}

/* Appends n elements at p to slice b, result in a. */
static enum vm_status
append(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc,
    const void *p, int64_t n)
{
    const struct rtype *elem = vm_ext_type(t, pc, 1);
    const union rt_slot *b = &fp[pc->b];
    int64_t len = b[1].i, cap = b[2].i;
    struct rt_slice s;
    enum slice_status st;

    rt_assert(n >= 0 && len >= 0 && len <= cap);
    if (n > 0 && n <= cap - len && elem->layout.ptrdata == 0) {
        uint64_t size = elem->layout.size;
        void *array = b[0].p;

        move_few((uint8_t *)array + (uint64_t)len * size, p,
            (uint64_t)n * size);
        put_slice(&fp[pc->a], (struct rt_slice){array, len + n, cap});
        return VM_OK;
    }
    st = slice_append(t->cache, elem, get_slice(b), p, n, &s);
    if (rt_unlikely(st != SLICE_OK))
        return slice_fault(t, st);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(append64)
{
    return append(t, fp, pc, &fp[pc->c], 1);
}

VM_OP(appendt)
{
    return append(t, fp, pc, &fp[pc->c], 1);
}

VM_OP(appendg)
{
    struct rt_slice s;
    enum slice_status st = slice_grow(t->cache, vm_ext_type(t, pc, 1),
        get_slice(&fp[pc->b]), pc->c | (int64_t)pc[1].a << 16, &s);

    if (rt_unlikely(st != SLICE_OK))
        return slice_fault(t, st);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(appendsl)
{
    return append(t, fp, pc, fp[pc->c].p, fp[pc->c + 1].i);
}

VM_OP(appendz)
{
    struct rt_slice s;
    enum slice_status st = slice_append_zeros(t->cache, vm_ext_type(t, pc, 1),
        get_slice(&fp[pc->b]), fp[pc->c].i, &s);

    if (rt_unlikely(st != SLICE_OK))
        return slice_fault(t, st);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(copysl)
{
    fp[pc->a].i = slice_copy(t->cache, vm_ext_type(t, pc, 1), fp[pc->b].p,
        fp[pc->b + 1].i, fp[pc->c].p, fp[pc->c + 1].i);
    return VM_OK;
}

VM_OP(clrsl)
{
    slice_clear(
        t->cache, vm_ext_type(t, pc, 1), fp[pc->b].p, fp[pc->b + 1].i);
    return VM_OK;
}

VM_OP(sl2arr)
{
    int64_t want = pc[1].imm, len = fp[pc->b + 1].i;

    if (rt_unlikely(len < want))
        return vm_panic_error(t, VM_ERR_BOUNDS,
            "cannot convert slice with length %" PRId64
            " to array or pointer to array with length %" PRId64,
            len, want);
    fp[pc->a].p = fp[pc->b].p;
    return VM_OK;
}

VM_OP(concat)
{
    struct rt_str s;

    if (rt_unlikely(!str_concat(t->cache,
            (const struct rt_str *)&fp[pc->b], pc->c, &s)))
        return vm_out_of_memory(t);
    put_str(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(str2bytes)
{
    struct rt_slice s;

    if (rt_unlikely(!str_to_bytes(t->cache, get_str(&fp[pc->b]), &s)))
        return vm_out_of_memory(t);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(bytes2str)
{
    struct rt_str s;

    if (rt_unlikely(!str_new(t->cache, fp[pc->b].p,
            (uint64_t)fp[pc->b + 1].i, &s)))
        return vm_out_of_memory(t);
    put_str(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(str2runes)
{
    struct rt_slice s;

    if (rt_unlikely(!str_to_runes(t->cache, get_str(&fp[pc->b]), &s)))
        return vm_out_of_memory(t);
    put_slice(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(runes2str)
{
    struct rt_str s;

    if (rt_unlikely(!str_from_runes(
            t->cache, fp[pc->b].p, fp[pc->b + 1].i, &s)))
        return vm_out_of_memory(t);
    put_str(&fp[pc->a], s);
    return VM_OK;
}

VM_OP(rune2str)
{
    struct rt_str s;

    if (rt_unlikely(!str_from_rune(t->cache, fp[pc->b].i, &s)))
        return vm_out_of_memory(t);
    put_str(&fp[pc->a], s);
    return VM_OK;
}

static RT_COLD enum vm_status
bad_index(struct vm_thread *t, const struct code_ins *pc, int64_t i,
    int64_t len)
{
    const struct code_func *f = vm_func_at(t->vm, pc);

    if (i >= 0)
        return vm_panic_error(t, VM_ERR_BOUNDS,
            "index out of range [%" PRId64 "] with length %" PRId64, i, len);
    if (f != NULL && code_index_unsigned(f, (uint32_t)(pc - f->code)))
        return vm_panic_error(t, VM_ERR_BOUNDS,
            "index out of range [%" PRIu64 "] with length %" PRId64,
            (uint64_t)i, len);
    return vm_panic_error(
        t, VM_ERR_BOUNDS, "index out of range [%" PRId64 "]", i);
}

RT_COLD VM_OP(index)
{
    return bad_index(t, pc, fp[pc->c].i, fp[pc->b + 1].i);
}

RT_COLD VM_OP(chkidx)
{
    return bad_index(t, pc, fp[pc->a].i, pc->imm);
}

RT_COLD VM_OP(nil)
{
    uint64_t addr = 0;

    switch (code_plain(pc->op)) {
    case OP_LD8U:
    case OP_LD8S:
    case OP_LD16U:
    case OP_LD16S:
    case OP_LD32U:
    case OP_LD32S:
    case OP_LD64:
    case OP_LD2:
    case OP_LD3:
    case OP_LDM:
    case OP_ST8:
    case OP_ST16:
    case OP_ST32:
    case OP_ST64:
    case OP_STP:
    case OP_STSTR:
    case OP_STSLICE:
    case OP_STIFACE:
    case OP_STT:
    case OP_LEA:
        addr = fp[pc->b].u + pc->c;
        break;
    default:
        break;
    }
    return vm_panic_nil(t, addr);
}

VM_OP(chkunsafe)
{
    uintptr_t p = fp[pc->a].u;
    int64_t n = fp[pc->b].i;
    const char *what = pc->c == 1 ? "Slice" : "String";
    uint64_t bytes;

    if (n < 0 ||
        __builtin_mul_overflow(
            (uint64_t)n, (uint64_t)(uint32_t)pc[1].imm, &bytes) ||
        (p != 0 && bytes > 0 - (uint64_t)p))
        return vm_panicf(t, "unsafe.%s: len out of range", what);
    if (p == 0 && n != 0)
        return vm_panicf(
            t, "unsafe.%s: ptr is nil and len is not zero", what);
    return VM_OK;
}

VM_OP(copyt)
{
    const struct rtype *ty = vm_ext_type(t, pc, 1);

    vm_store(t, ty, fp[pc->a].p, fp[pc->b].p);
    return VM_OK;
}

VM_OP(clrt)
{
    const struct rtype *ty = vm_ext_type(t, pc, 1);

    gc_write_barrier_range(t->cache, &ty->layout, fp[pc->a].p, NULL, 1);
    memset(fp[pc->a].p, 0, rtype_size(ty));
    return VM_OK;
}

/* The wrapper (*T).M of a value method was called on a nil pointer.  Its name
 * is "main.(*T).M", or "main.(*T).M-fm" of a bound one. */
static enum vm_status
value_method(struct vm_thread *t, const struct code_ins *pc)
{
    const struct code_func *f = vm_func_at(t->vm, pc);
    const char *open = f == NULL ? NULL : strstr(f->name, ".(*");
    const char *close = open == NULL ? NULL : strstr(open, ").");

    if (close == NULL)
        return vm_panic_nil(t, 0);
    int pkg = (int)(open - f->name), type = (int)(close - open - 3);
    int name = (int)strcspn(close + 2, "-");
    return vm_panic_plain(t,
        "value method %.*s.%.*s.%.*s called using nil *%.*s pointer", pkg,
        f->name, type, open + 3, name, close + 2, type, open + 3);
}

RT_COLD VM_OP(throw)
{
    (void)fp;
    switch (pc->imm) {
    case CODE_THROW_DIVIDE:
        return vm_panicf(t, "integer divide by zero");
    case CODE_THROW_NIL_FUNC:
        return vm_panic_nil(t, 0);
    case CODE_THROW_RANGE_STATE:
        return vm_panicf(t,
            "range function continued iteration after function for loop "
            "body returned false");
    case CODE_THROW_RANGE_DONE:
        return vm_panicf(t,
            "range function continued iteration after whole loop exit");
    case CODE_THROW_RANGE_PANIC:
        return vm_panicf(t,
            "range function continued iteration after loop body panic");
    case CODE_THROW_RANGE_MISSED:
        return vm_panicf(t,
            "range function recovered a loop body panic and did not resume "
            "panicking");
    case CODE_THROW_VALUE_METHOD:
        return value_method(t, pc);
    default:
        rt_throw("vm: unreachable code reached");
    }
}
