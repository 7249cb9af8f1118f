/* SPDX-License-Identifier: MIT */
/*
 * What the live server answers: the URLs, parameters, headers and error texts
 * of Go's net/http/pprof.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/wire/pprof.h"
#include "profile/wire/sink.h"
#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/host/http.h"
#include "runtime/lib/support/prof.h"

#define ROOT "/debug/pprof/"

static const char text_type[] = "text/plain; charset=utf-8";
static const char binary_type[] = "application/octet-stream";

/* ---- answers ---------------------------------------------------------------------- */

static void
set_body(struct http_reply *r, struct wire_buf *b)
{
    rt_assert(r->body == NULL && r->fd < 0);
    if (b->failed) {
        wire_buf_free(b);
        r->hang_up = true; /* no memory even for saying so */
        return;
    }
    r->body = (char *)b->data;
    r->n = b->n;
}

static void
put(struct wire_buf *b, const char *s)
{
    wire_buf_put(b, s, strlen(s));
}

static void
plain(struct http_reply *r, int status, const char *text)
{
    struct wire_buf b = {0};

    rt_assert(status >= 300 && status < 600);
    r->status = status;
    r->type = text_type;
    put(&b, text);
    put(&b, "\n");
    set_body(r, &b);
}

/* An error as the pprof tool understands it: it shows the text. */
static void
profile_error(struct http_reply *r, int status, const char *text)
{
    plain(r, status, text);
    r->profile_error = true;
}

static void
set_file(struct http_reply *r, const char *name, const char *suffix)
{
    size_t i;

    r->type = binary_type;
    snprintf(r->file, sizeof r->file, "%s%s", name, suffix);
    for (i = 0; r->file[i] != 0; i++) /* would end the header's value */
        if (r->file[i] == '"' || r->file[i] == '\\' ||
            (unsigned char)r->file[i] < ' ')
            r->file[i] = '_';
}

/* ---- parameters ------------------------------------------------------------------- */

/* A whole decimal number; false where the text is none. */
static bool
number(const char *s, int64_t *v)
{
    const char *digits = s + (*s == '+' || *s == '-');
    char *end;

    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *v = strtoll(s, &end, 10);
    return *end == 0 && errno == 0;
}

static int64_t
int_arg(const struct http_request *q, const char *name)
{
    int64_t v;

    return number(q->arg(q->ctx, name), &v) ? v : 0;
}

/* ---- profiles by name --------------------------------------------------------------- */

static void
page_failed(struct http_reply *r, const char *what, const struct rt_err *e)
{
    char text[RT_ERR_TEXT + 128];

    snprintf(text, sizeof text, "%s%s%s", what, e != NULL ? ": " : "",
        e != NULL ? e->text : "");
    profile_error(r, 500, text);
}

static void
delta(struct vole *v, const struct http_request *q, struct http_reply *r,
    const char *name, const char *seconds)
{
    struct wire_buf b = {0};
    struct wire_sink sink = wire_buf_sink(&b);
    struct lib_snap *old = NULL, *new = NULL;
    int64_t sec;

    if (!number(seconds, &sec) || sec <= 0) {
        profile_error(r, 400,
            "invalid value for \"seconds\" - must be a positive integer");
    } else if (!lib_prof_has_delta(name)) {
        profile_error(r, 400,
            "\"seconds\" parameter is not supported for this profile type");
    } else if (int_arg(q, "debug") != 0) {
        profile_error(r, 400, "seconds and debug params are incompatible");
    } else if (lib_prof_take(&v->libprof, name, 0, &old, NULL) != RT_OK) {
        profile_error(r, 500, "failed to collect profile");
    } else if (!q->wait(q->ctx, (double)sec)) {
        r->hang_up = true;
    } else if (lib_prof_take(&v->libprof, name, 0, &new, NULL) != RT_OK) {
        profile_error(r, 500, "failed to collect profile");
    } else if (lib_snap_write_delta(old, new, &sink) != RT_OK) {
        wire_buf_free(&b);
        profile_error(r, 500, "failed to compute delta");
    } else {
        set_file(r, name, "-delta");
        set_body(r, &b);
    }
    lib_snap_free(old);
    lib_snap_free(new);
}

static void
profile(struct vole *v, const struct http_request *q, struct http_reply *r,
    const char *name)
{
    const char *seconds = q->arg(q->ctx, "seconds");
    struct wire_buf b = {0};
    struct wire_sink sink = wire_buf_sink(&b);
    struct lib_snap *s = NULL;
    struct rt_err e = {0};
    int64_t debug;

    if (!lib_prof_known(&v->libprof, name)) {
        profile_error(r, 404, "Unknown profile");
        return;
    }
    if (*seconds != 0) {
        delta(v, q, r, name, seconds);
        return;
    }
    if (strcmp(name, "heap") == 0 && int_arg(q, "gc") > 0)
        host_collect(v, q->wait, q->ctx);
    debug = int_arg(q, "debug");
    if (lib_prof_take(&v->libprof, name, debug, &s, &e) != RT_OK ||
        lib_snap_write(s, &sink) != RT_OK) {
        wire_buf_free(&b);
        page_failed(r, "failed to collect profile", e.text[0] != 0 ? &e : NULL);
    } else if (debug != 0) {
        r->type = text_type;
        set_body(r, &b);
    } else {
        set_file(r, name, "");
        set_body(r, &b);
    }
    lib_snap_free(s);
}

/* ---- profile, trace ------------------------------------------------------------------- */

/* What samples for some seconds: profile and wall. */
struct timed {
    const char *file, *what;
    int64_t seconds; /* unless it is said */
    enum rt_status (*start)(struct vole *v, struct rt_err *e);
    enum rt_status (*stop)(
        struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e);
};

static enum rt_status
start_cpu(struct vole *v, struct rt_err *e)
{
    return lib_prof_cpu_start(&v->libprof, PROF_CPU_HZ, e);
}

static enum rt_status
start_wall(struct vole *v, struct rt_err *e)
{
    return prof_wall_start(&v->prof, 0, e);
}

static const struct timed timed_cpu = {
    "profile", "CPU", 30, start_cpu, lib_prof_cpu_stop};
static const struct timed timed_wall = {
    "wall", "wall clock", 1, start_wall, lib_prof_wall_stop};

static void
timed_profile(struct vole *v, const struct http_request *q,
    struct http_reply *r, const struct timed *t)
{
    struct wire_buf b = {0};
    struct wire_sink sink = wire_buf_sink(&b);
    struct rt_err e = {0};
    int64_t sec = int_arg(q, "seconds");
    char text[64];
    bool there;

    if (sec <= 0)
        sec = t->seconds;
    if (t->start(v, &e) != RT_OK) {
        snprintf(text, sizeof text, "Could not enable %s profiling", t->what);
        page_failed(r, text, &e);
        return;
    }
    there = q->wait(q->ctx, (double)sec);
    if (t->stop(&v->libprof, there ? &sink : NULL, &e) != RT_OK) {
        wire_buf_free(&b);
        snprintf(text, sizeof text, "Could not write the %s profile",
            t->what);
        page_failed(r, text, &e);
        return;
    }
    rt_assert(there || b.n == 0);
    r->hang_up = !there;
    if (there) {
        set_file(r, t->file, "");
        set_body(r, &b);
    }
}

/* A file that nobody else sees, for a trace of any size. */
static int
scratch_file(void)
{
    int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    return fd >= 0 ? fd : memfd_create("vole-trace", MFD_CLOEXEC);
}

static void
exec_trace(
    struct vole *v, const struct http_request *q, struct http_reply *r)
{
    const char *s = q->arg(q->ctx, "seconds");
    struct trace_config cfg = {.flush_ms = v->trace_flush_ms};
    struct rt_err e = {0};
    struct stat st;
    char *end;
    double sec = strtod(s, &end);
    bool there;

    if (*s == 0 || *end != 0 || !(sec > 0))
        sec = 1;
    cfg.fd = scratch_file();
    if (cfg.fd < 0) {
        rt_err_os(&e, errno, "no room for a trace");
        page_failed(r, "Could not enable tracing", &e);
        return;
    }
    if (trace_start(&v->trace, &cfg, &e) != RT_OK) {
        close(cfg.fd);
        page_failed(r, "Could not enable tracing", &e);
        return;
    }
    there = q->wait(q->ctx, sec);
    if (trace_stop(&v->trace, &e) != RT_OK || fstat(cfg.fd, &st) != 0) {
        close(cfg.fd);
        page_failed(r, "Could not write the trace", &e);
        return;
    }
    if (!there) {
        close(cfg.fd);
        r->hang_up = true;
        return;
    }
    set_file(r, "trace", "");
    r->fd = cfg.fd;
    r->n = (size_t)st.st_size;
}

/* ---- cmdline, symbol -------------------------------------------------------------------- */

static void
cmdline(struct vole *v, struct http_reply *r)
{
    struct wire_buf b = {0};
    unsigned i;

    put(&b, v->path);
    for (i = 0; i < v->opt.nargs; i++) {
        wire_buf_put(&b, "", 1);
        put(&b, v->opt.args[i]);
    }
    r->type = text_type;
    set_body(r, &b);
}

static void
put_symbol(struct vole *v, struct wire_buf *b, const char *word, size_t n)
{
    struct wire_frame f;
    char text[40], *end, *own;
    uint64_t pc;

    rt_assert(memchr(word, '+', n) == NULL);
    if (n == 0 || n >= sizeof text)
        return;
    memcpy(text, word, n);
    text[n] = 0;
    errno = 0;
    pc = strtoull(text, &end, 0);
    if (*end != 0 || errno != 0 || *text == '-' || pc == 0)
        return;
    if (lib_prof_symbol(&v->libprof, pc, &f, &own)) {
        snprintf(text, sizeof text, "0x%llx ", (unsigned long long)pc);
        put(b, text);
        put(b, f.func);
        put(b, "\n");
    }
    free(own);
}

static void
symbol(struct vole *v, const struct http_request *q, struct http_reply *r)
{
    bool post = strcmp(q->method, "POST") == 0;
    const char *s = post ? q->body : q->query;
    const char *end = s + (post ? q->nbody : strlen(s));
    struct wire_buf b = {0};

    put(&b, "num_symbols: 1\n");
    while (s < end) {
        const char *plus = memchr(s, '+', (size_t)(end - s));
        const char *stop = plus != NULL ? plus : end;

        put_symbol(v, &b, s, (size_t)(stop - s));
        s = stop + 1;
    }
    r->type = text_type;
    set_body(r, &b);
}

/* ---- the index -------------------------------------------------------------------------- */

static const struct {
    const char *name, *text;
} described[] = {
    {"allocs", "What the program has allocated since it began: a sample."},
    {"block", "Where goroutines waited for channels, selects and locks."},
    {"cmdline", "The program and its arguments."},
    {"goroutine", "The stacks of all goroutines. With debug=2 in the form "
        "of a traceback."},
    {"goroutineleak", "The stacks of goroutines that nobody will ever wake. "
        "The program stands while they are looked for."},
    {"heap", "The allocations that are still in use: a sample. With gc=1 a "
        "collection runs first."},
    {"mutex", "Who held locks that others waited for."},
    {"profile", "A CPU profile; seconds says of how many. Read it with "
        "go tool pprof or vole prof."},
    {"symbol", "The functions that program counters belong to: addresses in "
        "the query or the body of a POST, separated by +."},
    {"threadcreate", "The stacks that led to new threads."},
    {"trace", "A trace of the execution; seconds says of how many. Read it "
        "with go tool trace or vole-trace."},
    {"wall", "What goroutines do, on and off the processor; seconds says of "
        "how many."},
};

struct entry {
    const char *name;
    uint32_t count;
};

static int
by_name(const void *a, const void *b)
{
    return strcmp(
        ((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* All names, sorted; free() them. */
static struct entry *
entries(struct vole *v, size_t *n)
{
    static const char *const other[] = {
        "cmdline", "profile", "symbol", "trace", "wall"};
    enum { OTHER = sizeof other / sizeof *other };
    struct entry *list = NULL;
    size_t cap = 0, k = 0;
    const char *name;
    uint32_t i;

    for (i = 0; lib_prof_builtin(i) != NULL; i++)
        cap++;
    for (i = 0; lib_prof_own(&v->libprof, i) != NULL; i++)
        cap++;
    cap += OTHER;
    list = calloc(cap, sizeof *list);
    if (list == NULL)
        return NULL;
    for (i = 0; (name = lib_prof_builtin(i)) != NULL; i++)
        list[k++].name = name;
    for (i = 0; k < cap - OTHER &&
        (name = lib_prof_own(&v->libprof, i)) != NULL; i++)
        list[k++].name = name;
    for (i = 0; i < k; i++)
        list[i].count = lib_prof_count(&v->libprof, list[i].name);
    for (i = 0; i < OTHER; i++)
        list[k++].name = other[i];
    rt_assert(k <= cap);
    qsort(list, k, sizeof *list, by_name);
    *n = k;
    return list;
}

static void
put_html(struct wire_buf *b, const char *s)
{
    for (; *s != 0; s++) {
        switch (*s) {
        case '<': put(b, "&lt;"); break;
        case '>': put(b, "&gt;"); break;
        case '&': put(b, "&amp;"); break;
        case '"': put(b, "&#34;"); break;
        case '\'': put(b, "&#39;"); break;
        default: wire_buf_put(b, s, 1);
        }
    }
}

/* As the path of a link. */
static void
put_path(struct wire_buf *b, const char *s)
{
    char hex[4];

    for (; *s != 0; s++) {
        unsigned char c = (unsigned char)*s;

        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
            (c >= 'A' && c <= 'Z') || strchr("-._~", c) != NULL) {
            wire_buf_put(b, s, 1);
        } else {
            snprintf(hex, sizeof hex, "%%%02X", c);
            put(b, hex);
        }
    }
}

static void
index_page(struct vole *v, struct http_reply *r)
{
    struct wire_buf b = {0};
    struct entry *list;
    char num[32];
    size_t i, n = 0;

    list = entries(v, &n);
    put(&b, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
        "<title>" ROOT "</title>\n<style>td { padding-right: 1em }</style>\n"
        "</head>\n<body>\n<h1>" ROOT "</h1>\n<p>Profiles of ");
    put_html(&b, v->path);
    put(&b, ". The links show text (debug=1); without it, the URLs give "
        "files for pprof.</p>\n<table>\n<thead><tr><td>Count</td>"
        "<td>Profile</td><td>What it is</td></tr></thead>\n");
    for (i = 0; list != NULL && i < n; i++) {
        const char *text = "A profile of the program's own.";
        size_t k;

        for (k = 0; k < sizeof described / sizeof *described; k++)
            if (strcmp(described[k].name, list[i].name) == 0)
                text = described[k].text;
        snprintf(num, sizeof num, "%u", list[i].count);
        put(&b, "<tr><td>");
        put(&b, num);
        put(&b, "</td><td><a href='");
        put_path(&b, list[i].name);
        put(&b, "?debug=1'>");
        put_html(&b, list[i].name);
        put(&b, "</a></td><td>");
        put(&b, text);
        put(&b, "</td></tr>\n");
    }
    put(&b, "</table>\n<p><a href=\"goroutine?debug=2\">All goroutines with "
        "their full stacks</a></p>\n</body>\n</html>\n");
    free(list);
    r->type = "text/html; charset=utf-8";
    set_body(r, &b);
}

/* ---- which ---------------------------------------------------------------------------- */

void
host_page(struct vole *v, const struct http_request *q, struct http_reply *r)
{
    bool post = strcmp(q->method, "POST") == 0;
    const char *name = q->path + sizeof ROOT - 1;

    if (strcmp(q->path, "/debug/pprof") == 0) {
        plain(r, 307, "See " ROOT);
        r->location = ROOT;
    } else if (strncmp(q->path, ROOT, sizeof ROOT - 1) != 0) {
        plain(r, 404, "404 page not found");
    } else if (strcmp(q->method, "GET") != 0 &&
        strcmp(q->method, "HEAD") != 0 &&
        !(post && strcmp(name, "symbol") == 0)) {
        plain(r, 405, "Method Not Allowed");
        r->allow = "GET, HEAD";
    } else if (*name == 0) {
        index_page(v, r);
    } else if (strcmp(name, "cmdline") == 0) {
        cmdline(v, r);
    } else if (strcmp(name, "profile") == 0) {
        timed_profile(v, q, r, &timed_cpu);
    } else if (strcmp(name, "wall") == 0) {
        timed_profile(v, q, r, &timed_wall);
    } else if (strcmp(name, "symbol") == 0) {
        symbol(v, q, r);
    } else if (strcmp(name, "trace") == 0) {
        exec_trace(v, q, r);
    } else {
        profile(v, q, r, name);
    }
}
