/* SPDX-License-Identifier: MIT */
/* Writes the page. */
#include "trace/html/html.h"

#include <errno.h>
#include <string.h>

#include "trace/html/html_int.h"

enum { TOP = 50 }; /* longest waits in the tables */

struct report {
    const struct trace_html_options *opt;
    bool second;
};

/* Half of the work is in each pass. */
static void
report(void *arg, uint64_t done, uint64_t total)
{
    const struct report *r = arg;

    r->opt->progress(r->opt->progress_arg, r->second ? total + done : done,
        2 * total);
}

static enum rt_status
pass(struct html *h, struct report *r, const struct trace_sink *sink,
    struct trace_summary **out, struct rt_err *e)
{
    struct trace_pass how = {.top = TOP, .sinks = sink,
        .nsinks = sink != NULL, .progress_arg = r};

    if (r->opt->progress != NULL)
        how.progress = report;
    return trace_analyze_with(h->f, &how, out, e);
}

/* The index goes through memory: making it writes chunks. */
static bool
put_index(struct html *h)
{
    char *s = NULL;
    size_t n = 0;
    FILE *m = open_memstream(&s, &n);
    bool ok;

    if (m == NULL)
        return false;
    html_index(h, m);
    ok = fclose(m) == 0;
    if (ok) {
        fputs("<script type=\"application/json\" id=\"index\">", h->out.f);
        fwrite(s, 1, n, h->out.f);
        fputs("</script>\n", h->out.f);
    }
    free(s);
    return ok;
}

static void
put_head(const struct trace_html_options *opt, FILE *out)
{
    const char *mark = "@TITLE@", *s = html_page_head, *at;

    while ((at = strstr(s, mark)) != NULL) {
        fwrite(s, 1, (size_t)(at - s), out);
        html_out_escaped(out, opt->title);
        s = at + strlen(mark);
    }
    fputs(s, out);
}

static enum rt_status
write_all(struct html *h, const struct trace_html_options *opt,
    struct rt_err *e)
{
    struct report r = {.opt = opt};
    struct trace_summary *again = NULL;
    struct trace_sink sink = html_sink(h);
    enum rt_status st = pass(h, &r, NULL, &h->sum, e);

    if (st != RT_OK)
        return st;
    if (!html_groups(h) || !html_begin(h))
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    put_head(opt, h->out.f);
    r.second = true;
    st = pass(h, &r, &sink, &again, e);
    trace_summary_free(again);
    if (st != RT_OK)
        return st;
    html_end(h);
    if (!put_index(h) || h->out.nomem || h->stacks.nomem)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    /* Where a write has failed before, the last one does for the same reason. */
    errno = 0;
    fputs(html_page_tail, h->out.f);
    if (fflush(h->out.f) != 0 || ferror(h->out.f))
        return rt_err_os(e, errno == 0 ? EIO : errno, "write");
    return RT_OK;
}

static void
counter_free(struct html_counter *c)
{
    html_pack_free(&c->pack);
    free(c->low);
    free(c->high);
}

static void
free_all(struct html *h)
{
    for (uint64_t i = 0; h->procs != NULL && i < h->sum->nprocs; i++) {
        html_pack_free(&h->procs[i].pack);
        html_area_free(&h->procs[i].busy);
        free(h->procs[i].most);
        free(h->procs[i].group);
    }
    for (uint32_t i = 0; i < h->ngroups; i++) {
        html_pack_free(&h->groups[i].pack);
        html_pack_free(&h->groups[i].slow);
        for (int k = 0; k <= HTML_BLOCKED; k++)
            html_area_free(&h->groups[i].area[k]);
    }
    counter_free(&h->heap);
    counter_free(&h->goal);
    html_pack_free(&h->bands);
    html_stacks_free(&h->stacks);
    trace_idmap_free(&h->open_tasks);
    rt_vec_free(&h->task_list);
    wire_buf_free(&h->out.gz);
    free(h->procs);
    free(h->group_of);
    trace_summary_free(h->sum);
    free(h);
}

enum rt_status
trace_html_write(struct trace_file *f, const struct trace_html_options *opt,
    FILE *out, struct rt_err *e)
{
    struct html *h = calloc(1, sizeof *h);
    enum rt_status st;

    if (h == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    h->f = f;
    h->out.f = out;
    h->stacks.f = f;
    h->system = opt->system;
    st = write_all(h, opt, e);
    free_all(h);
    return st;
}
