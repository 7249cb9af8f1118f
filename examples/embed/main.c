/* SPDX-License-Identifier: MIT */
/*
 * A C program that runs Go programs inside itself, through vole.h:
 * each one given is checked, run with a trace and given an argument of ours;
 * then two of the same run side by side, each on a runtime of its own.
 *
 *     embed greet.go out.trace
 */
#include <pthread.h>
#include <stdio.h>

#include <vole.h>

/* Compiles the program at path; NULL after a message. */
static struct vole *
open_program(const char *path, const struct vole_options *opt)
{
    struct vole_error err;
    struct vole *v;

    switch (vole_open(&v, &path, 1, opt, &err)) {
    case VOLE_OK:
        return v;
    case VOLE_ERRORS:
        vole_write_errors(v, stderr);
        break;
    default:
        fprintf(stderr, "embed: %s\n", err.text);
        break;
    }
    vole_close(v);
    return NULL;
}

/* One whole life; the program's exit status, or -1. */
static int
run_program(const char *path, const char *name, const char *trace)
{
    const char *const args[] = {name};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole *v;
    int status;

    opt.args = args;
    opt.nargs = 1;
    opt.procs = 2;
    opt.watch.trace = trace;
    v = open_program(path, &opt);
    if (v == NULL)
        return -1;
    status = vole_run(v);
    vole_close(v);
    return status;
}

struct job {
    const char *path, *name;
    int status;
};

static void *
run_job(void *arg)
{
    struct job *j = arg;

    j->status = run_program(j->path, j->name, NULL);
    return NULL;
}

/* Two runtimes at once; the number of those that failed. */
static int
run_both(const char *path)
{
    struct job jobs[2] = {{path, "left", -1}, {path, "right", -1}};
    pthread_t threads[2];
    int i, bad = 0;

    for (i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run_job, &jobs[i]) != 0)
            return 2;
    for (i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        bad += jobs[i].status != 7;
    }
    return bad;
}

int
main(int argc, char **argv)
{
    int status;

    if (argc != 3) {
        fprintf(stderr, "usage: embed greet.go trace-file\n");
        return 2;
    }
    status = run_program(argv[1], "world", argv[2]);
    printf("the program's status: %d\n", status);
    if (status != 7)
        return 1;
    if (run_both(argv[1]) != 0) {
        fprintf(stderr, "embed: side by side: wrong status\n");
        return 1;
    }
    printf("twice more, side by side\n");
    return 0;
}
