/* SPDX-License-Identifier: MIT */
/*
 * Packages and modules as JSON, as the go command's encoder writes them: with
 * tabs, without fields that are empty.
 */
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/utf8.h"
#include "runtime/lang/load/list.h"

struct json {
    FILE *out;
    const char *fields; /* of the outermost object; NULL: all */
    unsigned depth;
    bool any; /* the object has a field already */
};

static void
text(struct json *j, const char *s)
{
    const unsigned char *p = (const unsigned char *)s;

    putc('"', j->out);
    for (; *p != 0; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(j->out, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", j->out);
        else if (*p == '\r')
            fputs("\\r", j->out);
        else if (*p == '\t')
            fputs("\\t", j->out);
        else if (*p == '\b')
            fputs("\\b", j->out);
        else if (*p == '\f')
            fputs("\\f", j->out);
        else if (*p < ' ' || *p == '<' || *p == '>' || *p == '&')
            fprintf(j->out, "\\u%04x", *p);
        else if (p[0] == 0xe2 && p[1] == 0x80 && (p[2] | 1) == 0xa9)
            fprintf(j->out, "\\u202%c", *(p += 2) == 0xa8 ? '8' : '9');
        else
            putc(*p, j->out);
    }
    putc('"', j->out);
}

static void
new_line(struct json *j)
{
    unsigned i;

    putc('\n', j->out);
    for (i = 0; i < j->depth; i++)
        putc('\t', j->out);
}

/* Is the field asked for? */
static bool
wanted(const struct json *j, const char *name)
{
    size_t n = strlen(name);
    const char *p = j->fields, *end;

    if (p == NULL || j->depth != 1)
        return true;
    for (; *p != 0; p = end + (*end != 0)) {
        end = strchrnul(p, ',');
        if ((size_t)(end - p) == n && memcmp(p, name, n) == 0)
            return true;
    }
    return false;
}

static void
open(struct json *j, char c)
{
    putc(c, j->out);
    j->depth++;
    j->any = false;
}

static void
close(struct json *j, char c)
{
    j->depth--;
    if (j->any)
        new_line(j);
    putc(c, j->out);
    j->any = true;
}

static void
item(struct json *j)
{
    if (j->any)
        putc(',', j->out);
    j->any = true;
    new_line(j);
}

static void
key(struct json *j, const char *name)
{
    item(j);
    text(j, name);
    fputs(": ", j->out);
}

static void
field(struct json *j, const char *name, const char *value)
{
    if (value == NULL || *value == 0 || !wanted(j, name))
        return;
    key(j, name);
    text(j, value);
}

static void
flag(struct json *j, const char *name, bool value)
{
    if (!value || !wanted(j, name))
        return;
    key(j, name);
    fputs("true", j->out);
}

static void
array(struct json *j, const struct paths_list *l)
{
    unsigned i;

    open(j, '[');
    for (i = 0; i < l->n; i++) {
        item(j);
        text(j, l->at[i]);
    }
    close(j, ']');
}

static void
list(struct json *j, const char *name, const struct paths_list *l)
{
    if (l->n == 0 || !wanted(j, name))
        return;
    key(j, name);
    array(j, l);
}

/* ---- modules ----------------------------------------------------------------------- */

static void module(struct json *j, const struct list_module *m);

static void
inner_module(struct json *j, const char *name, const struct list_module *m)
{
    if (m == NULL || !wanted(j, name))
        return;
    key(j, name);
    module(j, m);
}

static void
module(struct json *j, const struct list_module *m)
{
    open(j, '{');
    field(j, "Path", m->path);
    field(j, "Version", m->version);
    field(j, "Query", m->query);
    list(j, "Versions", &m->versions);
    inner_module(j, "Replace", m->replace);
    field(j, "Time", m->time);
    inner_module(j, "Update", m->update);
    flag(j, "Main", m->main);
    flag(j, "Indirect", m->indirect);
    field(j, "Dir", m->dir);
    field(j, "GoMod", m->gomod);
    field(j, "GoVersion", m->go);
    list(j, "Retracted", &m->retracted);
    if (m->error != NULL && wanted(j, "Error")) {
        key(j, "Error");
        open(j, '{');
        field(j, "Err", m->error);
        close(j, '}');
    }
    field(j, "Sum", m->sum);
    field(j, "GoModSum", m->modsum);
    close(j, '}');
}

void
list_json_module(const struct list_module *m, const char *fields, FILE *out)
{
    struct json j = {.out = out, .fields = fields};

    module(&j, m);
    putc('\n', out);
}

/* ---- packages ----------------------------------------------------------------------- */

static void
one_error(struct json *j, const struct list_error *e)
{
    open(j, '{');
    key(j, "ImportStack");
    array(j, &e->stack);
    key(j, "Pos");
    text(j, e->pos);
    key(j, "Err");
    text(j, e->text);
    close(j, '}');
}

static void
import_map(struct list *l, struct json *j, const struct list_package *p)
{
    struct paths_list keys = {0};
    unsigned i, k;

    if (p->map.n == 0 || !wanted(j, "ImportMap"))
        return;
    for (i = 0; i < p->map.n; i += 2)
        if (!paths_has(&keys, p->map.at[i]))
            paths_push(l->a, &keys, p->map.at[i]);
    paths_sort(&keys);
    key(j, "ImportMap");
    open(j, '{');
    for (i = 0; i < keys.n; i++)
        for (k = p->map.n; k > 0; k -= 2)
            if (strcmp(p->map.at[k - 2], keys.at[i]) == 0) {
                key(j, keys.at[i]);
                text(j, p->map.at[k - 1]);
                break;
            }
    close(j, '}');
}

static void
errors(struct json *j, const struct list_package *p)
{
    unsigned i;

    if (p->error != NULL && wanted(j, "Error")) {
        key(j, "Error");
        one_error(j, p->error);
    }
    if (p->ndepserrors == 0 || !wanted(j, "DepsErrors"))
        return;
    key(j, "DepsErrors");
    open(j, '[');
    for (i = 0; i < p->ndepserrors; i++) {
        item(j);
        one_error(j, p->depserrors[i]);
    }
    close(j, ']');
}

void
list_json_package(struct list *l, const struct list_package *p,
    const char *fields, FILE *out)
{
    static const char *const names[] = {
#define X(id, name) name,
        LIST_FIELDS(X)
#undef X
    };
    struct json j = {.out = out, .fields = fields};
    unsigned i;

    open(&j, '{');
    field(&j, "Dir", p->dir);
    field(&j, "ImportPath", p->shown);
    field(&j, "Name", p->name);
    field(&j, "Doc", p->doc);
    field(&j, "Target", p->target);
    field(&j, "Root", p->root);
    field(&j, "ForTest", p->for_test);
    if (p->module != NULL && !p->standard && *p->root != 0)
        inner_module(&j, "Module", list_module(l, p->module));
    list(&j, "Match", &p->match);
    flag(&j, "Goroot", p->standard);
    flag(&j, "Standard", p->standard && !paths_ends(p->name, "_test"));
    flag(&j, "DepOnly", !p->named);
    flag(&j, "Incomplete", p->incomplete);
    field(&j, "DefaultGODEBUG", p->godebug);
    for (i = 0; i < LIST_NFIELDS; i++) {
        if (i == LIST_DEPS)
            import_map(l, &j, p);
        list(&j, names[i], &p->field[i]);
        if (i == LIST_DEPS)
            errors(&j, p);
    }
    close(&j, '}');
    putc('\n', out);
}
