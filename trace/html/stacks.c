/* SPDX-License-Identifier: MIT */
/* The stacks that the page shows, each function and file named once. */
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "trace/html/html_int.h"

uint32_t
html_stack(struct html_stacks *s, uint64_t id)
{
    bool fresh = false;
    int64_t i;

    if (id == 0 || !trace_file_has_stack(s->f, id))
        return 0;
    i = trace_idmap_put(&s->ids, id, &fresh);
    if (i < 0 || (fresh && !rt_vec_push(&s->list, id))) {
        s->nomem = true;
        return 0;
    }
    rt_assert(s->list.v[i] == id);
    return (uint32_t)i + 1;
}

/* The number of a text.  Two texts of one 64-bit hash are taken for the same;
 * a page cannot do much harm with that. */
static uint32_t
name(struct html_stacks *s, struct trace_text t)
{
    uint64_t h = rt_hash_bytes(t.s, t.len, 1) | 1;
    bool fresh = false;
    int64_t i = trace_idmap_put(&s->names, h, &fresh);

    if (i < 0 || (fresh && !rt_vec_push(&s->texts, t))) {
        s->nomem = true;
        return 0;
    }
    rt_assert((uint64_t)i < s->texts.n);
    return (uint32_t)i;
}

static void
one(FILE *f, struct html_stacks *s, uint64_t id)
{
    enum { MOST = 64 };
    struct trace_rframe fr[MOST];
    uint32_t n = trace_file_stack(s->f, id, fr, MOST);
    char hex[24];

    putc('[', f);
    for (uint32_t i = 0; i < n && i < MOST; i++) {
        struct trace_text fn = fr[i].func;

        fprintf(f, "%s", i > 0 ? "," : "");
        if (fn.len != 0) {
            fprintf(f, "%u,%u,%llu", name(s, fn), name(s, fr[i].file),
                (unsigned long long)fr[i].line);
            continue;
        }
        snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)fr[i].pc);
        html_json_string(f, hex, strlen(hex));
        fprintf(f, ",%u,0", name(s, fr[i].file));
    }
    putc(']', f);
}

void
html_stacks_json(FILE *f, struct html_stacks *s)
{
    fprintf(f, "{\"stacks\":[[]");
    for (size_t i = 0; i < s->list.n; i++) {
        putc(',', f);
        one(f, s, s->list.v[i]);
    }
    fprintf(f, "],\"names\":[");
    for (size_t i = 0; i < s->texts.n; i++) {
        fprintf(f, "%s", i > 0 ? "," : "");
        html_json_string(f, s->texts.v[i].s, s->texts.v[i].len);
    }
    fprintf(f, "]}");
}

void
html_stacks_free(struct html_stacks *s)
{
    trace_idmap_free(&s->ids);
    trace_idmap_free(&s->names);
    rt_vec_free(&s->list);
    rt_vec_free(&s->texts);
}
