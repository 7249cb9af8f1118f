/* SPDX-License-Identifier: MIT */

/* Text for people: the print builtins and the ends of programs. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/num/numtext.h"
#include "runtime/vm/vm_int.h"

struct vm_out
vm_out_last(const struct vm *vm, char *buf, size_t cap)
{
    rt_assert(cap > 0);
    return (struct vm_out){vm->err_fd, buf, 0, cap, vm};
}

static void
write_all(int fd, const char *p, size_t n)
{
    size_t done = 0;

    while (done < n) {
        ssize_t k = write(fd, p + done, n - done);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        done += (size_t)k;
    }
}

void
vm_out_flush(struct vm_out *o)
{
    uint32_t crash;

    rt_assert(o->n <= o->cap);
    if (o->fd < 0)
        return;
    write_all(o->fd, o->buf, o->n);
    crash = o->dying == NULL ? 0 : a32_load_rlx(&o->dying->crash_fd);
    if (crash != 0)
        write_all((int)crash - 1, o->buf, o->n);
    o->n = 0;
}

void
vm_out_bytes(struct vm_out *o, const void *p, size_t n)
{
    const char *s = p;

    rt_assert(o->n <= o->cap);
    rt_assert(o->fd < 0 || o->cap > 0); /* else nothing would ever fit */
    while (n > 0) {
        size_t room = o->cap - o->n;
        size_t k = n < room ? n : room;
        memcpy(o->buf + o->n, s, k);
        o->n += k;
        s += k;
        n -= k;
        if (n > 0) {
            if (o->fd < 0)
                return;
            vm_out_flush(o);
        }
    }
}

void
vm_outf(struct vm_out *o, const char *fmt, ...)
{
    char line[1024];
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n > 0)
        vm_out_bytes(o, line,
            (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void
vm_out_float(struct vm_out *o, double x, unsigned bits)
{
    char text[NUM_SHORTEST_ROOM];

    rt_assert(bits == 32 || bits == 64);
    rt_assert(num_float_room('g', -1) <= sizeof text);
    vm_out_bytes(o, text, num_format_float(text, x, 'g', -1, (int)bits));
}

static void
out_complex(struct vm_out *o, double re, double im, unsigned bits)
{
    vm_outf(o, "(");
    vm_out_float(o, re, bits);
    if (!(im < 0 || (im == 0 && signbit(im))) && !isinf(im))
        vm_outf(o, "+");
    vm_out_float(o, im, bits);
    vm_outf(o, "i)");
}

static void
print_one(struct vm_out *o, const union rt_slot *v, unsigned what)
{
    float pair[2];

    switch (what) {
    case CODE_PRINT_BOOL:
        vm_outf(o, v->u & 1 ? "true" : "false");
        break;
    case CODE_PRINT_INT:
        vm_outf(o, "%" PRId64, v->i);
        break;
    case CODE_PRINT_UINT:
        vm_outf(o, "%" PRIu64, v->u);
        break;
    case CODE_PRINT_HEX:
        vm_outf(o, "0x%" PRIx64, v->u);
        break;
    case CODE_PRINT_FLOAT:
        vm_out_float(o, v->f64, 64);
        break;
    case CODE_PRINT_FLOAT32:
        vm_out_float(o, v->f32, 32);
        break;
    case CODE_PRINT_COMPLEX:
        out_complex(o, v[0].f64, v[1].f64, 64);
        break;
    case CODE_PRINT_COMPLEX64:
        memcpy(pair, v, 8);
        out_complex(o, pair[0], pair[1], 32);
        break;
    case CODE_PRINT_STRING:
        vm_out_bytes(o, v[0].p, (size_t)v[1].i);
        break;
    case CODE_PRINT_IFACE:
        vm_outf(o, "(0x%" PRIx64 ",0x%" PRIx64 ")", v[0].u, v[1].u);
        break;
    case CODE_PRINT_SLICE:
        vm_outf(o, "[%" PRId64 "/%" PRId64 "]0x%" PRIx64, v[1].i, v[2].i,
            v[0].u);
        break;
    case CODE_PRINT_SPACE:
        vm_outf(o, " ");
        break;
    case CODE_PRINT_NEWLINE:
        vm_outf(o, "\n");
        break;
    default:
        rt_throw("vm: unknown kind of PRINT");
    }
}

/* The parts of a line are gathered, and written at once; others' lines come
 * before or behind. */
enum vm_status
vm_print(struct vm_thread *t, const union rt_slot *v, unsigned what, bool more)
{
    struct vm_printer *p = &t->vm->print;

    if (aptr_load_rlx(&p->who) != t) { /* nobody else puts t there */
        rt_lock(&p->lock);
        rt_assert(p->out.n == 0);
        aptr_store_rlx(&p->who, t);
    }
    print_one(&p->out, v, what);
    if (!more) {
        vm_out_flush(&p->out);
        aptr_store_rlx(&p->who, NULL);
        rt_unlock(&p->lock);
    }
    return VM_OK;
}

void
vm_out_indented(struct vm_out *o, struct rt_str s)
{
    const uint8_t *p = s.ptr, *end = p + s.len;

    while (p < end) {
        const uint8_t *nl = memchr(p, '\n', (size_t)(end - p));
        const uint8_t *stop = nl == NULL ? end : nl + 1;
        vm_out_bytes(o, p, (size_t)(stop - p));
        if (nl != NULL)
            vm_out_bytes(o, "\t", 1);
        p = stop;
    }
}

/* False where the kind is not basic. */
static bool
out_basic(struct vm_out *o, const struct rtype *t, const void *p)
{
    union rt_slot s;
    double d[2];
    float f[2];
    bool named = strcmp(t->pkgpath, "") != 0;

    if (t->kind == RK_STRING) {
        struct rt_str str;
        memcpy(&str, p, sizeof str);
        if (named)
            vm_outf(o, "%s(\"", t->string);
        vm_out_indented(o, str);
        if (named)
            vm_outf(o, "\")");
        return true;
    }
    if (t->kind < RK_BOOL || t->kind > RK_COMPLEX128)
        return false;
    /* Complex numbers have parentheses of their own. */
    bool parens = named && t->kind < RK_COMPLEX64;
    if (named)
        vm_outf(o, "%s%s", t->string, parens ? "(" : "");
    s.u = 0;
    memcpy(&s, p, rtype_size(t) <= 8 ? rtype_size(t) : 8);
    switch (t->kind) {
    case RK_BOOL:
        vm_outf(o, s.u ? "true" : "false");
        break;
    case RK_INT8:
        vm_outf(o, "%d", (int8_t)s.u);
        break;
    case RK_INT16:
        vm_outf(o, "%d", (int16_t)s.u);
        break;
    case RK_INT32:
        vm_outf(o, "%" PRId32, (int32_t)s.u);
        break;
    case RK_INT:
    case RK_INT64:
        vm_outf(o, "%" PRId64, s.i);
        break;
    case RK_FLOAT32:
        vm_out_float(o, s.f32, 32);
        break;
    case RK_FLOAT64:
        vm_out_float(o, s.f64, 64);
        break;
    case RK_COMPLEX64:
        memcpy(f, p, sizeof f);
        out_complex(o, f[0], f[1], 32);
        break;
    case RK_COMPLEX128:
        memcpy(d, p, sizeof d);
        out_complex(o, d[0], d[1], 64);
        break;
    default:
        vm_outf(o, "%" PRIu64, s.u);
        break;
    }
    if (parens)
        vm_outf(o, ")");
    return true;
}

void
vm_out_panic_value(
    struct vm_out *o, const struct vm_panic *p, const struct vm *vm)
{
    const struct rtype *t = p->value.type;

    if (p->gave_text) {
        vm_out_indented(o, p->text);
        return;
    }
    if (t == NULL) {
        vm_outf(o, "nil");
        return;
    }
    /* What Error() would say of the VM's own values needs no call. */
    const char *prefix;
    if (p->asked && p->value.data != NULL &&
        vm_error_of(vm, t, &prefix) != VM_ERR_COUNT) {
        vm_outf(o, "%s", prefix);
        vm_out_indented(o, *(const struct rt_str *)p->value.data);
        return;
    }
    if (!rtype_direct(t) && out_basic(o, t, p->value.data))
        return;
    vm_outf(o, "(%s) 0x%" PRIx64, t->string,
        (uint64_t)(uintptr_t)p->value.data);
}

void
vm_print_rest(struct vm_thread *t)
{
    if (aptr_load_rlx(&t->vm->print.who) == t)
        vm_out_flush(&t->vm->print.out);
}
