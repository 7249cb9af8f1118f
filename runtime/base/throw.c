/* SPDX-License-Identifier: MIT */
#include "runtime/base/throw.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/cstack.h"

/* A throw has no handle, hence these two words of process-wide state. */
static a_ptr hook;
static a_u32 throwing; /* thread count that came here; the first one prints */

static void
write_all(const char *s, size_t n)
{
    while (n > 0) {
        ssize_t w = write(STDERR_FILENO, s, n);
        if (w <= 0)
            return;
        s += w;
        n -= (size_t)w;
    }
}

static void
vprinterr(const char *fmt, va_list ap)
{
    char buf[1024];
    int n = vsnprintf(buf, sizeof buf, fmt, ap);

    if (n < 0)
        return;
    if ((size_t)n >= sizeof buf)
        n = (int)sizeof buf - 1;
    write_all(buf, (size_t)n);
}

void
rt_printerr(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vprinterr(fmt, ap);
    va_end(ap);
}

void
rt_throw_set_hook(rt_throw_hook_fn fn)
{
    /* rel: pairs with the acq in die(). */
    aptr_store_rel(&hook, (void *)(uintptr_t)fn);
}

static noreturn void
die(void)
{
    uint32_t nth = a32_add_full(&throwing, 1);

    if (nth == 0) {
        rt_printerr("\nnative stack:\n");
        rt_cstack_print(STDERR_FILENO, 2);
        rt_throw_hook_fn fn =
            (rt_throw_hook_fn)(uintptr_t)aptr_load_acq(&hook);
        if (fn != NULL)
            fn();
    } else if (nth < 3) {
        /* Another thread threw first, or the printing itself threw: give
         * the first one a moment to finish its report. */
        sleep(1);
    }
    signal(SIGABRT, SIG_DFL);
    abort();
}

void
rt_throw(const char *text)
{
    rt_printerr("fatal error: vole: %s\n", text);
    die();
}

void
rt_throwf(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rt_printerr("fatal error: vole: %s\n", text);
    die();
}

void
rt_quit(int status)
{
    _exit(status);
}

void
rt_no_memory(void)
{
    /* Who comes second lets the first one end the process. */
    if (a32_add_full(&throwing, 1) == 0)
        rt_printerr("fatal error: runtime: out of memory\n");
    else
        sleep(1);
    _exit(2);
}
