/* SPDX-License-Identifier: MIT */
/*
 * Type descriptors.  A descriptor is made (with size, layout and kind) when
 * its type is first mentioned and filled (fields, methods) by the main loop,
 * so that recursive types need no care.  Methods are generated only where
 * their selector is called through some interface in reachable code.
 */
#include "runtime/lang/gen/gen_stock.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t kind_of[TYPE_KIND_COUNT] = {
    [TYPE_BOOL] = RK_BOOL,
    [TYPE_INT] = RK_INT,
    [TYPE_INT8] = RK_INT8,
    [TYPE_INT16] = RK_INT16,
    [TYPE_INT32] = RK_INT32,
    [TYPE_INT64] = RK_INT64,
    [TYPE_UINT] = RK_UINT,
    [TYPE_UINT8] = RK_UINT8,
    [TYPE_UINT16] = RK_UINT16,
    [TYPE_UINT32] = RK_UINT32,
    [TYPE_UINT64] = RK_UINT64,
    [TYPE_UINTPTR] = RK_UINTPTR,
    [TYPE_FLOAT32] = RK_FLOAT32,
    [TYPE_FLOAT64] = RK_FLOAT64,
    [TYPE_COMPLEX64] = RK_COMPLEX64,
    [TYPE_COMPLEX128] = RK_COMPLEX128,
    [TYPE_STRING] = RK_STRING,
    [TYPE_UNSAFE_POINTER] = RK_UNSAFE_POINTER,
    [TYPE_POINTER] = RK_POINTER,
    [TYPE_SLICE] = RK_SLICE,
    [TYPE_ARRAY] = RK_ARRAY,
    [TYPE_STRUCT] = RK_STRUCT,
    [TYPE_FUNC] = RK_FUNC,
    [TYPE_INTERFACE] = RK_INTERFACE,
    [TYPE_MAP] = RK_MAP,
    [TYPE_CHAN] = RK_CHAN,
};

uint32_t
type_slots(struct type *t)
{
    return (uint32_t)((type_size(t) + 7) / 8);
}

bool
type_in_frame_scalar(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return k <= TYPE_COMPLEX64 || k == TYPE_UNSAFE_POINTER ||
        k == TYPE_POINTER || k == TYPE_FUNC || k == TYPE_MAP ||
        k == TYPE_CHAN;
}

/* Calls fn for the byte offset of every pointer in t. */
static void
each_pointer(struct type *t, int64_t off,
    void (*fn)(void *arg, int64_t off), void *arg)
{
    uint32_t i;
    int64_t k;

    t = type_under(t);
    switch (t->kind) {
    case TYPE_STRING:
    case TYPE_SLICE:
    case TYPE_POINTER:
    case TYPE_FUNC:
    case TYPE_MAP:
    case TYPE_CHAN:
    case TYPE_UNSAFE_POINTER:
        fn(arg, off);
        break;
    case TYPE_INTERFACE:
        fn(arg, off + 8); /* the type word points outside the heap */
        break;
    case TYPE_ARRAY:
        if (!type_has_pointers(t->elem))
            break;
        for (k = 0; k < t->len; k++)
            each_pointer(t->elem, off + k * type_size(t->elem), fn, arg);
        break;
    case TYPE_STRUCT:
        if (!type_has_pointers(t))
            break;
        type_size(t);
        for (i = 0; i < t->nvars; i++)
            each_pointer(t->vars[i]->type, off + t->vars[i]->offset, fn, arg);
        break;
    default:
        break;
    }
}

/* What a type is found to be is kept with it: a struct may have the same
 * parts so often that counting them would take for ever. */
enum { MEMO_NO = 1, MEMO_YES = 2 };

static bool
find_pointers(struct type *t)
{
    uint32_t i;

    switch (t->kind) {
    case TYPE_STRING:
    case TYPE_SLICE:
    case TYPE_POINTER:
    case TYPE_FUNC:
    case TYPE_MAP:
    case TYPE_CHAN:
    case TYPE_UNSAFE_POINTER:
    case TYPE_INTERFACE:
        return true;
    case TYPE_ARRAY:
        return t->len != 0 && type_has_pointers(t->elem);
    case TYPE_STRUCT:
        for (i = 0; i < t->nvars; i++)
            if (type_has_pointers(t->vars[i]->type))
                return true;
        return false;
    default:
        return false;
    }
}

bool
type_has_pointers(struct type *t)
{
    t = type_under(t);
    if (t->pointers == 0)
        t->pointers = find_pointers(t) ? MEMO_YES : MEMO_NO;
    return t->pointers == MEMO_YES;
}

static void
set_kind(void *arg, int64_t off)
{
    ((enum code_slot_kind *)arg)[off / 8] = CODE_POINTER;
}

void
type_slot_kinds(struct type *t, enum code_slot_kind *kinds)
{
    memset(kinds, CODE_SCALAR, type_slots(t));
    each_pointer(t, 0, set_kind, kinds);
}

static void
set_bit(uint8_t *mask, uint64_t word)
{
    mask[word / 8] |= (uint8_t)(1u << (word % 8));
}

struct rt_layout
gen_kinds_layout(struct gen *g, const enum code_slot_kind *kinds, uint32_t n)
{
    struct rt_layout l = {.size = n * 8ull};
    uint8_t *mask = gen_alloc(g, n / 8 + 1);
    uint32_t i;

    for (i = 0; i < n; i++)
        if (kinds[i] == CODE_POINTER) {
            set_bit(mask, i);
            l.ptrdata = (i + 1) * 8ull;
        }
    l.ptrmask = l.ptrdata != 0 ? mask : NULL;
    return l;
}

static uint64_t
word_after(const struct rt_layout *l, int64_t off)
{
    return ((uint64_t)off + l->ptrdata) / 8;
}

/* Adds the pointers of a part at byte off. */
static void
add_layout(uint8_t *mask, const struct rt_layout *part, int64_t off)
{
    uint64_t w, n = part->ptrdata / 8, first = (uint64_t)off / 8;

    if (first % 8 == 0) { /* 8 words at a time: there are large ones */
        for (w = 0; w < n; w += 8)
            mask[(first + w) / 8] |= part->ptrmask[w / 8];
        return;
    }
    for (w = 0; w < n; w++)
        if (rt_layout_is_ptr(part, w))
            set_bit(mask, first + w);
}

static void layout_of(struct gen *g, struct type *t, struct rt_layout *l);

static void
array_layout(struct gen *g, struct type *t, struct rt_layout *l)
{
    int64_t k, size = type_size(t->elem);
    struct rt_layout elem;
    uint8_t *mask;

    layout_of(g, t->elem, &elem);
    l->ptrdata = word_after(&elem, (t->len - 1) * size) * 8;
    mask = gen_alloc(g, l->ptrdata / 64 + 1);
    for (k = 0; k < t->len; k++)
        add_layout(mask, &elem, k * size);
    l->ptrmask = mask;
}

static void
struct_layout(struct gen *g, struct type *t, struct rt_layout *l)
{
    struct rt_layout *parts = gen_scratch(g, t->nvars * sizeof *parts);
    uint8_t *mask;
    uint32_t i;

    for (i = 0; i < t->nvars; i++) {
        layout_of(g, t->vars[i]->type, &parts[i]);
        if (parts[i].ptrdata != 0)
            l->ptrdata = word_after(&parts[i], t->vars[i]->offset) * 8;
    }
    mask = gen_alloc(g, l->ptrdata / 64 + 1);
    for (i = 0; i < t->nvars; i++)
        add_layout(mask, &parts[i], t->vars[i]->offset);
    l->ptrmask = mask;
}

/* Types that consist of one another share what has been found of the parts. */
static void
layout_of(struct gen *g, struct type *t, struct rt_layout *l)
{
    static const uint8_t first = 1, second = 2;
    uint32_t id;

    t = type_under(t);
    memset(l, 0, sizeof *l);
    l->size = (uint64_t)type_size(t);
    if (!type_has_pointers(t))
        return;
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY) {
        /* The type word of an interface points outside the heap. */
        l->ptrdata = t->kind == TYPE_INTERFACE ? 16 : 8;
        l->ptrmask = t->kind == TYPE_INTERFACE ? &second : &first;
        return;
    }
    if (gmap_get(&g->layout_ids, (uint64_t)(uintptr_t)t, &id)) {
        *l = g->layouts.at[id];
        return;
    }
    if (t->kind == TYPE_STRUCT)
        struct_layout(g, t, l);
    else
        array_layout(g, t, l);
    gmap_put(g, &g->layout_ids, (uint64_t)(uintptr_t)t, g->layouts.n);
    *gvec_push(g, &g->layouts) = *l;
}

static bool plain_memory(struct type *t);

static bool
find_plain(struct type *t)
{
    int64_t end = 0;
    uint32_t i;

    switch (t->kind) {
    case TYPE_FLOAT32:
    case TYPE_FLOAT64:
    case TYPE_COMPLEX64:
    case TYPE_COMPLEX128:
    case TYPE_STRING:
    case TYPE_INTERFACE:
    case TYPE_SLICE:
    case TYPE_FUNC:
    case TYPE_MAP:
        return false;
    case TYPE_ARRAY:
        return plain_memory(t->elem);
    case TYPE_STRUCT:
        type_size(t);
        for (i = 0; i < t->nvars; i++) {
            struct object *v = t->vars[i];

            if (v->offset != end || !plain_memory(v->type) ||
                (v->name != NULL && strcmp(v->name->text, "_") == 0))
                return false;
            end = v->offset + type_size(v->type);
        }
        return end == type_size(t);
    default:
        return true;
    }
}

static bool
plain_memory(struct type *t)
{
    t = type_under(t);
    if (t->plain == 0)
        t->plain = find_plain(t) ? MEMO_YES : MEMO_NO;
    return t->plain == MEMO_YES;
}

static bool holds_iface(struct type *t);

static bool
find_iface(struct type *t)
{
    uint32_t i;

    if (t->kind == TYPE_INTERFACE)
        return true;
    if (t->kind == TYPE_ARRAY)
        return holds_iface(t->elem);
    if (t->kind == TYPE_STRUCT)
        for (i = 0; i < t->nvars; i++)
            if (holds_iface(t->vars[i]->type))
                return true;
    return false;
}

static bool
holds_iface(struct type *t)
{
    t = type_under(t);
    if (t->ifaces == 0)
        t->ifaces = find_iface(t) ? MEMO_YES : MEMO_NO;
    return t->ifaces == MEMO_YES;
}

/* An instance's name has its type arguments: main.F[main.T] is F[main.T]. */
static const char *
unqualified(const char *s)
{
    size_t n = strcspn(s, ".[");

    return s[n] == '.' ? s + n + 1 : s;
}

/* t is canonical. */
static uint32_t
type_id(struct gen *g, struct type *t)
{
    struct type_entry *e;
    struct rtype *rt;
    struct type *u;
    uint32_t id;

    if (gmap_get(&g->type_ids, (uint64_t)(uintptr_t)t, &id))
        return id;
    id = g->types.n;
    if (id >= 0x7fffffff)
        gen_errorf(g, 0, "too many types for vole");
    e = gvec_push(g, &g->types);
    e->type = t;
    e->rt = rt = gen_alloc(g, sizeof *rt);
    gmap_put(g, &g->type_ids, (uint64_t)(uintptr_t)t, id);
    u = type_under(t);
    rt->self = rt;
    layout_of(g, t, &rt->layout);
    rt->kind = kind_of[u->kind];
    rt->align = (uint8_t)type_align(t);
    rt->id = id;
    rt->hash = (id + 1) * 0x9e3779b1u;
    rt->slots = type_slots(t);
    rt->string = gen_text(g, type_string(g->c, t, TYPE_STR_RUN, NULL));
    rt->name = "";
    rt->pkgpath = "";
    if (t->kind == TYPE_NAMED) {
        rt->name = t->ntargs == 0
            ? gen_text(g, t->obj->name->text)
            : unqualified(rt->string);
        rt->flags |= RT_F_NAMED;
        if (t->obj->pkg != NULL)
            rt->pkgpath = gen_text(g, t->obj->pkg->path);
    } else if (t->kind <= TYPE_UNSAFE_POINTER && t->name != NULL) {
        rt->name = rt->string;
    }
    if (type_is_pointer_shaped(t))
        rt->flags |= RT_F_DIRECT;
    if (type_comparable(t))
        rt->flags |= RT_F_COMPARABLE;
    if (plain_memory(t))
        rt->flags |= RT_F_MEMEQ;
    if (holds_iface(t))
        rt->flags |= RT_F_MAYPANIC;
    if (u->variadic)
        rt->flags |= RT_F_VARIADIC;
    if (u->kind == TYPE_CHAN)
        rt->chan_dir = u->dir;
    return id;
}

uint32_t
gen_type(struct gen *g, struct type *t)
{
    uint32_t id;

    t = type_canon(g->c, t);
    id = type_id(g, t);
    gen_note(g, STOCK_TYPE, t, id);
    return id;
}

struct rtype *
gen_rtype(struct gen *g, struct type *t)
{
    uint32_t id = gen_type(g, t); /* may move the table */

    return g->types.at[id].rt;
}

/* ---- selectors ------------------------------------------------------------- */

static const char *
method_pkg(struct object *m)
{
    return m->name->exported || m->pkg == NULL ? NULL : m->pkg->path;
}

uint32_t
gen_selector_of(struct gen *g, const struct lang_name *name,
    struct check_pkg *pkg, struct type *sig)
{
    struct sel_entry *s;
    uint64_t key;
    uint32_t i;

    sig = type_canon(g->c, sig);
    rt_assert(name->exported || pkg != NULL);
    /* Names and types are unique by address, so is this mix but for an
     * unlikely collision, which the comparison below would show as a clash
     * of names. */
    key = (uint64_t)(uintptr_t)sig * 0x9e3779b97f4a7c15u ^
        (uint64_t)(uintptr_t)name * 0xc2b2ae3d27d4eb4fu ^
        (uint64_t)(uintptr_t)pkg * 0x165667b19e3779f9u;
    while (gmap_get(&g->sel_ids, key, &i)) {
        s = &g->sels.at[i];
        if (s->sig == sig && strcmp(s->name, name->text) == 0)
            return i;
        key++;
    }
    i = g->sels.n;
    gmap_put(g, &g->sel_ids, key, i);
    s = gvec_push(g, &g->sels);
    s->name = gen_text(g, name->text);
    s->pkg = pkg ? gen_text(g, pkg->path) : NULL;
    s->sig = sig;
    /* The runtime calls these two itself when it prints a panic. */
    s->live = sig->nparams == 0 && sig->nvars == 1 &&
        sig->vars[0]->type->kind == TYPE_STRING &&
        (strcmp(s->name, "Error") == 0 || strcmp(s->name, "String") == 0);
    return i;
}

uint32_t
gen_selector(struct gen *g, struct object *m)
{
    uint32_t id = gen_selector_of(
        g, m->name, method_pkg(m) != NULL ? m->pkg : NULL, m->type);

    gen_note(g, STOCK_SELECTOR, m, id);
    return id;
}

void
gen_selector_use(struct gen *g, uint32_t id)
{
    uint32_t i;

    rt_assert(id < g->sels.n);
    if (g->sels.at[id].live)
        return;
    g->sels.at[id].live = true;
    for (i = g->sels.at[id].waiting; i != 0; i = g->waiting.at[i - 1].next)
        *gvec_push(g, &g->due) = g->waiting.at[i - 1];
    g->sels.at[id].waiting = 0;
}

uint32_t
gen_selector_live(struct gen *g, struct object *m)
{
    uint32_t id = gen_selector(g, m);

    gen_selector_use(g, id);
    gen_note(g, STOCK_LIVE, m, id);
    return id;
}

/* ---- filling ------------------------------------------------------------------ */

static void
fill_struct(struct gen *g, struct rtype *rt, struct type *u)
{
    struct rfield *fs = gen_alloc(g, u->nvars * sizeof *fs);
    uint32_t i;

    type_size(u);
    for (i = 0; i < u->nvars; i++) {
        struct object *v = u->vars[i];

        fs[i].name = gen_text(g, v->name ? v->name->text : "_");
        fs[i].exported = v->name && v->name->exported;
        if (!fs[i].exported && v->pkg != NULL)
            fs[i].pkg = gen_text(g, v->pkg->path);
        fs[i].type = gen_rtype(g, v->type);
        fs[i].offset = (uint64_t)v->offset;
        fs[i].embedded = v->embedded;
        if (v->tag != NULL)
            fs[i].tag = gen_strdup(g, v->tag, v->tag_len);
    }
    rt->fields = fs;
    rt->nfields = u->nvars;
}

static void
fill_func(struct gen *g, struct rtype *rt, struct type *u)
{
    const struct rtype **ps = gen_alloc(g, u->nvars * sizeof *ps);
    uint32_t i;

    for (i = 0; i < u->nvars; i++)
        ps[i] = gen_rtype(g, u->vars[i]->type);
    rt->params = ps;
    rt->nparams = u->nparams;
    rt->nresults = u->nvars - u->nparams;
}

static void
fill_method(struct gen *g, struct rmethod *m, struct object *fn)
{
    m->name = gen_text(g, fn->name->text);
    m->exported = fn->name->exported;
    m->pkg = method_pkg(fn) ? gen_text(g, method_pkg(fn)) : NULL;
    m->sel = gen_selector(g, fn);
    m->type = gen_rtype(g, fn->type);
    m->func = CODE_NO_FUNC;
}

/* Method i of type `id` gets its code as soon as its selector is live. */
static void
await(struct gen *g, uint32_t id, uint32_t i, uint32_t sel)
{
    struct sel_method m = {id, i, 0};

    if (g->sels.at[sel].live) {
        *gvec_push(g, &g->due) = m;
        return;
    }
    m.next = g->sels.at[sel].waiting;
    *gvec_push(g, &g->waiting) = m;
    g->sels.at[sel].waiting = g->waiting.n;
}

static void
fill(struct gen *g, uint32_t id)
{
    struct rtype *rt = g->types.at[id].rt;
    struct type *t = g->types.at[id].type;
    struct type *u = type_under(t);
    const struct method_set *ms;
    struct rmethod *list;
    uint32_t i;

    if (u->elem != NULL && u->kind != TYPE_TUPLE)
        rt->elem = gen_rtype(g, u->elem);
    if (u->key != NULL)
        rt->key = gen_rtype(g, u->key);
    if (u->kind == TYPE_ARRAY)
        rt->len = (uint64_t)u->len;
    if (u->kind == TYPE_STRUCT)
        fill_struct(g, rt, u);
    if (u->kind == TYPE_FUNC)
        fill_func(g, rt, u);
    ms = type_method_set(g->c, t);
    g->types.at[id].mset = ms;
    if (ms != NULL && ms->n != 0) {
        list = gen_alloc(g, ms->n * sizeof *list);
        for (i = 0; i < ms->n; i++) {
            fill_method(g, &list[i], ms->list[i].func);
            if (u->kind != TYPE_INTERFACE)
                await(g, id, i, list[i].sel);
        }
        rt->methods = list;
        rt->nmethods = ms->n;
    }
    g->types.at[id].filled = true;
}

static bool
needs_no_wrapper(const struct method_entry *m)
{
    const struct ast_decl *d = m->func->decl;

    return m->nsteps == 0 && !m->take_addr && !m->deref && !m->is_iface &&
        d != NULL && (d->func.func.body != NULL || d->func.func.lazy);
}

/* As Go names it: main.T.m, main.(*T).m, main.(*T[...]).m. */
static const char *
method_name(struct gen *g, struct type *t, const char *m)
{
    struct type *n = t->kind == TYPE_POINTER ? t->elem : t;

    if (n->kind != TYPE_NAMED || n->obj->pkg == NULL)
        return gen_sprintf(
            g, "%s.%s", type_string(g->c, t, TYPE_STR_RUN, NULL), m);
    return gen_sprintf(g, n == t ? "%s.%s%s.%s" : "%s.(*%s%s).%s",
        n->obj->pkg->link, n->obj->name->text, n->ntargs != 0 ? "[...]" : "",
        m);
}

/* Queues the code of a method. */
static void
queue_method(struct gen *g, const struct sel_method *m)
{
    const struct type_entry *e = &g->types.at[m->type];
    struct rmethod *rm = (struct rmethod *)(uintptr_t)e->rt->methods +
        m->method;
    const struct method_entry *entry = &e->mset->list[m->method];
    struct work w = {0};

    if (rm->func != CODE_NO_FUNC)
        return; /* due for two reasons */
    if (rtype_direct(e->rt) && needs_no_wrapper(entry)) {
        rm->func = gen_func_obj(g, entry->func);
        return;
    }
    w.kind = WORK_IMETHOD;
    w.obj = entry->func;
    w.pkg = entry->func->pkg ? entry->func->pkg : g->main;
    w.type = e->type;
    w.entry = *entry;
    w.name = method_name(g, e->type, rm->name);
    rm->func = gen_work(g, &w);
}

static int
by_type(const void *a, const void *b)
{
    const struct sel_method *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return x->method < y->method ? -1 : x->method > y->method;
}

/*
 * A program that makes pointer types as it runs gets those with methods from
 * here, for the code of methods is not made then.
 */
static void
point_to(struct gen *g, uint32_t id)
{
    struct type *t = g->types.at[id].type, *p;
    enum type_kind k = type_kind_of(t);
    const struct method_set *ms;

    if (k == TYPE_POINTER || k == TYPE_INTERFACE ||
        (t->kind != TYPE_NAMED && k != TYPE_STRUCT))
        return;
    p = type_pointer(g->c, t);
    ms = type_method_set(g->c, p);
    if (ms != NULL && ms->n != 0)
        gen_type(g, p);
}

/*
 * A program that finds methods as it runs has the code of all exported ones,
 * whoever calls them.
 */
static void
call_methods(struct gen *g, uint32_t id)
{
    const struct rtype *rt = g->types.at[id].rt;
    uint32_t i;

    for (i = 0; i < rt->nmethods && rt->kind != RK_INTERFACE; i++) {
        if (rt->methods[i].exported && rt->methods[i].func == CODE_NO_FUNC) {
            struct sel_method m = {id, i, 0};
            *gvec_push(g, &g->due) = m;
        }
    }
}

bool
gen_types_finish(struct gen *g)
{
    uint32_t i, n;

    do {
        while (g->types_filled < g->types.n)
            fill(g, g->types_filled++);
        while (g->makes_pointers && g->types_pointed < g->types_filled)
            point_to(g, g->types_pointed++);
        while (g->calls_methods && g->types_called < g->types_filled)
            call_methods(g, g->types_called++);
    } while (g->types_filled < g->types.n);
    n = g->due.n;
    if (n == 0)
        return false;
    /* Functions are numbered by their types, not by who called first. */
    qsort(g->due.at, n, sizeof *g->due.at, by_type);
    for (i = 0; i < n; i++)
        queue_method(g, &g->due.at[i]);
    g->due.n = 0;
    return true;
}

/* ---- what needs all types ---------------------------------------------------------- */

static void
seal_methods(struct gen *g, struct rtype *rt)
{
    struct rsel *tab;
    uint32_t i, n = 0, size = 1;

    for (i = 0; i < rt->nmethods; i++)
        n += rt->methods[i].func != CODE_NO_FUNC;
    if (n == 0 || rt->kind == RK_INTERFACE)
        return;
    while (size < n * 2)
        size *= 2;
    tab = gen_alloc(g, size * sizeof *tab);
    for (i = 0; i < size; i++)
        tab[i].sel = UINT32_MAX;
    for (i = 0; i < rt->nmethods; i++) {
        uint32_t at = rt->methods[i].sel & (size - 1);

        if (rt->methods[i].func == CODE_NO_FUNC)
            continue;
        while (tab[at].sel != UINT32_MAX)
            at = (at + 1) & (size - 1);
        tab[at].sel = rt->methods[i].sel;
        tab[at].func = rt->methods[i].func;
    }
    rt->mtab = tab;
    rt->msize = size;
}

void
gen_types_seal(struct gen *g)
{
    uint32_t i;

    for (i = 0; i < g->types.n; i++) {
        struct rtype *rt = g->types.at[i].rt;

        seal_methods(g, rt);
        if (rt->kind == RK_POINTER && !(rt->flags & RT_F_NAMED))
            ((struct rtype *)(uintptr_t)rt->elem)->ptr_to = rt;
    }
}
