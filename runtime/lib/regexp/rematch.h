/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_REGEXP_REMATCH_H
#define RUNTIME_LIB_REGEXP_REMATCH_H

/*
 * The matcher of package regexp: all ways through the program at once, one
 * step per character (Thompson's construction with Pike's captures), so that
 * the time is bounded by the product of program and text.  No state, no
 * virtual machine; may run on any thread without a P.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Package regexp numbers them like this (prog.go). */
enum re_op {
    RE_MATCH,   /* the end */
    RE_FAIL,    /* matches nothing */
    RE_SPLIT,   /* go on at out, else at arg */
    RE_SAVE,    /* note the position in slot arg */
    RE_ASSERT,  /* the conditions of arg hold here */
    RE_RUNE,    /* the character arg */
    RE_RANGES,  /* one of len pairs from ranges[arg] on */
    RE_ANY,     /* any character */
    RE_ANY_LINE /* any but a newline */
};

/* Conditions of RE_ASSERT. */
enum {
    RE_BEGIN_LINE = 1,
    RE_END_LINE = 2,
    RE_BEGIN_TEXT = 4,
    RE_END_TEXT = 8,
    RE_WORD = 16,
    RE_NO_WORD = 32
};

struct re_inst {
    uint32_t op;
    uint32_t out; /* the next instruction */
    uint32_t arg;
    uint32_t len;
};

struct re_prog {
    const struct re_inst *inst;
    const int32_t *ranges; /* pairs of first and last, sorted */
    const uint8_t *prefix; /* what every match begins with */
    size_t ninst, nprefix;
    uint32_t start;
    bool anchored; /* matches begin at the beginning of the text only */
    bool longest;  /* leftmost-longest, else leftmost-first */
};

/* What is searched: bytes of UTF-8, or characters, each at a position of its
 * own. */
struct re_text {
    const uint8_t *bytes;
    const int32_t *chars; /* NULL: bytes */
    int64_t n;
};

enum re_result { RE_NO, RE_YES, RE_NOMEM };

/*
 * Looks for the leftmost match of p in the text that begins at pos or later;
 * what is before pos counts for the conditions.  cap[0:ncap] becomes the
 * positions of the match and its groups, -1 where a group has none; ncap is
 * even, 0 if only the answer matters.
 */
enum re_result lib_re_match(const struct re_prog *p,
    const struct re_text *text, int64_t pos, int64_t *cap, size_t ncap);

#endif
