/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_UNICODE_UNICODE_H
#define RUNTIME_LIB_UNICODE_UNICODE_H

/* Rune properties for the natives, with the results of Go's unicode. */

#include <stdbool.h>
#include <stdint.h>

/* General categories, in the order of mkunicode.go. */
enum uni_cat {
    UNI_CN,
    UNI_CC,
    UNI_CF,
    UNI_CO,
    UNI_CS,
    UNI_LL,
    UNI_LM,
    UNI_LO,
    UNI_LT,
    UNI_LU,
    UNI_MC,
    UNI_ME,
    UNI_MN,
    UNI_ND,
    UNI_NL,
    UNI_NO,
    UNI_PC,
    UNI_PD,
    UNI_PE,
    UNI_PF,
    UNI_PI,
    UNI_PO,
    UNI_PS,
    UNI_SC,
    UNI_SK,
    UNI_SM,
    UNI_SO,
    UNI_ZL,
    UNI_ZP,
    UNI_ZS
};

#define UNI_SPACE 0x20    /* flag in a class: White_Space */
#define UNI_CAT_MASK 0x1F /* the category in a class */

enum uni_case_to { UNI_UPPER, UNI_LOWER, UNI_TITLE };

/* Category and flags of r; UNI_CN for what is no code point. */
uint8_t uni_class(int32_t r);

/* Simple case mapping of r. */
int32_t uni_to(enum uni_case_to to, int32_t r);

/* The next rune of r's simple folding orbit. */
int32_t uni_fold(int32_t r);

static inline bool
uni_is_space(int32_t r)
{
    if (r < 0x80)
        return r == ' ' || (r >= '\t' && r <= '\r');
    return (uni_class(r) & UNI_SPACE) != 0;
}

/* Letters, marks, numbers, punctuation and symbols, and the ASCII space. */
static inline bool
uni_is_print(int32_t r)
{
    if (r < 0x80)
        return r >= 0x20 && r < 0x7F;
    int c = uni_class(r) & UNI_CAT_MASK;
    return c >= UNI_LL && c <= UNI_SO;
}

#endif
