/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/cache.h"

#include <stdlib.h>
#include <unistd.h>

#include "runtime/code/pack.h"

static void
add_embedded(struct sha256 *h, const struct ast_file *f)
{
    uint32_t i, k;

    for (i = 0; i < f->decls.n; i++) {
        const struct ast_decl *d = f->decls.at[i];

        if (d->kind != DECL_VAR || d->var.embed == NULL)
            continue;
        entry_add_number(h, i);
        entry_add_number(h, d->var.embed->n);
        for (k = 0; k < d->var.embed->n; k++) {
            entry_add_text(h, d->var.embed->files[k].name);
            entry_add_bytes(h, d->var.embed->files[k].data,
                d->var.embed->files[k].len);
        }
    }
}

static void
add_package(struct sha256 *h, const struct graph_package *p)
{
    uint32_t i;

    entry_add_text(h, p->path);
    entry_add_text(h, p->code_path);
    entry_add_text(h, p->dir);
    entry_add_number(h, p->named);
    entry_add_number(h, p->minor);
    entry_add_number(h, p->nfiles);
    for (i = 0; i < p->nfiles; i++) {
        entry_add_number(h, p->files[i]->src->index);
        add_embedded(h, p->files[i]);
    }
}

void
cache_name(struct cache *c, const struct graph *g,
    const struct lang_sources *src, const struct tree *tree,
    const char *const *more, unsigned nmore)
{
    struct sha256 h;
    char cwd[4096];
    uint32_t i;

    if (!entry_hash(&h) || getcwd(cwd, sizeof cwd) == NULL)
        return;
    entry_add_text(&h, cwd);
    entry_add_text(&h, tree_root(tree));
    entry_add_number(&h, tree_minor(tree));
    for (i = 0; i < nmore; i++)
        entry_add_text(&h, more[i]);
    for (i = 0; i < src->nfile; i++) {
        entry_add_text(&h, src->file[i]->name);
        entry_add_number(&h, src->file[i]->lang);
        entry_add_bytes(&h, src->file[i]->text, src->file[i]->size);
    }
    for (i = 0; i < g->norder; i++)
        add_package(&h, g->order[i]);
    c->name = entry_name_end(&h, ENTRY_IMAGE);
}

const struct code_image *
cache_find(struct cache *c, const struct entry_folder *f)
{
    const struct code_image *im;

    if (!entry_open(f, &c->name, &c->entry))
        return NULL;
    im = code_unpack(c->entry.at, c->entry.size);
    if (im == NULL)
        entry_close(&c->entry);
    return im;
}

void
cache_store(const struct cache *c, const struct entry_folder *f,
    const struct code_image *im)
{
    struct code_packed packed;

    if (c->name.text[0] == 0 || c->entry.map != NULL || f->deps == NULL ||
        !code_pack(im, &packed))
        return;
    entry_store(f, &c->name, packed.at, packed.size);
    free(packed.at);
}

void
cache_free(struct cache *c)
{
    entry_close(&c->entry);
}
