/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/scan.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/scan_int.h"
#include "runtime/lang/syntax/uniclass.h"

/* Classes of bytes. */
enum {
    C_IDENT = 1, /* letter, digit, _ */
    C_SKIP = 2,  /* of no interest inside a block that is jumped over */
    C_PLAIN = 16, /* nor inside one that must not call or receive */
    C_TEXT = 4   /* plain in a comment */
};

#define C_BOTH (C_SKIP | C_PLAIN)

static const uint8_t byte_class[256] = {
    [0] = 0,
    [1 ... 9] = C_BOTH | C_TEXT,
    ['\n'] = C_BOTH,
    [11 ... '!'] = C_BOTH | C_TEXT,
    ['"'] = C_TEXT,
    ['#' ... '&'] = C_BOTH | C_TEXT,
    ['\''] = C_TEXT,
    ['('] = C_SKIP | C_TEXT,
    [')'] = C_BOTH | C_TEXT,
    ['*'] = C_BOTH,
    ['+' ... '.'] = C_BOTH | C_TEXT,
    ['/'] = C_TEXT,
    ['0' ... '9'] = C_BOTH | C_TEXT | C_IDENT,
    [':' ... ';'] = C_BOTH | C_TEXT,
    ['<'] = C_SKIP | C_TEXT,
    ['=' ... '@'] = C_BOTH | C_TEXT,
    ['A' ... 'Z'] = C_BOTH | C_TEXT | C_IDENT,
    ['[' ... '^'] = C_BOTH | C_TEXT,
    ['_'] = C_BOTH | C_TEXT | C_IDENT,
    ['`'] = C_TEXT,
    ['a' ... 'z'] = C_BOTH | C_TEXT | C_IDENT,
    ['{'] = C_TEXT,
    ['|'] = C_BOTH | C_TEXT,
    ['}'] = C_TEXT,
    ['~' ... 127] = C_BOTH | C_TEXT,
    [128 ... 255] = C_BOTH,
};

lang_pos
scan_pos_at(const struct scan *s, const uint8_t *at)
{
    return s->file->base + (lang_pos)(at - s->text);
}

int
scan_said(struct scan *s, uint32_t what)
{
    const uint8_t *before = s->said_at;
    int same = s->said == what && before != NULL && before <= s->p &&
               memchr(before, '\n', (size_t)(s->p - before)) == NULL;

    s->said = what;
    s->said_at = s->p;
    return same;
}

int
scan_wide(struct scan *s, uint32_t *c)
{
    int n = lang_utf8_decode(s->p, c);

    if (n == 0) {
        if (!scan_said(s, SCAN_BAD_UTF8))
            lang_errf(s->diag, scan_pos_at(s, s->p), "invalid UTF-8 encoding");
        s->p++;
        return 0;
    }
    if (*c == 0xfeff) {
        if (!scan_said(s, SCAN_BAD_BOM))
            lang_errf(s->diag, scan_pos_at(s, s->p),
                "invalid BOM in the middle of the file");
        s->p += n;
        return 0;
    }
    return n;
}

int
scan_nul(struct scan *s)
{
    if (s->p >= s->end)
        return 0;
    if (!scan_said(s, SCAN_BAD_NUL))
        lang_errf(s->diag, scan_pos_at(s, s->p), "invalid NUL character");
    s->p++;
    return 1;
}

/* Skips bytes of a comment up to one that ends or might end it. */
static void
skip_comment_text(struct scan *s)
{
    uint32_t c;
    int n;

    for (;;) {
        const uint8_t *p = s->p;

        while (byte_class[*p] & C_TEXT)
            p++;
        s->p = p;
        if (*s->p < 0x80) {
            if (*s->p != 0 || !scan_nul(s))
                return;
        } else if ((n = scan_wide(s, &c)) != 0) {
            s->p += n;
        }
    }
}

static void
line_comment(struct scan *s)
{
    const uint8_t *start = s->p;

    s->p += 2;
    for (;;) {
        skip_comment_text(s);
        if (*s->p != '*' && *s->p != '/')
            break;
        s->p++;
    }
    scan_directive(s, start, s->p, 0);
}

/* Returns whether the comment holds a newline. */
static int
block_comment(struct scan *s)
{
    const uint8_t *start = s->p;
    int newline = 0;

    s->p += 2;
    for (;;) {
        skip_comment_text(s);
        if (*s->p == '*' && s->p[1] == '/')
            break;
        if (*s->p == 0) {
            lang_errf(s->diag, scan_pos_at(s, start), "comment not terminated");
            return newline;
        }
        newline |= *s->p == '\n';
        s->p++;
    }
    s->p += 2;
    scan_directive(s, start, s->p, 1);
    return newline;
}

void
scan_init(struct scan *s, struct lang_file *f, struct lang_diag *diag,
    struct lang_names *names, struct rt_arena *arena)
{
    memset(s, 0, sizeof *s);
    s->file = f;
    s->text = s->p = f->text;
    s->end = f->text + f->size;
    s->diag = diag;
    s->names = names;
    s->arena = arena;
    if (f->size >= 3 && memcmp(s->p, "\xef\xbb\xbf", 3) == 0)
        s->p += 3;
    if (s->p[0] == '#' && s->p[1] == '!') {
        s->p = memchr(s->p, '\n', (size_t)(s->end - s->p));
        if (s->p == NULL)
            s->p = s->end;
    }
}

void
scan_stop(struct scan *s)
{
    s->p = s->end;
    s->nlsemi = 0;
}

/* Continues a name, from p, that may hold characters beyond ASCII.  Bytes
 * that are reported and skipped do not end it. */
static void
wide_name(struct scan *s)
{
    uint32_t c;
    int n;

    for (;;) {
        while (byte_class[*s->p] & C_IDENT)
            s->p++;
        if (*s->p < 0x80) {
            if (*s->p != 0 || !scan_nul(s))
                return;
            continue;
        }
        n = scan_wide(s, &c);
        if (n == 0)
            continue;
        if (!lang_is_letter(c) && !lang_is_digit(c))
            scan_bad_char(s, scan_pos_at(s, s->p), c, " in identifier");
        s->p += n;
    }
}

static void
set_name(struct scan *s, const uint8_t *start, uint32_t hash)
{
    s->name = lang_name_get_hashed(
        s->names, (const char *)start, (size_t)(s->p - start), hash);
    if (s->name == NULL) {
        s->nomem = 1;
        scan_stop(s);
        s->tok = TOK_EOF;
        return;
    }
    s->tok = TOK_NAME;
    s->nlsemi = 1;
    if (s->name->kw != 0) {
        s->tok = s->name->kw;
        s->nlsemi = s->tok == TOK_BREAK || s->tok == TOK_CONTINUE ||
                    s->tok == TOK_FALLTHROUGH || s->tok == TOK_RETURN;
    }
}

static void
name(struct scan *s)
{
    const uint8_t *start = s->p, *p = start;
    uint32_t h = LANG_NAME_SEED;

    for (; byte_class[*p] & C_IDENT; p++)
        h = lang_name_hash_step(h, *p);
    s->p = p;
    if (*p < 0x80 && (*p != 0 || p == s->end)) {
        set_name(s, start, lang_name_hash_end(h));
        return;
    }
    wide_name(s);
    set_name(
        s, start, lang_name_hash((const char *)start, (size_t)(s->p - start)));
}

/* A name that begins beyond ASCII; 0 if there was nothing to begin with. */
static int
wide_start(struct scan *s)
{
    const uint8_t *start = s->p;
    uint32_t c;
    int n = scan_wide(s, &c);

    if (n == 0)
        return 0;
    if (lang_is_digit(c))
        scan_bad_digit(s, scan_pos_at(s, s->p), c);
    else if (!lang_is_letter(c))
        scan_bad_char(s, scan_pos_at(s, s->p), c, " in identifier");
    s->p += n;
    wide_name(s);
    set_name(
        s, start, lang_name_hash((const char *)start, (size_t)(s->p - start)));
    return 1;
}

static void
semi(struct scan *s, const char *what)
{
    s->tok = TOK_SEMI;
    s->semi = what;
    s->nlsemi = 0;
}

/* One or two bytes: tok, or `tok=` as an assignment operator. */
static void
op_or_assign(struct scan *s, enum lang_tok tok)
{
    if (*s->p == '=') {
        s->p++;
        s->op = (uint8_t)tok;
        tok = TOK_ASSIGN_OP;
    }
    s->tok = (uint8_t)tok;
}

static int
accept(struct scan *s, uint8_t c)
{
    if (*s->p != c)
        return 0;
    s->p++;
    return 1;
}

static void
closing(struct scan *s, enum lang_tok tok)
{
    s->tok = (uint8_t)tok;
    s->nlsemi = 1;
}

static void
add_sub(struct scan *s, uint8_t c, enum lang_tok tok)
{
    if (accept(s, c)) {
        s->op = (uint8_t)tok;
        s->tok = TOK_INC_OP;
        s->nlsemi = 1;
        return;
    }
    op_or_assign(s, tok);
}

static void
dot(struct scan *s)
{
    if (*s->p >= '0' && *s->p <= '9') {
        scan_number(s, 1);
    } else if (s->p[0] == '.' && s->p[1] == '.') {
        s->p += 2;
        s->tok = TOK_DOTDOTDOT;
    } else {
        s->tok = TOK_DOT;
    }
}

static void
ampersand(struct scan *s)
{
    if (accept(s, '&'))
        s->tok = TOK_ANDAND;
    else if (accept(s, '^'))
        op_or_assign(s, TOK_AND_NOT);
    else
        op_or_assign(s, TOK_AND);
}

static void
less(struct scan *s)
{
    if (accept(s, '='))
        s->tok = TOK_LEQ;
    else if (accept(s, '<'))
        op_or_assign(s, TOK_SHL);
    else if (accept(s, '-'))
        s->tok = TOK_ARROW;
    else
        s->tok = TOK_LSS;
}

static void
greater(struct scan *s)
{
    if (accept(s, '='))
        s->tok = TOK_GEQ;
    else if (accept(s, '>'))
        op_or_assign(s, TOK_SHR);
    else
        s->tok = TOK_GTR;
}

static void
literal(struct scan *s, enum lang_lit kind)
{
    s->tok = TOK_LITERAL;
    s->lit = (uint8_t)kind;
    s->nlsemi = 1;
}

/* Punctuation and literals; c is consumed.  0 = no token begins with it. */
static int
other(struct scan *s, uint8_t c)
{
    switch (c) {
    case '0' ... '9':
        s->p--;
        scan_number(s, 0);
        return 1;
    case '"':
        scan_string(s);
        literal(s, LIT_STRING);
        return 1;
    case '`':
        scan_raw_string(s);
        literal(s, LIT_STRING);
        return 1;
    case '\'':
        scan_rune(s);
        literal(s, LIT_RUNE);
        return 1;
    case '(':
        s->tok = TOK_LPAREN;
        return 1;
    case '[':
        s->tok = TOK_LBRACK;
        return 1;
    case '{':
        s->tok = TOK_LBRACE;
        return 1;
    case ',':
        s->tok = TOK_COMMA;
        return 1;
    case ';':
        semi(s, "semicolon");
        return 1;
    case ')':
        closing(s, TOK_RPAREN);
        return 1;
    case ']':
        closing(s, TOK_RBRACK);
        return 1;
    case '}':
        closing(s, TOK_RBRACE);
        return 1;
    case ':':
        s->tok = accept(s, '=') ? TOK_DEFINE : TOK_COLON;
        return 1;
    case '.':
        dot(s);
        return 1;
    case '+':
        add_sub(s, '+', TOK_ADD);
        return 1;
    case '-':
        add_sub(s, '-', TOK_SUB);
        return 1;
    case '*':
        op_or_assign(s, TOK_MUL);
        return 1;
    case '/':
        op_or_assign(s, TOK_QUO);
        return 1;
    case '%':
        op_or_assign(s, TOK_REM);
        return 1;
    case '&':
        ampersand(s);
        return 1;
    case '|':
        if (accept(s, '|'))
            s->tok = TOK_OROR;
        else
            op_or_assign(s, TOK_OR);
        return 1;
    case '^':
        op_or_assign(s, TOK_XOR);
        return 1;
    case '<':
        less(s);
        return 1;
    case '>':
        greater(s);
        return 1;
    case '=':
        s->tok = accept(s, '=') ? TOK_EQL : TOK_ASSIGN;
        return 1;
    case '!':
        s->tok = accept(s, '=') ? TOK_NEQ : TOK_NOT;
        return 1;
    case '~':
        s->tok = TOK_TILDE;
        return 1;
    default:
        return 0;
    }
}

/* Skips a comment at p; 1 if it stands for the end of a line. */
static int
comment(struct scan *s, int nlsemi)
{
    if (s->p[1] == '/') {
        line_comment(s);
        return 0;
    }
    return block_comment(s) && nlsemi;
}

void
scan_next(struct scan *s)
{
    int nlsemi = s->nlsemi;
    uint8_t c;

    s->nlsemi = 0;
    s->bad = 0;
    for (;;) {
        const uint8_t *p = s->p;

        for (c = *p; c == ' ' || c == '\t' || c == '\r' ||
             (c == '\n' && !nlsemi);)
            c = *++p;
        s->p = p;
        s->off = (uint32_t)(s->p - s->text);
        if ((byte_class[c] & C_IDENT) && c > '9') {
            name(s);
            return;
        }
        if (c == '\n') {
            s->p++;
            semi(s, "newline");
            return;
        }
        if (c == 0) {
            if (scan_nul(s))
                continue;
            s->tok = TOK_EOF;
            if (nlsemi)
                semi(s, "EOF");
            return;
        }
        if (c >= 0x80) {
            if (wide_start(s))
                return;
            continue;
        }
        if (c == '/' && (s->p[1] == '/' || s->p[1] == '*')) {
            if (!comment(s, nlsemi))
                continue;
            semi(s, "newline");
            return;
        }
        s->p++;
        if (other(s, c))
            return;
        scan_bad_char(s, scan_pos_at(s, s->p - 1), c, "");
    }
}

/* Behind the closing quote of the literal at p, or NULL. */
static const uint8_t *
skip_quoted(const uint8_t *p)
{
    uint8_t quote = *p++;

    for (; *p != quote; p++) {
        if (*p == '\\')
            p++;
        if (*p == '\n' || *p == 0)
            return NULL;
    }
    return p + 1;
}

/* Behind the comment or the operator at p, or NULL. */
static const uint8_t *
skip_slash(struct scan *s, const uint8_t *p)
{
    const uint8_t *q;

    if (p[1] == '/') {
        q = memchr(p, '\n', (size_t)(s->end - p));
        q = q == NULL ? s->end : q;
    } else if (p[1] == '*') {
        q = memmem(p + 2, (size_t)(s->end - p) - 2, "*/", 2);
        if (q == NULL)
            return NULL;
        q += 2;
    } else {
        return p + 1;
    }
    if (p[2] == 'l')
        scan_directive(s, p, q, p[1] == '*');
    return q;
}

/* Is the comment at p one that a scan would obey? */
static bool
is_directive(const uint8_t *p)
{
    return (p[1] == '/' || p[1] == '*') && p[2] == 'l';
}

/* Jumps over a block of at least so many bytes; what is not of the class ends
 * it if it is not looked at here. */
static uint32_t
skip_block(struct scan *s, uint8_t class, size_t least)
{
    const uint8_t *p = s->p, *q;
    uint32_t depth = 1;

    while (depth != 0) {
        while (byte_class[*p] & class)
            p++;
        switch (*p) {
        case '{':
            depth++;
            p++;
            break;
        case '}':
            depth--;
            p++;
            break;
        case '"':
        case '\'':
            p = skip_quoted(p);
            break;
        case '`':
            q = memchr(p + 1, '`', (size_t)(s->end - p) - 1);
            p = q == NULL ? NULL : q + 1;
            break;
        case '/':
            if (class == C_PLAIN && is_directive(p))
                return 0; /* to be met once */
            p = skip_slash(s, p);
            break;
        case '<':
            if (p[1] == '-')
                return 0;
            p++;
            break;
        default:
            return 0;
        }
        if (p == NULL)
            return 0;
    }
    if ((size_t)(p - s->p) < least)
        return 0;
    s->p = p;
    s->off = (uint32_t)(p - s->text) - 1;
    s->nlsemi = 1;
    s->tok = TOK_RBRACE;
    return s->off;
}

uint32_t
scan_skip_block(struct scan *s)
{
    return skip_block(s, C_SKIP, 0);
}

uint32_t
scan_skip_plain(struct scan *s)
{
    return skip_block(s, C_PLAIN, SCAN_LONG);
}
