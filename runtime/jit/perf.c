/* SPDX-License-Identifier: MIT */

/*
 * The file by which perf names machine code: a line for each function, its
 * address and size in hexadecimal and its name.  perf looks for it in /tmp, by
 * the number of the process.
 */
#include "runtime/jit/jit_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
jit_perf_open(void)
{
    char path[64];

    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    /* One that is there is of a process that had this number before, or
     * somebody else's, who shall not choose where this is written. */
    if (unlink(path) != 0 && access(path, F_OK) == 0)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
        0644);
}

void
jit_perf_put(struct jit *jit, const struct jit_made *m)
{
    rt_assert(jit->perf >= 0);
    dprintf(jit->perf, "%x %zx %s\n", m->addr, m->n, m->func->name);
}

void
jit_perf_close(struct jit *jit)
{
    if (jit->perf >= 0)
        close(jit->perf);
    jit->perf = -1;
}
