/* SPDX-License-Identifier: MIT */
/*
 * -explore: looks for a schedule by which a program, or one function of a
 * package's tests, fails, makes the failure simple, and tells of it.
 */
#include "cmd/vole/explore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/common/out.h"
#include "cmd/vole/test_json.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/explore/explore.h"
#include "runtime/host/seeded.h"

enum { SHRINK_RUNS = 200, DFS_BOUND = 2, PCT_DEPTH = 3 };

static const int64_t SHRINK_NS = INT64_C(2) * 1000 * 1000 * 1000;

/* ---- what is asked for -------------------------------------------------------- */

static bool
parse_amount(const char *s, struct explore_config *c)
{
    char *end;
    unsigned long long n;

    if (*s >= '0' && *s <= '9') {
        n = strtoull(s, &end, 10);
        if (*end == 0 && n > 0) {
            c->schedules = n;
            return true;
        }
    }
    return args_duration(s, &c->duration) && c->duration > 0;
}

/* "pct", or "pct4": the number is 0 where there is none. */
static bool
named(const char *s, const char *name, uint32_t *number)
{
    size_t n = strlen(name);
    char *end;
    unsigned long k;

    *number = 0;
    if (strncmp(s, name, n) != 0)
        return false;
    if (s[n] == 0)
        return true;
    k = strtoul(s + n, &end, 10);
    *number = (uint32_t)k;
    return s[n] >= '1' && s[n] <= '9' && *end == 0 && k <= 1000;
}

static bool
parse_strategy(const char *s, struct explore_config *c)
{
    uint32_t n;

    if (s == NULL || strcmp(s, "mix") == 0) {
        c->strategy = EXPLORE_MIX;
    } else if (strcmp(s, "punctual") == 0) {
        c->strategy = EXPLORE_PUNCTUAL;
    } else if (strcmp(s, "random") == 0) {
        c->strategy = EXPLORE_RANDOM;
    } else if (strcmp(s, "pos") == 0) {
        c->strategy = EXPLORE_POS;
    } else if (named(s, "pct", &n) && n <= SEED_MAX_DEPTH) {
        c->strategy = EXPLORE_PCT;
        c->depth = n != 0 ? n : PCT_DEPTH;
    } else if (named(s, "dfs", &n)) {
        c->strategy = EXPLORE_DFS;
        c->bound = n != 0 ? n : DFS_BOUND;
    } else {
        return false;
    }
    return true;
}

bool
explore_run_options(
    const char *cmd, const struct explore_flags *f, struct vole_options *o)
{
    bool real = f->clock != NULL && strcmp(f->clock, "real") == 0;

    if (f->clock != NULL && !real && strcmp(f->clock, "virtual") != 0) {
        fprintf(stderr, "vole %s: -sched-clock wants real or virtual, not "
            "\"%s\"\n", cmd, f->clock);
        return false;
    }
    o->schedule = f->schedule;
    o->real_clock = real;
    o->schedule_budget = f->budget;
    o->deadlocks = f->deadlocks;
    o->deadlocks_out = f->deadlocks_out;
    o->lockorder = f->lockorder;
    o->story = f->story;
    o->leaks = f->leaks;
    if (f->amount != NULL && o->schedule == NULL)
        o->schedule = "0";
    return true;
}

bool
explore_options(const char *cmd, const struct explore_flags *f,
    struct explore_config *c)
{
    *c = (struct explore_config){
        .all = f->all,
        .seed = f->seed,
        .workers = (unsigned)(f->workers < 1000 ? f->workers : 1000),
        .rules = {.budget = f->budget, .partial = !f->lost,
            .leaks = f->leaks, .closed = true},
    };
    if (!parse_amount(f->amount, c)) {
        fprintf(stderr, "vole %s: -explore wants a number of schedules or a "
            "duration such as 1000 or 10s, not \"%s\"\n", cmd, f->amount);
        return false;
    }
    if (!parse_strategy(f->strategy, c)) {
        fprintf(stderr, "vole %s: -explore-strategy is mix, punctual, random, "
            "pos, pct or pct4 (depth), dfs or dfs3 (deviations), not \"%s\"\n",
            cmd, f->strategy);
        return false;
    }
    return true;
}

/* ---- telling ---------------------------------------------------------------------- */

static void
counts(const struct explore_count *c, FILE *out)
{
    double s = (double)c->ns / 1e9;

    fprintf(out, "%" PRIu64 " schedules, %" PRIu64 " distinct, %.1f s",
        c->schedules, c->distinct, s);
    if (c->schedules > 0 && s > 0.1)
        fprintf(out, " (%.0f a second)", (double)c->schedules / s);
    if (c->endless > 0)
        fprintf(out, ", %" PRIu64 " without an end", c->endless);
    if (c->failures > 0)
        fprintf(out, ", %" PRIu64 " failed", c->failures);
}

static void
progress(void *arg, const struct explore_count *c)
{
    const bool *terminal = arg;

    if (!*terminal)
        return;
    fprintf(stderr, "\r\033[Kexplore: ");
    counts(c, stderr);
    fflush(stderr);
}

/* The plan as a word that the shell leaves alone. */
static char *
plan_text(const struct seed_plan *p)
{
    size_t n = seed_print(p, NULL, 0);
    char *s = malloc(n + 1);

    if (s != NULL)
        seed_print(p, s, n + 1);
    return s;
}

void
explore_word(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@+%-";

    if (*word != 0 && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word != 0; word++) {
        if (*word == '\'')
            fputs("'\\'", out);
        putc(*word, out);
    }
    putc('\'', out);
}

static void
replay_line(const struct explore_failure *f, const struct explore_config *c,
    const struct explore_subject *s, FILE *out)
{
    const char *gorace = getenv("GORACE"); /* what a race means */
    struct seed_plan p = f->plan;
    char *found, *list;

    p.closed = f->closed;
    if (p.kind == SEED_SCRIPT)
        p.devs = f->devs, p.ndevs = f->ndevs;
    found = plan_text(&p);
    p.kind = SEED_SCRIPT;
    p.early = f->early;
    p.closed = f->closed;
    p.devs = f->devs;
    p.ndevs = f->ndevs;
    list = plan_text(&p);
    if (found != NULL && list != NULL) {
        fprintf(out, "found by schedule %s; the same again:\n", found);
        fprintf(out, "    ");
        if (s->race && gorace != NULL && *gorace != 0) {
            fprintf(out, "GORACE=");
            explore_word(gorace, out);
            putc(' ', out);
        }
        fprintf(out, "vole %s%s%s%s", s->command,
            c->rules.partial ? " -deadlocks" : "",
            c->rules.leaks ? " -leaks" : "", s->race ? " -race" : "");
        if (f->end == SEED_END_LIVELOCK)
            fprintf(out, " -sched-budget %" PRIu64, f->budget);
        fprintf(out, " -sched-seed %s %s\n", list, s->words);
    }
    free(found);
    free(list);
}

/* What has failed, in few words. */
static const char *
kind_of(const struct explore_failure *f, bool test)
{
    if (f->end != SEED_END_NORMAL)
        return seed_end_text(f->end);
    if (f->races)
        return "data race";
    if (f->orders)
        return "lock order";
    return test ? "test failure" : seed_end_text(f->end);
}

/* What the program has printed. */
static void
put_text(const char *text, bool marked, FILE *out)
{
    for (; *text != 0; text++)
        if (!marked || *text != *TEST_JSON_MARK)
            putc(*text, out);
}

static void
tell_failure(const struct explore_failure *f, const struct explore_config *c,
    const struct explore_subject *s, const struct explore_count *n, FILE *out)
{
    uint64_t well = n->schedules - n->failures - n->endless;
    const struct out plain = {0};
    char early[OUT_NUM];

    fprintf(out, "--- ");
    if (s->test != NULL)
        fprintf(out, "FAIL: %s: ", s->test);
    fprintf(out, "schedule %" PRIu64 ": %s, status %d", f->at,
        kind_of(f, s->test != NULL), f->status);
    if (f->early_by > 0)
        fprintf(out, ", a timer came %s early",
            out_duration(&plain, early, (int64_t)f->early_by));
    if (f->times > 1)
        fprintf(out, " (and %" PRIu64 " more like it)", f->times - 1);
    fprintf(out, "\n");
    if (f->early_by > 0)
        fprintf(out, "as on a machine that is busy with other things; "
            "-explore-strategy punctual does without\n");
    if (s->test != NULL && f->at == 1 && f->ndevs == 0 &&
        (f->end == SEED_END_NORMAL || f->end == SEED_END_PANIC) && !f->races &&
        !f->orders)
        fprintf(out, "%s fails by itself, by the simplest schedule; after other "
            "tests it may not\n", s->test);
    else if (s->test != NULL && f->end == SEED_END_PARTIAL)
        fprintf(out, "others can go on; with -explore-lost that is no "
            "failure\n");
    else if (s->test != NULL && well > 0)
        fprintf(out, "%s is flaky: it ended well by %" PRIu64 " of %" PRIu64
            " schedules\n", s->test, well, n->schedules);
    put_text(f->text, s->marked, out);
    replay_line(f, c, s, out);
}

static void
simplify(const struct explore_target *t, const struct explore_config *c,
    struct explore_failure *f, FILE *out)
{
    uint32_t before = f->ndevs, took, once;
    struct rt_err e;

    if (explore_shrink(t, &c->rules, f, SHRINK_RUNS, SHRINK_NS, &took, &e) !=
        RT_OK) {
        fprintf(out, "explore: not made simpler: %s\n", e.text);
        return;
    }
    /* Once more, for the story. */
    host_tell_story(t->arg);
    if (explore_shrink(t, &c->rules, f, 1, SHRINK_NS, &once, &e) != RT_OK)
        fprintf(out, "explore: no story: %s\n", e.text);
    fprintf(out, "explore: %" PRIu32 " deviations made %" PRIu32 " in %" PRIu32
        " runs\n", before, f->ndevs, took);
}

/* ---- all of it ----------------------------------------------------------------------- */

static bool
run_plan(void *arg, const struct seed_plan *plan,
    const struct seed_rules *rules, struct seed_result *out)
{
    return host_run_plan(arg, plan, rules, out);
}

enum { NPORTS = 65536 };

/* What the processes that explore share; NULL: there is no memory, and they
 * take ports from each other. */
static uint8_t *
shared_ports(void)
{
    void *p = mmap(NULL, NPORTS, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return p != MAP_FAILED ? p : NULL;
}

int
explore_tell(const struct explore_subject *s, struct explore_config *c)
{
    bool terminal = isatty(2) != 0;
    struct explore_target t = {run_plan, s->v, s->test != NULL};
    struct explore_report r;
    struct rt_err e;
    enum rt_status st;
    int status, came;

    c->progress = progress;
    c->progress_arg = &terminal;
    c->interrupts = true;
    c->rules.ports = shared_ports();
    st = explore(&t, c, &r, &e);
    if (terminal)
        fprintf(stderr, "\r\033[K");
    for (uint32_t i = 0; i < r.n; i++) {
        simplify(&t, c, &r.v[i], stderr);
        tell_failure(&r.v[i], c, s, &r.count, stderr);
    }
    fprintf(stderr, "explore: %s%s", s->test != NULL ? s->test : "",
        s->test != NULL ? ": " : "");
    counts(&r.count, stderr);
    fprintf(stderr, "%s\n", r.signal != 0 ? "; interrupted"
        : r.exhausted ? "; there are no more" : "");
    if (st != RT_OK)
        fprintf(stderr, "vole %s: %s\n", s->command, e.text);
    else if (r.trouble[0] != 0)
        fprintf(stderr, "vole %s: %s\n", s->command, r.trouble);
    status = r.n > 0 ? r.v[0].status : st != RT_OK || r.trouble[0] != 0 ? 2 : 0;
    came = r.signal;
    explore_report_free(&r);
    if (c->rules.ports != NULL)
        munmap(c->rules.ports, NPORTS);
    c->rules.ports = NULL;
    if (came != 0)
        cmd_die_of(came);
    return status;
}
