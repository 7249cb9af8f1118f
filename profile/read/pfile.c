/* SPDX-License-Identifier: MIT */
#include "profile/read/pfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/read/gunzip.h"
#include "profile/read/pfile_int.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

/* ---- texts */

struct text {
    const char *s;
    size_t n;
};

static bool
same_text(const void *ctx, uint32_t at, const void *key)
{
    const struct pfile_names *t = ctx;
    const struct text *k = key;

    return strncmp(t->v[at], k->s, k->n) == 0 && t->v[at][k->n] == '\0';
}

const char *
pfile_name(struct pfile_names *t, const char *s, size_t n)
{
    uint64_t hash;
    struct text key = {s, n};
    uint32_t at;
    char *copy;
    size_t i;

    /* A text with NULs is looked up under its changed form. */
    if (memchr(s, 0, n) != NULL) {
        copy = rt_arena_strndup(&t->arena, s, n);
        for (i = 0; copy != NULL && i < n; i++) {
            if (copy[i] == '\0')
                copy[i] = '?';
        }
        return copy == NULL ? NULL : pfile_name(t, copy, n);
    }
    if (t->n == 0)
        t->seed = rt_hash_seed(t);
    hash = rt_hash_foreign(s, n, t->seed);
    at = phash_find(&t->index, hash, same_text, t, &key);
    if (at != PHASH_NONE)
        return t->v[at];
    if (t->n == t->cap) {
        size_t cap = t->cap == 0 ? 256 : t->cap * 2;
        const char **v = realloc(t->v, cap * sizeof *v);

        if (v == NULL)
            return NULL;
        t->v = v;
        t->cap = cap;
    }
    copy = rt_arena_strndup(&t->arena, s, n);
    if (copy == NULL || t->n >= PHASH_NONE - 1 ||
        !phash_add(&t->index, hash, (uint32_t)t->n))
        return NULL;
    rt_assert(t->index.n == t->n + 1);
    t->v[t->n++] = copy;
    return copy;
}

/* ---- what a profile must be */

static bool
types_valid(const struct pfile *f)
{
    size_t i;

    for (i = 0; i < f->ntypes; i++) {
        if (f->types[i].type == NULL || f->types[i].unit == NULL)
            return false;
    }
    return f->ntypes > 0 || f->nsamples == 0;
}

static bool
samples_valid(const struct pfile *f)
{
    size_t i, loc = 0, label = 0;

    for (i = 0; i < f->nsamples; i++) {
        const struct pfile_sample *s = &f->samples[i];

        if (s->loc < loc || s->label < label || s->loc > f->nstack ||
            s->nlocs > f->nstack - s->loc || s->label > f->nlabels ||
            s->nlabels > f->nlabels - s->label)
            return false;
        loc = s->loc + s->nlocs;
        label = s->label + s->nlabels;
    }
    for (i = 0; i < f->nstack; i++) {
        if (f->stack[i] >= f->nlocs)
            return false;
    }
    for (i = 0; i < f->nlabels; i++) {
        if (f->labels[i].key == NULL || f->labels[i].unit == NULL)
            return false;
    }
    return true;
}

static bool
locs_valid(const struct pfile *f)
{
    size_t i, line = 0;

    for (i = 0; i < f->nlocs; i++) {
        const struct pfile_loc *l = &f->locs[i];

        if (l->line < line || l->line > f->nlines ||
            l->nlines > f->nlines - l->line || l->id == 0 ||
            (l->mapping != PFILE_NONE && l->mapping >= f->nmappings))
            return false;
        line = l->line + l->nlines;
    }
    for (i = 0; i < f->nlines; i++) {
        if (f->lines[i].func >= f->nfuncs)
            return false;
    }
    for (i = 0; i < f->nfuncs; i++) {
        if (f->funcs[i].id == 0 || f->funcs[i].name == NULL ||
            f->funcs[i].file == NULL)
            return false;
    }
    return true;
}

bool
pfile_valid(const struct pfile *f)
{
    return types_valid(f) && samples_valid(f) && locs_valid(f) &&
        f->names.n <= f->names.cap && phash_valid(&f->names.index) &&
        f->names.index.n == f->names.n;
}

/* ---- reading */

static enum rt_status
read_all(int fd, uint8_t **data, size_t *n, struct rt_err *e)
{
    size_t cap = 0;

    for (;;) {
        ssize_t r;

        if (*n == cap) {
            uint8_t *p;

            if (cap > PFILE_MAX_BYTES)
                return rt_errf(e, RT_ELIMIT, UINT64_MAX,
                    "larger than %zu MiB", PFILE_MAX_BYTES >> 20);
            cap = cap == 0 ? 1 << 16 : cap * 2;
            p = realloc(*data, cap);
            if (p == NULL)
                return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
            *data = p;
        }
        r = read(fd, *data + *n, cap - *n);
        if (r == 0)
            return RT_OK;
        if (r > 0)
            *n += (size_t)r;
        else if (errno != EINTR)
            return rt_errf(e, RT_EIO, UINT64_MAX, "%s", strerror(errno));
    }
}

enum rt_status
pfile_open(const char *path, struct pfile **f, struct rt_err *e)
{
    bool in = strcmp(path, "-") == 0;
    int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *data = NULL;
    enum rt_status st;
    size_t n = 0;

    *f = NULL;
    if (fd < 0)
        return rt_errf(e, RT_EIO, UINT64_MAX, "%s", strerror(errno));
    st = read_all(fd, &data, &n, e);
    if (!in)
        close(fd);
    if (st == RT_OK)
        st = pfile_parse(data, n, f, e);
    free(data);
    return st;
}

/* Texts that people mistake for profiles; NULL if it is none of them. */
static const char *
foreign(const uint8_t *p, size_t n)
{
    static const char *const texts[] = {"heap profile: ",
        "goroutine profile: ", "threadcreate profile: ", "--- contention:",
        "--- mutex:", "goroutine "};
    size_t i;

    for (i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t len = strlen(texts[i]);

        if (n >= len && memcmp(p, texts[i], len) == 0)
            return "this is a profile as text (debug=1 or 2); tools read the "
                "form with debug=0";
    }
    if (n > 5 && memcmp(p, "go 1.", 5) == 0)
        return "this is an execution trace; see vole-trace";
    if (n > 4 && memcmp(p, "\177ELF", 4) == 0)
        return "this is a program, not a profile";
    if (n > 1 && (p[0] == '<' || p[0] == '{'))
        return "not a profile: it begins like HTML or JSON";
    return NULL;
}

enum rt_status
pfile_parse(const uint8_t *data, size_t n, struct pfile **out,
    struct rt_err *e)
{
    uint8_t *plain = NULL;
    enum rt_status st;
    struct pfile *f;
    const char *why;

    *out = NULL;
    if (n >= 2 && data[0] == 0x1f && data[1] == 0x8b) {
        st = gunzip_all(data, n, PFILE_MAX_BYTES, &plain, &n, e);
        if (st != RT_OK)
            return st;
        data = plain;
    }
    f = calloc(1, sizeof *f);
    why = foreign(data, n);
    if (f == NULL)
        st = rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    else if (n == 0)
        st = rt_errf(e, RT_EFORMAT, UINT64_MAX, "the profile is empty");
    else if (why != NULL)
        st = rt_errf(e, RT_EFORMAT, UINT64_MAX, "%s", why);
    else
        st = pdecode_profile(f, data, n, e);
    free(plain);
    if (st == RT_OK)
        *out = f;
    else
        pfile_close(f);
    return st;
}

void
pfile_close(struct pfile *f)
{
    if (f == NULL)
        return;
    free(f->types);
    free(f->samples);
    free(f->values);
    free(f->stack);
    free(f->labels);
    free(f->mappings);
    free(f->locs);
    free(f->lines);
    free(f->funcs);
    free(f->comments);
    free(f->names.v);
    phash_free(&f->names.index);
    rt_arena_free(&f->names.arena);
    free(f);
}

/* ---- questions */

static enum rt_status
bad_index(const struct pfile *f, const char *name, struct rt_err *e)
{
    char list[256];
    size_t i, at = 0;

    list[0] = '\0';
    for (i = 0; i < f->ntypes && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%.40s",
            i > 0 ? ", " : "", f->types[i].type);
    return rt_errf(e, RT_EFORMAT, UINT64_MAX,
        "no sample type \"%.80s\"; there are: %s", name, list);
}

enum rt_status
pfile_sample_index(const struct pfile *f, const char *name, size_t *index,
    struct rt_err *e)
{
    unsigned long k;
    const char *bare;
    char *end;
    size_t i;

    if (f->ntypes == 0)
        return rt_errf(e, RT_EFORMAT, UINT64_MAX, "profile has no samples");
    if (name == NULL || *name == '\0') {
        *index = f->ntypes - 1;
        for (i = 0; i < f->ntypes && *f->default_type != '\0'; i++) {
            if (f->types[i].type == f->default_type) {
                *index = i;
                break;
            }
        }
        return RT_OK;
    }
    if (*name >= '0' && *name <= '9') {
        k = strtoul(name, &end, 10);
        *index = k;
        return *end == '\0' && k < f->ntypes ? RT_OK : bad_index(f, name, e);
    }
    /* "inuse_space" also means "space", as old heap profiles call it. */
    bare = strncmp(name, "inuse_", 6) == 0 ? name + 6 : name;
    for (i = 0; i < f->ntypes; i++) {
        if (strcmp(f->types[i].type, name) == 0 ||
            strcmp(f->types[i].type, bare) == 0) {
            *index = i;
            return RT_OK;
        }
    }
    return bad_index(f, name, e);
}

bool
pfile_symbolized(const struct pfile *f)
{
    size_t i;

    for (i = 0; i < f->nlocs; i++) {
        if (f->locs[i].nlines > 0)
            return true;
    }
    return false;
}
