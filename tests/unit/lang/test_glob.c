/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/glob.h"

#include "tests/unit/lang/check.h"

/* What Go's path.Match says of each. */
static const struct {
    const char *pattern, *name;
    bool valid, fits;
} cases[] = {
    {"", "", true, true},
    {"a", "a", true, true},
    {"a", "ab", true, false},
    {"*", "abc", true, true},
    {"**", "x", true, true},
    {"*c", "abcc", true, true},
    {"a*b*c", "axxbyybc", true, true},
    {"a*b*c", "axxbyyb", true, false},
    {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", true, false},
    {"*.go", ".go", true, true},
    {"*", "a/b", true, false},
    {"a/*", "a/b", true, true},
    {"?", "/", true, false},
    {"?", "\xc3\xa4", true, true},
    {"??", "\xc3\xa4", true, false},
    {"[a-c]x", "bx", true, true},
    {"[^a-c]x", "bx", true, false},
    {"[^a-c]x", "dx", true, true},
    {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true, true},
    {"[\\]]", "]", true, true},
    {"[/]", "/", true, true},
    {"\\*", "*", true, true},
    {"\\*", "x", true, false},
    {"[a", "a", false, false},
    {"[^]", "a", false, false},
    {"[]a]", "]", false, false},
    {"[a-]", "a", false, false},
    {"a\\", "a", false, false},
};

static void
match(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool valid = glob_valid(cases[i].pattern);

        if (valid != cases[i].valid ||
            (valid &&
                glob_fits(cases[i].pattern, cases[i].name) != cases[i].fits))
            fail_msg("%s against %s", cases[i].pattern, cases[i].name);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
