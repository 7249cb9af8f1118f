/* SPDX-License-Identifier: MIT */
#include "tests/unit/trace/checked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/read/validate.h"

int
checked_file(void)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);

    assert_true(fd >= 0);
    return fd;
}

static void
note_problem(void *arg, const struct trace_problem *p)
{
    struct checked *f = arg;

    if (strcmp(p->rule, "cut") == 0) {
        f->cuts++;
        f->cut_at = p->off;
    } else if (p->severity == TRACE_ERROR) {
        f->errors++;
    } else {
        f->warnings++;
    }
    if (f->first[0] == '\0' && strcmp(p->rule, "cut") != 0)
        snprintf(f->first, sizeof f->first, "%s at %llu", p->text,
            (unsigned long long)p->off);
}

uint64_t
checked_bytes(const void *data, size_t n, struct checked *found)
{
    struct trace_open how = {.problem = note_problem, .arg = found,
        .keep_going = true};
    struct trace_file *f;
    struct rt_err e;
    uint64_t events;

    memset(found, 0, sizeof *found);
    if (trace_file_open_mem(&f, data, n, &how, &e) != RT_OK)
        fail_msg("%s", e.text);
    assert_int_equal(trace_validate(f, &e), RT_OK);
    events = f->nevents;
    trace_file_close(f);
    return events;
}

uint64_t
checked_fd(int fd, struct checked *found)
{
    off_t n = lseek(fd, 0, SEEK_END);
    void *p;
    uint64_t events;

    assert_true(n >= 16);
    p = mmap(NULL, (size_t)n, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    events = checked_bytes(p, (size_t)n, found);
    munmap(p, (size_t)n);
    return events;
}

void
assert_valid_trace(int fd, uint64_t least)
{
    struct checked found;
    uint64_t n = checked_fd(fd, &found);

    if (found.errors + found.warnings + found.cuts > 0)
        fail_msg("%u errors, %u warnings, %u cuts: %s", found.errors,
            found.warnings, found.cuts, found.first);
    assert_true(n >= least);
}
