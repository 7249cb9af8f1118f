/* SPDX-License-Identifier: MIT */
#include "tests/unit/race/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

vpc fake_saved[2];

static uint32_t
stack(void *host, void *owner, const void *pc, const void *fp)
{
    struct race *r = host;
    uint32_t id = 0;

    (void)owner;
    (void)fp;
    if (pc != NULL)
        return race_stack_add(
            r, race_stack_add(r, 0, vpc_make(0, 7)), (vpc)(uintptr_t)pc);
    for (unsigned i = 2; i > 0; i--)
        if (fake_saved[i - 1] != 0)
            id = race_stack_add(r, id, fake_saved[i - 1]);
    return id;
}

static vpc
place(void *host, void *owner, const void *pc, const void *fp)
{
    (void)host;
    (void)owner;
    (void)fp;
    return pc != NULL ? (vpc)(uintptr_t)pc : fake_saved[0];
}

static bool
frame(void *host, vpc pc, struct race_frame *out)
{
    static const char *const names[] = {"main.main", "main.f", "main.g"};

    (void)host;
    if (vpc_func(pc) > 2)
        return false;
    *out = (struct race_frame){names[vpc_func(pc)], "/src/a.go", vpc_off(pc),
        vpc_off(pc)};
    return true;
}

static bool
object(void *host, uintptr_t addr, struct race_place *out)
{
    (void)host;
    snprintf(out->text, sizeof out->text,
        addr == FAKE_LO ? "variable main.x" : "a block");
    if (addr != FAKE_LO)
        out->pcs[out->n++] = vpc_make(2, 44);
    return addr < FAKE_LO + 16;
}

static void
halt(void *host, int status)
{
    (void)host;
    fail_msg("halted with status %d", status);
}

static const struct race_host host = {stack, place, frame, object, halt};

void
fake_begin(struct fake *f)
{
    struct race_config cfg = {.lo = FAKE_LO, .span = FAKE_SPAN};
    char dir[] = "/tmp/vole-race-XXXXXX";
    struct rt_err err = {0};
    int fd = mkstemp(dir);

    assert_true(fd >= 0);
    close(fd);
    unlink(dir);
    assert_int_equal(race_options_parse(NULL, &cfg.opt, &err), RT_OK);
    snprintf(cfg.opt.log_path, sizeof cfg.opt.log_path, "%s", dir);
    snprintf(f->log, sizeof f->log, "%s.%ld", dir, (long)getpid());
    assert_int_equal(race_new(&f->race, &cfg, &err), RT_OK);
    race_attach(f->race, &host, f->race);
    memset(fake_saved, 0, sizeof fake_saved);
}

void
fake_end(struct fake *f)
{
    assert_true(race_valid(f->race));
    race_free(f->race);
    unlink(f->log);
}

char *
fake_text(const struct fake *f)
{
    FILE *in = fopen(f->log, "r");
    char *text = calloc(1, 1 << 20);

    assert_non_null(text);
    if (in != NULL) {
        assert_true(fread(text, 1, (1 << 20) - 1, in) < (1 << 20) - 1);
        fclose(in);
    }
    return text;
}

bool
fake_races(struct fake *f, struct race_g *g, uint64_t off, uint32_t place)
{
    uint32_t before = race_errors(f->race);

    race_write(g, fake_at(off), 8, fake_pc(1, place), f);
    return race_errors(f->race) > before;
}
