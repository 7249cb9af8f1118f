/* SPDX-License-Identifier: MIT */

/*
 * Where break, continue, goto and fallthrough lead, within one function body.
 * Function literals are bodies of their own.
 *
 * A goto may leave blocks but not enter one, and may not skip a variable's
 * declaration in the label's block: for a jump forward the last declaration
 * before the label must lie before the goto.
 */

#include "runtime/lang/types/check_int.h"

struct block {
    const struct block *up;
    lang_pos start;
    lang_pos var_pos; /* last variable declaration so far */
    const char *var_name;
};

/* Enclosing statements that a branch may name. */
struct target {
    const struct target *up;
    struct ast_stmt *stmt;    /* loop, switch, select, or other labelled */
    struct ast_stmt *labeled; /* its LABELED statement or NULL */
    struct ast_case *cas;     /* switch: the clause we are in */
    uint32_t case_index, ncase;
};

struct label {
    struct ast_stmt *stmt;
    const struct block *block;
    lang_pos var_pos; /* block->var_pos when the label came */
    const char *var_name;
};

struct jump {
    struct ast_stmt *stmt;
    const struct block *block;
};

struct walk {
    struct check *c;
    struct label *labels;
    uint32_t nlabels, labcap;
    struct jump *jumps;
    uint32_t njumps, jumpcap;
};

static void walk_list(struct walk *w, struct ast_stmts *l, struct block *b,
    const struct target *t);

static struct label *
find_label(struct walk *w, const struct lang_name *name)
{
    uint32_t i;

    for (i = 0; i < w->nlabels; i++)
        if (w->labels[i].stmt->labeled.label.name == name)
            return &w->labels[i];
    return NULL;
}

static void
walk_block(struct walk *w, lang_pos start, struct ast_stmts *l,
    const struct block *up, const struct target *t)
{
    /* Labels refer to it after the walk. */
    struct block *b = CHECK_NEW(w->c, struct block);

    b->up = up;
    b->start = start;
    walk_list(w, l, b, t);
}

static void
walk_cases(struct walk *w, struct ast_stmt *s, struct ast_stmt *labeled,
    struct ast_case **cases, uint32_t n, struct block *b,
    const struct target *t)
{
    struct target in = {t, s, labeled, NULL, 0, n};
    uint32_t i;

    for (i = 0; i < n; i++) {
        in.cas = cases[i];
        in.case_index = i;
        walk_block(w, cases[i]->pos, &cases[i]->body, b, &in);
    }
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

static void
labeled_branch(struct walk *w, struct ast_stmt *s, const struct target *t)
{
    const struct lang_name *name = s->branch.label.name;
    const char *kw = s->kind == STMT_BREAK ? "break" : "continue";

    struct label *l = find_label(w, name);

    if (!l) {
        check_errf(w->c, s->branch.label.pos, "%s label not defined: %s", kw,
            name->text);
        return;
    }
    l->stmt->labeled.used = 1; /* even if it is no valid target */
    while (t && t->labeled != l->stmt)
        t = t->up;
    if (!t ||
        (s->kind == STMT_BREAK ? !is_breakable(t->stmt) : !is_loop(t->stmt)))
        check_errf(
            w->c, s->branch.label.pos, "invalid %s label %s", kw, name->text);
    else
        s->branch.target = t->stmt;
}

static void
plain_branch(struct walk *w, struct ast_stmt *s, const struct target *t)
{
    if (s->kind == STMT_BREAK) {
        while (t && !is_breakable(t->stmt))
            t = t->up;
        if (!t)
            check_errf(
                w->c, s->pos, "break is not in a loop, switch, or select");
    } else {
        while (t && !is_loop(t->stmt))
            t = t->up;
        if (!t)
            check_errf(w->c, s->pos, "continue is not in a loop");
    }
    if (t)
        s->branch.target = t->stmt;
}

/* t is the innermost target; direct: s stands in its clause itself. */
static void
fallthrough(
    struct walk *w, struct ast_stmt *s, const struct target *t, bool direct)
{
    const char *msg = "fallthrough statement out of place";
    const struct target *sw = t;

    while (sw && !is_breakable(sw->stmt))
        sw = sw->up;
    if (sw && sw->stmt->kind == STMT_TSWITCH) {
        msg = "cannot fallthrough in type switch";
    } else if (sw && sw == t && sw->stmt->kind == STMT_SWITCH && direct) {
        if (sw->case_index + 1 < sw->ncase) {
            sw->cas->falls = 1;
            return;
        }
        msg = "cannot fallthrough final case in switch";
    }
    check_errf(w->c, s->pos, "%s", msg);
}

/* ---- the walk ----------------------------------------------------------- */

static void
add_label(struct walk *w, struct ast_stmt *s, struct block *b)
{
    const struct ast_ident *id = &s->labeled.label;
    struct label *old = find_label(w, id->name);
    struct label l = {s, b, b->var_pos, b->var_name};

    s->labeled.used = 0;
    if (is_blank(w->c, id->name))
        return;
    if (old)
        check_errf(w->c, id->pos, "label %s already defined at %s",
            id->name->text, check_place(w->c, old->stmt->labeled.label.pos));
    else
        CHECK_PUSH(w->c, w->labels, w->nlabels, w->labcap, l);
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
walk_if(
    struct walk *w, struct ast_stmt *s, struct block *b, const struct target *t)
{
    struct target in = {t, s, NULL, NULL, 0, 0};

    for (;; s = s->if_.els) {
        walk_block(w, s->if_.then->lbrace, &s->if_.then->stmts, b, &in);
        if (!s->if_.els)
            return;
        if (s->if_.els->kind != STMT_IF)
            break;
    }
    walk_block(w, s->if_.els->block->lbrace, &s->if_.els->block->stmts, b, &in);
}

static void
walk_stmt(struct walk *w, struct ast_stmt *s, struct ast_stmt *labeled,
    struct block *b, const struct target *t, bool last)
{
    struct target in = {t, s, labeled, NULL, 0, 0};
    struct jump j = {s, b};
    uint32_t i;

    s->label = labeled;
    switch (s->kind) {
    case STMT_DEFINE:
    case STMT_DECL:
        note_decl(b, s);
        break;
    case STMT_LABELED:
        add_label(w, s, b);
        walk_stmt(w, s->labeled.stmt, s, b, t, last);
        break;
    case STMT_BREAK:
    case STMT_CONTINUE:
        if (s->branch.label.name)
            labeled_branch(w, s, t);
        else
            plain_branch(w, s, t);
        break;
    case STMT_GOTO:
        CHECK_PUSH(w->c, w->jumps, w->njumps, w->jumpcap, j);
        break;
    case STMT_FALLTHROUGH:
        fallthrough(w, s, t, last && t && t->cas && b->start == t->cas->pos);
        break;
    case STMT_BLOCK:
        walk_block(w, s->block->lbrace, &s->block->stmts, b, &in);
        break;
    case STMT_IF:
        if (labeled) {
            walk_block(w, s->if_.then->lbrace, &s->if_.then->stmts, b, &in);
            if (s->if_.els)
                walk_stmt(w, s->if_.els, NULL, b, &in, false);
        } else {
            walk_if(w, s, b, t);
        }
        break;
    case STMT_FOR:
        walk_block(w, s->for_.body->lbrace, &s->for_.body->stmts, b, &in);
        break;
    case STMT_RANGE:
        walk_block(w, s->range.body->lbrace, &s->range.body->stmts, b, &in);
        break;
    case STMT_SWITCH:
        walk_cases(w, s, labeled, s->switch_.cases, s->switch_.ncase, b, t);
        break;
    case STMT_TSWITCH:
        walk_cases(w, s, labeled, s->tswitch.cases, s->tswitch.ncase, b, t);
        break;
    case STMT_SELECT:
        for (i = 0; i < s->select.ncomm; i++)
            walk_block(
                w, s->select.comms[i]->pos, &s->select.comms[i]->body, b, &in);
        break;
    default:
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
        walk_stmt(w, l->at[i], NULL, b, t, i + 1 == n);
}

static void
resolve_jump(struct walk *w, struct jump *j)
{
    const struct ast_ident *id = &j->stmt->branch.label;
    struct label *l = id->name ? find_label(w, id->name) : NULL;
    const struct block *b = j->block;

    if (!l) {
        check_errf(w->c, id->pos, "label %s not defined",
            id->name ? id->name->text : "");
        return;
    }
    l->stmt->labeled.used = 1;
    while (b && b != l->block)
        b = b->up;
    if (!b) {
        check_errf(w->c, id->pos, "goto %s jumps into block starting at %s",
            id->name->text, check_place(w->c, l->block->start));
        return;
    }
    if (j->stmt->pos < l->stmt->pos && l->var_pos > j->stmt->pos) {
        check_errf(w->c, id->pos, "goto %s jumps over declaration of %s at %s",
            id->name->text, l->var_name, check_place(w->c, l->var_pos));
        return;
    }
    j->stmt->branch.target = l->stmt;
}

void
check_labels(struct check *c, struct ast_func *f)
{
    struct walk w = {.c = c};
    uint32_t i;

    if (!f->body)
        return;
    walk_block(&w, f->body->lbrace, &f->body->stmts, NULL, NULL);
    for (i = 0; i < w.njumps; i++)
        resolve_jump(&w, &w.jumps[i]);
    for (i = 0; i < w.nlabels; i++)
        if (!w.labels[i].stmt->labeled.used)
            check_errf(c, w.labels[i].stmt->labeled.label.pos,
                "label %s defined and not used",
                w.labels[i].stmt->labeled.label.name->text);
    if (f->info)
        ((struct func_info *)f->info)->has_labels = w.nlabels > 0;
}
