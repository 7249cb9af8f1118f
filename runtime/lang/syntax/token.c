/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/token.h"

static const char *const texts[TOK_COUNT] = {
#define TOK(name, text)      [TOK_##name] = text,
#define OP(name, text, prec) [TOK_##name] = text,
#define KW(name, text)       [TOK_##name] = text,
#include "runtime/lang/syntax/token.def"
#undef TOK
#undef OP
#undef KW
};

static const uint8_t precs[TOK_COUNT] = {
#define TOK(name, text)
#define OP(name, text, prec) [TOK_##name] = prec,
#define KW(name, text)
#include "runtime/lang/syntax/token.def"
#undef TOK
#undef OP
#undef KW
};

const char *
lang_tok_text(enum lang_tok tok)
{
    if ((unsigned)tok >= TOK_COUNT || texts[tok] == 0)
        return "?";
    return texts[tok];
}

int
lang_tok_prec(enum lang_tok tok)
{
    return (unsigned)tok < TOK_COUNT ? precs[tok] : 0;
}
