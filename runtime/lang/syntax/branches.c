/* SPDX-License-Identifier: MIT */

/*
 * Where break, continue, goto and fallthrough lead, within one function body.
 * Function literals are bodies of their own.  As in Go's compiler this is done
 * when a body without syntax errors has been parsed, whatever errors there are
 * elsewhere.
 *
 * A goto may leave blocks but not enter one, and may not skip a variable's
 * declaration in the label's block: for a jump forward the last declaration
 * before the label must lie before the goto.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/parse_int.h"

struct block {
    lang_pos start;
    lang_pos var_pos; /* last variable declaration so far */
    const char *var_name;
    uint32_t first, last; /* its own number, and that of the last in it */
};

/* Enclosing statements that a branch may leave or repeat. */
struct target {
    struct ast_stmt *stmt; /* NULL outside all */
    struct ast_stmt *breakable; /* the innermost loop, switch or select */
    struct ast_stmt *loop;
    struct ast_case *cas; /* switch: the clause we are in */
    uint32_t case_index, ncase;
};

struct label {
    struct ast_stmt *stmt;
    const struct block *block;
    lang_pos var_pos; /* block->var_pos when the label came */
    const char *var_name;
    bool inside; /* the walk is in the labelled statement */
};

struct jump {
    struct ast_stmt *stmt;
    const struct block *block;
};

struct walk {
    struct parser *p;
    bool failed; /* no memory; the tree is thrown away */
    struct label **labels; /* in order */
    uint32_t nlabels, labcap;
    struct label **table; /* by name; open addressing */
    uint32_t mask;
    struct jump *jumps;
    uint32_t njumps, jumpcap;
    uint32_t nblocks;
};

static void walk_list(struct walk *w, struct ast_stmts *l, struct block *b,
    const struct target *t);
static void walk_stmt(struct walk *w, struct ast_stmt *s, struct block *b,
    const struct target *t, bool last);

/* ---- memory and messages ------------------------------------------------ */

static __attribute__((format(printf, 3, 4))) void
complain(struct walk *w, lang_pos pos, const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    if (w->failed)
        return;
    va_start(ap, fmt);
    n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        w->failed = true;
        return;
    }
    parse_plain_error_at(w->p, pos, text);
    free(text);
}

/* "file:line:col" of pos. */
static const char *
place(struct walk *w, lang_pos pos)
{
    struct lang_place at = lang_pos_place(w->p->c->src, pos);
    char *s = at.col ? rt_arena_printf(w->p->c->arena, "%s:%u:%u", at.file,
                           at.line, at.col)
                     : rt_arena_printf(w->p->c->arena, "%s:%u", at.file,
                           at.line);

    w->failed |= s == NULL;
    return s ? s : "";
}

/* Room for one more element in the array *arrp; false without memory. */
static bool
reserve(struct walk *w, void *arrp, uint32_t n, uint32_t *cap, size_t elem)
{
    uint32_t more = *cap ? *cap * 2 : 4;
    void *old, *p;

    if (n < *cap)
        return true;
    p = parse_alloc(w->p, more * elem);
    if (p == NULL) {
        w->failed = true;
        return false;
    }
    memcpy(&old, arrp, sizeof old);
    if (n)
        memcpy(p, old, n * elem);
    memcpy(arrp, &p, sizeof p);
    *cap = more;
    return true;
}

/* ---- labels ------------------------------------------------------------- */

static struct label **
label_slot(const struct walk *w, const struct lang_name *name)
{
    uint32_t i = name->hash & w->mask;

    while (w->table[i] && w->table[i]->stmt->labeled.label.name != name)
        i = (i + 1) & w->mask;
    return &w->table[i];
}

static struct label *
find_label(const struct walk *w, const struct lang_name *name)
{
    return w->table ? *label_slot(w, name) : NULL;
}

static void
enter_label(struct walk *w, struct label *l)
{
    struct label **table;
    uint32_t i, size = 16;

    if (!reserve(w, &w->labels, w->nlabels, &w->labcap, sizeof *w->labels))
        return;
    w->labels[w->nlabels++] = l;
    if (w->table && w->nlabels * 2 <= w->mask) {
        *label_slot(w, l->stmt->labeled.label.name) = l;
        return;
    }
    while (size < w->nlabels * 4)
        size *= 2;
    table = parse_alloc(w->p, size * sizeof *table);
    if (table == NULL) {
        w->failed = true;
        return;
    }
    w->table = table;
    w->mask = size - 1;
    for (i = 0; i < w->nlabels; i++)
        *label_slot(w, w->labels[i]->stmt->labeled.label.name) = w->labels[i];
}

static void
walk_block(struct walk *w, lang_pos start, struct ast_stmts *l,
    const struct target *t)
{
    /* Labels refer to it after the walk. */
    struct block *b = w->failed ? NULL : parse_alloc(w->p, sizeof *b);

    if (b == NULL) {
        w->failed = true;
        return;
    }
    b->start = start;
    b->first = w->nblocks++;
    walk_list(w, l, b, t);
    b->last = w->nblocks - 1;
}

/* ---- branches ----------------------------------------------------------- */

static bool
is_loop(const struct ast_stmt *s)
{
    return s->kind == STMT_FOR || s->kind == STMT_RANGE;
}

static bool
is_breakable(const struct ast_stmt *s)
{
    return is_loop(s) || s->kind == STMT_SWITCH || s->kind == STMT_TSWITCH ||
           s->kind == STMT_SELECT;
}

/* What is inside s, which is inside t. */
static struct target
inside(struct ast_stmt *s, const struct target *t)
{
    struct target in = {
        .stmt = s, .breakable = t->breakable, .loop = t->loop};

    if (is_breakable(s))
        in.breakable = s;
    if (is_loop(s))
        in.loop = s;
    return in;
}

static void
walk_cases(struct walk *w, struct ast_stmt *s, struct ast_case **cases,
    uint32_t n, const struct target *t)
{
    struct target in = inside(s, t);
    uint32_t i;

    in.ncase = n;
    for (i = 0; i < n; i++) {
        in.cas = cases[i];
        in.case_index = i;
        walk_block(w, cases[i]->pos, &cases[i]->body, &in);
    }
}

static void
set_target(struct ast_stmt *s, struct ast_stmt *target)
{
    s->branch.target = target;
    if (s->kind == STMT_BREAK)
        target->flags |= AST_S_BREAK;
}

static void
labeled_branch(struct walk *w, struct ast_stmt *s)
{
    const struct lang_name *name = s->branch.label.name;
    const char *kw = s->kind == STMT_BREAK ? "break" : "continue";
    struct label *l = find_label(w, name);
    struct ast_stmt *to;

    if (!l) {
        complain(w, s->branch.label.pos, "%s label not defined: %s", kw,
            name->text);
        return;
    }
    l->stmt->labeled.used = 1; /* even if it is no valid target */
    to = l->stmt->labeled.stmt;
    if (l->inside && (s->kind == STMT_BREAK ? is_breakable(to) : is_loop(to)))
        set_target(s, to);
    else
        complain(
            w, s->branch.label.pos, "invalid %s label %s", kw, name->text);
}

static void
plain_branch(struct walk *w, struct ast_stmt *s, const struct target *t)
{
    bool is_break = s->kind == STMT_BREAK;
    struct ast_stmt *to = is_break ? t->breakable : t->loop;

    if (to)
        set_target(s, to);
    else
        complain(w, s->pos, "%s",
            is_break ? "break is not in a loop, switch, or select"
                     : "continue is not in a loop");
}

/* t is the innermost target; direct: s stands in its clause itself. */
static void
fallthrough(
    struct walk *w, struct ast_stmt *s, const struct target *t, bool direct)
{
    const char *msg = "fallthrough statement out of place";
    const struct ast_stmt *sw = t->breakable;

    if (sw && sw->kind == STMT_TSWITCH) {
        msg = "cannot fallthrough in type switch";
    } else if (sw && sw == t->stmt && sw->kind == STMT_SWITCH && direct) {
        if (t->case_index + 1 < t->ncase) {
            t->cas->falls = 1;
            return;
        }
        msg = "cannot fallthrough final case in switch";
    }
    complain(w, s->pos, "%s", msg);
}

/* ---- the walk ----------------------------------------------------------- */

/* Enters the label of s; the label, or NULL. */
static struct label *
add_label(struct walk *w, struct ast_stmt *s, struct block *b)
{
    const struct ast_ident *id = &s->labeled.label;
    struct label *old = find_label(w, id->name), *l;

    s->labeled.used = 0;
    if (id->name == w->p->c->names->blank)
        return NULL;
    if (old) {
        complain(w, id->pos, "label %s already defined at %s",
            id->name->text, place(w, old->stmt->labeled.label.pos));
        return NULL;
    }
    l = parse_alloc(w->p, sizeof *l);
    if (l == NULL) {
        w->failed = true;
        return NULL;
    }
    l->stmt = s;
    l->block = b;
    l->var_pos = b->var_pos;
    l->var_name = b->var_name;
    enter_label(w, l);
    return l;
}

static void
note_decl(struct block *b, struct ast_stmt *s)
{
    uint32_t i;

    if (s->kind == STMT_DEFINE) {
        b->var_pos = s->pos;
        b->var_name = s->assign.lhs.at[0]->kind == EXPR_NAME
                          ? s->assign.lhs.at[0]->name->text
                          : "_";
        return;
    }
    for (i = 0; i < s->decl.decls.n; i++) {
        struct ast_decl *d = s->decl.decls.at[i];

        if (d->kind == DECL_VAR) {
            b->var_pos = d->pos;
            b->var_name = d->var.names[0].name->text;
        }
    }
}

static void
walk_if(struct walk *w, struct ast_stmt *s, const struct target *t)
{
    for (;; s = s->if_.els) {
        struct target in = inside(s, t);

        walk_block(w, s->if_.then->lbrace, &s->if_.then->stmts, &in);
        if (!s->if_.els)
            return;
        if (s->if_.els->kind == STMT_IF)
            continue;
        walk_block(w, s->if_.els->block->lbrace, &s->if_.els->block->stmts,
            &in);
        return;
    }
}

/* A statement with its labels: a list of them, not a nest. */
static void
walk_labeled(struct walk *w, struct ast_stmt *s, struct block *b,
    const struct target *t, bool last)
{
    struct label *l;

    for (; s->labeled.stmt->kind == STMT_LABELED; s = s->labeled.stmt)
        add_label(w, s, b);
    l = add_label(w, s, b);
    if (l)
        l->inside = true;
    walk_stmt(w, s->labeled.stmt, b, t, last);
    if (l)
        l->inside = false;
}

static void
walk_compound(struct walk *w, struct ast_stmt *s, const struct target *t)
{
    struct target in = inside(s, t);
    uint32_t i;

    switch (s->kind) {
    case STMT_BLOCK:
        walk_block(w, s->block->lbrace, &s->block->stmts, &in);
        break;
    case STMT_FOR:
        walk_block(w, s->for_.body->lbrace, &s->for_.body->stmts, &in);
        break;
    case STMT_RANGE:
        walk_block(w, s->range.body->lbrace, &s->range.body->stmts, &in);
        break;
    case STMT_SWITCH:
        walk_cases(w, s, s->switch_.cases, s->switch_.ncase, t);
        break;
    case STMT_TSWITCH:
        walk_cases(w, s, s->tswitch.cases, s->tswitch.ncase, t);
        break;
    case STMT_SELECT:
        for (i = 0; i < s->select.ncomm; i++)
            walk_block(
                w, s->select.comms[i]->pos, &s->select.comms[i]->body, &in);
        break;
    default:
        break;
    }
}

static void
walk_stmt(struct walk *w, struct ast_stmt *s, struct block *b,
    const struct target *t, bool last)
{
    struct jump j = {s, b};

    switch (s->kind) {
    case STMT_DEFINE:
    case STMT_DECL:
        note_decl(b, s);
        break;
    case STMT_LABELED:
        walk_labeled(w, s, b, t, last);
        break;
    case STMT_BREAK:
    case STMT_CONTINUE:
        if (s->branch.label.name)
            labeled_branch(w, s);
        else
            plain_branch(w, s, t);
        break;
    case STMT_GOTO:
        if (reserve(w, &w->jumps, w->njumps, &w->jumpcap, sizeof j))
            w->jumps[w->njumps++] = j;
        break;
    case STMT_FALLTHROUGH:
        fallthrough(w, s, t, last && t->cas && b->start == t->cas->pos);
        break;
    case STMT_IF:
        walk_if(w, s, t);
        break;
    default:
        s->flags &= (uint8_t)~AST_S_BREAK;
        walk_compound(w, s, t);
        break;
    }
}

static void
walk_list(struct walk *w, struct ast_stmts *l, struct block *b,
    const struct target *t)
{
    uint32_t i, n = l->n;

    while (n > 0 && l->at[n - 1]->kind == STMT_EMPTY)
        n--;
    for (i = 0; i < l->n; i++)
        walk_stmt(w, l->at[i], b, t, i + 1 == n);
}

static void
resolve_jump(struct walk *w, struct jump *j)
{
    const struct ast_ident *id = &j->stmt->branch.label;
    struct label *l = id->name ? find_label(w, id->name) : NULL;
    const struct block *b = j->block;

    if (!l) {
        complain(w, id->pos, "label %s not defined",
            id->name ? id->name->text : "");
        return;
    }
    l->stmt->labeled.used = 1;
    if (b->first < l->block->first || b->first > l->block->last) {
        complain(w, id->pos, "goto %s jumps into block starting at %s",
            id->name->text, place(w, l->block->start));
        return;
    }
    if (j->stmt->pos < l->stmt->pos && l->var_pos > j->stmt->pos) {
        complain(w, id->pos, "goto %s jumps over declaration of %s at %s",
            id->name->text, l->var_name, place(w, l->var_pos));
        return;
    }
    j->stmt->branch.target = l->stmt;
}

void
parse_branches(struct parser *p, struct ast_block *body)
{
    const struct target outside = {NULL, NULL, NULL, NULL, 0, 0};
    struct walk w = {.p = p};
    uint32_t i;

    walk_block(&w, body->lbrace, &body->stmts, &outside);
    for (i = 0; i < w.njumps; i++)
        resolve_jump(&w, &w.jumps[i]);
    for (i = 0; i < w.nlabels; i++)
        if (!w.labels[i]->stmt->labeled.used)
            complain(&w, w.labels[i]->stmt->labeled.label.pos,
                "label %s defined and not used",
                w.labels[i]->stmt->labeled.label.name->text);
    p->nomem |= w.failed;
}
