/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer target: reader of profiles, filters, tables and flame graph on any
 * bytes.  tests/fuzz/run_profile_fuzz.py builds and runs it.
 *
 * The first bytes say how, the others are the profile.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

#include "profile/read/pfile.h"
#include "profile/read/pflame_page.h"
#include "profile/read/preport.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The viewer is the same for all profiles: only what is put into it counts. */
const char pflame_page_head[] = "", pflame_page_tail[] = "";

enum { HOW = 3 };

/* What a user may ask for, by three bytes. */
static struct preport_options
options(const uint8_t *how)
{
    static const char *const words[] = {
        NULL, "main", ".", "^[a-m]", "(a|b)*c", "x+y?", "[", "4kb:1mb", "k=v"};
    static const char *const units[] = {NULL, "ms", "kB", "minimum"};
    const unsigned nwords = sizeof words / sizeof *words;
    struct preport_options o = preport_defaults;
    const char *word = words[how[1] % nwords];

    o.kind = (enum preport_kind)(how[0] % 4);
    o.by = (enum pgraph_by)(how[0] / 4 % 5);
    o.by_given = (how[0] & 128) != 0;
    o.unit = units[how[2] % 4];
    o.cum = (how[2] & 4) != 0;
    o.trim = (how[2] & 8) != 0;
    o.noinlines = (how[2] & 16) != 0;
    o.drop_negative = (how[2] & 32) != 0;
    o.relative_percentages = (how[2] & 64) != 0;
    o.nodecount = (how[2] & 128) != 0 ? 3 : -1;
    o.symbol = word != NULL ? word : "main";
    /* Nothing is looked for in the file system. */
    o.source_path = "/nonexistent";
    const char **filters[] = {&o.filter.focus, &o.filter.ignore,
        &o.filter.hide, &o.filter.show, &o.filter.show_from,
        &o.filter.prune_from, &o.filter.tagfocus, &o.filter.tagignore};
    *filters[how[1] / nwords % 8] = word;
    return o;
}

static enum rt_status
print(struct preport *r, bool json, FILE *out, struct rt_err *e)
{
    struct preport_style style = {out, "", "", "", "", ""};

    switch (r->opt.kind) {
    case PREPORT_TOP:
        if (json)
            preport_json_top(r, out);
        return json ? RT_OK : preport_top(r, &style);
    case PREPORT_TREE:
        return json ? preport_json_tree(r, out) : preport_tree(r, &style);
    case PREPORT_LIST:
        return json ? preport_json_list(r, out, e)
            : preport_list(r, &style, e);
    case PREPORT_FLAME:
        return json ? preport_json_flame(r, "fuzz", out, e)
            : preport_flame(r, "fuzz", out, e);
    }
    return RT_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct preport_options o;
    struct preport r = {0};
    struct pfile *f;
    struct rt_err e = {0};
    enum rt_status st;

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL || size < HOW)
        return 0;
    o = options(data);
    st = pfile_parse(data + HOW, size - HOW, &f, &e);
    if (st == RT_OK) {
        rt_assert(pfile_valid(f));
        st = preport_open(&r, f, &o, &e);
        if (st == RT_OK)
            st = print(&r, size % 2 != 0, nowhere, &e);
        preport_close(&r);
    }
    /* Whoever is refused is told why, in one line. */
    if (st != RT_OK && (e.text[0] == '\0' || strchr(e.text, '\n') != NULL))
        abort();
    return 0;
}
