/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_SCAN_H
#define RUNTIME_LANG_SYNTAX_SCAN_H

/*
 * The scanner: one call, one token.  Semicolons are put in where Go's rule
 * says (after a name, a literal, one of break continue fallthrough return ++
 * -- ) ] } at the end of a line).  Comments disappear, but //line (in its
 * block form too) and //go: directives are recorded.  Errors such as bad
 * literals and bad UTF-8 are reported, and scanning goes on behind them.
 *
 * The text is followed by a NUL byte, which ends every inner loop; a NUL
 * inside the text is an error and is skipped.
 */

#include "runtime/lang/syntax/diag.h"
#include "runtime/lang/syntax/name.h"
#include "runtime/lang/syntax/source.h"
#include "runtime/lang/syntax/token.h"

struct ast_directive;
struct rt_arena;

struct scan {
    const uint8_t *p;    /* next byte */
    const uint8_t *text; /* first byte of the file */
    const uint8_t *end;  /* the NUL behind the last one */
    struct lang_file *file;
    struct lang_diag *diag;
    struct lang_names *names;
    struct rt_arena *arena;
    const struct ast_directive *dirs; /* newest first */
    const uint8_t *said_at; /* of the last bad byte */
    uint32_t said;          /* what was wrong with it; see scan_said() */
    uint8_t nlsemi; /* a newline now is a semicolon */
    uint8_t nomem;  /* out of memory: scanning ended early */

    /* The current token. */
    uint8_t tok; /* enum lang_tok; an operator is its own token */
    uint8_t op;  /* of TOK_ASSIGN_OP and TOK_INC_OP */
    uint8_t lit; /* enum lang_lit of a TOK_LITERAL */
    uint8_t bad; /* malformed literal, reported */
    uint32_t off; /* where it starts; it ends at p */
    const struct lang_name *name; /* of TOK_NAME */
    const char *semi; /* TOK_SEMI: "semicolon", "newline" or "EOF" */
};

/* Sets s to the start of f; skips a byte order mark and a #! line.  There is
 * no token yet: call scan_next(). */
void scan_init(struct scan *s, struct lang_file *f, struct lang_diag *diag,
    struct lang_names *names, struct rt_arena *arena);

/* Moves to the next token; at the end it stays at TOK_EOF. */
void scan_next(struct scan *s);

/*
 * With `{` as the current token: jumps behind the matching `}` without making
 * tokens and returns that brace's offset; the current token is then the `}`.
 * Returns 0 and moves nothing if there is none, or if the text on the way
 * cannot be skipped safely.
 */
uint32_t scan_skip_block(struct scan *s);

/* Blocks of fewer bytes are not worth a second look. */
enum { SCAN_LONG = 100 };

/* The same for a long block that neither calls anything nor receives from a
 * channel. */
uint32_t scan_skip_plain(struct scan *s);

/*
 * The bytes of a well-formed string literal (quotes included in text) to out,
 * which has room for len bytes, with a NUL behind; returns their number.
 */
size_t scan_unquote(const char *text, size_t len, char *out);

/* Stops the scan: every further token is TOK_EOF. */
void scan_stop(struct scan *s);

#endif
