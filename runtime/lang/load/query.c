/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/query.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/semver.h"

/* ---- what there is ---------------------------------------------------------------- */

static int
by_version(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int c = semver_compare(x, y);

    return c != 0 ? c : strcmp(x, y);
}

/* Of a sorted list, whose equals stand side by side. */
static void
drop_copies(struct paths_list *l)
{
    unsigned i, n = 0;

    for (i = 0; i < l->n; i++)
        if (n == 0 || strcmp(l->at[n - 1], l->at[i]) != 0)
            l->at[n++] = l->at[i];
    l->n = n;
}

/* The versions that proxies list; those that name revisions are none. */
static enum rt_status
listed(struct query *q, const char *path, struct paths_list *out)
{
    struct rt_arena *a = q->mods->a;
    const char *text, *line;
    enum rt_status st = download_ask(q->d, path, "@v/list", &text);

    *out = (struct paths_list){0};
    for (line = text; st == RT_OK && *line != 0;) {
        size_t n = strcspn(line, " \t\r\n");
        const char *v = rt_arena_strndup(a, line, n);

        if (semver_valid(v) && !semver_pseudo(v) &&
            semver_fits_path(v, path))
            paths_push(a, out, v);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (out->n > 1)
        qsort(out->at, out->n, sizeof *out->at, by_version);
    drop_copies(out);
    return st;
}

static bool
read_mod(struct query *q, const char *path, const char *version,
    struct module_file *out)
{
    const struct module_version id = {path, version};

    if (!modset_read(q->mods, &id, out)) {
        download_forgive(q->d);
        return false;
    }
    return true;
}

/* The newest release, or what comes before one if there is none; NULL. */
static const char *
newest(const struct paths_list *l)
{
    unsigned i;

    for (i = l->n; i-- > 0;)
        if (!semver_prerelease(l->at[i]))
            return l->at[i];
    return l->n == 0 ? NULL : l->at[l->n - 1];
}

/* Without +incompatible versions, where the last of the others has a go.mod of
 * its own. */
static void
drop_incompatible(struct query *q, const char *path, struct paths_list *l)
{
    const char *last = NULL, *text;
    struct module_file f;
    unsigned i, n = l->n;

    for (i = 0; i < l->n && n == l->n; i++)
        if (!paths_ends(l->at[i], "+incompatible"))
            last = l->at[i];
        else if (last != NULL)
            n = i;
    if (n == l->n || !read_mod(q, path, last, &f))
        return;
    text = f.go; /* one that was made by the proxy names only the module */
    if (text != NULL || f.nrequire != 0)
        l->n = n;
}

/* What its newest version says of older ones and itself. */
static void
retractions(struct query *q, const char *path, const struct paths_list *l,
    struct module_file *out)
{
    struct paths_list all = *l;
    const char *v;

    *out = (struct module_file){0};
    drop_incompatible(q, path, &all);
    v = newest(&all);
    if (v == NULL || !read_mod(q, path, v, out))
        *out = (struct module_file){0};
}

/* Why a version is taken back; NULL: it is not. */
static const char *
retraction_of(const struct module_file *f, const char *version)
{
    unsigned i;

    for (i = 0; i < f->nretract; i++)
        if (semver_compare(f->retract[i].low, version) <= 0 &&
            semver_compare(version, f->retract[i].high) <= 0)
            return *f->retract[i].why != 0
                ? f->retract[i].why : "retracted by module author";
    return NULL;
}

const char *
query_retracted(struct query *q, const char *path, const char *version)
{
    struct paths_list all;
    struct module_file f;

    if (listed(q, path, &all) != RT_OK)
        return NULL;
    retractions(q, path, &all, &f);
    return retraction_of(&f, version);
}

const char *
query_time(struct query *q, const char *path, const char *version)
{
    const struct module_version m = {path, version};
    struct module_file f;
    const char *s;

    read_mod(q, path, version, &f);
    s = download_info(q->d, &m);
    s = s == NULL ? NULL : strstr(s, "\"Time\":\"");
    if (s == NULL)
        return "";
    s += strlen("\"Time\":\"");
    return rt_arena_strndup(q->mods->a, s, strcspn(s, "\""));
}

enum rt_status
query_versions(struct query *q, const char *path, bool retracted,
    struct paths_list *out)
{
    struct module_file f;
    enum rt_status st = listed(q, path, out);
    unsigned i, n = 0;

    if (st != RT_OK)
        return st;
    retractions(q, path, out, &f);
    for (i = 0; i < out->n; i++) {
        const struct module_version m = {path, out->at[i]};

        if (!modset_excluded(q->mods, &m) &&
            (retracted || retraction_of(&f, m.version) == NULL))
            out->at[n++] = m.version;
    }
    out->n = n;
    return RT_OK;
}

/* ---- what a word means ------------------------------------------------------------- */

/* The value of "Version" in what a proxy says. */
static const char *
version_in(struct query *q, const char *json)
{
    static const char mark[] = "\"Version\"";
    const char *s = strstr(json, mark);

    if (s == NULL)
        return NULL;
    s += sizeof mark - 1;
    s += strspn(s, " \t\r\n:");
    if (*s++ != '"')
        return NULL;
    return rt_arena_strndup(q->mods->a, s, strcspn(s, "\""));
}

/* What a proxy says that something is: a tag, a branch, "latest". */
static const char *
asked(struct query *q, const char *path, const char *tail, const char *word)
{
    const char *text, *v;
    enum rt_status st = download_ask(q->d, path, tail, &text);

    if (st != RT_OK && st != RT_EOF)
        return NULL;
    v = st == RT_OK ? version_in(q, text) : NULL;
    if (v == NULL)
        rt_errf(q->err, st == RT_EOF ? RT_EOF : RT_EFORMAT, UINT64_MAX,
            "module %s: no matching versions for query \"%s\"", path, word);
    return v;
}

struct bound {
    const char *version; /* of the comparison, or the beginning */
    size_t prefix;       /* bytes of that which must be there; 0: compare */
    bool less, equal, greater;
};

static bool
fits(const struct bound *b, const char *v)
{
    int c;

    if (b->prefix != 0)
        return strncmp(v, b->version, b->prefix) == 0 &&
            (v[b->prefix] == '.' || v[b->prefix] == 0);
    c = semver_compare(v, b->version);
    return c < 0 ? b->less : c > 0 ? b->greater : b->equal;
}

/* "v1" or "v1.2". */
static bool
is_beginning(const char *word)
{
    const char *dot = strchr(word, '.'), *p = word;

    if (*p++ != 'v' || *p == 0)
        return false;
    while ((*p >= '0' && *p <= '9') || *p == '.')
        p++;
    return *p == 0 &&
        (dot == NULL || (dot[1] != 0 && strchr(dot + 1, '.') == NULL));
}

/* "v1.2" of "v1.2.3-pre". */
static size_t
minor_of(const char *v)
{
    size_t n = strcspn(v, ".");

    return v[n] == 0 ? n : n + 1 + strcspn(v + n + 1, ".");
}

/* Understands a word; false: it is a version, a branch or a revision. */
static bool
bound_of(const char *word, const char *current, struct bound *b)
{
    bool comparing = *word == '<' || *word == '>';

    *b = (struct bound){.version = word, .less = true, .equal = true,
        .greater = true};
    if (comparing) {
        b->less = *word == '<';
        b->greater = *word == '>';
        b->equal = word[1] == '=';
        b->version = word + 1 + b->equal;
        return true;
    }
    if (strcmp(word, "latest") == 0)
        return true;
    if (strcmp(word, "upgrade") == 0 || strcmp(word, "patch") == 0) {
        b->version = current;
        b->less = *current == 0;
        if (*word == 'p')
            b->prefix = minor_of(current);
        return true;
    }
    b->prefix = strlen(word);
    return is_beginning(word);
}

/* The one of those that fit; the oldest behind ">". */
static const char *
choose(const struct paths_list *l, bool oldest)
{
    unsigned i;

    for (i = 0; oldest && i < l->n; i++)
        if (!semver_prerelease(l->at[i]))
            return l->at[i];
    return oldest && l->n != 0 ? l->at[0] : newest(l);
}

const char *
query_version(struct query *q, const char *path, const char *word,
    const char *current)
{
    struct rt_arena *a = q->mods->a;
    struct paths_list all, some = {0};
    struct bound b;
    const char *v;
    unsigned i;

    rt_assert(*path != 0 && *word != 0);
    if (!bound_of(word, current, &b))
        return asked(q, path, rt_arena_printf(a, "@v/%s.info",
            modcache_escape(a, word)), word);
    if (query_versions(q, path, q->retracted, &all) != RT_OK)
        return NULL;
    for (i = 0; i < all.n; i++)
        if (fits(&b, all.at[i]) &&
            (*word != 'p' || semver_compare(all.at[i], current) >= 0))
            paths_push(a, &some, all.at[i]);
    drop_incompatible(q, path, &some);
    v = choose(&some, *word == '>');
    if (v != NULL)
        return v;
    if (*word == 'l' || *word == 'u') {
        v = asked(q, path, "@latest", word);
        if (v == NULL || *word == 'l')
            return v;
        return semver_compare(v, current) > 0 ? v : current;
    }
    if (*word == 'p' && *current != 0)
        return current;
    rt_errf(q->err, RT_EFORMAT, UINT64_MAX,
        "module %s: no matching versions for query \"%s\"", path, word);
    return NULL;
}
