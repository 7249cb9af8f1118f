/* SPDX-License-Identifier: MIT */
#include "cmd/vole/test_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/base/throw.h"
#include "runtime/base/utf8.h"

/* The result of a test whose lines are still coming. */
struct result {
    char action[12];
    char *test;
    double seconds;
};

struct test_json {
    FILE *out;
    char *package;
    char *test;          /* whose output comes; "" for the package's */
    char *line;          /* that has not ended */
    size_t n, cap;
    struct result *open; /* of a test, of a part of it, ... */
    unsigned nopen, opencap;
    bool marked;         /* unmarked lines are not the report's */
    bool skipped;
    bool nomem;
};

/* ---- JSON ----------------------------------------------------------------------- */

static void
put_string(FILE *out, const char *s, size_t n)
{
    size_t i = 0;

    putc('"', out);
    while (i < n) {
        unsigned char c = (unsigned char)s[i];
        int32_t r;
        unsigned w = rt_utf8_decode((const uint8_t *)s + i, n - i, &r);

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f')
            fprintf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't'
                    : c == '\r' ? 'r' : c == '\b' ? 'b' : 'f');
        else if (c < ' ' || c == '<' || c == '>' || c == '&' || r == 0x2028 ||
            r == 0x2029)
            fprintf(out, "\\u%04x", (unsigned)r);
        else if (r == RT_RUNE_ERROR && w == 1)
            fputs("\\ufffd", out);
        else
            fwrite(s + i, 1, w, out);
        i += w;
    }
    putc('"', out);
}

static void
put_field(FILE *out, const char *name, const char *value)
{
    if (value == NULL || *value == 0)
        return;
    fprintf(out, ",\"%s\":", name);
    put_string(out, value, strlen(value));
}

/* Now, as Go's time.Time is in JSON. */
static void
put_time(FILE *out)
{
    struct timespec ts;
    struct tm tm;
    char text[64], frac[16];
    long off;
    size_t n;

    clock_gettime(CLOCK_REALTIME, &ts);
    localtime_r(&ts.tv_sec, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    n = (size_t)snprintf(frac, sizeof frac, ".%09ld", ts.tv_nsec);
    while (n > 0 && (frac[n - 1] == '0' || frac[n - 1] == '.'))
        frac[--n] = 0;
    off = tm.tm_gmtoff / 60;
    fprintf(out, "\"Time\":\"%s%s", text, frac);
    if (off == 0)
        fputs("Z\"", out);
    else
        fprintf(out, "%c%02ld:%02ld\"", off < 0 ? '-' : '+', labs(off) / 60,
            labs(off) % 60);
}

/* A number of seconds with no more digits than it needs. */
static void
put_seconds(FILE *out, double seconds)
{
    char text[32];
    size_t n = (size_t)snprintf(text, sizeof text, "%.3f", seconds);

    while (n > 0 && text[n - 1] == '0')
        text[--n] = 0;
    if (n > 0 && text[n - 1] == '.')
        text[--n] = 0;
    fprintf(out, ",\"Elapsed\":%s", text);
}

static void
begin(struct test_json *j, const char *action)
{
    putc('{', j->out);
    put_time(j->out);
    put_field(j->out, "Action", action);
    put_field(j->out, "Package", j->package);
}

static void
end(FILE *out)
{
    fputs("}\n", out);
    fflush(out);
}

/* ---- events --------------------------------------------------------------------- */

static void
put_output(struct test_json *j, const char *s, size_t n)
{
    if (n == 0)
        return;
    begin(j, "output");
    put_field(j->out, "Test", j->test);
    fputs(",\"Output\":", j->out);
    put_string(j->out, s, n);
    end(j->out);
}

static void
set_test(struct test_json *j, const char *name, size_t n)
{
    char *copy = strndup(name, n);

    if (copy == NULL) {
        j->nomem = true;
        return;
    }
    free(j->test);
    j->test = copy;
}

/* Tells the results of tests that lie deeper than so. */
static void
close_results(struct test_json *j, unsigned depth)
{
    set_test(j, "", 0);
    while (j->nopen > depth) {
        struct result *r = &j->open[--j->nopen];

        begin(j, r->action);
        put_field(j->out, "Test", r->test);
        put_seconds(j->out, r->seconds);
        end(j->out);
        free(r->test);
    }
}

static bool
open_result(struct test_json *j, struct result r)
{
    if (j->nopen == j->opencap) {
        unsigned cap = j->opencap == 0 ? 8 : 2 * j->opencap;
        struct result *p = realloc(j->open, cap * sizeof *p);

        if (p == NULL) {
            j->nomem = true;
            return false;
        }
        j->open = p;
        j->opencap = cap;
    }
    j->open[j->nopen++] = r;
    return true;
}

/* ---- lines ---------------------------------------------------------------------- */

static bool
starts(const char *s, size_t n, const char *head)
{
    size_t k = strlen(head);

    return n >= k && memcmp(s, head, k) == 0;
}

static bool
starts_any(const char *s, size_t n, const char *const *heads)
{
    for (; *heads != NULL; heads++)
        if (starts(s, n, *heads))
            return true;
    return false;
}

static const char *const updates[] = {"=== RUN   ", "=== PAUSE ",
    "=== CONT  ", "=== NAME  ", "=== PASS  ", "=== FAIL  ", "=== SKIP  ",
    "=== ATTR  ", "=== ARTIFACTS ", NULL};
static const char *const reports[] = {"--- PASS: ", "--- FAIL: ",
    "--- SKIP: ", "--- BENCH: ", NULL};

/* Cuts the word behind the mark out of [*s, *s + *n): its action in small
 * letters; what is left is the name. */
static void
take_action(const char **s, size_t *n, char action[12])
{
    const char *p = *s + 4, *stop = *s + *n;
    size_t k = 0;

    for (; p < stop && *p != ' ' && *p != ':'; p++)
        if (k < 11)
            action[k++] = (char)tolower((unsigned char)*p);
    action[k] = 0;
    if (p < stop && *p == ':')
        p++;
    while (p < stop && isspace((unsigned char)*p))
        p++;
    while (stop > p && isspace((unsigned char)stop[-1]))
        stop--;
    *s = p;
    *n = (size_t)(stop - p);
}

/* "--- PASS: Name (0.00s)", of a test so many levels down. */
static void
take_report(struct test_json *j, const char *s, size_t n, unsigned depth,
    const char *line, size_t len, bool marked)
{
    struct result r = {.seconds = 0};
    char action[12];
    const char *paren;

    take_action(&s, &n, action);
    paren = memmem(s, n, " (", 2);
    if (paren != NULL) {
        r.seconds = strtod(paren + 2, NULL);
        n = (size_t)(paren - s);
    }
    if (j->nopen < depth) {
        put_output(j, line, len);
        return;
    }
    j->marked = marked;
    close_results(j, depth);
    set_test(j, s, n);
    snprintf(r.action, sizeof r.action, "%s", action);
    r.test = strndup(s, n);
    if (r.test == NULL || !open_result(j, r)) {
        j->nomem = true;
        free(r.test);
    }
    put_output(j, line, len);
}

/* "=== RUN   Name": the action comes before the line, but for a pause. */
static void
take_update(struct test_json *j, const char *line, size_t len, bool marked)
{
    const char *s = line, *more;
    size_t n = len, name;
    char action[12];

    take_action(&s, &n, action);
    more = strcmp(action, "attr") == 0 || strcmp(action, "artifacts") == 0 ?
        memchr(s, ' ', n) : NULL;
    name = more == NULL ? n : (size_t)(more - s);
    j->marked = marked;
    close_results(j, 0);
    set_test(j, s, name);
    if (strcmp(action, "name") == 0)
        return;
    if (strcmp(action, "pause") == 0)
        put_output(j, line, len);
    begin(j, action);
    put_field(j->out, "Test", j->test);
    if (more != NULL) {
        char *rest = strndup(more + 1, n - name - 1), *value;

        if (rest != NULL && strcmp(action, "attr") == 0) {
            value = strchr(rest, ' ');
            if (value != NULL)
                *value++ = 0;
            put_field(j->out, "Key", rest);
            put_field(j->out, "Value", value);
        } else {
            put_field(j->out, "Path", rest);
        }
        free(rest);
    }
    end(j->out);
    if (strcmp(action, "pause") != 0)
        put_output(j, line, len);
}

static bool
is_line(const char *s, size_t n, const char *text)
{
    while (n > 0 && (s[n - 1] == '\n' || s[n - 1] == '\r'))
        n--;
    return n == strlen(text) && memcmp(s, text, n) == 0;
}

/* A whole line, or what stands before a mark or the end. */
static void
take_line(struct test_json *j, const char *s, size_t n)
{
    const char *line;
    size_t len;
    bool marked = *s == *TEST_JSON_MARK;
    unsigned depth = 0;

    if (j->marked && !marked) {
        put_output(j, s, n);
        return;
    }
    line = s += marked;
    len = n -= marked;
    if (is_line(s, n, "PASS") || is_line(s, n, "FAIL") ||
        starts(s, n, "FAIL\t")) {
        close_results(j, 0);
        j->marked = marked;
        put_output(j, s, n);
        return;
    }
    if (starts(s, n, "?   \t") && j->nopen == 0)
        j->skipped = true;
    if (is_line(s, n, "=== NAME")) {
        close_results(j, 0);
        j->marked = marked;
        return;
    }
    if (starts_any(s, n, updates)) {
        take_update(j, s, n, marked);
        return;
    }
    for (; starts(s, n, "    "); depth++) {
        s += 4;
        n -= 4;
    }
    if (starts_any(s, n, reports)) {
        take_report(j, s, n, depth, line, len, marked);
        return;
    }
    /* By how far it stands to the right, it is of a part of the test. */
    if (depth > 0 && depth <= j->nopen)
        set_test(j, j->open[depth - 1].test,
            strlen(j->open[depth - 1].test));
    put_output(j, line, len);
}

/* How long the first line of s is, 0 if it has not ended: it does before a
 * mark, too. */
static size_t
line_length(const char *s, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (s[i] == '\n')
            return i + 1;
        if (s[i] == *TEST_JSON_MARK && i > 0)
            return i;
    }
    return 0;
}

/* ---- the calls ------------------------------------------------------------------ */

struct test_json *
test_json_new(FILE *out, const char *package)
{
    struct test_json *j = calloc(1, sizeof *j);

    if (j == NULL)
        return NULL;
    j->out = out;
    j->package = strdup(package);
    j->test = strdup("");
    if (j->package == NULL || j->test == NULL) {
        free(j->package);
        free(j->test);
        free(j);
        return NULL;
    }
    begin(j, "start");
    end(out);
    return j;
}

void
test_json_write(struct test_json *j, const char *s, size_t n)
{
    size_t at = 0, k;

    if (j->n + n > j->cap) {
        size_t cap = 2 * (j->n + n);
        char *p = realloc(j->line, cap);

        if (p == NULL) {
            j->nomem = true;
            return;
        }
        j->line = p;
        j->cap = cap;
    }
    memcpy(j->line + j->n, s, n);
    j->n += n;
    while ((k = line_length(j->line + at, j->n - at)) != 0) {
        take_line(j, j->line + at, k);
        at += k;
    }
    rt_assert(at <= j->n);
    memmove(j->line, j->line + at, j->n - at);
    j->n -= at;
}

void
test_json_end(
    struct test_json *j, bool ok, double seconds, const char *failed_build)
{
    if (j->n != 0)
        take_line(j, j->line, j->n);
    close_results(j, 0);
    if (j->nomem)
        fprintf(stderr, "vole: out of memory: events are missing\n");
    begin(j, !ok ? "fail" : j->skipped ? "skip" : "pass");
    put_seconds(j->out, seconds);
    put_field(j->out, "FailedBuild", failed_build);
    end(j->out);
    free(j->line);
    free(j->open);
    free(j->test);
    free(j->package);
    free(j);
}

static void
build_event(FILE *out, const char *what, const char *action)
{
    fputs("{\"ImportPath\":", out);
    put_string(out, what, strlen(what));
    put_field(out, "Action", action);
}

void
test_json_build(FILE *out, const char *what, const char *text, size_t n)
{
    while (n > 0) {
        const char *nl = memchr(text, '\n', n);
        size_t k = nl == NULL ? n : (size_t)(nl - text) + 1;

        build_event(out, what, "build-output");
        fputs(",\"Output\":", out);
        put_string(out, text, k);
        end(out);
        text += k;
        n -= k;
    }
    build_event(out, what, "build-fail");
    end(out);
}
