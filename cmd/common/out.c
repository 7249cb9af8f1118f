/* SPDX-License-Identifier: MIT */
#include "cmd/common/out.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/common/fds.h"
#include "runtime/base/safetext.h"

/* The terminal's columns; where output goes elsewhere, as to a pager, those of
 * the terminal that has the messages. */
static int
columns(void)
{
    enum { LEAST = 40, MOST = 1000, UNKNOWN = 120 };
    const char *env = getenv("COLUMNS");
    struct winsize ws;
    int fd, n = env == NULL ? 0 : atoi(env);

    for (fd = STDOUT_FILENO; n <= 0 && fd <= STDERR_FILENO; fd++) {
        if (ioctl(fd, TIOCGWINSZ, &ws) == 0)
            n = ws.ws_col;
    }
    return n <= 0 ? UNKNOWN : n < LEAST ? LEAST : n > MOST ? MOST : n;
}

void
out_init(struct out *o)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    setlocale(LC_CTYPE, "");
    *o = (struct out){.f = stdout};
    o->width = columns();
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

char *
out_clean(char *buf, size_t size, const char *s, size_t len)
{
    return rt_safe_text(buf, size, s, len);
}

void
out_tell(const char *prog, const char *fmt, ...)
{
    char *text;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&text, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: ", prog);
    if (n >= 0) {
        rt_safe_put(stderr, text, (size_t)n);
        free(text);
    }
    fputc('\n', stderr);
}

/* ---- JSON */

void
out_json_string(struct out *o, const char *s, size_t len)
{
    size_t i = 0;

    fputc('"', o->f);
    while (i < len) {
        char esc[RT_SAFE_ESC];
        size_t n = rt_json_char(s + i, len - i, esc);

        fwrite(*esc != '\0' ? esc : s + i, 1,
            *esc != '\0' ? strlen(esc) : n, o->f);
        i += n;
    }
    fputc('"', o->f);
}
