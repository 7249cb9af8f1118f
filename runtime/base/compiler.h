/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_COMPILER_H
#define RUNTIME_BASE_COMPILER_H

/* What C11 has no word for: hints and attributes of gcc and clang. */

#define rt_likely(x)   __builtin_expect(!!(x), 1)
#define rt_unlikely(x) __builtin_expect(!!(x), 0)

#define RT_NOINLINE __attribute__((noinline))
#define RT_ALWAYS_INLINE inline __attribute__((always_inline))
#define RT_COLD     __attribute__((cold, noinline))
#define RT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Both sanitizers announce themselves differently under gcc and clang. */
#if defined(__SANITIZE_ADDRESS__)
#define RT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RT_ASAN 1
#endif
#endif
#ifndef RT_ASAN
#define RT_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define RT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RT_TSAN 1
#endif
#endif
#ifndef RT_TSAN
#define RT_TSAN 0
#endif

/* For a collector's looks at words that the program may be writing.  Not to
 * be inlined into a function that the sanitizer looks at. */
#if RT_TSAN
#define RT_NO_TSAN __attribute__((no_sanitize("thread")))
#else
#define RT_NO_TSAN
#endif

/* Contended fields of different owners go to different cache lines. */
enum { RT_CACHE_LINE = 64 };

/* The n cache lines from p on will be wanted soon; NULL is no matter. */
static inline void
rt_prefetch(const void *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        __builtin_prefetch((const char *)p + i * RT_CACHE_LINE);
}

/* Tells the processor that this is a spin loop. */
static inline void
rt_cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

#endif
