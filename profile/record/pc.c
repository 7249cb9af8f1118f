/* SPDX-License-Identifier: MIT */
#include "profile/record/pc.h"

#include <stdio.h>

#include "runtime/base/cstack.h"

const char *
prof_mark_name(vpc pc)
{
    static const char *const names[] = {
#define X(name, text) [PROF_MARK_##name] = text,
        PROF_MARKS(X)
#undef X
    };
    uint64_t i = pc & ~PROF_PC_MARK;

    return prof_pc_is_mark(pc) && i < PROF_MARK_COUNT ? names[i] : "?";
}

bool
prof_native_name(vpc pc, char *buf, size_t n, uint64_t *off)
{
    char name[128];
    bool own = rt_cstack_name(prof_pc_addr(pc), name, sizeof name, off);

    snprintf(buf, n, "%s%s", own ? "runtime." : "", name);
    return own;
}
