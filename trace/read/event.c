/* SPDX-License-Identifier: MIT */
#include "trace/read/event.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/base/varint.h"

enum { WHY = 128 };

struct kind {
    const char *name;
    uint8_t nvals, has_stack, since;
};

static const struct kind kinds[TRACE_EV_COUNT] = {
#define TRACE_EVENT(no, id, name, nvals, has_stack, since) \
    [no] = {name, nvals, has_stack, since},
#include "runtime/base/trace_event.def"
#undef TRACE_EVENT
};

const char *
trace_ev_name(unsigned ev)
{
    if (ev == TRACE_EV_GO_SYSCALL_END)
        return "GoSyscallEnd";
    if (ev == TRACE_EV_GO_LABEL)
        return "GoLabel";
    return ev == 0 || ev >= TRACE_EV_COUNT ? "?" : kinds[ev].name;
}

/*
 * How many numbers a record has in a version.  Against 1.19: no stop kind
 * before 1.10, no bytes swept before 1.9; in 1.5 no sequence numbers in
 * GoStart, GoUnblock and GCStart, but a global one in every event, and an
 * unused number in Frequency and TimerGoroutine.
 */
static unsigned
count_of(unsigned ev, int version)
{
    unsigned n = kinds[ev].nvals;

    rt_assert(ev > 0 && ev < TRACE_EV_COUNT && kinds[ev].since <= version);
    if (version < 10 && ev == TRACE_EV_STW_START)
        n -= 1;
    if (version < 9 && ev == TRACE_EV_SWEEP_DONE)
        n -= 2;
    if (version < 7) {
        n += 1;
        if (ev == TRACE_EV_GO_START || ev == TRACE_EV_GO_UNBLOCK ||
            ev == TRACE_EV_GC_START)
            n -= 1;
    }
    return n;
}

void
trace_forms_init(struct trace_forms *t, int version)
{
    unsigned ev, n, form;

    memset(t, 0, sizeof *t);
    if (version < 7)
        return;
    for (ev = 1; ev < TRACE_EV_COUNT; ev++) {
        if (kinds[ev].since > version || trace_ev_is_table(ev) ||
            ev == TRACE_EV_BATCH || ev == TRACE_EV_GO_SYS_EXIT ||
            ev == TRACE_EV_USER_LOG || ev == TRACE_EV_CPU_SAMPLE)
            continue;
        n = count_of(ev, version);
        form = n | (kinds[ev].has_stack ? TRACE_FORM_STACK : 0u) |
            (n > 3 ? TRACE_FORM_LONG : 0u);
        rt_assert(n > kinds[ev].has_stack && n <= TRACE_FORM_COUNT);
        /* So many arguments must have room in an event. */
        if (n - 1 - kinds[ev].has_stack <= TRACE_NARGS)
            t->n[ev | (n > 3 ? 3u : n - 1) << 6] = (uint8_t)form;
    }
}

static enum trace_decode
bad(struct trace_record *r, const char *rule, char *why, const char *what,
    const char *name)
{
    r->rule = rule;
    snprintf(why, WHY, "%s%s%s", name, *name != '\0' ? " " : "", what);
    return TRACE_DECODE_BAD;
}

/* One number of [*p, end).  limit_is_file: running out means a cut file. */
static enum trace_decode
number(struct trace_record *r, const uint8_t **p, const uint8_t *end,
    bool limit_is_file, uint64_t *v, const char *name, char *why)
{
    const uint8_t *q;

    if (*p < end && **p < 0x80) {
        *v = *(*p)++;
        return TRACE_DECODE_OK;
    }
    q = rt_varint_get(*p, end, v);
    if (q != NULL) {
        *p = q;
        return TRACE_DECODE_OK;
    }
    if (*v != 0)
        return bad(r, "number", why, "has a number of more than 64 bits",
            name);
    if (limit_is_file)
        return TRACE_DECODE_CUT;
    return bad(r, "length", why,
        "has a wrong length: a number crosses its end", name);
}

static enum trace_decode
decode_text(struct trace_record *r, const uint8_t *p, const uint8_t *end,
    uint64_t len, char *why)
{
    if (len > TRACE_MAX_STRING) {
        r->rule = "string-length";
        snprintf(why, WHY, "string has too large length %llu",
            (unsigned long long)len);
        return TRACE_DECODE_BAD;
    }
    rt_assert(p <= end);
    if ((uint64_t)(end - p) < len)
        return TRACE_DECODE_CUT;
    r->text = (const char *)p;
    r->text_len = (uint32_t)len;
    r->next = p + len;
    return TRACE_DECODE_OK;
}

static enum trace_decode
decode_string(struct trace_record *r, const uint8_t *p, const uint8_t *end,
    char *why)
{
    enum trace_decode d;

    d = number(r, &p, end, true, &r->id, "String", why);
    if (d == TRACE_DECODE_OK)
        d = number(r, &p, end, true, &r->len, "String", why);
    if (d != TRACE_DECODE_OK)
        return d;
    if (r->id == 0)
        return bad(r, "string-id", why, "string has invalid id 0", "");
    if (r->len == 0)
        return bad(r, "string-length", why, "string has invalid length 0",
            "");
    return decode_text(r, p, end, r->len, why);
}

static enum trace_decode
decode_stack(struct trace_record *r, const uint8_t *p, int version, char *why)
{
    uint64_t i, v, want;
    enum trace_decode d;

    d = number(r, &p, r->body_end, false, &r->id, "Stack", why);
    if (d == TRACE_DECODE_OK)
        d = number(r, &p, r->body_end, false, &r->len, "Stack", why);
    if (d != TRACE_DECODE_OK)
        return d;
    if (r->len > TRACE_MAX_FRAMES) {
        r->rule = "stack-frames";
        snprintf(why, WHY, "Stack has bad number of frames: %llu",
            (unsigned long long)r->len);
        return TRACE_DECODE_BAD;
    }
    r->body = p;
    want = r->len * (version < 7 ? 1 : 4);
    for (i = 0; p < r->body_end; i++) {
        d = number(r, &p, r->body_end, false, &v, "Stack", why);
        if (d != TRACE_DECODE_OK)
            return d;
    }
    if (i != want)
        return bad(r, "arguments", why, "has wrong number of arguments",
            "Stack");
    return TRACE_DECODE_OK;
}

/* A record whose length is given: its numbers fill the body exactly. */
static enum trace_decode
decode_body(struct trace_record *r, const uint8_t *p, int version, char *why)
{
    const char *name = kinds[r->ev].name;
    enum trace_decode d;
    uint64_t v;

    if (r->ev == TRACE_EV_STACK)
        return decode_stack(r, p, version, why);
    while (p < r->body_end) {
        d = number(r, &p, r->body_end, false, &v, name, why);
        if (d != TRACE_DECODE_OK)
            return d;
        if (r->nvals < 6)
            r->vals[r->nvals] = v;
        r->nvals++;
    }
    return TRACE_DECODE_OK;
}

static enum trace_decode
decode_long(struct trace_record *r, const uint8_t *p, const uint8_t *end,
    int version, char *why)
{
    const char *name = kinds[r->ev].name;
    enum trace_decode d;
    uint64_t len;

    d = number(r, &p, end, true, &len, name, why);
    if (d != TRACE_DECODE_OK)
        return d;
    if (len > TRACE_MAX_RECORD)
        return bad(r, "length", why,
            "has a wrong length: no record is that long", name);
    if ((uint64_t)(end - p) < len)
        return TRACE_DECODE_CUT;
    r->body_end = p + len;
    r->next = r->body_end;
    r->len = len;
    d = decode_body(r, p, version, why);
    if (d != TRACE_DECODE_OK || r->ev != TRACE_EV_USER_LOG)
        return d;
    p = r->body_end;
    d = number(r, &p, end, true, &len, name, why);
    if (d != TRACE_DECODE_OK)
        return d;
    return decode_text(r, p, end, len, why);
}

enum trace_decode
trace_decode(const uint8_t *p, const uint8_t *end, int version,
    struct trace_record *r, char *why)
{
    enum trace_decode d = TRACE_DECODE_OK;
    const uint8_t *at = p;
    unsigned i, n;

    rt_assert(p < end);
    r->at = at;
    r->ev = *p & 0x3f;
    r->top = *p >> 6;
    r->nvals = 0;
    r->text = NULL;
    r->text_len = 0;
    p++;
    if (r->ev == 0 || r->ev >= TRACE_EV_COUNT ||
        kinds[r->ev].since > version) {
        r->rule = "event-type";
        snprintf(why, WHY, "unknown event type %u", r->ev);
        return TRACE_DECODE_BAD;
    }
    if (r->ev == TRACE_EV_STRING)
        return decode_string(r, p, end, why);
    if (r->top == 3) {
        d = decode_long(r, p, end, version, why);
    } else if (r->ev == TRACE_EV_STACK) {
        return bad(r, "arguments", why, "has wrong number of arguments",
            "Stack");
    } else {
        n = r->top + (version < 7 ? 2u : 1u);
        /* 1.5 counts the numbers of a Batch from its second. */
        for (i = 0; i < n && d == TRACE_DECODE_OK; i++)
            d = number(r, &p, end, true, &r->vals[i], kinds[r->ev].name,
                why);
        r->nvals = n;
        r->next = p;
    }
    if (d != TRACE_DECODE_OK || r->ev == TRACE_EV_STACK)
        return d;
    rt_assert(r->next > at && r->next <= end);
    if (r->nvals != count_of(r->ev, version))
        return bad(r, "arguments", why, "has wrong number of arguments",
            kinds[r->ev].name);
    return TRACE_DECODE_OK;
}

void
trace_event_fill(const struct trace_record *r, int version,
    struct trace_event *e, uint64_t *dt, uint64_t *dseq)
{
    unsigned i = 0, n = r->nvals;
    unsigned k;

    rt_assert(!trace_ev_is_table(r->ev) && r->ev != TRACE_EV_BATCH);
    rt_assert(n == count_of(r->ev, version));
    *dseq = version < 7 ? r->vals[i++] : 0;
    *dt = r->vals[i++];
    e->type = r->ev;
    e->stk = kinds[r->ev].has_stack ? r->vals[--n] : 0;
    e->nargs = 0;
    for (k = 0; k < TRACE_NARGS; k++)
        e->args[k] = 0;
    rt_assert(i <= n && n - i <= TRACE_NARGS);
    while (i < n)
        e->args[e->nargs++] = r->vals[i++];
    e->msg = r->text;
    e->msg_len = r->text_len;
    e->seq = 0;
    e->g = 0;
    e->m = r->ev == TRACE_EV_PROC_START ? (int64_t)e->args[0] : TRACE_NO_M;
    e->wire = 0;
    e->derived = false;
    e->snapshot = false;
    e->why = "";
    e->why_len = 0;
}
