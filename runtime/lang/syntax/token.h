/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_TOKEN_H
#define RUNTIME_LANG_SYNTAX_TOKEN_H

/* The tokens of Go; see token.def. */

#include <stdint.h>

enum lang_tok {
    TOK_NONE = 0,
#define TOK(name, text)      TOK_##name,
#define OP(name, text, prec) TOK_##name,
#define KW(name, text)       TOK_##name,
#include "runtime/lang/syntax/token.def"
#undef TOK
#undef OP
#undef KW
    TOK_COUNT
};

/* What kind of literal a TOK_LITERAL is. */
enum lang_lit {
    LIT_INT = 1,
    LIT_FLOAT,
    LIT_IMAG,
    LIT_RUNE,
    LIT_STRING
};

/* "+" for TOK_ADD, "func" for TOK_FUNC, "comma" for TOK_COMMA. */
const char *lang_tok_text(enum lang_tok tok);

/* Binary precedence 1..5; 0 = no binary operator. */
int lang_tok_prec(enum lang_tok tok);

#endif
