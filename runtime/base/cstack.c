/* SPDX-License-Identifier: MIT */
#include "runtime/base/cstack.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PRINT_MAX = 64, NAME_MAX_LEN = 128 };

int
rt_cstack_capture(uintptr_t *pcs, int max, int skip)
{
    unw_context_t ctx;
    unw_cursor_t cur;
    int n = 0;

    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0)
        return 0;
    /* The cursor stands on this very function: one step to the caller. */
    for (skip++; skip > 0; skip--)
        if (unw_step(&cur) <= 0)
            return 0;
    while (n < max) {
        unw_word_t ip;
        if (unw_get_reg(&cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            break;
        pcs[n++] = (uintptr_t)ip;
        if (unw_step(&cur) <= 0)
            break;
    }
    return n;
}

void
rt_cstack_print(int fd, int skip)
{
    unw_context_t ctx;
    unw_cursor_t cur;

    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0)
        return;
    for (skip++; skip > 0; skip--)
        if (unw_step(&cur) <= 0)
            return;
    for (int i = 0; i < PRINT_MAX; i++) {
        char name[NAME_MAX_LEN];
        char line[NAME_MAX_LEN + 64];
        unw_word_t ip;
        unw_word_t off = 0;
        if (unw_get_reg(&cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            return;
        if (unw_get_proc_name(&cur, name, sizeof name, &off) != 0)
            snprintf(name, sizeof name, "?");
        int n = snprintf(line, sizeof line, "\t%s+0x%lx (0x%lx)\n", name,
            (unsigned long)off, (unsigned long)ip);
        if (n < 0 || write(fd, line, (size_t)n) < 0)
            return;
        if (unw_step(&cur) <= 0)
            return;
    }
}

/* What the linker calls the file that the address lies in, without its
 * folder; *own: it is the one that this function is in. */
static const char *
file_of(uintptr_t pc, bool *own)
{
    Dl_info here, there;

    *own = false;
    if (dladdr((const void *)(uintptr_t)&rt_cstack_name, &here) == 0 ||
        dladdr((const void *)pc, &there) == 0 || there.dli_fname == NULL)
        return "?";
    *own = here.dli_fbase == there.dli_fbase;
    const char *slash = strrchr(there.dli_fname, '/');
    return slash == NULL ? there.dli_fname : slash + 1;
}

bool
rt_cstack_name(uintptr_t pc, char *buf, size_t n, uint64_t *off)
{
    const char *file;
    unw_context_t ctx;
    unw_cursor_t cur;
    unw_proc_info_t pi;
    unw_word_t o = 0;
    bool own;

    *off = 0;
    file = file_of(pc, &own);
    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0 ||
        unw_set_reg(&cur, UNW_REG_IP, pc) != 0) {
        snprintf(buf, n, "0x%lx", (unsigned long)pc);
        return false;
    }
    int e = unw_get_proc_name(&cur, buf, n, &o);
    /* Where symbols are missing the name is that of some other function
     * before this one. */
    if (unw_get_proc_info(&cur, &pi) == 0 && pi.start_ip <= pc) {
        *off = pc - pi.start_ip;
        if ((e != 0 && e != -UNW_ENOMEM) || o != *off) {
            snprintf(buf, n, "%s.0x%lx", file, (unsigned long)pi.start_ip);
            return false;
        }
    } else if (e != 0 && e != -UNW_ENOMEM) {
        snprintf(buf, n, "%s.0x%lx", file, (unsigned long)pc);
        return false;
    } else {
        *off = o;
    }
    /* Parts that the compiler has made of a function bear its name. */
    if (own)
        buf[strcspn(buf, ".")] = 0;
    return own;
}

bool
rt_cstack_interrupted(const void *ucontext, uintptr_t lo, uintptr_t hi,
    const int reg[2], uintptr_t val[2], uintptr_t *pcs, uint32_t max,
    uint32_t *n)
{
    unw_cursor_t cur;
    unw_word_t ip;

    *n = 0;
    /* It is only read. */
    if (unw_init_local2(&cur, (unw_context_t *)(uintptr_t)ucontext,
            UNW_INIT_SIGNAL_FRAME) != 0)
        return false;
    for (uint32_t i = 0;; i++) {
        if (unw_get_reg(&cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            return false;
        uintptr_t at = (uintptr_t)ip - (i > 0); /* of the call */
        if (at >= lo && at < hi)
            break;
        if (i == max)
            return false;
        pcs[i] = at;
        *n = i + 1;
        if (unw_step(&cur) <= 0)
            return false;
    }
    for (int k = 0; k < 2; k++) {
        unw_word_t v;

        if (reg[k] < 0 || unw_get_reg(&cur, reg[k], &v) != 0)
            return false;
        val[k] = (uintptr_t)v;
    }
    return true;
}
