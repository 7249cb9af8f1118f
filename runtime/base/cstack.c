/* SPDX-License-Identifier: MIT */
#include "runtime/base/cstack.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { PRINT_MAX = 64, NAME_MAX_LEN = 128 };

int
rt_cstack_capture(uintptr_t *pcs, int max, int skip)
{
    unw_context_t ctx;
    unw_cursor_t cur;
    int n = 0;

    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0)
        return 0;
    /* The cursor stands on this very function: one step to the caller. */
    for (skip++; skip > 0; skip--)
        if (unw_step(&cur) <= 0)
            return 0;
    while (n < max) {
        unw_word_t ip;
        if (unw_get_reg(&cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            break;
        pcs[n++] = (uintptr_t)ip;
        if (unw_step(&cur) <= 0)
            break;
    }
    return n;
}

void
rt_cstack_prepare(void)
{
    uintptr_t pcs[4];

    (void)rt_cstack_capture(pcs, 4, 0);
}

static void
print(int fd, unw_cursor_t *cur)
{
    for (int i = 0; i < PRINT_MAX; i++) {
        char name[NAME_MAX_LEN];
        char line[NAME_MAX_LEN + 64];
        unw_word_t ip;
        unw_word_t off = 0;
        if (unw_get_reg(cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            return;
        if (unw_get_proc_name(cur, name, sizeof name, &off) != 0)
            snprintf(name, sizeof name, "?");
        int n = snprintf(line, sizeof line, "\t%s+0x%lx (0x%lx)\n", name,
            (unsigned long)off, (unsigned long)ip);
        if (n < 0 || write(fd, line, (size_t)n) < 0)
            return;
        if (unw_step(cur) <= 0)
            return;
    }
}

void
rt_cstack_print(int fd, int skip)
{
    unw_context_t ctx;
    unw_cursor_t cur;

    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0)
        return;
    for (skip++; skip > 0; skip--)
        if (unw_step(&cur) <= 0)
            return;
    print(fd, &cur);
}

/* On the frame that a signal has interrupted. */
static bool
at_signal(unw_cursor_t *cur, const void *ucontext)
{
    /* It is only read. */
    return unw_init_local2(cur, (unw_context_t *)(uintptr_t)ucontext,
        UNW_INIT_SIGNAL_FRAME) == 0;
}

void
rt_cstack_print_from(int fd, const void *ucontext)
{
    unw_cursor_t cur;

    if (at_signal(&cur, ucontext))
        print(fd, &cur);
}

#if defined(__x86_64__)
uintptr_t
rt_cstack_fault_pc(const void *ucontext)
{
    const ucontext_t *uc = ucontext;

    return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
}

bool
rt_cstack_return(void *ucontext, int value)
{
    /* What a function leaves as it was, and where it goes on. */
    static const struct {
        unw_regnum_t reg;
        int greg;
    } kept[] = { { UNW_X86_64_RIP, REG_RIP }, { UNW_X86_64_RSP, REG_RSP },
        { UNW_X86_64_RBP, REG_RBP }, { UNW_X86_64_RBX, REG_RBX },
        { UNW_X86_64_R12, REG_R12 }, { UNW_X86_64_R13, REG_R13 },
        { UNW_X86_64_R14, REG_R14 }, { UNW_X86_64_R15, REG_R15 } };
    enum { N = sizeof kept / sizeof *kept };
    ucontext_t *uc = ucontext;
    unw_word_t val[N];
    unw_cursor_t cur;

    if (!at_signal(&cur, ucontext) || unw_step(&cur) <= 0)
        return false;
    for (int i = 0; i < N; i++)
        if (unw_get_reg(&cur, kept[i].reg, &val[i]) != 0)
            return false;
    for (int i = 0; i < N; i++)
        uc->uc_mcontext.gregs[kept[i].greg] = (greg_t)val[i];
    uc->uc_mcontext.gregs[REG_RAX] = value;
    return true;
}

bool
rt_cstack_goto(void *ucontext, uintptr_t addr, uint64_t value)
{
    ucontext_t *uc = ucontext;

    uc->uc_mcontext.gregs[REG_RIP] = (greg_t)addr;
    uc->uc_mcontext.gregs[REG_RAX] = (greg_t)value;
    return true;
}
#else
bool
rt_cstack_goto(void *ucontext, uintptr_t addr, uint64_t value)
{
    (void)ucontext;
    (void)addr;
    (void)value;
    return false;
}

uintptr_t
rt_cstack_fault_pc(const void *ucontext)
{
    (void)ucontext;
    return 0;
}

bool
rt_cstack_return(void *ucontext, int value)
{
    (void)ucontext;
    (void)value;
    return false;
}
#endif

/* Where a program counter lies, as the linker sees it. */
struct place {
    const char *file; /* without its folder */
    uintptr_t base;   /* where the file was loaded */
    bool own;         /* the file that this function is in */
};

static struct place
place_of(uintptr_t pc)
{
    struct place p = {"?", 0, false};
    Dl_info here, there;

    if (dladdr((const void *)(uintptr_t)&rt_cstack_name, &here) == 0 ||
        dladdr((const void *)pc, &there) == 0 || there.dli_fname == NULL)
        return p;
    const char *slash = strrchr(there.dli_fname, '/');
    p.file = slash == NULL ? there.dli_fname : slash + 1;
    p.base = (uintptr_t)there.dli_fbase;
    p.own = here.dli_fbase == there.dli_fbase;
    return p;
}

/*
 * The C library's function that begins at start, of those that exist once for
 * each kind of processor: their code has symbols that are not exported, but
 * the linker gives the address of the one in use.
 */
static const char *
chosen_name(uintptr_t start)
{
    static const char *const names[] = {"memmove", "memset", "memcmp",
        "memchr", "memrchr", "memcpy", "strlen", "strcmp", "strchr",
        "strncmp", "strnlen", "strrchr", "bcmp"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if ((uintptr_t)dlsym(RTLD_DEFAULT, names[i]) == start)
            return names[i];
    return NULL;
}

/* A function without a symbol: by its file and where in that it begins. */
static bool
nameless(const struct place *p, uintptr_t start, char *buf, size_t n)
{
    const char *name = chosen_name(start);

    if (name != NULL)
        snprintf(buf, n, "%s", name);
    else
        snprintf(buf, n, "%s.0x%lx", p->file,
            (unsigned long)(start - p->base));
    return false;
}

bool
rt_cstack_name(uintptr_t pc, char *buf, size_t n, uint64_t *off)
{
    struct place p = place_of(pc);
    unw_context_t ctx;
    unw_cursor_t cur;
    unw_proc_info_t pi;
    unw_word_t o = 0;

    *off = 0;
    if (unw_getcontext(&ctx) != 0 || unw_init_local(&cur, &ctx) != 0 ||
        unw_set_reg(&cur, UNW_REG_IP, pc) != 0)
        return nameless(&p, pc, buf, n);
    int e = unw_get_proc_name(&cur, buf, n, &o);
    bool named = e == 0 || e == -UNW_ENOMEM;
    /* Where symbols are missing the name is that of some other function
     * before this one. */
    if (unw_get_proc_info(&cur, &pi) == 0 && pi.start_ip <= pc) {
        *off = pc - pi.start_ip;
        if (!named || o != *off)
            return nameless(&p, pi.start_ip, buf, n);
    } else if (!named) {
        return nameless(&p, pc, buf, n);
    } else {
        *off = o;
    }
    /* Parts that the compiler has made of a function bear its name. */
    if (p.own)
        buf[strcspn(buf, ".")] = 0;
    return p.own;
}

/* The part that holds the address; NULL: none. */
static const struct rt_cstack_part *
part_of(const struct rt_cstack_part *parts, unsigned nparts, uintptr_t at)
{
    for (unsigned i = 0; i < nparts; i++)
        if (at >= parts[i].lo && at < parts[i].hi)
            return &parts[i];
    return NULL;
}

const struct rt_cstack_part *
rt_cstack_interrupted(const void *ucontext,
    const struct rt_cstack_part *parts, unsigned nparts, uintptr_t *stopped,
    uintptr_t val[2], uintptr_t *pcs, uint32_t max, uint32_t *n)
{
    const struct rt_cstack_part *part;
    unw_cursor_t cur;
    unw_word_t ip;

    *n = 0;
    if (!at_signal(&cur, ucontext))
        return NULL;
    for (uint32_t i = 0;; i++) {
        if (unw_get_reg(&cur, UNW_REG_IP, &ip) != 0 || ip == 0)
            return NULL;
        *stopped = (uintptr_t)ip - (i > 0); /* of the call */
        part = part_of(parts, nparts, *stopped);
        if (part != NULL)
            break;
        if (i == max)
            return NULL;
        pcs[i] = *stopped;
        *n = i + 1;
        if (unw_step(&cur) <= 0)
            return NULL;
    }
    for (int k = 0; k < 2; k++) {
        unw_word_t v;

        if (part->reg[k] < 0 || unw_get_reg(&cur, part->reg[k], &v) != 0)
            return NULL;
        val[k] = (uintptr_t)v;
    }
    return part;
}
