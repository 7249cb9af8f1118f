/* SPDX-License-Identifier: MIT */
/*
 * A process that runs one program after another: the next finds what the
 * first found.  Its argument is the program leaves.go.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/compiler.h"
#include "runtime/vole.h"

static const char *program;

static int
open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

/* How often a file is mapped. */
static int
mappings_of(const char *name)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[1024];
    int n = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL)
        n += strstr(line, name) != NULL;
    fclose(f);
    return n;
}

static void
run(void)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_error err;
    struct vole *v;

    opt.procs = 2;
    assert_int_equal(vole_open(&v, &program, 1, &opt, &err), VOLE_OK);
    assert_int_equal(vole_run(v), 3);
    assert_true(mappings_of("leaves.go") > 0);
    vole_close(v);
}

static void
test_nothing_is_left(void **state)
{
    int i, before;

    (void)state;
    run();
    before = open_descriptors();
    for (i = 0; i < 5; i++)
        run();
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(mappings_of("leaves.go"), 0);
}

/* Bytes that malloc has given out and not got back; nothing where a sanitizer
 * has a malloc of its own. */
static int64_t
bytes_in_use(void)
{
    struct mallinfo2 m = mallinfo2();

    return (int64_t)(m.uordblks + m.hblkhd);
}

/* Goroutines that wait, panic, defer and capture, timers, a map, a poller. */
static const char busy[] =
    "var mu sync.Mutex; var wg sync.WaitGroup; m := map[string]int{}\n"
    "c, never := make(chan int, 3), make(chan int)\n"
    "for i := 0; i < 40; i++ { wg.Add(1); go func(n int) {\n"
    "  t := n; defer wg.Done(); defer func() { recover(); t++ }()\n"
    "  defer func() { mu.Lock(); m[fmt.Sprint(n)] += t; mu.Unlock() }()\n"
    "  c <- n; if n%5 == 0 { panic(n) } }(i) }\n"
    "go func() { for range c { } }()\n"
    "go func() { select { case <-never: case <-time.After(time.Hour): } }()\n"
    "time.AfterFunc(time.Hour, func() {}); wg.Wait(); runtime.GC()\n"
    "r, w, _ := os.Pipe(); go io.ReadAll(r); w.Write([]byte{1})\n"
    "b := new(bytes.Buffer); pprof.Lookup(`goroutine`).WriteTo(b, 1)\n"
    "os.Exit(len(m))";

/* Removes a folder of files. */
static void
remove_folder(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *e;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    assert_int_equal(rmdir(path), 0);
}

static void
run_busy(const struct vole_options *opt)
{
    struct vole_error err;
    struct vole *v;

    if (vole_open(&v, NULL, 0, opt, &err) != VOLE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(vole_run(v), 40);
    vole_close(v);
}

/* A program's end gives all memory back, whatever watched it; as its status is
 * not 0, the flight record is written.  What malloc and its threads keep for
 * themselves grows a little, and ever less. */
static void
test_memory_is_given_back(void **state)
{
    enum { PER_RUN = 2048 };
    const bool counted = !RT_ASAN && !RT_TSAN;
    const int runs = counted ? 40 : 2;
    /* TSan does not give the race detector the addresses that it needs. */
    const unsigned kinds = RT_TSAN ? 3 : 4;
    struct vole_text text = {"t", busy, sizeof busy - 1, true};
    char folder[] = "/tmp/vole-embed-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (unsigned kind = 0; kind < kinds; kind++) {
        struct vole_options opt = VOLE_OPTIONS_DEFAULT;
        int64_t before;

        opt.text = &text;
        opt.procs = 2;
        opt.watch.trace = kind == 1 ? "/dev/null" : NULL;
        opt.watch.flight = kind == 2;
        opt.watch.trace_signal = kind == 2 ? folder : NULL;
        opt.race = kind == 3;
        for (int i = 0; counted && i < 10; i++)
            run_busy(&opt);
        before = bytes_in_use();
        for (int i = 0; i < runs; i++)
            run_busy(&opt);
        assert_in_range(bytes_in_use() - before + INT32_MAX, 0,
            (uintmax_t)INT32_MAX + (unsigned)(runs * PER_RUN));
    }
    remove_folder(folder);
}

/* Runs a program that does nothing; the signals that are blocked afterwards
 * are those that were before. */
static void
keeps_signals(struct vole_options opt)
{
    struct vole_text text = {"t", "", 0, true};
    sigset_t before, after;
    struct vole_error err;
    struct vole *v;
    int sig;

    opt.text = &text;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    assert_int_equal(vole_run(v), 0);
    assert_int_equal(vole_run(v), 2);
    vole_close(v);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (sig = 1; sig < SIGRTMIN; sig++)
        assert_int_equal(sigismember(&before, sig), sigismember(&after, sig));
}

/* vole_run() gives signals back as it found them, and runs once. */
static void
test_signals(void **state)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;

    (void)state;
    opt.sigquit = true;
    keeps_signals(opt);
    opt.sigquit = false;
    opt.watch.flight = true;
    opt.watch.trace_signal = ".";
    keeps_signals(opt);
}

/* A program that is in no file, and the errors of one. */
static void
test_text(void **state)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    char code[] = "if len(os.Args) == 2 && os.Args[0] == `mine` {\n"
                  "\tos.Exit(40 + len(os.Args[1]))\n} // the end";
    struct vole_text text = {"mine", code, sizeof code - 1, true};
    const char *const args[] = {"ab"};
    struct vole_error err;
    char line[128] = "";
    FILE *f = tmpfile();
    struct vole *v;

    (void)state;
    assert_non_null(f);
    opt.args = args;
    opt.nargs = 1;
    opt.text = &text;
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    memset(code, 'x', sizeof code); /* it was copied */
    assert_int_equal(vole_run(v), 42);
    vole_close(v);

    text = (struct vole_text){"mine", "package main\nfunc main() { x }", 30,
        false};
    assert_int_equal(vole_check(&v, NULL, 0, &opt, &err), VOLE_ERRORS);
    assert_int_equal(vole_write_errors(v, f), 0);
    rewind(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "mine:2:15: undefined: x\n");
    fclose(f);
    vole_close(v);
}

/* Profiles can be had from when the program has begun until it is closed. */
static void
test_profiles(void **state)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_text text = {"t", "", 0, true};
    struct vole_error err;
    FILE *f = tmpfile();
    struct vole *v;

    (void)state;
    assert_non_null(f);
    opt.text = &text;
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    assert_int_equal(vole_write_profile(v, "heap", 0, f, &err), VOLE_FAILED);
    assert_string_equal(err.text, "the program has not begun");
    assert_int_equal(vole_start_cpu_profile(v, &err), VOLE_FAILED);
    assert_int_equal(vole_stop_cpu_profile(v, f, NULL), VOLE_FAILED);
    assert_int_equal(ftell(f), 0);
    assert_int_equal(vole_run(v), 0);
    assert_int_equal(vole_write_profile(v, "heap", 1, f, &err), VOLE_OK);
    assert_true(ftell(f) > 0);
    assert_int_equal(vole_write_profile(v, "nosuch", 0, f, &err), VOLE_FAILED);
    assert_non_null(strstr(err.text, "nosuch"));
    fclose(f);
    f = fopen("/dev/full", "w");
    assert_non_null(f);
    assert_int_equal(vole_write_profile(v, "heap", 0, f, &err), VOLE_FAILED);
    assert_string_equal(err.text, "No space left on device");
    fclose(f);
    vole_close(v);
}

/* Nobody reads the standard output: that is the program's error. */
static void
test_broken_pipe(void **state)
{
    static const char code[] =
        "_, a := os.Stdout.WriteString(`a`); _, b := fmt.Println(`b`)\n"
        "if a != nil && b != nil { os.Exit(6) }";
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_text text = {"t", code, sizeof code - 1, true};
    struct vole_error err;
    int ends[2], out, status;
    struct vole *v;

    (void)state;
    opt.text = &text;
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    fflush(stdout);
    out = dup(1);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    dup2(ends[1], 1);
    close(ends[1]);
    status = vole_run(v);
    dup2(out, 1);
    close(out);
    vole_close(v);
    assert_int_equal(status, 6);
}

static void
keep_line(void *arg, const char *line)
{
    char *to = arg;

    snprintf(to + strlen(to), 1024 - strlen(to), "%s|", line);
}

/* Messages of the library go to who asked for them, not to standard error. */
static void
test_log(void **state)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_text text = {"t", "println(1)", 10, true};
    struct vole_error err;
    char lines[1024] = "";
    struct vole *v;

    (void)state;
    opt.text = &text;
    opt.log = keep_line;
    opt.log_arg = lines;
    opt.debug = "nosuchswitch=1,nosuchline\n";
    opt.watch.trace = "/no/such/folder/t";
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    assert_int_equal(vole_run(v), 2);
    vole_close(v);
    assert_non_null(strstr(lines, "nosuchswitch"));
    assert_non_null(strstr(lines, "nosuchline\n|"));
    assert_non_null(strstr(lines,
        "|/no/such/folder/t: No such file or directory|"));

    lines[0] = 0;
    opt.watch.trace = NULL;
    opt.debug = NULL;
    opt.watch.cpuprofile = "/no/such/folder/p";
    assert_int_equal(vole_open(&v, NULL, 0, &opt, &err), VOLE_OK);
    assert_int_equal(vole_run(v), 2);
    vole_close(v);
    assert_string_equal(lines,
        "/no/such/folder/p: No such file or directory|");
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_memory_is_given_back),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_log),
    };

    if (argc != 2)
        return 2;
    program = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
