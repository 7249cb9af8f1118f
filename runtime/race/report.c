/* SPDX-License-Identifier: MIT */
/*
 * Reports, in the words of Go's detector: the access that has found the race,
 * the earlier one, what the memory is if that is known, and where the two
 * goroutines come from.  One for each pair of places.
 */
#include "runtime/race/race_int.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/hash.h"

static void RT_PRINTF(2, 3)
put(struct race *r, const char *fmt, ...)
{
    va_list ap;

    rt_assert_held(&r->report_lock);
    va_start(ap, fmt);
    int n = vsnprintf(r->text + r->ntext, RACE_TEXT - r->ntext, fmt, ap);
    va_end(ap);
    if (n > 0)
        r->ntext += (size_t)n;
    if (r->ntext >= RACE_TEXT)
        r->ntext = RACE_TEXT - 1; /* cut */
}

/* Where reports go; opened by the first one. */
static int
destination(struct race *r)
{
    const char *path = r->cfg.opt.log_path;
    char name[sizeof r->cfg.opt.log_path + 16];

    if (r->fd >= 0)
        return r->fd;
    if (strcmp(path, "stderr") == 0) {
        r->fd = 2;
    } else if (strcmp(path, "stdout") == 0) {
        r->fd = 1;
    } else {
        snprintf(name, sizeof name, "%s.%ld", path, (long)getpid());
        r->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (r->fd < 0)
            r->fd = 2;
    }
    return r->fd;
}

static void
flush(struct race *r)
{
    int fd = destination(r);
    size_t done = 0;

    while (done < r->ntext) {
        ssize_t n = write(fd, r->text + done, r->ntext - done);

        if (n <= 0)
            break;
        done += (size_t)n;
    }
    r->ntext = 0;
}

/* ---- the parts of a report --------------------------------------------------- */

static const char *
stripped(const struct race *r, const char *file)
{
    size_t n = strlen(r->cfg.opt.strip);

    return n > 0 && strncmp(file, r->cfg.opt.strip, n) == 0 ? file + n : file;
}

static void
put_pcs(struct race *r, const vpc *pcs, uint32_t n)
{
    uint32_t shown = 0;
    struct race_frame f;

    for (uint32_t i = 0; i < n; i++) {
        if (r->host == NULL || !r->host->frame(r->host_arg, pcs[i], &f))
            continue;
        put(r, "  %s()\n      %s:%u +0x%x\n", f.func, stripped(r, f.file),
            f.line, f.off);
        shown++;
    }
    if (shown == 0)
        put(r, "  [the stack is not known]\n");
}

static void
put_stack(struct race *r, uint32_t id)
{
    vpc pcs[RACE_FRAMES];

    put_pcs(r, pcs, race_stack_pcs(r, id, pcs, RACE_FRAMES));
}

static void
put_location(struct race *r, uintptr_t addr)
{
    struct race_place at = {.n = 0};

    if (r->host == NULL || !r->host->object(r->host_arg, addr, &at))
        return;
    put(r, "\nLocation is %s%s\n", at.text, at.n == 0 ? "" :
        " allocated at:");
    if (at.n != 0)
        put_pcs(r, at.pcs, at.n);
}

static void
put_who(struct race *r, bool known, const struct race_owner *o)
{
    if (!known)
        put(r, "an unknown goroutine");
    else if (o->goid == 1)
        put(r, "main goroutine");
    else
        put(r, "goroutine %" PRIu64, o->goid);
}

static void
put_created(struct race *r, const struct race_owner *o, bool done)
{
    if (o->goid == 1)
        return;
    put(r, "\nGoroutine %" PRIu64 " (%s) created at:\n", o->goid,
        done ? "finished" : "running");
    if (o->root && o->stack == 0)
        put(r, "  [by the runtime]\n");
    else
        put_stack(r, o->stack);
}

static const char *
verb(const struct race_told *t, bool first)
{
    static const char *const words[2][2][2] = {
        {{"read", "write"}, {"atomic read", "atomic write"}},
        {{"Read", "Write"}, {"Atomic read", "Atomic write"}},
    };

    return words[first][(t->e & RACE_ATOMIC) != 0][t->write];
}

static void
put_report(struct race *r, uintptr_t addr, const struct race_told *now,
    const struct race_told *before)
{
    struct race_owner a = {0}, b = {0};
    bool a_done, b_done;
    bool know_a = race_owner_of(r, now->e, &a, &a_done);
    bool know_b = race_owner_of(r, before->e, &b, &b_done);

    put(r, "==================\nWARNING: DATA RACE\n");
    put(r, "%s at 0x%012" PRIxPTR " by ", verb(now, true), addr);
    put_who(r, know_a, &a);
    put(r, ":\n");
    put_stack(r, now->stack);
    put(r, "\nPrevious %s at 0x%012" PRIxPTR " by ", verb(before, false),
        addr);
    put_who(r, know_b, &b);
    put(r, ":\n");
    put_stack(r, before->stack);
    put_location(r, addr);
    if (know_a)
        put_created(r, &a, a_done);
    if (know_b && b.goid != a.goid)
        put_created(r, &b, b_done);
    put(r, "==================\n");
}

/* ---- one for each pair of places ----------------------------------------------- */

/* The place of an access: its innermost frame. */
static uint64_t
place(const struct race *r, const struct race_told *t)
{
    return rt_hash_u64(race_stack_pc(r, t->stack), t->write);
}

/* Whether the pair is new; a full table takes no more. */
static bool
is_new(struct race *r, const struct race_told *a, const struct race_told *b)
{
    /* Which comes first does not matter. */
    uint64_t key = (place(r, a) + place(r, b)) | 1;
    uint64_t h = rt_hash_u64(key, 0);

    for (unsigned i = 0; i < RACE_SEEN; i++) {
        uint64_t *s = &r->seen[(h + i) % RACE_SEEN];

        if (*s == key)
            return false;
        if (*s == 0) {
            *s = key;
            return true;
        }
    }
    return false;
}

void
race_report(struct race_g *g, uintptr_t addr, const struct race_told *now,
    const struct race_told *before)
{
    struct race *r = g->race;
    bool told;

    rt_lock(&r->report_lock);
    /* After the one that ends the program nobody tells another. */
    told = !(r->cfg.opt.halt_on_error && race_errors(r) > 0) &&
        is_new(r, now, before);
    if (told) {
        a32_add_rlx(&r->errors, 1);
        put_report(r, addr, now, before);
        flush(r);
    }
    rt_unlock(&r->report_lock);
    if (told && r->cfg.opt.halt_on_error)
        r->host->halt(r->host_arg, r->cfg.opt.exitcode);
}

uint32_t
race_errors(const struct race *r)
{
    return a32_load_rlx(&r->errors);
}

int
race_end(struct race *r, int status)
{
    uint32_t n = race_errors(r);

    if (n == 0 || status != 0)
        return status;
    rt_lock(&r->report_lock);
    put(r, "Found %u data race(s)\n", n);
    flush(r);
    rt_unlock(&r->report_lock);
    return r->cfg.opt.exitcode;
}
