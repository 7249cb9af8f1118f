/* SPDX-License-Identifier: MIT */

/*
 * The row q of the table is T = floor(10^q * 2^s), with s such that T has 128
 * bits, so that for any 64-bit m
 *
 *     m * T  <=  m * 10^q * 2^s  <  m * T + m
 *
 * where the left side is equal for q from 0 to EXACT_HIGH. A product of 192
 * bits thus gives an interval. If both its ends lie on the same side of the
 * middle between two results, so does the exact number, and the rounding is
 * known (rest_of()); else the function says that it does not know. Where the
 * product is exact there is nothing that is not known.
 *
 * The shortest decimal is found as in "The Schubfach way to render doubles"
 * (Raffaello Giulietti, 2020), which proves that one product of this size for
 * the float and for each end of its interval always suffices.
 */
#include "runtime/num/decimal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/throw.h"

/* 5^55 is the last power of five of at most 128 bits. */
enum { EXACT_HIGH = 55 };

__extension__ typedef unsigned __int128 wide;

/* What there is to know of a width of floats. */
struct format {
    int bits;   /* of the mantissa, the hidden one included */
    int lowest; /* the exponent of the last bit of a subnormal */
};

static const struct format double_format = {53, -1074};
static const struct format float_format = {24, -149};

static const struct format *
format_of(int bits)
{
    return bits == 32 ? &float_format : &double_format;
}

/* floor(log2(10^q)), for the rows of the table. */
static int
log2_pow10(int q)
{
    return (q * 1741647) >> 19;
}

/* floor(log10(2^e)), for the exponents of floats. */
static int
log10_pow2(int e)
{
    return (e * 1262611) >> 22;
}

/* floor(log10(3/4 * 2^e)) */
static int
log10_three_quarters(int e)
{
    return (e * 1262611 - 524031) >> 22;
}

static const uint64_t *
row(int q)
{
    rt_assert(q >= NUM_POW10_LOW && q <= NUM_POW10_HIGH);
    return num_pow10[q - NUM_POW10_LOW];
}

/* Takes a positive v apart into an integer and an exponent of two. */
static uint64_t
mantissa(double v, int *exp)
{
    uint64_t u, biased;

    memcpy(&u, &v, sizeof u);
    biased = u >> 52;
    rt_assert(biased < 0x7ff);
    u &= (UINT64_C(1) << 52) - 1;
    *exp = (int)(biased == 0 ? 1 : biased) - 1075;
    return biased == 0 ? u : u | UINT64_C(1) << 52;
}

/* 192 bits, and by how much in units of lo the exact number may be more. */
struct product {
    uint64_t hi, mid, lo;
    uint64_t err;
};

static struct product
times_pow10(uint64_t m, int q)
{
    const uint64_t *t = row(q);
    wide high = (wide)m * t[0], low = (wide)m * t[1];
    struct product p;

    high += (uint64_t)(low >> 64);
    p.hi = (uint64_t)(high >> 64);
    p.mid = (uint64_t)high;
    p.lo = (uint64_t)low;
    p.err = q >= 0 && q <= EXACT_HIGH ? 0 : m;
    return p;
}

/* Where what is dropped lies: below the middle, in it, above it. */
enum rest { REST_BELOW, REST_TIE, REST_ABOVE, REST_UNSURE };

/* Looks at p without the bits of hi from bit drop, 1 to 64, on. */
static enum rest
rest_of(const struct product *p, int drop)
{
    uint64_t half, r;

    rt_assert(drop >= 1 && drop <= 64);
    half = UINT64_C(1) << (drop - 1);
    r = p->hi & (half + (half - 1));
    if (r > half || (r == half && (p->mid | p->lo) != 0))
        return REST_ABOVE;
    if (r == half)
        return p->err == 0 ? REST_TIE : REST_UNSURE;
    if (r == half - 1 && p->mid == UINT64_MAX && p->err != 0 &&
        p->lo > 0 - p->err)
        return REST_UNSURE;
    return REST_BELOW;
}

/* 1 if a number of which that is the rest is to be rounded up, else 0. */
static unsigned
round_up(enum rest rest, uint64_t kept)
{
    return rest == REST_ABOVE || (rest == REST_TIE && (kept & 1) != 0);
}

/* 10^n, for n up to NUM_FIXED_MOST. */
static uint64_t
small_power(int n)
{
    static const uint64_t powers[NUM_FIXED_MOST + 1] = {1, 10, 100, 1000,
        10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
        100000000000, 1000000000000, 10000000000000, 100000000000000,
        1000000000000000, 10000000000000000, 100000000000000000,
        1000000000000000000, UINT64_C(10000000000000000000)};

    rt_assert(n >= 0 && n <= NUM_FIXED_MOST);
    return powers[n];
}

bool
num_rounded(struct num_decimal *d, double v, int n)
{
    int exp, lead, k;
    uint64_t m = mantissa(v, &exp), limit = small_power(n);

    rt_assert(m != 0 && n >= 1 && n <= NUM_ROUNDED_MOST);
    lead = __builtin_clzll(m);
    m <<= lead;
    exp -= lead;
    /* The exponent of the first digit, or one less. */
    k = log10_pow2(exp + 63);
    for (;;) {
        int q = n - 1 - k, drop;
        struct product p = times_pow10(m, q);
        enum rest rest;

        /*
         * The point is so many bits up in hi. The number is at least 1 and
         * below 10^(n+1), which has 60 bits.
         */
        drop = -1 - log2_pow10(q) - exp;
        rt_assert(drop > 0 && drop < 64);
        d->m = p.hi >> drop;
        if (d->m >= limit) {
            k++;
            continue;
        }
        rest = rest_of(&p, drop);
        if (rest == REST_UNSURE)
            return false;
        d->m += round_up(rest, d->m);
        d->exp = k - (n - 1);
        if (d->m == limit) {
            d->m /= 10;
            d->exp++;
        }
        return true;
    }
}

bool
num_fixed(uint64_t *whole, uint64_t *frac, double v, int prec)
{
    int exp, down;
    uint64_t m = mantissa(v, &exp), below;
    wide scaled, half;

    rt_assert(prec >= 0 && prec <= NUM_FIXED_MOST);
    *frac = 0;
    if (exp >= 0) {
        *whole = m << (exp & 63);
        return exp <= 64 - 53;
    }
    down = -exp;
    *whole = down < 64 ? m >> down : 0;
    below = m - (down < 64 ? *whole << down : 0);
    /* The fraction is below / 2^down, and scaled has less than 117 bits. */
    scaled = (wide)below * small_power(prec);
    if (down > 120)
        return true;
    *frac = (uint64_t)(scaled >> down);
    scaled -= (wide)*frac << down;
    half = (wide)1 << (down - 1);
    if (scaled > half ||
        (scaled == half && ((prec == 0 ? *whole : *frac) & 1) != 0)) {
        if (++*frac == small_power(prec)) {
            *frac = 0;
            ++*whole;
        }
    }
    return true;
}

/*
 * c * 2^h * 10^q over the unit of the table's row, rounded to odd: to the
 * integer below, with its last bit set unless the number is that integer. g
 * is the row rounded up.
 */
static uint64_t
round_to_odd(wide g, uint64_t c)
{
    wide low = (wide)(uint64_t)g * c;
    wide high = (wide)(uint64_t)(g >> 64) * c + (uint64_t)(low >> 64);

    /* An excess of less than 2 units of the middle word is g's error. */
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

struct num_decimal
num_shortest(double v, int bits)
{
    const struct format *f = format_of(bits);
    int exp, k, h, spare;
    uint64_t m = mantissa(v, &exp), lower, upper, at, s, tens;
    bool even, narrow, down_in, up_in;
    const uint64_t *t;
    wide g;

    rt_assert(m != 0);
    if (bits == 32) {
        /* A float32 as a double is normal, and has 29 zeros at its end. */
        spare = f->lowest - exp > 29 ? f->lowest - exp : 29;
        rt_assert((m & ((UINT64_C(1) << spare) - 1)) == 0);
        m >>= spare;
        exp += spare;
    }
    /* At a power of two the float below is only half as far as the next. */
    narrow = m == UINT64_C(1) << (f->bits - 1) && exp > f->lowest;
    even = (m & 1) == 0;
    k = narrow ? log10_three_quarters(exp) : log10_pow2(exp);
    t = row(-k);
    g = (wide)t[0] << 64 | t[1];
    if (-k < 0 || -k > EXACT_HIGH)
        g++;
    h = exp + log2_pow10(-k) + 1;
    rt_assert(h > 0 && h < 8);
    /* Four times the ends of the interval and v, in units of 10^k. */
    at = round_to_odd(g, (4 * m) << h);
    lower = round_to_odd(g, (4 * m - 2 + narrow) << h) + !even;
    upper = round_to_odd(g, (4 * m + 2) << h) - !even;

    s = at / 4;
    tens = s / 10;
    if (tens > 0) {
        /* The interval has at most one multiple of ten. */
        down_in = lower <= 40 * tens;
        up_in = 40 * tens + 40 <= upper;
        if (down_in != up_in)
            return (struct num_decimal){tens + up_in, k + 1};
    }
    down_in = lower <= 4 * s;
    up_in = 4 * s + 4 <= upper;
    if (down_in == up_in) {
        bool up_tie = (s & 1) != 0 || (narrow && bits == 32);

        up_in = at > 4 * s + 2 || (at == 4 * s + 2 && up_tie);
    }
    return (struct num_decimal){s + up_in, k};
}

/* kept * 2^exp, which has the mantissa and exponent of a float of format f. */
static double
assemble(uint64_t kept, int exp, const struct format *f)
{
    /* The hidden bit adds one to the exponent's field, unless subnormal. */
    int64_t field = exp - f->lowest, most = f->bits == 53 ? 0x7ff : 0xff;
    uint64_t u;
    double v;

    u = ((uint64_t)field << (f->bits - 1)) + kept;
    if (field >= most || u >= (uint64_t)most << (f->bits - 1))
        return (double)INFINITY;
    if (f->bits == 24) {
        uint32_t w = (uint32_t)u;
        float x;

        memcpy(&x, &w, sizeof x);
        return (double)x;
    }
    memcpy(&v, &u, sizeof v);
    return v;
}

bool
num_nearest(double *v, uint64_t m, int64_t exp, int bits)
{
    const struct format *f = format_of(bits);
    int q, lead, unit, last, drop;
    struct product p;
    uint64_t kept;
    enum rest rest;

    *v = 0;
    if (m == 0 || exp < NUM_POW10_LOW)
        return true; /* 2^64 * 10^-344 is less than half of any float */
    *v = (double)INFINITY;
    if (exp > NUM_POW10_HIGH)
        return true;
    q = (int)exp;
    lead = __builtin_clzll(m);
    p = times_pow10(m << lead, q);
    /* The exponents of two of hi's lowest bit and of the float's. */
    unit = 1 + log2_pow10(q) - lead;
    last = unit + 64 - __builtin_clzll(p.hi) - f->bits;
    if (last < f->lowest)
        last = f->lowest;
    drop = last - unit;
    if (drop > 64) {
        *v = 0;
        return true;
    }
    kept = drop == 64 ? 0 : p.hi >> drop;
    rest = rest_of(&p, drop);
    if (rest == REST_UNSURE)
        return false;
    *v = assemble(kept + round_up(rest, kept), last, f);
    return true;
}
