/* SPDX-License-Identifier: MIT */

/*
 * jitdump, from which `perf inject --jit` makes files that have machine code
 * with the lines of the script: tools/perf/Documentation/jitdump-specification
 * in the sources of Linux.  perf record sees that the process maps the file,
 * and finds it by that.
 */
#include "runtime/jit/jit_int.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/clock.h"

enum { MAGIC = 0x4a695444, VERSION = 1, CODE_LOAD = 0, CODE_DEBUG_INFO = 2 };
enum { DUMP_SEEN = 4096 }; /* bytes of the file that are mapped */

struct file_header {
    uint32_t magic, version, size, machine, pad, pid;
    uint64_t time, flags;
};

struct prefix { /* of each record */
    uint32_t id, size;
    uint64_t time;
};

struct code_load {
    struct prefix prefix;
    uint32_t pid, tid;
    uint64_t vma, addr, size, index;
    /* The name, NUL included, and the code. */
};

struct debug_info {
    struct prefix prefix;
    uint64_t addr, n;
    /* n times struct line and a file's name. */
};

struct line {
    uint64_t addr;
    uint32_t line, discriminator;
};

void
jit_dump_open(struct jit *jit)
{
    struct file_header h = {.magic = MAGIC, .version = VERSION,
        .size = sizeof h, .machine = EM_X86_64, .pid = (uint32_t)getpid(),
        .time = (uint64_t)rt_nanotime()};
    char path[64];

    snprintf(path, sizeof path, "/tmp/jit-%ld.dump", (long)getpid());
    /* As in jit_perf_open(). */
    if (unlink(path) != 0 && access(path, F_OK) == 0)
        return;
    jit->dump = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
        0644);
    if (jit->dump < 0)
        return;
    /* For perf to see: nobody runs it. */
    jit->dump_seen = mmap(
        NULL, DUMP_SEEN, PROT_READ | PROT_EXEC, MAP_PRIVATE, jit->dump, 0);
    if (jit->dump_seen == MAP_FAILED ||
        write(jit->dump, &h, sizeof h) != (ssize_t)sizeof h)
        jit_dump_close(jit);
}

/* The lines of m, a record; NULL where memory is out. */
static void *
lines(const struct jit_made *m, size_t *size)
{
    const struct code_image *im = m->im;
    const struct code_line *last = NULL;
    struct debug_info *d;
    char *p = NULL;
    FILE *f = open_memstream(&p, size);

    if (f == NULL)
        return NULL;
    struct debug_info head = {.addr = m->addr};
    fwrite(&head, sizeof head, 1, f);
    for (uint32_t i = 0; i < m->nspots; i++) {
        size_t at;
        const struct code_ins *pc = jit_made_spot(m, i, &at);
        const struct code_func *fn = code_find_func(im, pc);
        const struct code_line *l = fn == NULL ? NULL :
            code_find_line(fn, (uint32_t)(pc - fn->code));
        if (l == NULL || l == last || l->file >= im->nfiles)
            continue;
        last = l;
        struct line x = {.addr = m->addr + at, .line = l->line};
        fwrite(&x, sizeof x, 1, f);
        fwrite(im->files[l->file], strlen(im->files[l->file]) + 1, 1, f);
        head.n++;
    }
    if (fclose(f) != 0 || p == NULL) {
        free(p);
        return NULL;
    }
    head.prefix = (struct prefix){.id = CODE_DEBUG_INFO,
        .size = (uint32_t)*size, .time = (uint64_t)rt_nanotime()};
    d = (struct debug_info *)p;
    *d = head;
    return d;
}

void
jit_dump_put(struct jit *jit, const struct jit_made *m)
{
    size_t name = strlen(m->func->name) + 1, size;
    struct code_load load = {.pid = (uint32_t)getpid(),
        .tid = (uint32_t)syscall(SYS_gettid), .vma = m->addr,
        .addr = m->addr, .size = m->n, .index = jit->nfuncs};
    void *info = lines(m, &size);
    bool ok = info != NULL && write(jit->dump, info, size) == (ssize_t)size;

    rt_assert(jit->dump >= 0 && m->n > 0);
    free(info);
    load.prefix = (struct prefix){.id = CODE_LOAD,
        .size = (uint32_t)(sizeof load + name + m->n),
        .time = (uint64_t)rt_nanotime()};
    /* A record that is cut would make the rest unreadable. */
    if (!ok || write(jit->dump, &load, sizeof load) != (ssize_t)sizeof load ||
        write(jit->dump, m->func->name, name) != (ssize_t)name ||
        write(jit->dump, m->code, m->n) != (ssize_t)m->n)
        jit_dump_close(jit);
}

void
jit_dump_close(struct jit *jit)
{
    if (jit->dump < 0)
        return;
    if (jit->dump_seen != MAP_FAILED)
        munmap(jit->dump_seen, DUMP_SEEN);
    close(jit->dump);
    jit->dump = -1;
}
