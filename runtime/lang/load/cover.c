/* SPDX-License-Identifier: MIT */
/*
 * Where blocks begin and end is what `go tool cover` says, so that profiles
 * are alike: a block ends behind a statement that may send control elsewhere,
 * before a label, and before the body of a function literal.  The tree says
 * what the statements are, the tokens where they end.
 */
#include "runtime/lang/load/cover.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/syntax/ast_kids.h"
#include "runtime/lang/syntax/scan.h"

struct token {
    uint32_t off, end;
    uint8_t tok;
};

/* What goes into the text: a counter, or a brace. */
struct edit {
    uint32_t at;
    uint32_t seq;
    int64_t counter; /* -1: the text */
    const char *text;
};

/* A statement of a list, or the label of one. */
struct item {
    uint32_t from;
    uint32_t boundary; /* where a block that it ends does */
    bool ends;         /* it ends one */
};

/* Statements between two offsets. */
struct block {
    uint32_t from, to, nstmt;
};

struct cover {
    struct rt_arena *a;
    uint32_t base; /* lang_pos of offset 0 */
    struct token *tok;
    uint32_t ntok, tokcap;
    struct edit *edits;
    uint32_t nedits, editcap;
    struct block *blocks;
    uint32_t nblocks, blockcap;
    uint32_t first;
    const struct ast_func **lits; /* function literals, by their braces */
    uint32_t nlits, litcap;
};

#define PUSH(c, list, n, cap, x)                                           \
    do {                                                                   \
        (list) = rt_arena_more((c)->a, (list), (n), &(cap),                \
            sizeof *(list));                                               \
        (list)[(n)++] = (x);                                               \
    } while (0)

/* ---- tokens ------------------------------------------------------------------------ */

static void
scan_all(struct cover *c, struct parse_ctx *parse, struct lang_file *f)
{
    struct lang_diag none;
    struct scan s;

    lang_diag_init(&none, parse->src, 1);
    scan_init(&s, f, &none, parse->names, parse->arena);
    do {
        struct token t;

        scan_next(&s);
        t = (struct token){s.off, (uint32_t)(s.p - s.text), s.tok};
        PUSH(c, c->tok, c->ntok, c->tokcap, t);
    } while (s.tok != TOK_EOF);
    lang_diag_free(&none);
}

/* The first token at or behind an offset. */
static uint32_t
token_at(const struct cover *c, uint32_t off)
{
    uint32_t lo = 0, hi = c->ntok - 1;

    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;

        if (c->tok[mid].off < off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t
off_of(const struct cover *c, lang_pos pos)
{
    rt_assert(pos >= c->base);
    return pos - c->base;
}

/* ---- function literals --------------------------------------------------------------- */

static void find_in_stmt(struct cover *c, struct ast_stmt *s);

static void
find_in_stmts(struct cover *c, const struct ast_stmts *l)
{
    uint32_t i;

    for (i = 0; i < l->n; i++)
        find_in_stmt(c, l->at[i]);
}

static void
find_in_expr(struct cover *c, struct ast_expr *e)
{
    struct ast_kids k;
    uint32_t i;

    if (e == NULL)
        return;
    if (e->kind == EXPR_FUNCLIT && e->func->body != NULL) {
        PUSH(c, c->lits, c->nlits, c->litcap, e->func);
        find_in_stmts(c, &e->func->body->stmts);
    }
    ast_kids_of(e, &k);
    for (i = 0; i < k.n; i++)
        find_in_expr(c, *k.at[i]);
    for (i = 0; k.list != NULL && i < k.list->n; i++)
        find_in_expr(c, k.list->at[i]);
}

static void
find_in_decls(struct cover *c, const struct ast_decls *l)
{
    uint32_t i, k;

    for (i = 0; i < l->n; i++)
        if (l->at[i]->kind == DECL_VAR)
            for (k = 0; k < l->at[i]->var.values.n; k++)
                find_in_expr(c, l->at[i]->var.values.at[k]);
}

static void
find_in_stmt(struct cover *c, struct ast_stmt *s)
{
    struct ast_parts p;
    uint32_t i, k;

    if (s == NULL)
        return;
    ast_parts_of(s, &p);
    if (p.init != NULL)
        find_in_stmt(c, *p.init);
    for (i = 0; i < p.nexpr; i++)
        find_in_expr(c, *p.expr[i]);
    for (i = 0; i < p.nlist; i++)
        for (k = 0; k < p.list[i]->n; k++)
            find_in_expr(c, p.list[i]->at[k]);
    if (p.block != NULL)
        find_in_stmts(c, &(*p.block)->stmts);
    for (i = 0; i < p.ncase; i++) {
        for (k = 0; k < (*p.cases)[i]->exprs.n; k++)
            find_in_expr(c, (*p.cases)[i]->exprs.at[k]);
        find_in_stmts(c, &(*p.cases)[i]->body);
    }
    for (i = 0; i < p.ncomm; i++) {
        find_in_stmt(c, (*p.comms)[i]->comm);
        find_in_stmts(c, &(*p.comms)[i]->body);
    }
    for (i = 0; i < p.nstmt; i++)
        find_in_stmt(c, *p.stmt[i]);
    if (p.decls != NULL)
        find_in_decls(c, p.decls);
}

static int
by_brace(const void *a, const void *b)
{
    const struct ast_func *x = *(const struct ast_func *const *)a;
    const struct ast_func *y = *(const struct ast_func *const *)b;

    return x->lbrace < y->lbrace ? -1 : x->lbrace > y->lbrace;
}

/* The brace of the first literal in [from, to), or `to`. */
static uint32_t
first_literal(const struct cover *c, uint32_t from, uint32_t to)
{
    uint32_t lo = 0, hi = c->nlits;

    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;

        if (off_of(c, c->lits[mid]->lbrace) < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < c->nlits && off_of(c, c->lits[lo]->lbrace) < to)
        return off_of(c, c->lits[lo]->lbrace);
    return to;
}

/* ---- statements ------------------------------------------------------------------------ */

/* The last brace of a statement that ends in one, 0 of others. */
static lang_pos
last_brace(const struct ast_stmt *s)
{
    for (;;)
        switch (s->kind) {
        case STMT_BLOCK:
            return s->block->rbrace;
        case STMT_IF:
            if (s->if_.els == NULL)
                return s->if_.then->rbrace;
            s = s->if_.els;
            break;
        case STMT_FOR:
            return s->for_.body->rbrace;
        case STMT_RANGE:
            return s->range.body->rbrace;
        case STMT_SWITCH:
            return s->switch_.rbrace;
        case STMT_TSWITCH:
            return s->tswitch.rbrace;
        case STMT_SELECT:
            return s->select.rbrace;
        default:
            return 0;
        }
}

/* The first brace of such a statement. */
static lang_pos
first_brace(const struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_BLOCK:
        return s->block->lbrace;
    case STMT_IF:
        return s->if_.then->lbrace;
    case STMT_FOR:
        return s->for_.body->lbrace;
    case STMT_RANGE:
        return s->range.body->lbrace;
    case STMT_SWITCH:
        return s->switch_.lbrace;
    case STMT_TSWITCH:
        return s->tswitch.lbrace;
    default:
        rt_assert(s->kind == STMT_SELECT);
        return s->select.lbrace;
    }
}

/* The token behind a statement that begins with token t. */
static uint32_t
behind(const struct cover *c, const struct ast_stmt *s, uint32_t t)
{
    uint32_t depth = 0;

    while (s->kind == STMT_LABELED) {
        s = s->labeled.stmt;
        t += 2;
    }
    if (s->kind == STMT_EMPTY)
        return t;
    if (last_brace(s) != 0)
        return token_at(c, off_of(c, last_brace(s))) + 1;
    for (;; t++)
        switch (c->tok[t].tok) {
        case TOK_LPAREN:
        case TOK_LBRACK:
        case TOK_LBRACE:
            depth++;
            break;
        case TOK_RPAREN:
        case TOK_RBRACK:
        case TOK_RBRACE:
            if (depth-- == 0)
                return t;
            break;
        case TOK_SEMI:
            if (depth == 0)
                return t;
            break;
        case TOK_EOF:
            return t;
        default:
            break;
        }
}

static bool
is_panic(const struct ast_stmt *s)
{
    const struct ast_expr *e = s->x;

    return s->kind == STMT_EXPR && e->kind == EXPR_CALL &&
        e->call.args.n == 1 && e->call.fun->kind == EXPR_NAME &&
        strcmp(e->call.fun->name->text, "panic") == 0;
}

static struct item
item_of(const struct cover *c, const struct ast_stmt *s, uint32_t t)
{
    uint32_t end = behind(c, s, t);
    struct item it = {.from = c->tok[t].off};

    while (s->kind == STMT_LABELED) {
        s = s->labeled.stmt;
        it.ends = true;
    }
    if (last_brace(s) != 0) {
        it.ends = true;
        it.boundary = first_literal(
            c, it.from, off_of(c, first_brace(s)));
        return it;
    }
    end = s->kind == STMT_EMPTY ? it.from : c->tok[end - 1].end;
    it.boundary = first_literal(c, it.from, end);
    it.ends |= it.boundary != end || is_panic(s) ||
        (s->kind >= STMT_BREAK && s->kind <= STMT_FALLTHROUGH);
    return it;
}

/* ---- counters ---------------------------------------------------------------------------- */

static void
insert(struct cover *c, uint32_t at, int64_t counter, const char *text)
{
    struct edit e = {at, c->nedits, counter, text};

    PUSH(c, c->edits, c->nedits, c->editcap, e);
}

static void
count(struct cover *c, uint32_t at, uint32_t from, uint32_t to, uint32_t n)
{
    struct block b = {from, to, n};

    rt_assert(from <= to);
    insert(c, at, c->first + c->nblocks, NULL);
    PUSH(c, c->blocks, c->nblocks, c->blockcap, b);
}

/* Does a label belong to the statement, for break and continue? */
static bool
takes_label(const struct ast_stmt *s)
{
    return last_brace(s) != 0 && s->kind != STMT_IF && s->kind != STMT_BLOCK;
}

/* The statements of a list whose first token is t, as items: a label that is
 * not that of a loop and the like is one of its own. */
static struct item *
items_of(const struct cover *c, const struct ast_stmts *l, uint32_t t,
    uint32_t *n)
{
    struct item *list = rt_arena_array(c->a, 2 * l->n + 1, sizeof *list);
    uint32_t i;

    *n = 0;
    for (i = 0; i < l->n; i++) {
        const struct ast_stmt *s = l->at[i];
        uint32_t from;

        while (c->tok[t].tok == TOK_SEMI && s->kind != STMT_EMPTY)
            t++;
        from = t;
        if (s->kind == STMT_LABELED && !takes_label(s->labeled.stmt)) {
            list[(*n)++] = (struct item){
                c->tok[t].off, c->tok[t].off, true};
            s = s->labeled.stmt;
            from = t + 2;
        }
        list[(*n)++] = item_of(c, s, from);
        t = behind(c, l->at[i], t);
        t += c->tok[t].tok == TOK_SEMI;
    }
    return list;
}

/* Counters for a list: the first one counts from `from` on and stands at `at`;
 * if nothing breaks the list up, its block goes to `to` when `whole`. */
static void
count_list(struct cover *c, const struct ast_stmts *l, uint32_t from,
    uint32_t at, uint32_t to, bool whole)
{
    struct item *list;
    uint32_t n, i, k, end;

    if (l->n == 0) {
        count(c, at, at, to, 0);
        return;
    }
    list = items_of(c, l, token_at(c, at), &n);
    for (i = 0; i < n; i = k) {
        end = to;
        for (k = i; k < n;) {
            end = list[k].boundary;
            if (list[k++].ends) {
                whole = false;
                break;
            }
        }
        if (whole)
            end = to;
        if (i > 0)
            from = at = list[i].from;
        if (from != end)
            count(c, at, from, end, k - i);
    }
}

static void visit(struct cover *c, struct ast_stmt *s);

static void
visit_all(struct cover *c, const struct ast_stmts *l)
{
    uint32_t i;

    for (i = 0; i < l->n; i++)
        visit(c, l->at[i]);
}

static void
visit_block(struct cover *c, const struct ast_block *b, uint32_t from)
{
    count_list(c, &b->stmts, from, off_of(c, b->lbrace) + 1,
        off_of(c, b->rbrace) + 1, true);
    visit_all(c, &b->stmts);
}

static void
visit_clause(struct cover *c, const struct ast_stmts *l, lang_pos colon)
{
    uint32_t at = off_of(c, colon) + 1, t = token_at(c, at), end = at, i;

    for (i = 0; i < l->n; i++) {
        while (c->tok[t].tok == TOK_SEMI && l->at[i]->kind != STMT_EMPTY)
            t++;
        t = behind(c, l->at[i], t);
        end = c->tok[t - 1].end;
        t += c->tok[t].tok == TOK_SEMI;
    }
    count_list(c, l, at, at, end, false);
    visit_all(c, l);
}

/* The blocks of an if and of what hangs on it: `else if` becomes a block with
 * the other if in it. */
static void
visit_if(struct cover *c, struct ast_stmt *s)
{
    for (;;) {
        struct ast_stmt *els = s->if_.els;
        uint32_t at, end;

        visit_block(c, s->if_.then, off_of(c, s->if_.then->lbrace));
        if (els == NULL)
            return;
        at = c->tok[token_at(c, off_of(c, s->if_.then->rbrace)) + 1].end;
        if (els->kind == STMT_BLOCK) {
            visit_block(c, els->block, at);
            return;
        }
        end = off_of(c, last_brace(els)) + 1;
        insert(c, at, -1, " {");
        count_list(c, &(struct ast_stmts){.at = &els, .n = 1}, at, at, end,
            true);
        insert(c, end, -1, "}");
        s = els;
    }
}

static void
visit(struct cover *c, struct ast_stmt *s)
{
    uint32_t i;

    while (s->kind == STMT_LABELED)
        s = s->labeled.stmt;
    switch (s->kind) {
    case STMT_BLOCK:
        visit_block(c, s->block, off_of(c, s->block->lbrace));
        break;
    case STMT_IF:
        visit_if(c, s);
        break;
    case STMT_FOR:
        visit_block(c, s->for_.body, off_of(c, s->for_.body->lbrace));
        break;
    case STMT_RANGE:
        visit_block(c, s->range.body, off_of(c, s->range.body->lbrace));
        break;
    case STMT_SWITCH:
        for (i = 0; i < s->switch_.ncase; i++)
            visit_clause(c, &s->switch_.cases[i]->body,
                s->switch_.cases[i]->colon);
        break;
    case STMT_TSWITCH:
        for (i = 0; i < s->tswitch.ncase; i++)
            visit_clause(c, &s->tswitch.cases[i]->body,
                s->tswitch.cases[i]->colon);
        break;
    case STMT_SELECT:
        for (i = 0; i < s->select.ncomm; i++)
            visit_clause(c, &s->select.comms[i]->body,
                s->select.comms[i]->colon);
        break;
    default:
        break;
    }
}

static void
visit_func(struct cover *c, const struct ast_func *f)
{
    visit_block(c, f->body, off_of(c, f->body->lbrace));
}

/* ---- the text ---------------------------------------------------------------------------- */

static int
by_offset(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static const char *
rewrite(struct cover *c, const struct lang_file *f, enum cover_mode mode,
    size_t *len)
{
    static const char *const form[] = {
        [COVER_SET] = " VoleCover[%u] = 1;",
        [COVER_COUNT] = " VoleCover[%u]++;",
        [COVER_ATOMIC] = " VoleCoverAdd(%u);"};
    char *out = rt_arena_alloc(c->a, f->size + 32 * (size_t)c->nedits + 1);
    size_t n = 0;
    uint32_t i, at = 0;

    if (c->nedits != 0)
        qsort(c->edits, c->nedits, sizeof *c->edits, by_offset);
    for (i = 0; i < c->nedits; i++) {
        const struct edit *e = &c->edits[i];

        memcpy(out + n, f->text + at, e->at - at);
        n += e->at - at;
        at = e->at;
        n += (size_t)(e->counter < 0
                ? sprintf(out + n, "%s", e->text)
                : sprintf(out + n, form[mode], (unsigned)e->counter));
    }
    memcpy(out + n, f->text + at, f->size - at);
    *len = n + f->size - at;
    out[*len] = 0;
    return out;
}

/* The blocks with lines and columns. */
static struct cover_block *
places_of(const struct cover *c, const struct lang_sources *src)
{
    struct cover_block *list =
        rt_arena_array(c->a, c->nblocks + 1, sizeof *list);

    for (uint32_t i = 0; i < c->nblocks; i++) {
        const struct block *b = &c->blocks[i];
        struct lang_place from = lang_pos_physical(src, c->base + b->from);
        struct lang_place to = lang_pos_physical(src, c->base + b->to);

        rt_assert(from.col > 0 && to.col > 0);
        list[i] = (struct cover_block){
            from.line, from.col, to.line, to.col, b->nstmt};
    }
    return list;
}

const char *
cover_text(struct rt_arena *a, struct parse_ctx *parse,
    const struct ast_file *tree, enum cover_mode mode, struct cover_file *f,
    size_t *len)
{
    struct cover c = {.a = a, .base = tree->src->base, .first = f->first};
    uint32_t i;

    rt_assert(mode != COVER_OFF);
    scan_all(&c, parse, tree->src);
    find_in_decls(&c, &tree->decls);
    for (i = 0; i < tree->decls.n; i++) {
        const struct ast_decl *d = tree->decls.at[i];

        if (d->kind == DECL_FUNC && d->func.func.body != NULL &&
            d->func.name.name != parse->names->blank)
            find_in_stmts(&c, &d->func.func.body->stmts);
    }
    if (c.nlits != 0)
        qsort(c.lits, c.nlits, sizeof *c.lits, by_brace);
    for (i = 0; i < tree->decls.n; i++) {
        const struct ast_decl *d = tree->decls.at[i];

        if (d->kind == DECL_FUNC && d->func.func.body != NULL &&
            d->func.name.name != parse->names->blank)
            visit_func(&c, &d->func.func);
    }
    for (i = 0; i < c.nlits; i++)
        visit_func(&c, c.lits[i]);
    f->n = c.nblocks;
    f->blocks = places_of(&c, parse->src);
    return rewrite(&c, tree->src, mode, len);
}

const char *
cover_counters(struct rt_arena *a, const char *package, enum cover_mode mode,
    uint32_t n)
{
    return rt_arena_printf(a, "package %s\n%s\nvar VoleCover [%u]uint32\n%s",
        package,
        mode == COVER_ATOMIC ? "import VoleAtomic \"sync/atomic\"" : "", n,
        mode == COVER_ATOMIC
            ? "func VoleCoverAdd(i int) { "
              "VoleAtomic.AddUint32(&VoleCover[i], 1) }\n"
            : "");
}

void
cover_add_block(struct rt_arena *a, struct rt_arena_text *t,
    const struct cover_file *f, unsigned i)
{
    const struct cover_block *b = &f->blocks[i];

    rt_assert(i < f->n);
    rt_arena_add(a, t, "{%u, %u, %u, %u, %u}, ", b->line, b->col, b->to_line,
        b->to_col, b->nstmt);
}
