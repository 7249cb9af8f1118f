/* SPDX-License-Identifier: MIT */
/* The page heap alone: spans come and go at random; runs are merged, never
 * overlap, and the books agree. */
#include "tests/unit/gc/fake.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gc/gc_int.h"
#include "runtime/base/rand.h"

enum { SLOTS = 400 };

static void
unlink_span(struct gc_heap *h, struct gc_span *s)
{
    (void)h;
    if (rt_list_linked(&s->node))
        rt_list_remove(&s->node);
}

/* Every page of a span leads to it, from the first to the last byte. */
static void
check_span(struct gc_heap *h, struct gc_span *s, uint64_t npages)
{
    assert_int_equal(s->npages, npages);
    for (uint64_t i = 0; i < npages; i++) {
        uintptr_t a = (uintptr_t)s->base + i * GC_PAGE_SIZE;
        assert_ptr_equal(gc_span_of(h, a), s);
        assert_ptr_equal(gc_span_of(h, a + GC_PAGE_SIZE - 1), s);
    }
}

static void
spans_come_and_go(void **state)
{
    struct fake f;
    struct rt_rand r;
    struct gc_span *s[SLOTS] = { NULL };
    uint64_t npages[SLOTS];
    uint64_t used = 0;

    (void)state;
    rt_rand_init(&r, 5);
    fake_start(&f, NULL, NULL, NULL);
    for (int step = 0; step < 40000; step++) {
        uint32_t i = rt_rand_below(&r, SLOTS);
        if (s[i] != NULL) {
            check_span(f.h, s[i], npages[i]);
            /* The content is still this span's own. */
            assert_int_equal(*(uint64_t *)(void *)s[i]->base, i);
            uint8_t *base = s[i]->base;
            unlink_span(f.h, s[i]);
            gc_spans_free(f.h, &s[i], 1);
            assert_null(gc_span_of(f.h, (uintptr_t)base));
            used -= npages[i];
            s[i] = NULL;
        } else {
            uint32_t pick = rt_rand_below(&r, 100);
            npages[i] = 1 + rt_rand_below(&r,
                pick < 80 ? 4 : pick < 97 ? 130 : 1500);
            s[i] = gc_span_new(f.h, 1, npages[i] * GC_PAGE_SIZE);
            assert_non_null(s[i]);
            rt_asan_unpoison(s[i]->base, npages[i] * GC_PAGE_SIZE);
            if (s[i]->fresh)
                for (uint64_t k = 0; k < npages[i]; k++)
                    assert_int_equal(s[i]->base[k * GC_PAGE_SIZE], 0);
            for (uint64_t k = 0; k < npages[i]; k++)
                s[i]->base[k * GC_PAGE_SIZE] = 0xff;
            uint64_t v = i;
            memcpy(s[i]->base, &v, 8);
            gc_central_put(f.h, &s[i], 1);
            used += npages[i];
        }
        if (step % 3000 == 0)
            gc_scavenge(f.h, 8 << 20);
        assert_int_equal(f.h->pages_inuse, used);
        assert_true(f.h->pages_released <= f.h->pages_free);
        if (step % 1000 == 0) {
            struct rt_err e = { 0 };
            if (gc_verify(f.h, &e) != RT_OK)
                fail_msg("%s", e.text);
        }
    }
    for (uint32_t i = 0; i < SLOTS; i++)
        if (s[i] != NULL) {
            unlink_span(f.h, s[i]);
            gc_spans_free(f.h, &s[i], 1);
        }
    /* All merged again: as many runs as regions at most, each whole. */
    unsigned runs = 0;
    unsigned regions = 0;
    struct rt_list *n;
    for (unsigned l = 0; l < FREE_LISTS; l++)
        LIST_FOREACH(n, &f.h->free[l])
            runs++;
    for (struct gc_region *g = f.h->regions; g != NULL; g = g->next)
        regions++;
    assert_in_range(runs, 1, regions);
    assert_int_equal(f.h->pages_inuse, 0);
    assert_int_equal(f.h->spans_inuse, 0);
    assert_int_equal(f.h->spans.inuse, runs * f.h->spans.size);
    gc_scavenge(f.h, UINT64_MAX);
    assert_int_equal(f.h->pages_released, f.h->pages_free);
    fake_stop(&f);
}

/* The verifier must see what is broken, else all tests above mean little. */
/* What is reserved is used to its end before more is: requests that fill a
 * region exactly need no other. */
static void
regions_are_used_up(void **state)
{
    struct fake f;
    uint64_t spans = RT_GC_GROW / ARENA_SIZE;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (uint64_t i = 1; i <= 2 * spans; i++) {
        struct gc_span *s = gc_span_new(f.h, 1, ARENA_SIZE);
        assert_non_null(s);
        gc_central_put(f.h, &s, 1);
        uint64_t regions = 0;
        for (struct gc_region *r = f.h->regions; r != NULL; r = r->next)
            regions++;
        assert_int_equal(regions, (i + spans - 1) / spans);
        assert_int_equal(f.h->pages_free, 0);
    }
    fake_stop(&f);
}

static void
the_verifier_sees_damage(void **state)
{
    struct fake f;
    struct rt_err e;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void *p = gc_alloc(&f.pc, &lay_node);
    assert_int_equal(gc_verify(f.h, &e), RT_OK);
    struct gc_span *s = gc_span_of(f.h, (uintptr_t)p);
    assert_int_equal(s->alloc_count, 1);
    s->alloc_count = 2;
    assert_int_equal(gc_verify(f.h, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "alloc_count"));
    s->alloc_count = 1;
    a64_store_rlx(&s->mark[0], 2);
    assert_int_equal(gc_verify(f.h, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "mark bit"));
    a64_store_rlx(&s->mark[0], 0);
    f.h->pages_inuse++;
    assert_int_equal(gc_verify(f.h, &e), RT_EFORMAT);
    f.h->pages_inuse--;
    assert_int_equal(gc_verify(f.h, &e), RT_OK);
    fake_stop(&f);
}

/* A bit behind the last slot, in a word that has room for some. */
static void
the_verifier_sees_bits_behind_the_end(void **state)
{
    static const struct rt_layout lay_six = {48, 0, NULL};
    struct fake f;
    struct rt_err e;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void *p = gc_alloc(&f.pc, &lay_six);
    struct gc_span *s = gc_span_of(f.h, (uintptr_t)p);
    uint32_t last = s->nwords - 1;
    uint64_t was = a64_load_rlx(&s->alloc[last]);
    assert_true(s->nelems % 64 != 0);
    a64_store_rlx(&s->alloc[last], was | (uint64_t)1 << 63);
    s->alloc_count++;
    assert_int_equal(gc_verify(f.h, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "behind the last slot"));
    a64_store_rlx(&s->alloc[last], was);
    s->alloc_count--;
    assert_int_equal(gc_verify(f.h, &e), RT_OK);
    fake_stop(&f);
}

/* ---- a mark that has missed something ---------------------------------- */

static void
mark_by_hand(struct fake *f, void *p)
{
    struct gc_span *s = gc_span_of(f->h, (uintptr_t)p);
    uint32_t slot = gc_slot_of(s, (uintptr_t)p);

    a64_store_rlx(&s->mark[slot / 64],
        a64_load_rlx(&s->mark[slot / 64]) | (uint64_t)1 << slot % 64);
}

/* A marked object points to one that is not. */
static void
child_missed(struct fake *f, bool whole)
{
    void **a = gc_alloc(&f->pc, &lay_node), *b = gc_alloc(&f->pc, &lay_node);

    a[1] = b;
    mark_by_hand(f, a);
    if (whole)
        mark_by_hand(f, b);
    gc_verify_marks(f->h);
}

/* The function of a finalizer is a root. */
static void
finalizer_missed(struct fake *f, bool whole)
{
    void *obj = gc_alloc(&f->pc, &lay_node), *fn = gc_alloc(&f->pc, &lay_ptr);

    assert_int_equal(gc_set_finalizer(&f->pc, obj, fn, &f), RT_OK);
    if (whole) {
        mark_by_hand(f, obj);
        mark_by_hand(f, fn);
    }
    gc_check_marks(f->h);
}

static void
root_missed(struct fake *f, bool whole)
{
    f->root[f->nroots++] = gc_alloc(&f->pc, &lay_node);
    if (whole)
        mark_by_hand(f, f->root[0]);
    gc_check_marks(f->h);
}

/* Marks the root itself, and forgets to scan it. */
static void
mark_without_scan(void *arg, struct gc_marker *m)
{
    struct fake *f = arg;

    (void)m;
    mark_by_hand(f, f->root[0]);
}

/* With gcverify each cycle looks for what it has missed. */
static void
cycle_missed(struct fake *f, bool whole)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct gc_host host = fake_host;

    cfg.verify = true;
    if (!whole)
        host.mark_roots = mark_without_scan;
    memset(f, 0, sizeof *f);
    assert_int_equal(gc_heap_new(&f->h, &cfg, &host, f, NULL, NULL, NULL),
        RT_OK);
    gc_pcache_init(f->h, &f->pc, f);
    f->nroots = 1;
    void **p = f->root[0] = gc_alloc(&f->pc, &lay_ptr);
    p[0] = gc_alloc(&f->pc, &lay_ptr);
    gc_collect(f->h, &f->pc, GC_WHY_FORCED);
}

/* How a child ends that has the mark checked; its words in text. */
static int
end_of(void (*fn)(struct fake *f, bool whole), bool whole, char *text,
    size_t size)
{
    static struct fake f;
    int fds[2], status;
    size_t n = 0;
    ssize_t k;

    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fds[1], 2);
        fake_start(&f, NULL, NULL, NULL);
        f.stopped = true;
        fn(&f, whole);
        _exit(0);
    }
    close(fds[1]);
    while (n < size - 1 && (k = read(fds[0], text + n, size - 1 - n)) > 0)
        n += (size_t)k;
    text[n] = 0;
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void
the_check_of_marks_sees_what_was_missed(void **state)
{
    static void (*const missed[])(struct fake *f, bool whole) = {
        child_missed, finalizer_missed, root_missed, cycle_missed};
    char text[4096];

    (void)state;
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++) {
        int status = end_of(missed[i], true, text, sizeof text);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("%u: %s", i, text);
        status = end_of(missed[i], false, text, sizeof text);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_non_null(strstr(text, "marking missed an object"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_come_and_go),
        cmocka_unit_test(regions_are_used_up),
        cmocka_unit_test(the_verifier_sees_damage),
        cmocka_unit_test(the_verifier_sees_bits_behind_the_end),
        cmocka_unit_test(the_check_of_marks_sees_what_was_missed)
    };

    return cmocka_run_group_tests_name("gc/pages", tests, NULL, NULL);
}
