/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace of the fake runtime: simtrace FILE [STEPS [PROCS [SEED]]].
 * The input of tests that let other programs read what the recorder writes;
 * prints the cost of an event.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/trace/sim.h"

int
main(int argc, char **argv)
{
    static struct sim s;
    struct trace_config cfg = {.close_fd = true};
    uint64_t steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000;
    int procs = argc > 3 ? atoi(argv[3]) : 4;
    unsigned seed = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
    struct trace_stats st;
    struct rt_err e;

    if (argc < 2 || procs < 1 || procs > SIM_MAX_PROCS)
        return 2;
    cfg.fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (cfg.fd < 0) {
        perror(argv[1]);
        return 1;
    }
    sim_init(&s, procs, seed);
    sim_run(&s, steps);
    if (trace_start(&s.rec, &cfg, &e) != RT_OK) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    sim_join(&s, false);
    if (trace_stop(&s.rec, &e) != RT_OK) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    trace_get_stats(&s.rec, &st);
    printf("%llu events, %llu bytes, %.2f bytes each, %llu stacks\n",
        (unsigned long long)st.events, (unsigned long long)st.bytes,
        (double)st.bytes / (double)st.events, (unsigned long long)st.stacks);
    sim_fini(&s);
    return 0;
}
