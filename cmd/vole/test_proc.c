/* SPDX-License-Identifier: MIT */
#include "cmd/vole/test_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/throw.h"

/* In the child. */
static noreturn void
become(const char **words, unsigned letter, int out, int told)
{
    static const char self[] = "/proc/self/exe";
    char fd[16];

    dup2(out, 1);
    dup2(out, 2);
    close(out);
    snprintf(fd, sizeof fd, "%d", told);
    words[letter] = fd;
    execv(self, (char *const *)words);
    fprintf(stderr, "vole: %s: %s\n", self, strerror(errno));
    _exit(127);
}

bool
test_proc_start(struct test_proc *p, const char **words, unsigned letter)
{
    int out[2], told[2];

    /* Only the child's own ends of its own pipes outlive its exec: an end that
     * another one kept would keep this one's output from ending. */
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    if (pipe2(told, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return false;
    }
    p->begin = rt_nanotime();
    fflush(stdout);
    p->pid = fork();
    if (p->pid == 0) {
        fcntl(told[1], F_SETFD, 0);
        become(words, letter, out[1], told[1]);
    }
    close(out[1]);
    close(told[1]);
    p->out = out[0];
    p->told = told[0];
    if (p->pid > 0)
        return true;
    close(p->out);
    close(p->told);
    return false;
}

static void
keep(struct test_proc *p, const char *s, size_t n)
{
    if (p->n + n > p->cap) {
        size_t cap = (p->n + n) * 2 + 4096;
        char *text = realloc(p->text, cap);

        if (text == NULL) {
            p->lost = true;
            return;
        }
        p->text = text;
        p->cap = cap;
    }
    memcpy(p->text + p->n, s, n);
    p->n += n;
}

static void
take_letter(struct test_proc *p)
{
    while (read(p->told, &p->how, 1) < 0 && errno == EINTR)
        ;
    close(p->told);
    p->told = -1;
}

/* Some output, or its end, which is the process's. */
static void
take_output(struct test_proc *p)
{
    char buf[65536];
    ssize_t n = read(p->out, buf, sizeof buf);

    if (n > 0)
        keep(p, buf, (size_t)n);
    if (n > 0 || (n < 0 && errno == EINTR))
        return;
    close(p->out);
    p->out = -1;
    /* Its letter may stand in the other pipe still. */
    if (p->told >= 0)
        take_letter(p);
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
        ;
    p->seconds = (double)(rt_nanotime() - p->begin) / 1e9;
    p->ended = true;
}

void
test_procs_wait(struct test_proc *const *at, unsigned n)
{
    struct pollfd fds[2 * TEST_PROCS_MOST];

    rt_assert(n > 0 && n <= TEST_PROCS_MOST);
    for (unsigned i = 0; i < n; i++) {
        rt_assert(!at[i]->ended && at[i]->out >= 0);
        fds[2 * i] = (struct pollfd){.fd = at[i]->told, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = at[i]->out, .events = POLLIN};
    }
    if (poll(fds, 2 * n, -1) < 0)
        return;
    for (unsigned i = 0; i < n; i++) {
        if (fds[2 * i].revents != 0)
            take_letter(at[i]);
        if (fds[2 * i + 1].revents != 0)
            take_output(at[i]);
    }
}
