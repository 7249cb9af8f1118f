/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_LANG_FIXTURE_H
#define TESTS_UNIT_LANG_FIXTURE_H

/* One compilation over texts given as strings. */

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/parse.h"

struct fixture {
    struct rt_arena arena;
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag;
    struct parse_ctx ctx;
    struct lang_file *file; /* the last one added */
};

/* limit: of messages, 0 = all. */
void fixture_begin(struct fixture *f, unsigned limit);
void fixture_end(struct fixture *f);

/* Adds text[0 .. size); it is copied. */
void fixture_add(struct fixture *f, const char *name, const void *text,
    size_t size);

/* Parses text as file "x.go"; the tree, or NULL without memory. */
struct ast_file *fixture_parse(struct fixture *f, const char *text,
    unsigned flags);

/* The messages so far as lang_diag_write() prints them; free() it. */
char *fixture_messages(struct fixture *f);

/* Checks a package of one file, whose imports have one function, Println; all
 * messages as one text; free() it. */
char *fixture_check(const char *src);

/* A test test_name: the messages about src_name are want_name. */
#define CHECK_CASE(name)                        \
    static void                                 \
    test_##name(void **state)                   \
    {                                           \
        char *got = fixture_check(src_##name);  \
                                                \
        (void)state;                            \
        assert_string_equal(got, want_##name);  \
        free(got);                              \
    }

/* times copies of s between head and tail; free() it. */
char *fixture_repeat(const char *head, const char *s, size_t times,
    const char *tail);

#endif
