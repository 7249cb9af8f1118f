/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/package.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/goversion.h"
#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/clause.h"
#include "runtime/lang/load/portable.h"

const char *const *
package_tags(struct rt_arena *a, const char *flag, bool race)
{
    static const char *const own[] = {"vole", "gc"};
    enum { OWN = sizeof own / sizeof own[0] };
    struct paths_list l = {0};
    unsigned i;

    for (i = 0; i < OWN; i++)
        paths_push(a, &l, own[i]);
    if (race)
        paths_push(a, &l, "race");
    while (flag != NULL && *flag != 0) {
        size_t n = strcspn(flag, ", ");

        if (n > 0)
            paths_push(a, &l, rt_arena_strndup(a, flag, n));
        flag += n;
        flag += *flag != 0;
    }
    paths_push(a, &l, NULL);
    return l.at;
}

enum rt_status
package_read_file(struct rt_arena *a, const char *path,
    struct package_file *f, struct rt_err *err)
{
    const char *slash = strrchr(path, '/');
    struct clause c;

    *f = (struct package_file){
        .name = slash == NULL ? path : slash + 1, .role = PACKAGE_PLAIN};
    f->text = paths_read(a, path, &f->len);
    if (f->text == NULL)
        return rt_err_os(err, errno, "%s", path);
    clause_read(a, f->text, &c);
    f->package = c.package;
    return RT_OK;
}

/* ---- the folder -------------------------------------------------------------------------- */

static void
add(struct rt_arena *a, struct package_files *f, const struct package_file *x)
{
    f->at = rt_arena_more(a, f->at, f->n, &f->cap, sizeof *f->at);
    f->at[f->n++] = *x;
    f->count[x->role]++;
}

static bool
is_hidden(const char *name)
{
    return name[0] == '.' || name[0] == '_';
}

/* Does some assembly of the folder belong to the package? */
static bool
has_assembly(struct rt_arena *a, const char *dir,
    const struct build_tags *tags, const struct paths_list *names)
{
    unsigned i;

    for (i = 0; i < names->n; i++) {
        const char *text, *why;
        size_t len;

        if (!paths_ends(names->at[i], ".s") || is_hidden(names->at[i]) ||
            !build_name_fits(tags, names->at[i]))
            continue;
        text = paths_read(a, paths_join(a, dir, names->at[i]), &len);
        if (text != NULL &&
            build_text_fits(tags, (const uint8_t *)text, len, &why) ==
                BUILD_FITS)
            return true;
    }
    return false;
}

static bool
fits(const struct build_tags *tags, const char *name,
    const struct portable_text *t)
{
    const char *why;

    return build_name_fits(tags, name) &&
        build_text_fits(tags, (const uint8_t *)t->text, t->len, &why) ==
            BUILD_FITS;
}

/* Is the package whole by these tags, by which the processor does not hold? */
static bool
is_whole(struct rt_arena *a, const char *dir, const struct build_tags *tags,
    const struct paths_list *names)
{
    struct portable_text *kept = rt_arena_array(a, names->n, sizeof *kept);
    struct portable_text *left = rt_arena_array(a, names->n, sizeof *left);
    struct build_tags with = *tags;
    unsigned nkept = 0, nleft = 0, i;

    with.no_arch = false;
    for (i = 0; i < names->n; i++) {
        const char *name = names->at[i];
        struct portable_text t;

        if (!paths_ends(name, ".go") || paths_ends(name, "_test.go") ||
            is_hidden(name))
            continue;
        t.text = paths_read(a, paths_join(a, dir, name), &t.len);
        if (t.text != NULL && fits(tags, name, &t))
            kept[nkept++] = t;
        else if (t.text != NULL && fits(&with, name, &t))
            left[nleft++] = t;
    }
    return portable_is_whole(a, kept, nkept, left, nleft);
}

/* The tags of a folder.  Where there is assembly, files without are asked for by
 * "purego" and by no processor, unless the package is nothing without.
 * Elsewhere "purego" means no unsafe, and less than a package can do: it only
 * holds in Go's library, where it asks for what the runtime need not have. */
static struct build_tags
folder_tags(struct rt_arena *a, const char *dir, const char *const *tags,
    const struct paths_list *names, unsigned wanted, bool *assembly)
{
    struct build_tags t = {.minor = RT_GO_MINOR, .more = tags};
    struct paths_list more = {0};

    *assembly = has_assembly(a, dir, &t, names);
    if (!*assembly && (wanted & PACKAGE_STD) == 0)
        return t;
    paths_push(a, &more, "purego");
    do
        paths_push(a, &more, *tags);
    while (*tags++ != NULL);
    t.more = more.at;
    if ((wanted & PACKAGE_PATCHED) != 0 || !has_assembly(a, dir, &t, names))
        return t;
    t.no_arch = true;
    t.no_arch = is_whole(a, dir, &t, names);
    return t;
}

static enum rt_status
add_file(struct rt_arena *a, struct package_files *f, const char *name,
    const struct build_tags *tags, struct rt_err *err)
{
    struct package_file x = {.name = name};
    const char *path = paths_join(a, f->dir, name), *why;
    struct clause c;

    if (!build_name_fits(tags, name)) {
        f->excluded++;
        return RT_OK;
    }
    x.text = paths_read(a, path, &x.len);
    if (x.text == NULL)
        return rt_err_os(err, errno, "%s", path);
    switch (build_text_fits(tags, (const uint8_t *)x.text, x.len, &why)) {
    case BUILD_OTHER:
        f->excluded++;
        return RT_OK;
    case BUILD_BAD:
        f->error = rt_arena_printf(a, "%s: parsing //go:build line: %s",
            paths_rel(a, paths_cwd(a), path), why);
        return RT_OK;
    case BUILD_FITS:
        break;
    }
    clause_read(a, x.text, &c);
    x.package = c.package;
    if (c.cgo || strcmp(x.package, "documentation") == 0) {
        f->excluded++;
        return RT_OK;
    }
    if (paths_ends(name, "_test.go"))
        x.role = paths_ends(x.package, "_test") ? PACKAGE_XTEST
                                                : PACKAGE_TEST;
    add(a, f, &x);
    return RT_OK;
}

/* Are all of one package?  An external test's package is the other's with
 * _test behind. */
static void
check_names(struct rt_arena *a, struct package_files *f)
{
    const struct package_file *first = NULL;
    unsigned i;

    for (i = 0; i < f->n && f->error == NULL; i++) {
        const struct package_file *x = &f->at[i];
        size_t n = strlen(x->package);

        if (*x->package == 0)
            continue; /* the parser will say it */
        if (first == NULL && x->role != PACKAGE_XTEST)
            first = x;
        if (first == NULL)
            continue;
        if (x->role == PACKAGE_XTEST)
            n -= 5;
        if (strncmp(x->package, first->package, n) != 0 ||
            first->package[n] != 0)
            f->error = rt_arena_printf(a,
                "found packages %s (%s) and %s (%s) in %s", first->package,
                first->name, x->package, x->name, f->dir);
    }
}

enum rt_status
package_read(struct rt_arena *a, const char *dir, const char *const *tags,
    unsigned wanted, struct package_files *f, struct rt_err *err)
{
    struct build_tags t;
    struct paths_list names = {0};
    enum rt_status st = RT_OK;
    unsigned i;

    *f = (struct package_files){.dir = dir};
    if (!paths_entries(a, dir, &names))
        return rt_err_os(err, errno, "%s", dir);
    t = folder_tags(a, dir, tags, &names, wanted, &f->assembly);
    for (i = 0; i < names.n && st == RT_OK && f->error == NULL; i++)
        if (!is_hidden(names.at[i]) && paths_ends(names.at[i], ".go") &&
            paths_is_file(paths_join(a, dir, names.at[i])))
            st = add_file(a, f, names.at[i], &t, err);
    if (st != RT_OK || f->error != NULL)
        return st;
    if (f->n == 0 && f->excluded == 0)
        f->error = rt_arena_printf(a, "no Go files in %s", dir);
    else if (f->n == 0 ||
        (!(wanted & PACKAGE_TESTS) && f->count[PACKAGE_PLAIN] == 0))
        f->error = rt_arena_printf(a,
            f->excluded == 0
                ? "no non-test Go files in %s"
                : "build constraints exclude all Go files in %s",
            dir);
    else
        check_names(a, f);
    return RT_OK;
}
