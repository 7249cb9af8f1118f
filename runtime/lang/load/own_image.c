/* SPDX-License-Identifier: MIT */
/* What is kept: struct head, the text of GODEBUG with a 0 behind, up to a
 * multiple of 8 bytes, and the packed image, which has a sum of its own. */
#include "runtime/lang/load/own_image.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/code/pack.h"

struct head {
    uint64_t wanted;
    uint64_t len; /* of the two texts and what fills them up */
};

/* In the folder there is one program, so its name says which vole it is for. */
static struct entry_name
name_for_this_build(void)
{
    struct entry_name none = {{0}};
    struct sha256 h;

    return entry_hash(&h) ? entry_name_end(&h, ENTRY_IMAGE) : none;
}

/* The image among the bytes of an entry; NULL: they are not what was kept. */
static const struct code_image *
read_image(const struct entry *e, const char **godebug,
    const char **buildinfo, unsigned *wanted)
{
    const struct head *h = (const void *)e->at;
    const struct code_image *im;
    const char *text = (const char *)(h + 1);

    if (e->size < sizeof *h || h->len > e->size - sizeof *h ||
        h->len % 8 != 0 || h->len == 0 || text[h->len - 1] != 0 ||
        strlen(text) + 1 >= h->len)
        return NULL;
    im = code_unpack(e->at + sizeof *h + h->len, e->size - sizeof *h - h->len);
    if (im == NULL)
        return NULL;
    *godebug = text;
    *buildinfo = text + strlen(text) + 1;
    *wanted = (unsigned)h->wanted;
    return im;
}

void
own_image_init(struct own_image *o)
{
    pthread_mutex_init(&o->lock, NULL);
}

const struct code_image *
own_image_find(struct own_image *o, const char *folder, const char **godebug,
    const char **buildinfo, unsigned *wanted)
{
    const struct code_image *im;

    rt_assert(o->entry.map == NULL && *folder == '/');
    entry_begin(&o->folder, folder);
    o->name = name_for_this_build();
    if (!entry_open(&o->folder, &o->name, &o->entry))
        return NULL;
    im = read_image(&o->entry, godebug, buildinfo, wanted);
    if (im == NULL)
        entry_close(&o->entry);
    return im;
}

static void
put(const struct own_image *o, const struct code_image *im,
    const char *godebug, const char *buildinfo, unsigned wanted)
{
    size_t n = strlen(godebug) + 1, len = n + strlen(buildinfo);
    struct head h = {.wanted = wanted};
    struct code_packed packed;
    uint8_t *b;

    if (!code_pack(im, &packed))
        return;
    h.len = (len + 8) & ~(size_t)7;
    b = calloc(1, sizeof h + h.len + packed.size);
    if (b != NULL) {
        memcpy(b, &h, sizeof h);
        memcpy(b + sizeof h, godebug, n);
        memcpy(b + sizeof h + n, buildinfo, len - n);
        memcpy(b + sizeof h + h.len, packed.at, packed.size);
        entry_put(&o->folder, &o->name, b, sizeof h + h.len + packed.size);
    }
    free(b);
    free(packed.at);
}

void
own_image_keep(struct own_image *o, const struct code_image *im,
    const char *godebug, const char *buildinfo, unsigned wanted)
{
    pthread_mutex_lock(&o->lock);
    if (o->name.text[0] != 0 && o->entry.map == NULL)
        put(o, im, godebug, buildinfo, wanted);
    o->name.text[0] = 0;
    pthread_mutex_unlock(&o->lock);
}

void
own_image_free(struct own_image *o)
{
    entry_close(&o->entry);
    pthread_mutex_destroy(&o->lock);
}
