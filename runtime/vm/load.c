/* SPDX-License-Identifier: MIT */

/* From a program image to a machine that can run it. */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/hash.h"
#include "runtime/code/verify.h"
#include "runtime/vm/vm_int.h"

/* A large block of package variables is a mapping, so that what the program
 * never touches costs nothing.  The hint asks for low addresses, where
 * linkers put such data. */
enum { GLOBALS_MMAP = 1 << 20 };

static void *
globals_alloc(const struct vm *vm, uint64_t size, void *at)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

    if (at == NULL && size < GLOBALS_MMAP)
        return calloc(1, size + 8);
    void *p = at == NULL ? NULL : vm_kept_map(vm, at, size + 8);
    if (p != NULL)
        return p;
    p = mmap(at != NULL ? at : (void *)(uintptr_t)0x1000000, size + 8,
        PROT_READ | PROT_WRITE,
        flags | (at != NULL ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void
globals_free(const struct vm *vm, void *p, uint64_t size, const void *at)
{
    if (p == NULL || (at == NULL && size < GLOBALS_MMAP))
        free(p);
    else if (at == NULL)
        munmap(p, size + 8);
    else
        vm_kept_unmap(vm, p, size + 8, size + 8);
}

static size_t
entries_size(const struct vm *vm)
{
    return (vm->goexit.id + 1 + VM_MADE_MAX) * sizeof(struct vm_entry);
}

/* Entries of functions that are made later lie behind the image's, and cost
 * nothing before. */
static struct vm_entry *
entries_alloc(const struct vm *vm)
{
    void *p;

    if (vm->kept == NULL)
        return calloc(1, entries_size(vm));
    p = vm_kept_map(vm, NULL, entries_size(vm));
    if (p == NULL)
        p = mmap(NULL, entries_size(vm), PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void
entries_free(const struct vm *vm)
{
    if (vm->kept == NULL)
        free(vm->entries);
    else if (vm->entries != NULL)
        vm_kept_unmap(vm, vm->entries, entries_size(vm),
            (vm->goexit.id + 1 + vm_made_count(vm)) * sizeof *vm->entries);
}

static bool
make_tables(struct vm *vm)
{
    const struct code_image *im = vm->im;
    rt_assert(im->nfuncs > 0 && im->entry < im->nfuncs);
    struct vm_entry *e = entries_alloc(vm);

    vm->entries = e;
    vm->live = calloc(im->nfuncs + 1, sizeof *vm->live);
    vm->maps = calloc(im->ntypes + 1, sizeof *vm->maps);
    vm->globals = globals_alloc(vm, im->globals_size, vm->globals_at);
    if (e == NULL || vm->live == NULL || vm->maps == NULL ||
        vm->globals == NULL)
        return false;
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        aptr_store_rlx(&e[i].code, im->funcs[i].code);
        e[i].extent = 8u * im->funcs[i].extent;
    }
    for (uint32_t i = 0; i < im->ntypes; i++)
        if (im->types[i]->kind == RK_MAP &&
            !map_type_init(&vm->maps[i], im->types[i]))
            return false;
    return true;
}

static const uint8_t string_mask[] = { 1 };

/* A string type of the VM's own, for programs that lack one. */
static void
own_type(struct rtype *t, const char *string, const char *name,
    const char *pkg)
{
    *t = (struct rtype){
        .layout = { 16, 8, string_mask },
        .kind = RK_STRING,
        .align = 8,
        .flags = RT_F_COMPARABLE,
        .id = UINT32_MAX,
        .slots = 2,
        .string = string,
        .name = name,
        .pkgpath = pkg,
    };
}

/* The types of run-time errors, and what their Error() puts before the text. */
static const struct {
    const char *type, *pkg, *prefix;
} errors[VM_ERR_COUNT] = {
    [VM_ERR_RUNTIME] = { "runtime.errorString", "runtime",
        "runtime error: " },
    [VM_ERR_PLAIN] = { "runtime.plainError", "runtime", "" },
    [VM_ERR_BOUNDS] = { "runtime.boundsError", "runtime", "runtime error: " },
    [VM_ERR_UNHASHABLE] = { "maps.unhashableTypeError",
        "internal/runtime/maps", "hash of unhashable type: " },
    [VM_ERR_ASSERT] = { "*runtime.TypeAssertionError", "runtime", "" },
    [VM_ERR_NIL] = { "*runtime.PanicNilError", "runtime", "" },
};

enum vm_error
vm_error_of(
    const struct vm *vm, const struct rtype *t, const char **prefix)
{
    enum vm_error e = 0;

    while (e < VM_ERR_COUNT && vm->errors[e] != t)
        e++;
    *prefix = e == VM_ERR_COUNT ? "" : errors[e].prefix;
    return e;
}

/* Values of the type begin with a string, or point to what does. */
static bool
holds_string(const struct rtype *t)
{
    return rtype_size(t) >= 16 && rtype_size(t) <= 64 &&
        rt_layout_is_ptr(&t->layout, 0);
}

/* The image's type of run-time errors; NULL: it has none. */
static const struct rtype *
find_error(const struct code_image *im, enum vm_error e)
{
    for (uint32_t i = 0; i < im->ntypes; i++) {
        const struct rtype *t = im->types[i];
        const struct rtype *at = t->kind == RK_POINTER ? t->elem : t;

        if (strcmp(t->string, errors[e].type) == 0 && at != NULL &&
            strcmp(at->pkgpath, errors[e].pkg) == 0 && holds_string(at))
            return t;
    }
    return NULL;
}

static void
find_types(struct vm *vm)
{
    const struct code_image *im = vm->im;

    own_type(&vm->own_string, "string", "string", "");
    vm->type_string = im->type_string < im->ntypes
        ? im->types[im->type_string]
        : &vm->own_string;
    for (enum vm_error e = 0; e < VM_ERR_COUNT; e++) {
        vm->errors[e] = find_error(im, e);
        if (vm->errors[e] != NULL)
            continue;
        own_type(&vm->own_errors[e], errors[e].type, "", errors[e].pkg);
        vm->errors[e] = &vm->own_errors[e];
        rt_assert(holds_string(vm->errors[e]));
    }
}

static void
make_stubs(struct vm *vm)
{
    vm->gopanic.name = "runtime.gopanic";
    vm->gopanic.id = vm->im->nfuncs;
    vm->gopanic.flags = CODE_F_LIB;
    vm->gopanic.self.fn = &vm->gopanic;
    for (uint32_t i = 0; i < NATIVE_COUNT; i++) {
        struct code_func *f = &vm->natfuncs[i];

        f->name = sched_native_name((enum sched_native)i);
        f->id = vm->im->nfuncs + 1 + i;
        f->flags = CODE_F_LIB;
        f->self.fn = f;
    }
    vm->goexit.name = "runtime.goexit";
    vm->goexit.id = vm->im->nfuncs + 1 + NATIVE_COUNT;
    vm->goexit.flags = CODE_F_LIB;
    vm->goexit.self.fn = &vm->goexit;
    vm->stubs[VM_STUB_END - 1].op = OP_CALL;
    vm->stubs[VM_STUB_END].op = OP_END;
    vm->stubs[VM_STUB_DEFER - 1].op = OP_CALL;
    vm->stubs[VM_STUB_DEFER].op = OP_DEFERRET;
}

enum rt_status
vm_load(const struct vm_config *cfg, struct vm **out, struct rt_err *err)
{
    *out = NULL;
#if VOLE_CHECKS >= 1
    enum rt_status ok = code_verify(cfg->image, err);
    if (ok != RT_OK)
        return ok;
#endif
    struct vm *vm = calloc(1, sizeof *vm);
    if (vm == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    vm->im = cfg->image;
    vm->kept = cfg->kept;
    vm_set_traceback(vm, cfg->traceback);
    vm_set_max_stack(vm, cfg->max_stack ? cfg->max_stack : 1000000000);
    vm->err_fd = cfg->err_fd;
    vm->args = cfg->args;
    vm->nargs = cfg->nargs;
    vm->lib = cfg->lib;
    vm->godebug = cfg->godebug == NULL ? "" : cfg->godebug;
    vm->buildinfo = cfg->buildinfo == NULL ? "" : cfg->buildinfo;
    vm_set_godebug(vm, "", 0);
    vm->globals_at = cfg->globals_at;
    vm->seeded = cfg->points;
    vm->watch = cfg->watch;
    vm->race = cfg->race;
    rt_lock_init(&vm->lock, RANK_LEAF);
    rt_lock_init(&vm->print.lock, RANK_PRINT);
    vm->print.out = (struct vm_out){
        cfg->err_fd, vm->print.text, 0, sizeof vm->print.text, NULL};
    iface_cache_init(&vm->ifaces);
    types_init(&vm->types, vm->im->types, vm->im->ntypes);
    make_stubs(vm);
    enum rt_status st = make_tables(vm) && vm_tables_make(vm, cfg)
        ? RT_OK
        : rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (st != RT_OK) {
        vm_free(vm);
        return st;
    }
    find_types(vm);
    *out = vm;
    return RT_OK;
}

void
vm_attach(struct vm *vm, struct sched *s, struct gc_heap *heap)
{
    rt_assert(s != NULL && heap != NULL && vm->sched == NULL);
    vm->sched = s;
    vm->heap = heap;
}

void
vm_set_jit(struct vm *vm, const struct vm_jit_host *host, void *jit)
{
    rt_assert(vm->jit == NULL);
    vm->jit_arg = jit;
    vm->jit = host;
}

void
vm_free(struct vm *vm)
{
    if (vm == NULL)
        return;
    vm_set_crash_output(vm, -1);
    vm_g_chunks_free(vm);
    iface_cache_free(&vm->ifaces);
    types_free(&vm->types);
    if (vm->live != NULL)
        vm_live_free(vm);
    for (uint32_t i = 0; vm->maps != NULL && i < vm->im->ntypes; i++)
        map_type_free(&vm->maps[i]);
    free(vm->maps);
    globals_free(vm, vm->globals, vm->im->globals_size, vm->globals_at);
    entries_free(vm);
    vm_made_free(vm);
    vm_tables_end(vm);
    free(vm);
}

const void *
vm_entry_fn(const struct vm *vm)
{
    return &vm->im->funcs[vm->im->entry].self;
}

const struct code_image *
vm_image(const struct vm *vm)
{
    return vm->im;
}

struct sched *
vm_sched(const struct vm *vm)
{
    return vm->sched;
}

struct gc_heap *
vm_heap(const struct vm *vm)
{
    return vm->heap;
}

void *
vm_globals(const struct vm *vm)
{
    return vm->globals;
}

const struct map_type *
vm_map_type(struct vm *vm, const struct rtype *t)
{
    if (t->kind != RK_MAP)
        return NULL;
    if (t->id >= vm->im->ntypes || vm->im->types[t->id] != t)
        return types_map(&vm->types, t);
    rt_assert(vm->maps[t->id].type == t);
    return &vm->maps[t->id];
}

const struct rtype *
vm_type_get(struct vm *vm, const struct types_key *k)
{
    return types_get(&vm->types, k);
}

