/* SPDX-License-Identifier: MIT */
#include "runtime/base/cstack.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <stdio.h>
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

bool
rt_cstack_name(uintptr_t pc, char *buf, size_t n, uint64_t *off)
{
    unw_context_t ctx;
    unw_cursor_t cur;
    unw_word_t o = 0;

    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0 ||
        unw_set_reg(&cur, UNW_REG_IP, pc) != 0)
        return false;
    int e = unw_get_proc_name(&cur, buf, n, &o);
    *off = o;
    return e == 0 || e == -UNW_ENOMEM;
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
