/* SPDX-License-Identifier: MIT */
/*
 * Listings of a program: its bytecode, and its machine code below each
 * instruction.  For the second the runtime is built as for a run, but with
 * nothing that runs; all functions are compiled, what has been made of those
 * that are wanted goes into a file, and what objdump says of it is put between
 * the instructions by address.
 */
#include "runtime/host/host_int.h"
#include "runtime/host/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/debugvar.h"
#include "runtime/base/throw.h"
#include "runtime/base/vec.h"
#include "runtime/code/disasm.h"

static bool
is_listed(const struct code_func *f, const char *filter)
{
    return filter == NULL ? strncmp(f->name, "main.", 5) == 0 :
        strstr(f->name, filter) != NULL;
}

int
vole_disasm(struct vole *v, const char *filter, FILE *out)
{
    uint32_t i;

    for (i = 0; v->image != NULL && i < v->image->nfuncs; i++) {
        const struct code_func *f = &v->image->funcs[i];

        if (is_listed(f, filter) && !code_disasm_func(v->image, f, out))
            return 1;
    }
    return ferror(out);
}

/* ---- what has been made ---------------------------------------------------- */

RT_VEC(made_vec, struct jit_made);

struct listing {
    const char *filter;
    struct made_vec made; /* by function number */
    bool failed; /* memory is out */
};

static void
collect_made(void *arg, const struct jit_made *m)
{
    struct listing *l = arg;

    if (is_listed(m->func, l->filter) && !rt_vec_push(&l->made, *m))
        l->failed = true;
}

/* ---- objdump ----------------------------------------------------------------- */

/* A line of objdump's, "  40001020:\tcmp    rax,0x2": the address and what
 * stands behind it, which ends with the newline; NULL: it is another one. */
static const char *
parse_line(const char *s, uint64_t *addr)
{
    char *end;

    if (*s != ' ')
        return NULL;
    *addr = strtoull(s, &end, 16);
    return end != s && end[0] == ':' && end[1] == '\t' ? end + 2 : NULL;
}

struct reader {
    FILE *in;
    char *line;
    size_t cap;
    uint64_t addr;
    const char *text; /* of line, at addr; NULL: there is no more */
};

static void
next_line(struct reader *r)
{
    r->text = NULL;
    while (r->text == NULL && getline(&r->line, &r->cap, r->in) > 0)
        r->text = parse_line(r->line, &r->addr);
}

/* One function: its instructions in the order of their code, which is that of
 * addresses, and what is done seldom behind them. */
static void
list_func(const struct jit_made *m, struct reader *r, FILE *out)
{
    const struct code_line *last = NULL;
    const struct code_ins *before = NULL;
    uint32_t i;

    code_disasm_head(m->func, out);
    for (i = 0; i < m->nspots; i++) {
        size_t at, end = m->n;
        const struct code_ins *pc = jit_made_spot(m, i, &at);
        const struct code_func *f = code_find_func(m->im, pc);

        if (i + 1 < m->nspots)
            jit_made_spot(m, i + 1, &end);
        if (pc != before)
            code_disasm_at(m->im, f, (uint32_t)(pc - f->code), &last, out);
        before = pc;
        for (; r->text != NULL && r->addr < m->addr + end; next_line(r))
            fprintf(out, "          %8" PRIx64 "  %s", r->addr, r->text);
    }
}

static bool
list(const struct code_image *im, const struct listing *l, FILE *in,
    FILE *out)
{
    struct reader r = {.in = in};
    size_t k = 0;
    uint32_t i;

    next_line(&r);
    for (i = 0; i < im->nfuncs && !ferror(out); i++) {
        const struct code_func *f = &im->funcs[i];

        if (!is_listed(f, l->filter))
            continue;
        if (k < l->made.n && l->made.v[k].func == f)
            list_func(&l->made.v[k++], &r, out);
        else
            code_disasm_func(im, f, out);
    }
    rt_assert(k == l->made.n || ferror(out));
    free(r.line);
    return !ferror(out);
}

/* The listing by way of a file, whose name objdump wants. */
static enum rt_status
list_by(const struct code_image *im, const struct listing *l, FILE *out,
    struct rt_err *e)
{
    char path[] = "/tmp/vole-listing-XXXXXX";
    char command[sizeof path + 64];
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok = f != NULL && listing_elf_write(l->made.v, l->made.n, f);

    if (f != NULL)
        ok &= fclose(f) == 0;
    if (!ok) {
        if (fd >= 0)
            unlink(path);
        return rt_errf(e, RT_EIO, UINT64_MAX, "%s: cannot be written", path);
    }
    snprintf(command, sizeof command,
        "objdump -d -M intel --no-show-raw-insn -w %s", path);
    fflush(out);
    f = popen(command, "r");
    ok = f != NULL && list(im, l, f, out);
    int status = f == NULL ? -1 : pclose(f);
    unlink(path);
    if (status != 0)
        return rt_errf(e, RT_EIO, UINT64_MAX,
            "objdump failed; machine code is listed by it, of the package "
            "binutils");
    return ok ? RT_OK
              : rt_errf(e, RT_EIO, UINT64_MAX, "cannot write the listing");
}

enum vole_status
vole_disasm_native(struct vole *v, const char *filter, FILE *out,
    struct vole_error *err)
{
    struct listing l = {.filter = filter};
    struct rt_debugvars dv;
    struct rt_err e = {0};
    enum rt_status st;

    if (v->image == NULL || v->ran)
        return VOLE_FAILED;
    v->ran = true;
    if (!jit_available()) {
        rt_errf(&e, RT_EIO, UINT64_MAX,
            "there is no machine code on this machine or system");
        return host_failed(err, &e);
    }
    rt_debugvars_parse(&dv, NULL, NULL, NULL);
    v->made = collect_made;
    v->made_arg = &l;
    st = host_build(v, &dv, &e);
    if (st == RT_OK && l.failed)
        st = rt_errf(&e, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (st == RT_OK)
        st = list_by(v->image, &l, out, &e);
    rt_vec_free(&l.made);
    v->made = NULL;
    return st == RT_OK ? VOLE_OK : host_failed(err, &e);
}
