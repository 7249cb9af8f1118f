/* SPDX-License-Identifier: MIT */

/*
 * Infinite instantiation: a generic function that uses itself with ever
 * larger type arguments would need code without end.
 *
 * The vertices of a graph are type parameters and types declared inside
 * generic functions; an edge says that what the one stands for becomes the
 * type argument for another (weight 0) or a part of it (weight 1).  There is
 * no end if and only if an edge of weight 1 is on a cycle.
 */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

enum {
    FEW = 1000
};

struct mono_vertex {
    struct object *obj;
    uint32_t first;      /* edge that leaves it, plus 1 */
    uint32_t index, low; /* by depth-first search */
    bool on_stack;
    uint32_t component;
    /* The heaviest path to it that is known. */
    uint32_t weight, pre, len;
};

struct mono_edge {
    uint32_t dst, src;
    uint32_t weight;
    uint32_t next; /* leaves the same vertex, plus 1 */
    lang_pos pos;
    struct type *type; /* the argument */
};

struct mono {
    struct mono_vertex *v;
    uint32_t nv, vcap;
    struct mono_edge *e;
    uint32_t ne, ecap;
};

/* ---- the graph ---------------------------------------------------------- */

static struct mono *
graph(struct check *c)
{
    if (!c->in->mono)
        c->in->mono = CHECK_NEW(c, struct mono);
    return c->in->mono;
}

static uint32_t
new_vertex(struct check *c, struct type *t)
{
    struct mono *m = graph(c);
    struct mono_vertex v = {.obj = t->obj};

    CHECK_PUSH(c, m->v, m->nv, m->vcap, v);
    t->vertex = m->nv; /* plus 1 */
    return m->nv - 1;
}

static uint32_t
param_vertex(struct check *c, struct type *param)
{
    if (param->from) /* a receiver's stands for the type's own */
        param = param->from;
    return param->vertex ? param->vertex - 1 : new_vertex(c, param);
}

static void
add_edge(struct check *c, uint32_t dst, uint32_t src, uint32_t weight,
    lang_pos pos, struct type *t)
{
    struct mono *m = graph(c);
    struct mono_edge e = {dst, src, weight, m->v[src].first, pos, t};

    CHECK_PUSH(c, m->e, m->ne, m->ecap, e);
    m->v[src].first = m->ne;
}

/* The vertex of a type declared in a function, which depends on the function's
 * parameters without having any; false where there are none. */
static bool
local_vertex(struct check *c, struct type *t, uint32_t *vertex)
{
    const struct func_info *f = t->obj->func;
    const struct tparam_list *l;
    uint32_t i;

    while (f && f->outer)
        f = f->outer;
    l = f && f->obj ? f->obj->tparams : NULL;
    if (!l)
        return false;
    if (t->vertex) {
        *vertex = t->vertex - 1;
        return true;
    }
    *vertex = new_vertex(c, t);
    for (i = 0; i < l->n; i++)
        add_edge(
            c, *vertex, param_vertex(c, l->at[i]), 1, t->obj->pos, l->at[i]);
    return true;
}

/* An argument for a parameter. */
struct flow {
    struct check *c;
    uint32_t dst;
    lang_pos pos;
    struct type *arg;
};

static void walk(const struct flow *f, struct type *t);

static void
walk_vars(const struct flow *f, struct object *const *vars, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (vars[i]->type)
            walk(f, vars[i]->type);
}

static void
add_flow(const struct flow *f, uint32_t src, const struct type *t)
{
    add_edge(f->c, f->dst, src, t != f->arg, f->pos, f->arg);
}

static void
walk(const struct flow *f, struct type *t)
{
    uint32_t i, src;

    switch (t->kind) {
    case TYPE_PARAM:
        add_flow(f, param_vertex(f->c, t), t);
        break;
    case TYPE_NAMED:
        if (!t->origin && local_vertex(f->c, t, &src))
            add_flow(f, src, t);
        for (i = 0; i < t->ntargs; i++)
            walk(f, t->targs[i]);
        break;
    case TYPE_MAP:
        walk(f, t->key);
        walk(f, t->elem);
        break;
    case TYPE_POINTER:
    case TYPE_SLICE:
    case TYPE_ARRAY:
    case TYPE_CHAN:
        walk(f, t->elem);
        break;
    case TYPE_STRUCT:
    case TYPE_FUNC:
        walk_vars(f, t->vars, t->nvars);
        break;
    case TYPE_INTERFACE:
        walk_vars(f, t->iface->methods, t->iface->nmethods);
        break;
    default:
        break;
    }
}

void
mono_record(struct check *c, const struct inst_use *u)
{
    uint32_t i;

    for (i = 0; i < u->params->n; i++) {
        struct type *p = u->params->at[i];
        struct flow f = {c, 0, u->pos, u->targs[i]};

        if (p->obj->pkg != c->in->env.pkg || c->in->env.pkg->library)
            continue;
        if (!c->in->local_types && !type_has_params(u->targs[i]))
            continue; /* no vertex is in it */
        if (u->exprs && i < u->exprs->n)
            f.pos = ast_expr_start(u->exprs->at[i]);
        f.dst = param_vertex(c, p);
        walk(&f, u->targs[i]);
    }
}

/* ---- components --------------------------------------------------------- */

/* Tarjan's algorithm, with a stack of its own. */
struct search {
    struct mono *m;
    uint32_t *stack, nstack; /* vertices without a component yet */
    uint32_t *path, npath;   /* those being looked at */
    uint32_t *next;          /* of each: the edge to follow next, plus 1 */
    uint32_t index, ncomponents;
};

static void
enter(struct search *s, uint32_t v)
{
    s->m->v[v].index = s->m->v[v].low = ++s->index;
    s->m->v[v].on_stack = true;
    s->next[v] = s->m->v[v].first;
    s->stack[s->nstack++] = v;
    s->path[s->npath++] = v;
}

static void
leave(struct search *s, uint32_t v)
{
    struct mono_vertex *all = s->m->v;
    uint32_t w;

    s->npath--;
    if (s->npath && all[v].low < all[s->path[s->npath - 1]].low)
        all[s->path[s->npath - 1]].low = all[v].low;
    if (all[v].low != all[v].index)
        return;
    s->ncomponents++;
    do {
        w = s->stack[--s->nstack];
        all[w].on_stack = false;
        all[w].component = s->ncomponents;
    } while (w != v);
}

static void
components(struct check *c, struct mono *m)
{
    struct search s = {.m = m};
    uint32_t i, v;

    s.stack = CHECK_ARRAY(c, uint32_t, m->nv);
    s.path = CHECK_ARRAY(c, uint32_t, m->nv);
    s.next = CHECK_ARRAY(c, uint32_t, m->nv);
    for (i = 0; i < m->nv; i++) {
        if (m->v[i].index == 0)
            enter(&s, i);
        while (s.npath) {
            v = s.path[s.npath - 1];
            if (s.next[v] == 0) {
                leave(&s, v);
                continue;
            }
            const struct mono_edge *e = &m->e[s.next[v] - 1];
            s.next[v] = e->next;
            if (m->v[e->dst].index == 0)
                enter(&s, e->dst);
            else if (m->v[e->dst].on_stack && m->v[e->dst].index < m->v[v].low)
                m->v[v].low = m->v[e->dst].index;
        }
    }
}

/* ---- the report --------------------------------------------------------- */

/* The path to v, followed backwards, has a cycle. */
static void
report(struct check *c, struct mono *m, uint32_t v)
{
    struct check_text b = {.c = c};
    bool *seen = CHECK_ARRAY(c, bool, m->nv);
    uint32_t w;

    while (!seen[v]) { /* then it is on the cycle */
        seen[v] = true;
        v = m->e[m->v[v].pre].src;
    }
    check_text_add(&b, "instantiation cycle:");
    w = v;
    do {
        const struct mono_edge *e = &m->e[m->v[w].pre];
        const struct object *o = m->v[e->dst].obj;

        check_text_add(&b, "\n\t");
        check_text_add(&b, check_place(c, e->pos));
        check_text_add(&b, ": ");
        check_text_add(&b, o->name->text);
        check_text_add(&b, o->type->kind == TYPE_PARAM
                               ? " instantiated as "
                               : " implicitly parameterized by ");
        check_text_add(&b, type_str(c, e->type));
        w = e->src;
    } while (w != v);
    check_errf(c, m->v[v].obj->pos, "%s", check_text_str(&b));
}

/* Looks for ever heavier paths through n vertices, those of component k or (0)
 * all, among which there is a cycle with weight: one path gets longer than
 * there are vertices. */
static void
find_cycle(struct check *c, struct mono *m, uint32_t k, uint32_t n)
{
    uint32_t i;

    for (;;) {
        for (i = 0; i < m->ne; i++) {
            const struct mono_edge *e = &m->e[i];
            struct mono_vertex *src = &m->v[e->src], *dst = &m->v[e->dst];

            if ((k && (src->component != k || dst->component != k)) ||
                src->weight + e->weight <= dst->weight)
                continue;
            dst->pre = i;
            dst->len = src->len + 1;
            dst->weight = src->weight + e->weight;
            if (dst->len >= n) {
                report(c, m, e->dst);
                return;
            }
        }
    }
}

void
mono_check(struct check *c)
{
    struct mono *m = c->in->mono;
    uint32_t i, k, n = 0;

    if (!m)
        return;
    components(c, m);
    for (i = 0; i < m->ne; i++)
        if (m->e[i].weight &&
            m->v[m->e[i].src].component == m->v[m->e[i].dst].component)
            break;
    if (i == m->ne)
        return;
    /* Which of several cycles is reported, and from where on, is Go's choice
     * as long as that does not take too long. */
    k = m->nv > FEW ? m->v[m->e[i].src].component : 0;
    for (i = 0; i < m->nv; i++)
        n += !k || m->v[i].component == k;
    find_cycle(c, m, k, n);
}
