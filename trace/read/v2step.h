/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_V2STEP_H
#define TRACE_READ_V2STEP_H

/* What the parts of v2_step() share; for trace/read/v2*.c only. */

#include "trace/read/v2state.h"

typedef unsigned long long ull;

struct step {
    struct v2_state *s;
    const struct v2_event *ev;
    const uint64_t *a;      /* values after the time difference */
    struct v2_m *m;         /* NULL: no thread */
    uint32_t mi;
    uint64_t off, ticks;
    struct v2_ctx c;        /* before the event */
    uint32_t stk, stk2, str, str2; /* numbers of the file */
};

/* Reports a problem and ends the step. */
#define BAD(x, rule, ...) \
    (trace_file_problem((x)->s->f, TRACE_ERROR, (x)->off, rule, \
        __VA_ARGS__), V2_BAD)

enum need { MUST_NOT, MAY, MUST };

/* The goroutine if it is there, else NULL. */
struct v2_g *v2_find_g(struct v2_state *s, uint64_t id);

/* The goroutine, there or not; NULL: no memory. */
struct v2_g *v2_make_g(struct v2_state *s, uint64_t id);

/* The same for Ps. */
struct v2_p *v2_find_p(struct v2_state *s, uint64_t id);
struct v2_p *v2_make_p(struct v2_state *s, uint64_t id);

/* The event waits: for a goroutine or P to come to number seq, for its
 * thread to lose its P, for the collector. */
enum v2_step v2_wait_g(struct step *x, uint64_t id, uint64_t seq);
enum v2_step v2_wait_p(struct step *x, uint64_t id, uint64_t seq);
enum v2_step v2_wait_m(struct step *x);
enum v2_step v2_wait_gc(struct step *x, uint64_t seq);

/* Those who wait for it may go on. */
void v2_changed_g(struct v2_state *s, const struct v2_g *g);
void v2_changed_p(struct v2_state *s, const struct v2_p *p);

/* A new state and number. */
void v2_set_g(struct v2_state *s, struct v2_g *g, uint8_t status, uint64_t
    seq);

/* seq is its next number, in this generation. */
bool v2_follows_g(const struct v2_state *s, const struct v2_g *g, uint64_t
    seq);
bool v2_follows_p(const struct v2_state *s, const struct v2_p *p, uint64_t
    seq);

/* The thread has no P any more. */
void v2_unbind(struct v2_state *s, uint32_t mi, struct v2_p *p);

/* Adds an event to what comes out; counts as in struct v2_out. */
struct trace_event *v2_put(struct step *x, unsigned type, bool counts);

/* An event of Go's reader that tells nothing new. */
void v2_put_nothing(struct step *x);

/* Adds a value. */
void v2_arg(struct trace_event *e, uint64_t v);

/* Gives it a reason. */
void v2_because(const struct step *x, struct trace_event *e, uint32_t str);
void v2_because_text(struct trace_event *e, const char *text);

/* A goroutine starts, is created, loses its P in a system call (if it still
 * has one), leaves a system call. */
struct trace_event *v2_put_start(struct step *x, uint64_t g, uint64_t seq, bool
    counts);
struct trace_event *v2_put_create(struct step *x, uint64_t g, uint32_t entry,
    bool counts);
void v2_put_sys_block(struct step *x, struct v2_g *g, uint64_t p, uint64_t m);
void v2_put_sys_exit(struct step *x, uint64_t g, bool counts);

/* What must be bound to the thread of the event. */
enum v2_step v2_check_ctx(struct step *x, enum need p, enum need g);

/* The goroutine of this thread, which must be in the given state. */
enum v2_step v2_own_g(struct step *x, enum need p, uint8_t status, struct v2_g
    **out);

/* ---- kinds of events: trace/read/v2go.c */

enum v2_step v2_do_go_status(struct step *x);
enum v2_step v2_do_go_create(struct step *x);
enum v2_step v2_do_go_create_syscall(struct step *x);
enum v2_step v2_do_go_destroy_syscall(struct step *x);
enum v2_step v2_do_go_start(struct step *x);
enum v2_step v2_do_go_leave(struct step *x);
enum v2_step v2_do_go_unblock(struct step *x);
enum v2_step v2_do_go_switch(struct step *x);
enum v2_step v2_do_syscall_begin(struct step *x);
enum v2_step v2_do_syscall_end(struct step *x);
enum v2_step v2_do_syscall_end_blocked(struct step *x);

/* ---- trace/read/v2mark.c */

enum v2_step v2_do_gc_active(struct step *x);
enum v2_step v2_do_gc_edge(struct step *x);
enum v2_step v2_do_sweep(struct step *x);
enum v2_step v2_do_assist(struct step *x);
enum v2_step v2_do_stop_the_world(struct step *x);
enum v2_step v2_do_metric(struct step *x, unsigned type, enum need g);
enum v2_step v2_do_task(struct step *x);
enum v2_step v2_do_region(struct step *x);
enum v2_step v2_do_user_log(struct step *x);

#endif
