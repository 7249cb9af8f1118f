/* SPDX-License-Identifier: MIT */
/*
 * A host that looks into a Go program while it runs: one thread runs it,
 * another takes a CPU profile and looks at its goroutines and its heap.
 *
 *     profile worker.go cpu.prof
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <vole.h>

static void *
run(void *arg)
{
    struct vole *v = arg;

    return vole_run(v) == 0 ? v : NULL;
}

static void
nap(void)
{
    nanosleep(&(struct timespec){0, 20 * 1000 * 1000}, NULL);
}

/* The goroutines as text; how many there are, 0 where that fails. */
static int
goroutines(struct vole *v)
{
    struct vole_error err;
    FILE *f = tmpfile();
    char line[256];
    int n = 0;

    if (f == NULL)
        return 0;
    if (vole_write_profile(v, "goroutine", 2, f, &err) != VOLE_OK)
        fprintf(stderr, "profile: %s\n", err.text);
    rewind(f);
    while (fgets(line, sizeof line, f) != NULL)
        n += strncmp(line, "goroutine ", 10) == 0;
    fclose(f);
    return n;
}

/* What is done while the program runs; false after a message. */
static bool
watch(struct vole *v, const char *path)
{
    struct vole_error err = {""};
    FILE *out = fopen(path, "wb");
    int i, most = 0;

    if (out == NULL) {
        perror(path);
        return false;
    }
    /* At first it has not begun. */
    for (i = 0; i < 500 && vole_start_cpu_profile(v, &err) != VOLE_OK; i++)
        nap();
    for (i = 0; i < 10; i++) {
        int n = goroutines(v);

        most = n > most ? n : most;
        nap();
    }
    if (vole_stop_cpu_profile(v, out, &err) != VOLE_OK)
        fprintf(stderr, "profile: %s\n", err.text);
    else if (vole_write_profile(v, "nothing", 0, out, &err) == VOLE_OK)
        fprintf(stderr, "profile: there is a profile called nothing\n");
    else
        err.text[0] = 0;
    fclose(out);
    printf("at most %d goroutines\n", most);
    return err.text[0] == 0 && most >= 4;
}

int
main(int argc, char **argv)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_error err;
    struct vole *v;
    enum vole_status st;
    pthread_t t;
    void *done = NULL;
    bool ok = false;

    if (argc != 3) {
        fprintf(stderr, "usage: profile worker.go cpu.prof\n");
        return 2;
    }
    st = vole_open(&v, (const char *const *)&argv[1], 1, &opt, &err);
    if (st == VOLE_ERRORS) {
        vole_write_errors(v, stderr);
    } else if (st != VOLE_OK) {
        fprintf(stderr, "profile: %s\n", err.text);
    } else if (pthread_create(&t, NULL, run, v) == 0) {
        ok = watch(v, argv[2]);
        pthread_join(t, &done);
    }
    vole_close(v);
    return ok && done != NULL ? 0 : 1;
}
