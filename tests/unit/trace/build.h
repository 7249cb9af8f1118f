/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TRACE_BUILD_H
#define TESTS_UNIT_TRACE_BUILD_H

/* Hand-made trace files, good and bad, and the worked example. */

#include <stdarg.h>
#include <string.h>

#include "runtime/base/trace_event.h"
#include "runtime/base/varint.h"

struct build {
    uint8_t data[1 << 16];
    size_t n;
    int version;
};

static inline void
put_byte(struct build *b, uint8_t c)
{
    b->data[b->n++] = c;
}

static inline void
put_num(struct build *b, uint64_t v)
{
    b->n = (size_t)(rt_varint_put(b->data + b->n, v) - b->data);
}

static inline void
put_header(struct build *b, const char *text)
{
    memset(b, 0, sizeof *b);
    memcpy(b->data, text, strlen(text));
    b->n = 16;
    b->version = 19;
}

/* A record of n numbers, the time difference first. */
static inline void
put_rec(struct build *b, enum trace_ev ev, int n, ...)
{
    uint8_t body[128], *p = body;
    int base = b->version < 7 ? 2 : 1;
    va_list ap;
    int i;

    va_start(ap, n);
    for (i = 0; i < n; i++)
        p = rt_varint_put(p, va_arg(ap, uint64_t));
    va_end(ap);
    i = n - base > 3 ? 3 : n - base;
    put_byte(b, (uint8_t)(ev | i << 6));
    if (i == 3)
        put_num(b, (uint64_t)(p - body));
    memcpy(b->data + b->n, body, (size_t)(p - body));
    b->n += (size_t)(p - body);
}

#define U(x) ((uint64_t)(x))
#define BATCH(b, p, ticks) put_rec(b, TRACE_EV_BATCH, 2, U(p), U(ticks))
#define EV0(b, ev, dt) put_rec(b, TRACE_EV_##ev, 1, U(dt))
#define EV1(b, ev, dt, x) put_rec(b, TRACE_EV_##ev, 2, U(dt), U(x))
#define EV2(b, ev, dt, x, y) put_rec(b, TRACE_EV_##ev, 3, U(dt), U(x), U(y))
#define EV3(b, ev, dt, x, y, z) \
    put_rec(b, TRACE_EV_##ev, 4, U(dt), U(x), U(y), U(z))
#define EV4(b, ev, dt, x, y, z, w) \
    put_rec(b, TRACE_EV_##ev, 5, U(dt), U(x), U(y), U(z), U(w))

static inline void
put_string(struct build *b, uint64_t id, const char *s)
{
    put_byte(b, TRACE_EV_STRING);
    put_num(b, id);
    put_num(b, strlen(s));
    memcpy(b->data + b->n, s, strlen(s));
    b->n += strlen(s);
}

/* Frequency, two strings, and stacks 1 to 4 of one frame each. */
static inline void
put_tables(struct build *b)
{
    uint64_t i;

    put_rec(b, TRACE_EV_FREQUENCY, 1, U(1000000000));
    put_string(b, 1, "main.main");
    put_string(b, 2, "prog.go");
    for (i = 1; i <= 4; i++) {
        put_byte(b, TRACE_EV_STACK | 3 << 6);
        put_num(b, 6 + (i * 256 > 127));
        put_num(b, i);
        put_num(b, 1);
        put_num(b, i * 256);
        put_num(b, 1);
        put_num(b, 2);
        put_num(b, i * 10);
    }
}

/* Header, P 0 from tick 1000: goroutine 1 exists and runs, one P. */
static inline void
put_start(struct build *b)
{
    put_header(b, "go 1.19 trace");
    BATCH(b, 0, 1000);
    EV3(b, GO_CREATE, 0, 1, 1, 0);
    EV1(b, PROC_START, 1, 100);
    EV2(b, GO_START, 1, 1, 1);
    EV2(b, GOMAXPROCS, 1, 1, 0);
}

/* The end that goes with it. */
static inline void
put_end(struct build *b)
{
    EV1(b, GO_SCHED, 1, 0);
    EV0(b, PROC_STOP, 1);
    put_tables(b);
}

/*
 * 2 Ps, 3 goroutines, a blocking system call, one collection.  Accepted by
 * the tools of Go 1.19 and 1.26.
 */
static const char worked_example[] =
    "676f20312e31392074726163650000004100e807cd0400010100cd0401020200"
    "5f01024501648e01010184010200615f808004620180808002cd0463030304d5"
    "046402020487bc050004490a010a3249b803000a28083c61018080024b63048c"
    "3280408020573204dd056e0302d9168e0a0303a74601060f0a660a01515a0406"
    "014101c60a4500658e3202035764058e6403015c64061e640601028094ebdc03"
    "2501096d61696e2e6d61696e25020b6d61696e2e776f726b657225030b6d6169"
    "6e2e72656164657225040770726f672e676f25050b6d61696e2e7061726b6564"
    "c3070101800201040ac30702018004020414c3070301800603041ec307040184"
    "0201040cc30705018804020416c30706018406030421c30707018008050428";

static inline size_t
unhex(const char *hex, uint8_t *out)
{
    size_t n = strlen(hex) / 2, i;

    for (i = 0; i < n; i++) {
        unsigned a = (uint8_t)hex[2 * i], b = (uint8_t)hex[2 * i + 1];

        a = a > '9' ? a - 'a' + 10 : a - '0';
        b = b > '9' ? b - 'a' + 10 : b - '0';
        out[i] = (uint8_t)(a << 4 | b);
    }
    return n;
}

#endif
