/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_CPU_H
#define RUNTIME_BASE_CPU_H

/*
 * Instructions that this processor has beyond those that every x86-64 has.
 *
 * The C library has asked the processor when the program was loaded, and
 * keeps the answers; asking again, as the compiler's __builtin_cpu_supports()
 * does before main(), traps in a virtual machine, which was 1.5 % of a short
 * program's time.
 */

#include <stdbool.h>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define RT_CPU_HAS(feature) (CPU_FEATURE_ACTIVE(feature) != 0)
#else
#define RT_CPU_HAS(feature) false /* what does without is slower, not wrong */
#endif

/* Any thread, at any time. */

static inline bool
rt_cpu_has_sse41(void)
{
    return RT_CPU_HAS(SSE4_1);
}

/* popcnt, lzcnt and tzcnt. */
static inline bool
rt_cpu_counts_bits(void)
{
    return RT_CPU_HAS(POPCNT) && RT_CPU_HAS(LZCNT) && RT_CPU_HAS(BMI1);
}

static inline bool
rt_cpu_has_avx2(void)
{
    return RT_CPU_HAS(AVX2);
}

static inline bool
rt_cpu_has_fma(void)
{
    return RT_CPU_HAS(FMA);
}

static inline bool
rt_cpu_has_sha(void)
{
    return RT_CPU_HAS(SHA);
}

#undef RT_CPU_HAS

#endif
