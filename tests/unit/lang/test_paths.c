/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/paths.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "tests/unit/lang/check.h"

static const struct {
    const char *base, *path, *want;
} relative[] = {
    {"/a/b", "/a/b", "."},
    {"/a/b", "/a/b/c/d", "c/d"},
    {"/a/b", "/a/c", "/a/c"}, /* ../c is as long */
    {"/a/b/c", "/a/d/e", "/a/d/e"},
    {"/a/b", "/", "/"},
    {"/", "/a", "a"},
    {"/", "/", "."},
    {"/abc", "/ab", "/ab"},
    {"/long/name/here", "/long/name/there", "../there"},
    {"/a/b", "c/d", "c/d"},
    {"/a/b", "", ""},
};

static void
seen_from(void **state)
{
    struct rt_arena a = {0};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof relative / sizeof relative[0]; i++) {
        const char *got =
            paths_rel(&a, relative[i].base, relative[i].path);

        if (strcmp(got, relative[i].want) != 0)
            fail_msg("%s from %s: %s, want %s", relative[i].path,
                relative[i].base, got, relative[i].want);
    }
    rt_arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seen_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
