/* SPDX-License-Identifier: MIT */
#include "tests/unit/host/same_image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Like two files' names, or the texts of two types. */
static void
same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_string_equal(a, b);
}

static void
same_mask(const uint8_t *a, const uint8_t *b, size_t bits)
{
    size_t i;

    for (i = 0; i < bits; i++)
        assert_int_equal(a[i / 8] >> i % 8 & 1, b[i / 8] >> i % 8 & 1);
}

static void
same_layout(const struct rt_layout *a, const struct rt_layout *b)
{
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->ptrdata, b->ptrdata);
    same_mask(a->ptrmask, b->ptrmask, a->ptrdata / 8);
}

static void
same_func(const struct code_func *a, const struct code_func *b)
{
    uint32_t i;

    assert_string_equal(a->name, b->name);
    if (a->ncode != b->ncode)
        fail_msg("%s has %u and %u words", a->name, a->ncode, b->ncode);
    if (memcmp(a->code, b->code, a->ncode * sizeof *a->code) != 0)
        fail_msg("%s has other code", a->name);
    assert_int_equal(a->nargs, b->nargs);
    assert_int_equal(a->nres, b->nres);
    assert_int_equal(a->nslots, b->nslots);
    assert_int_equal(a->extent, b->extent);
    assert_int_equal(a->ctx, b->ctx);
    assert_int_equal(a->flags, b->flags);
    same_mask(a->ptrmask, b->ptrmask, a->nslots);
    assert_int_equal(a->recover_off, b->recover_off);
    assert_int_equal(a->nlines, b->nlines);
    for (i = 0; i < a->nlines; i++) {
        assert_int_equal(a->lines[i].off, b->lines[i].off);
        assert_int_equal(a->lines[i].file, b->lines[i].file);
        assert_int_equal(a->lines[i].line, b->lines[i].line);
    }
    assert_int_equal(a->nunsigned, b->nunsigned);
    for (i = 0; i < a->nunsigned; i++)
        assert_int_equal(a->unsigned_at[i], b->unsigned_at[i]);
    assert_int_equal(a->file, b->file);
    assert_int_equal(a->line, b->line);
    same_layout(&a->closure, &b->closure);
    same_layout(&a->cells, &b->cells);
    assert_ptr_equal(a->self.fn, a);
    assert_ptr_equal(b->self.fn, b);
}

/* References between types, by their numbers; a type without one is compared
 * where it is met. */
static void
same_ref(const struct rtype *a, const struct rtype *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL) {
        assert_string_equal(a->string, b->string);
        assert_int_equal(a->id, b->id);
        assert_int_equal(a->hash, b->hash);
    }
}

static void
same_fields(const struct rtype *a, const struct rtype *b)
{
    uint32_t i;

    assert_int_equal(a->nfields, b->nfields);
    for (i = 0; i < a->nfields; i++) {
        same_text(a->fields[i].name, b->fields[i].name);
        same_text(a->fields[i].pkg, b->fields[i].pkg);
        same_text(a->fields[i].tag, b->fields[i].tag);
        same_ref(a->fields[i].type, b->fields[i].type);
        assert_int_equal(a->fields[i].offset, b->fields[i].offset);
        assert_int_equal(a->fields[i].embedded, b->fields[i].embedded);
        assert_int_equal(a->fields[i].exported, b->fields[i].exported);
    }
    assert_int_equal(a->nparams, b->nparams);
    assert_int_equal(a->nresults, b->nresults);
    for (i = 0; i < a->nparams + a->nresults; i++)
        same_ref(a->params[i], b->params[i]);
}

static void
same_type(const struct rtype *a, const struct rtype *b)
{
    uint32_t i;

    same_ref(a, b);
    assert_ptr_equal(a->self, a);
    assert_ptr_equal(b->self, b);
    same_text(a->name, b->name);
    same_text(a->pkgpath, b->pkgpath);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->align, b->align);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->chan_dir, b->chan_dir);
    assert_int_equal(a->slots, b->slots);
    assert_int_equal(a->len, b->len);
    same_layout(&a->layout, &b->layout);
    same_ref(a->elem, b->elem);
    same_ref(a->key, b->key);
    same_ref(a->ptr_to, b->ptr_to);
    same_fields(a, b);
    assert_int_equal(a->msize, b->msize);
    if (a->msize != 0)
        assert_memory_equal(a->mtab, b->mtab, a->msize * sizeof *a->mtab);
    assert_int_equal(a->nmethods, b->nmethods);
    for (i = 0; i < a->nmethods; i++) {
        assert_string_equal(a->methods[i].name, b->methods[i].name);
        assert_int_equal(a->methods[i].func, b->methods[i].func);
        same_text(a->methods[i].pkg, b->methods[i].pkg);
        assert_int_equal(a->methods[i].exported, b->methods[i].exported);
        assert_int_equal(a->methods[i].sel, b->methods[i].sel);
        assert_int_equal(a->methods[i].type->id, b->methods[i].type->id);
    }
}

static void
same_tables(const struct code_image *a, const struct code_image *b)
{
    uint32_t i;

    assert_int_equal(a->nconsts, b->nconsts);
    for (i = 0; i < a->nconsts; i++)
        assert_true(a->consts[i] == b->consts[i]);
    assert_int_equal(a->nstrings, b->nstrings);
    for (i = 0; i < a->nstrings; i++) {
        assert_int_equal(a->strings[i].len, b->strings[i].len);
        if (a->strings[i].len != 0)
            assert_memory_equal(a->strings[i].ptr, b->strings[i].ptr,
                (size_t)a->strings[i].len);
    }
    assert_int_equal(a->nnatives, b->nnatives);
    for (i = 0; i < a->nnatives; i++) {
        assert_string_equal(a->natives[i].name, b->natives[i].name);
        assert_int_equal(a->natives[i].nargs, b->natives[i].nargs);
        assert_int_equal(a->natives[i].nres, b->natives[i].nres);
    }
    assert_int_equal(a->nglobals, b->nglobals);
    for (i = 0; i < a->nglobals; i++) {
        assert_string_equal(a->global_list[i].name, b->global_list[i].name);
        assert_int_equal(a->global_list[i].offset, b->global_list[i].offset);
        assert_int_equal(
            a->global_list[i].type->id, b->global_list[i].type->id);
    }
    assert_int_equal(a->nfiles, b->nfiles);
    for (i = 0; i < a->nfiles; i++)
        same_text(a->files[i], b->files[i]);
    assert_int_equal(a->nselectors, b->nselectors);
    for (i = 0; i < a->nselectors; i++)
        same_text(a->selectors[i], b->selectors[i]);
}

void
same_image(const struct code_image *a, const struct code_image *b)
{
    uint32_t i;

    assert_int_equal(a->nfuncs, b->nfuncs);
    for (i = 0; i < a->nfuncs; i++)
        same_func(&a->funcs[i], &b->funcs[i]);
    assert_int_equal(a->entry, b->entry);
    assert_int_equal(a->main, b->main);
    assert_int_equal(a->type_int, b->type_int);
    assert_int_equal(a->type_string, b->type_string);
    assert_int_equal(a->type_error, b->type_error);
    assert_int_equal(a->type_bool, b->type_bool);
    assert_int_equal(a->type_eface, b->type_eface);
    assert_int_equal(a->globals_size, b->globals_size);
    assert_int_equal(a->ntypes, b->ntypes);
    for (i = 0; i < a->ntypes; i++)
        same_type(a->types[i], b->types[i]);
    same_layout(&a->globals, &b->globals);
    same_tables(a, b);
}
