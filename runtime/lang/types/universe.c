/* SPDX-License-Identifier: MIT */

/* Scopes, objects, and the outermost scope: what Go predeclares. */

#include <string.h>

#include "runtime/lang/types/check_int.h"

enum {
    SCOPE_HASH_MIN = 12
};

/* ---- scopes ------------------------------------------------------------- */

struct scope *
scope_new(struct check *c, struct scope *parent)
{
    struct scope *s = CHECK_NEW(c, struct scope);

    s->parent = s->outer = parent;
    s->func = parent ? parent->func : NULL;
    return s;
}

/* Every so many levels a scope gets a table of the names around it. */
enum {
    SCOPE_STRIDE = 32
};

/* The names of the scopes from s->outer on down to the next level that n
 * divides, the inner ones first. */
static void
gather_names(struct check *c, struct scope *s, uint32_t n)
{
    struct scope *from = s->outer, *names;
    uint32_t i, end = s->level - n;

    s->above = scope_new(c, NULL);
    while (from->level > end) {
        for (i = 0; i < from->n; i++)
            if (!is_blank(c, from->list[i]->name))
                scope_insert(c, s->above, from->list[i]);
        names = from->above;
        for (i = 0; names && i < names->n; i++)
            scope_insert(c, s->above, names->list[i]);
        from = names ? from->beyond : from->outer;
    }
    s->beyond = from;
}

struct scope *
scope_open(struct check *c, struct scope *parent)
{
    struct scope *s = scope_new(c, parent);
    uint32_t n = SCOPE_STRIDE;

    /* Names that a block gets later are not visible here, so one without
     * names can be passed over: else-if chains open thousands. */
    if (parent->func == NULL)
        return s;
    if (parent->n == 0) {
        s->outer = parent->outer;
        s->above = parent->above;
        s->beyond = parent->beyond;
        s->level = parent->level;
        return s;
    }
    s->level = parent->level + 1;
    if (s->level % n != 0)
        return s;
    while (s->level % (n * SCOPE_STRIDE) == 0)
        n *= SCOPE_STRIDE;
    gather_names(c, s, n);
    return s;
}

static void
table_put(struct scope *s, struct object *o)
{
    uint32_t i = o->name->hash & s->mask;

    while (s->table[i])
        i = (i + 1) & s->mask;
    s->table[i] = o;
}

static void
table_grow(struct check *c, struct scope *s)
{
    uint32_t i, size = 32;

    while (size < s->n * 4)
        size *= 2;
    s->table = CHECK_ARRAY(c, struct object *, size);
    s->mask = size - 1;
    for (i = 0; i < s->n; i++)
        if (!is_blank(c, s->list[i]->name))
            table_put(s, s->list[i]);
}

struct object *
scope_lookup(const struct scope *s, const struct lang_name *name)
{
    uint32_t i;

    if (s->table) {
        for (i = name->hash & s->mask; s->table[i]; i = (i + 1) & s->mask)
            if (s->table[i]->name == name)
                return s->table[i];
        return NULL;
    }
    for (i = 0; i < s->n; i++)
        if (s->list[i]->name == name)
            return s->list[i];
    return NULL;
}

struct object *
scope_insert(struct check *c, struct scope *s, struct object *o)
{
    struct object *old;

    if (!is_blank(c, o->name)) {
        old = scope_lookup(s, o->name);
        if (old)
            return old;
    }
    CHECK_PUSH(c, s->list, s->n, s->cap, o);
    if (!o->parent)
        o->parent = s;
    if (s->n >= SCOPE_HASH_MIN) {
        if (!s->table || s->n * 2 > s->mask)
            table_grow(c, s);
        else if (!is_blank(c, o->name))
            table_put(s, o);
    }
    return NULL;
}

struct object *
object_new(struct check *c, enum object_kind kind, lang_pos pos,
    const struct lang_name *name, struct type *type)
{
    struct object *o = CHECK_NEW(c, struct object);

    o->kind = (uint8_t)kind;
    o->pos = pos;
    o->name = name;
    o->exported = name && name->exported;
    o->type = type;
    o->color = type ? COLOR_BLACK : COLOR_WHITE;
    o->pkg = c->in ? c->in->env.pkg : NULL;
    return o;
}

/* ---- built-in functions ------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t nargs;
    bool variadic;
    bool statement; /* may stand alone */
} builtins[BUILTIN_COUNT] = {
    [BUILTIN_APPEND] = {"append", 1, true, false},
    [BUILTIN_CAP] = {"cap", 1, false, false},
    [BUILTIN_CLEAR] = {"clear", 1, false, true},
    [BUILTIN_CLOSE] = {"close", 1, false, true},
    [BUILTIN_COMPLEX] = {"complex", 2, false, false},
    [BUILTIN_COPY] = {"copy", 2, false, true},
    [BUILTIN_DELETE] = {"delete", 2, false, true},
    [BUILTIN_IMAG] = {"imag", 1, false, false},
    [BUILTIN_LEN] = {"len", 1, false, false},
    [BUILTIN_MAKE] = {"make", 1, true, false},
    [BUILTIN_MAX] = {"max", 1, true, false},
    [BUILTIN_MIN] = {"min", 1, true, false},
    [BUILTIN_NEW] = {"new", 1, false, false},
    [BUILTIN_PANIC] = {"panic", 1, false, true},
    [BUILTIN_PRINT] = {"print", 0, true, true},
    [BUILTIN_PRINTLN] = {"println", 0, true, true},
    [BUILTIN_REAL] = {"real", 1, false, false},
    [BUILTIN_RECOVER] = {"recover", 0, false, true},
    [BUILTIN_ADD] = {"Add", 2, false, false},
    [BUILTIN_ALIGNOF] = {"Alignof", 1, false, false},
    [BUILTIN_OFFSETOF] = {"Offsetof", 1, false, false},
    [BUILTIN_SIZEOF] = {"Sizeof", 1, false, false},
    [BUILTIN_SLICE] = {"Slice", 2, false, false},
    [BUILTIN_SLICEDATA] = {"SliceData", 1, false, false},
    [BUILTIN_STRING] = {"String", 2, false, false},
    [BUILTIN_STRINGDATA] = {"StringData", 1, false, false},
};

const char *
builtin_name(unsigned id)
{
    return builtins[id].name;
}

unsigned
builtin_nargs(unsigned id, bool *variadic)
{
    *variadic = builtins[id].variadic;
    return builtins[id].nargs;
}

bool
builtin_is_statement(unsigned id)
{
    return builtins[id].statement;
}

/* ---- the universe ------------------------------------------------------- */

static struct object *
define(
    struct check *c, enum object_kind kind, const char *name, struct type *type)
{
    const struct lang_name *n = lang_name_str(c->parse->names, name);
    struct object *o;

    rt_check(n != NULL, "out of memory for names");
    o = object_new(c, kind, 0, n, type);
    o->color = COLOR_BLACK;
    o->used = true;
    scope_insert(c, c->universe, o);
    return o;
}

static void
define_basics(struct check *c)
{
    static const char *const names[] = {"invalid type", "bool", "int", "int8",
        "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32",
        "uint64", "uintptr", "float32", "float64", "complex64", "complex128",
        "string", "unsafe.Pointer", "untyped bool", "untyped int",
        "untyped rune", "untyped float", "untyped complex", "untyped string",
        "untyped nil"};
    unsigned k;

    for (k = TYPE_INVALID; k <= TYPE_UNTYPED_NIL; k++) {
        c->types.basic[k].kind = (uint8_t)k;
        c->types.basic[k].name = names[k];
        if (k >= TYPE_BOOL && k <= TYPE_STRING)
            define(c, OBJ_TYPE, names[k], &c->types.basic[k]);
    }
    c->types.byte_type = type_new(c, TYPE_UINT8);
    c->types.byte_type->name = "byte";
    define(c, OBJ_TYPE, "byte", c->types.byte_type);
    c->types.rune_type = type_new(c, TYPE_INT32);
    c->types.rune_type->name = "rune";
    define(c, OBJ_TYPE, "rune", c->types.rune_type);
}

static struct type *
empty_iface(struct check *c, bool is_any)
{
    struct type *t = type_new(c, TYPE_INTERFACE);

    t->iface = CHECK_NEW(c, struct iface_info);
    t->iface->implicit_any = is_any;
    return t;
}

static void
define_error(struct check *c)
{
    struct type *sig = type_new(c, TYPE_FUNC), *t, *under;
    struct object *res = object_new(c, OBJ_VAR, 0, NULL, basic(c, TYPE_STRING));
    struct object *m = object_new(
        c, OBJ_FUNC, 0, lang_name_str(c->parse->names, "Error"), sig);

    res->var_kind = VAR_RESULT;
    sig->vars = CHECK_ARRAY(c, struct object *, 1);
    sig->vars[0] = res;
    sig->nvars = 1;
    m->is_method = true;
    under = empty_iface(c, false);
    under->iface->methods = CHECK_ARRAY(c, struct object *, 1);
    under->iface->methods[0] = m;
    under->iface->nmethods = 1;
    type_iface_add(c, under, m);
    t = type_new(c, TYPE_NAMED);
    t->under = under;
    t->serial = ++c->in->serial;
    t->obj = define(c, OBJ_TYPE, "error", t);
    c->types.error_type = t;
    c->in->error_obj = t->obj;
}

static void
define_comparable(struct check *c)
{
    struct type *t = type_new(c, TYPE_NAMED);

    t->under = empty_iface(c, false);
    t->under->iface->comparable = true;
    t->serial = ++c->in->serial;
    t->obj = define(c, OBJ_TYPE, "comparable", t);
    c->in->comparable_obj = t->obj;
}

static void
define_consts(struct check *c)
{
    struct object *o;

    o = define(c, OBJ_CONST, "true", basic(c, TYPE_UNTYPED_BOOL));
    o->cv = const_bool(&c->cctx, true);
    o = define(c, OBJ_CONST, "false", basic(c, TYPE_UNTYPED_BOOL));
    o->cv = const_bool(&c->cctx, false);
    o = define(c, OBJ_CONST, "iota", basic(c, TYPE_UNTYPED_INT));
    o->cv = const_int64(&c->cctx, 0);
    c->in->iota_obj = o;
    c->in->nil_obj = define(c, OBJ_NIL, "nil", basic(c, TYPE_UNTYPED_NIL));
}

static void
define_unsafe(struct check *c)
{
    struct check_pkg *p = CHECK_NEW(c, struct check_pkg);
    struct object *o;
    unsigned id;

    p->check = c;
    p->path = p->link = p->name = "unsafe";
    p->library = true;
    p->state = PKG_DONE;
    p->scope = scope_new(c, c->universe);
    c->unsafe_pkg = p;
    o = object_new(c, OBJ_TYPE, 0, lang_name_str(c->parse->names, "Pointer"),
        basic(c, TYPE_UNSAFE_POINTER));
    o->pkg = p;
    scope_insert(c, p->scope, o);
    for (id = BUILTIN_ADD; id < BUILTIN_COUNT; id++) {
        o = object_new(c, OBJ_BUILTIN, 0,
            lang_name_str(c->parse->names, builtins[id].name), invalid_type(c));
        o->pkg = p;
        o->index = (int32_t)id;
        scope_insert(c, p->scope, o);
    }
}

void
universe_init(struct check *c)
{
    struct object *o;
    unsigned id;

    c->universe = scope_new(c, NULL);
    define_basics(c);
    c->types.empty_tuple = type_tuple(c, NULL, 0);
    c->types.empty_iface = empty_iface(c, false);
    c->types.any_type = empty_iface(c, true);
    c->in->any_obj = define(c, OBJ_TYPE, "any", c->types.any_type);
    define_error(c);
    define_comparable(c);
    define_consts(c);
    for (id = BUILTIN_APPEND; id < BUILTIN_ADD; id++) {
        o = define(c, OBJ_BUILTIN, builtins[id].name, invalid_type(c));
        o->index = (int32_t)id;
        c->in->builtins[id] = o;
    }
    define_unsafe(c);
}
