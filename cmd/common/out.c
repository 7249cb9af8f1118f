/* SPDX-License-Identifier: MIT */
#include "cmd/common/out.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/fds.h"

void
out_init(struct out *o)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    setlocale(LC_CTYPE, "");
    o->f = stdout;
    o->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    o->colour = isatty(1) && (no == NULL || *no == '\0') &&
        (term == NULL || strcmp(term, "dumb") != 0);
}

int
out_finish(struct out *o, const char *prog)
{
    int err = 0;

    errno = 0;
    if (fds_was_closed(STDOUT_FILENO))
        err = EBADF;
    else if (fflush(o->f) != 0 || ferror(o->f))
        err = o->err != 0 ? o->err : errno != 0 ? errno : EIO;
    if (o->nomem)
        fprintf(stderr, "%s: out of memory\n", prog);
    if (err == 0 || err == EPIPE)
        return o->nomem;
    fprintf(stderr, "%s: standard output: %s\n", prog, strerror(err));
    return 1;
}

bool
out_failed(const struct out *o)
{
    return ferror(o->f) != 0;
}

void
out_printf(struct out *o, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    if (vfprintf(o->f, fmt, ap) < 0 && o->err == 0)
        o->err = errno; /* there may be nothing left to fail again */
    va_end(ap);
}

const char *
out_style(const struct out *o, enum out_style s)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m",
        "\033[31m", "\033[32m", "\033[33m", "\033[36m"};

    return o->colour ? codes[s] : "";
}

/* ---- numbers */

/* Three significant digits. */
static void
scaled(char *buf, double v, const char *unit)
{
    int digits = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

    snprintf(buf, OUT_NUM, "%.*f %s", digits, v, unit);
}

char *
out_duration(const struct out *o, char *buf, int64_t ns)
{
    double v = (double)ns;

    if (ns < 0) {
        snprintf(buf, OUT_NUM, "-");
        return buf;
    }
    if (ns < 1000)
        snprintf(buf, OUT_NUM, "%d ns", (int)ns);
    else if (v < 999.5e3)
        scaled(buf, v / 1e3, o->utf8 ? "\302\265s" : "us");
    else if (v < 999.5e6)
        scaled(buf, v / 1e6, "ms");
    else if (v < 59.995e9)
        scaled(buf, v / 1e9, "s");
    else if (v < 3600e9)
        snprintf(buf, OUT_NUM, "%dm%02ds", (int)(ns / 60000000000),
            (int)(ns / 1000000000 % 60));
    else
        snprintf(buf, OUT_NUM, "%lldh%02dm", (long long)(ns / 3600000000000),
            (int)(ns / 60000000000 % 60));
    return buf;
}

char *
out_moment(const struct out *o, char *buf, int64_t ns, int64_t step)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    int64_t unit;
    int i = 0, digits = 0;

    while (i < 3 && ns < units[i].ns)
        i++;
    for (unit = units[i].ns; unit > 1 && unit * 10 > step; unit /= 10)
        digits++;
    snprintf(buf, OUT_NUM, "%.*f %s", digits,
        (double)ns / (double)units[i].ns,
        i == 2 && o->utf8 ? "\302\265s" : units[i].name);
    return buf;
}

char *
out_bytes(char *buf, uint64_t n)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double v = (double)n / 1024;
    int i = 0;

    if (n < 1024) {
        snprintf(buf, OUT_NUM, "%d B", (int)n);
        return buf;
    }
    while (v >= 999.5 && i < 5) {
        v /= 1024;
        i++;
    }
    scaled(buf, v, units[i]);
    return buf;
}

char *
out_count(char *buf, uint64_t n)
{
    char digits[OUT_NUM];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    int i, k = 0;

    for (i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf[k++] = ',';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

char *
out_share(char *buf, double part, double whole)
{
    double p = whole > 0 ? part * 100 / whole : 0;

    if (!(whole > 0))
        snprintf(buf, OUT_NUM, "-");
    else if (part > 0 && p < 0.05)
        snprintf(buf, OUT_NUM, "<0.1 %%");
    else
        snprintf(buf, OUT_NUM, "%.1f %%", p);
    return buf;
}

char *
out_bar(const struct out *o, char *buf, double share, int width)
{
    static const char *const eighths[] = {"", "\342\226\217", "\342\226\216",
        "\342\226\215", "\342\226\214", "\342\226\213", "\342\226\212",
        "\342\226\211"};
    int n, i;

    buf[0] = '\0';
    if (!(share > 0))
        return buf;
    if (share > 1)
        share = 1;
    n = (int)(share * width * 8 + 0.5);
    if (!o->utf8) {
        memset(buf, '#', (size_t)((n + 4) / 8));
        buf[(n + 4) / 8] = '\0';
        return buf;
    }
    for (i = 0; i < n / 8; i++)
        memcpy(buf + 3 * i, "\342\226\210", 3);
    strcpy(buf + 3 * (n / 8), eighths[n % 8]);
    return buf;
}

/* ---- text */

/* Bytes of the UTF-8 sequence at s, 0 where there is none. */
static size_t
utf8_len(const unsigned char *s, size_t n)
{
    size_t len, i;

    if (s[0] < 0x80)
        return 1;
    len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || len > n)
        return 0;
    for (i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return len;
}

char *
out_clean(char *buf, size_t size, const char *s, size_t len)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t i = 0, k = 0, n;

    while (i < len && k + 5 < size) {
        n = utf8_len(p + i, len - i);
        if (n == 0) {
            buf[k++] = '?';
            n = 1;
        } else if (p[i] < 0x20 || p[i] == 0x7f ||
            (p[i] == 0xc2 && p[i + 1] < 0xa0)) {
            k += (size_t)snprintf(buf + k, size - k, "\\x%02x",
                n == 1 ? p[i] : p[i + 1]);
        } else {
            memcpy(buf + k, p + i, n);
            k += n;
        }
        i += n;
    }
    buf[k] = '\0';
    return buf;
}

/* ---- tables */

void
out_table_init(struct out_table *t, const char *align)
{
    memset(t, 0, sizeof *t);
    t->ncols = (int)strlen(align);
    memcpy(t->align, align, (size_t)t->ncols);
}

static bool
room(struct out_table *t)
{
    size_t cap = t->cap == 0 ? 32 : t->cap * 2;
    char **p;

    if (t->nrows < t->cap)
        return true;
    p = realloc(t->cells, cap * (size_t)t->ncols * sizeof *p);
    if (p == NULL)
        return false;
    t->cells = p;
    t->cap = cap;
    return true;
}

void
out_table_row(struct out_table *t, const char *const *cells)
{
    int i;

    if (t->oom || !room(t)) {
        t->oom = true;
        return;
    }
    for (i = 0; i < t->ncols; i++) {
        char *c = strdup(cells[i]);

        if (c == NULL)
            t->oom = true;
        t->cells[t->nrows * (size_t)t->ncols + (size_t)i] = c;
    }
    t->nrows++;
}

/* Cells that a text takes, all its characters being one wide. */
static int
width_of(const char *s)
{
    int n = 0;

    for (; s != NULL && *s != '\0'; s++)
        n += (*s & 0xc0) != 0x80;
    return n;
}

static void
pad(struct out *o, int n)
{
    if (n > 0)
        fprintf(o->f, "%*s", n, "");
}

void
out_cell(struct out *o, const char *s, int width)
{
    int w = width_of(s);

    pad(o, width - w);
    fputs(s, o->f);
    pad(o, -width - w);
}

static void
print_row(struct out *o, const struct out_table *t, size_t row,
    const int *width, int indent)
{
    int i, last = t->ncols;
    char **c = t->cells + row * (size_t)t->ncols;

    while (last > 0 && (c[last - 1] == NULL || c[last - 1][0] == '\0'))
        last--;
    pad(o, indent);
    for (i = 0; i < last; i++) {
        const char *s = c[i] != NULL ? c[i] : "";
        int w = width_of(s);

        if (i > 0)
            pad(o, 2);
        if (t->align[i] == 'r')
            pad(o, width[i] - w);
        fputs(s, o->f);
        if (t->align[i] == 'l' && i + 1 < last)
            pad(o, width[i] - w);
    }
}

void
out_table_print(struct out *o, struct out_table *t, int indent)
{
    int width[OUT_COLS] = {0};
    size_t r, i, n = (size_t)t->ncols;

    o->nomem |= t->oom;
    for (r = 0; r < t->nrows; r++) {
        for (i = 0; i < n; i++) {
            int w = width_of(t->cells[r * n + i]);

            if (w > width[i])
                width[i] = w;
        }
    }
    for (r = 0; r < t->nrows; r++) {
        fputs(r == 0 ? out_style(o, OUT_DIM) : "", o->f);
        print_row(o, t, r, width, indent);
        fputs(r == 0 ? out_style(o, OUT_PLAIN) : "", o->f);
        fputc('\n', o->f);
    }
    for (i = 0; i < t->nrows * n; i++)
        free(t->cells[i]);
    free(t->cells);
    memset(t, 0, sizeof *t);
}

/* ---- JSON */

void
out_json_string(struct out *o, const char *s, size_t len)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t i = 0, n;

    fputc('"', o->f);
    while (i < len) {
        n = utf8_len(p + i, len - i);
        if (n == 0) {
            fputs("\\ufffd", o->f);
            n = 1;
        } else if (p[i] == '"' || p[i] == '\\') {
            fprintf(o->f, "\\%c", p[i]);
        } else if (p[i] < 0x20 || p[i] == 0x7f) {
            fprintf(o->f, "\\u%04x", p[i]);
        } else {
            fwrite(p + i, 1, n, o->f);
        }
        i += n;
    }
    fputc('"', o->f);
}
