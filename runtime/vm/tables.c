/* SPDX-License-Identifier: MIT */
/*
 * What a machine needs to know of its image, or of the image and the library,
 * and never changes: whoever loads the same image again, for a program that
 * is run many times, has it at hand.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/hash.h"
#include "runtime/base/keep.h"
#include "runtime/vm/vm_int.h"

/* ---- making ------------------------------------------------------------------ */

/* Names of natives, for binding: open addressing over all tables. */
struct names {
    const struct vm_native **v;
    uint64_t mask;
};

static uint64_t
name_hash(const char *s)
{
    return rt_hash_bytes(s, strlen(s), 0);
}

static bool
names_init(struct names *n, const struct vm_config *cfg)
{
    uint64_t rows = 0, size = 16;

    for (unsigned i = 0; i < cfg->nnatives; i++)
        for (const struct vm_native *r = cfg->natives[i]; r->name; r++)
            rows++;
    while (size < 2 * rows + 1)
        size *= 2;
    n->v = calloc(size, sizeof *n->v);
    n->mask = size - 1;
    if (n->v == NULL)
        return false;
    for (unsigned i = 0; i < cfg->nnatives; i++)
        for (const struct vm_native *r = cfg->natives[i]; r->name; r++) {
            uint64_t h = name_hash(r->name) & n->mask;
            while (n->v[h] != NULL)
                h = (h + 1) & n->mask;
            n->v[h] = r;
        }
    return true;
}

static const struct vm_native *
names_find(const struct names *n, const char *name)
{
    uint64_t h = name_hash(name) & n->mask;

    for (; n->v[h] != NULL; h = (h + 1) & n->mask)
        if (strcmp(n->v[h]->name, name) == 0)
            return n->v[h];
    return NULL;
}

/* Stands for a native that nobody has brought.  The library of a release that
 * vole does not know declares some; a program that imports such a package need
 * not call them. */
static enum vm_status
no_native(struct vm_thread *t, union rt_slot *fp)
{
    const struct code_image *im = t->vm->im;
    const struct code_ins *pc = vm_g_of(t)->pc - 1;

    (void)fp;
    rt_assert(pc->op == OP_CALLN && (uint32_t)pc->imm < im->nnatives);
    return vm_panic_plain(
        t, "no native function %s", im->natives[pc->imm].name);
}

static bool
bind_natives(struct vm *vm, const struct vm_config *cfg)
{
    const struct code_image *im = vm->im;
    vm_native_fn *fns =
        calloc(im->nnatives + VM_NATIVE_COUNT, sizeof *fns);
    struct names names;

    vm->tables.natives = fns;
    if (cfg->race != NULL)
        vm->tables.access = calloc(im->nnatives + 1, sizeof *vm->tables.access);
    if (fns == NULL || (cfg->race != NULL && vm->tables.access == NULL) ||
        !names_init(&names, cfg))
        return false;
    for (uint32_t i = 0; i < im->nnatives; i++) {
        const struct vm_native *row =
            names_find(&names, im->natives[i].name);
        fns[i] = row == NULL ? no_native : row->fn;
        if (vm->tables.access != NULL && row != NULL)
            vm->tables.access[i] = row->access;
    }
    for (uint32_t i = 0; i < VM_NATIVE_COUNT; i++)
        fns[im->nnatives + i] = vm_own_natives[i];
    free(names.v);
    return true;
}

/* By pieces of the code, the function in which each begins. */
static bool
make_fmap(struct vm *vm)
{
    const struct code_image *im = vm->im;
    uint64_t nmap = (im->ncode >> VM_FMAP_SHIFT) + 1;
    uint32_t *fmap = calloc(nmap, sizeof *fmap);
    uint32_t f = 0;

    vm->tables.fmap = fmap;
    if (fmap == NULL)
        return false;
    for (uint64_t b = 0; b < nmap && im->nfuncs > 0; b++) {
        const struct code_ins *pc = im->code + (b << VM_FMAP_SHIFT);
        while (f + 1 < im->nfuncs &&
            pc >= im->funcs[f].code + im->funcs[f].ncode)
            f++;
        fmap[b] = f;
    }
    for (uint32_t i = 0; i < im->nfuncs; i++)
        rt_assert(im->funcs[i].ncode == 0 ||
            (vm_func_at(vm, im->funcs[i].code) == &im->funcs[i] &&
                vm_func_at(vm, im->funcs[i].code + im->funcs[i].ncode - 1) ==
                    &im->funcs[i]));
    return true;
}

static void
tables_free(struct vm_tables *t)
{
    free((void *)t->natives);
    free(t->access);
    free(t->closed);
    free((void *)t->fmap);
    free(t->points);
    free(t->sync);
    free(t->waits);
    *t = (struct vm_tables){0};
}

bool
vm_tables_make(struct vm *vm, const struct vm_config *cfg)
{
    if (vm->kept != NULL && vm->kept->tables.of == vm->im) {
        vm->tables = vm->kept->tables;
        rt_assert((cfg->race != NULL) == (vm->tables.access != NULL));
        return true;
    }
    if (!make_fmap(vm) ||
        ((cfg->points || cfg->watch != NULL) && !vm_points_init(vm)) ||
        !bind_natives(vm, cfg) ||
        (cfg->race != NULL && !vm_race_find_closed(vm)))
        return false;
    if (cfg->race != NULL)
        vm_race_rewrite(vm, cfg->unchecked);
    vm->tables.of = vm->im;
    if (vm->kept == NULL)
        return true;
    tables_free(&vm->kept->tables);
    vm->kept->tables = vm->tables;
    return true;
}

/* ---- from one machine to the next ------------------------------------------- */

struct vm_kept *
vm_kept_new(struct rt_keep *maps)
{
    struct vm_kept *k = calloc(1, sizeof *k);

    if (k != NULL)
        k->maps = maps;
    return k;
}

void
vm_kept_free(struct vm_kept *k)
{
    if (k == NULL)
        return;
    tables_free(&k->tables);
    free(k);
}

void
vm_tables_end(struct vm *vm)
{
    /* Those of a machine that was never whole are nobody else's. */
    if (vm->kept == NULL || vm->tables.of == NULL)
        tables_free(&vm->tables);
}

void *
vm_kept_map(const struct vm *vm, void *at, size_t size)
{
    size_t usable = 0;
    void *p = vm->kept == NULL
        ? NULL : rt_keep_take(vm->kept->maps, at, size, &usable);

    rt_assert(p == NULL || usable == size);
    return p;
}

void
vm_kept_unmap(const struct vm *vm, void *p, size_t size, size_t dirty)
{
    if (vm->kept == NULL ||
        !rt_keep_put(vm->kept->maps, p, size, size, dirty))
        munmap(p, size);
}
