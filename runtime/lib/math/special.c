/* SPDX-License-Identifier: MIT */

/*
 * Natives of package math: special functions.  erf, erfc and lgamma follow
 * FreeBSD's msun (Sun Microsystems, 1993), gamma the Cephes library (S. L.
 * Moshier), the inverse of erf M. J. Wichura's algorithm AS 241; results are
 * Go's, bit for bit.
 */

#include <math.h>
#include <stdbool.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/math/math_int.h"
#include "runtime/vm/native.h"

#define POLY(x, c) math_horner(x, c, (int)(sizeof(c) / sizeof((c)[0])))

static const double erf_pp[] = {1.28379167095512558561e-01,
    -3.25042107247001499370e-01, -2.84817495755985104766e-02,
    -5.77027029648944159157e-03, -2.37630166566501626084e-05};
static const double erf_qq[] = {1.0, 3.97917223959155352819e-01,
    6.50222499887672944485e-02, 5.08130628187576562776e-03,
    1.32494738004321644526e-04, -3.96022827877536812320e-06};
static const double erf_pa[] = {-2.36211856075265944077e-03,
    4.14856118683748331666e-01, -3.72207876035701323847e-01,
    3.18346619901161753674e-01, -1.10894694282396677476e-01,
    3.54783043256182359371e-02, -2.16637559486879084300e-03};
static const double erf_qa[] = {1.0, 1.06420880400844228286e-01,
    5.40397917702171048937e-01, 7.18286544141962662868e-02,
    1.26171219808761642112e-01, 1.36370839120290507362e-02,
    1.19844998467991074170e-02};
static const double erf_ra[] = {-9.86494403484714822705e-03,
    -6.93858572707181764372e-01, -1.05586262253232909814e+01,
    -6.23753324503260060396e+01, -1.62396669462573470355e+02,
    -1.84605092906711035994e+02, -8.12874355063065934246e+01,
    -9.81432934416914548592e+00};
static const double erf_sa[] = {1.0, 1.96512716674392571292e+01,
    1.37657754143519042600e+02, 4.34565877475229228821e+02,
    6.45387271733267880336e+02, 4.29008140027567833386e+02,
    1.08635005541779435134e+02, 6.57024977031928170135e+00,
    -6.04244152148580987438e-02};
static const double erf_rb[] = {-9.86494292470009928597e-03,
    -7.99283237680523006574e-01, -1.77579549177547519889e+01,
    -1.60636384855821916062e+02, -6.37566443368389627722e+02,
    -1.02509513161107724954e+03, -4.83519191608651397019e+02};
static const double erf_sb[] = {1.0, 3.03380607434824582924e+01,
    3.25792512996573918826e+02, 1.53672958608443695994e+03,
    3.19985821950859553908e+03, 2.55305040643316442583e+03,
    4.74528541206955367215e+02, -2.24409524465858183362e+01};

/* erfc(x) for 1.25 <= x < 28 by way of exp(-x^2) / x. */
static double
erfc_tail(double x)
{
    double s = 1 / (x * x), r, q;
    if (x < 1 / 0.35) {
        r = POLY(s, erf_ra);
        q = POLY(s, erf_sa);
    } else {
        r = POLY(s, erf_rb);
        q = POLY(s, erf_sb);
    }
    /* The upper half of x, whose square is exact. */
    double z = math_from_bits(math_bits(x) & 0xffffffff00000000);
    return math_exp(-z * z - 0.5625) * math_exp((z - x) * (z + x) + r / q) / x;
}

static const double erf_one = 8.45062911510467529297e-01; /* near erf(1) */

/* erf(x) - erf_one for 0.84375 <= x < 1.25. */
static double
erf_middle(double x)
{
    return POLY(x - 1, erf_pa) / POLY(x - 1, erf_qa);
}

static double
erf_go(double x)
{
    const double efx = 1.28379167095512586316e-01;  /* 2 / sqrt pi - 1 */
    const double efx8 = 1.02703333676410069053e+00; /* 8 times */
    double a = fabs(x), r;
    if (x != x)
        return x;
    if (a < 0.84375) {
        if (a < 2.848094538889218e-306) {
            r = 0.125 * (8.0 * a + efx8 * a);
        } else if (a < 0x1p-28) {
            r = a + efx * a;
        } else {
            double z = a * a;
            r = a + a * (POLY(z, erf_pp) / POLY(z, erf_qq));
        }
    } else if (a < 1.25) {
        r = erf_one + erf_middle(a);
    } else {
        r = a >= 6 ? 1 : 1 - erfc_tail(a);
    }
    return signbit(x) ? -r : r;
}

static double
erfc_go(double x)
{
    double a = fabs(x), r;
    bool neg = x < 0;
    if (x != x)
        return x;
    if (a < 0.84375) {
        r = a;
        if (a >= 0x1p-56) {
            double z = a * a;
            double y = POLY(z, erf_pp) / POLY(z, erf_qq);
            r = a < 0.25 ? a + a * y : 0.5 + (a * y + (a - 0.5));
        }
        return neg ? 1 + r : 1 - r;
    }
    if (a < 1.25) {
        r = erf_middle(a);
        return neg ? 1 + erf_one + r : 1 - erf_one - r;
    }
    if (a >= 28 || (neg && a > 6))
        return neg ? 2 : 0;
    r = erfc_tail(a);
    return neg ? 2 - r : r;
}

static const double inv_a[] = {1.1975323115670912564578e0,
    4.7072688112383978012285e1, 6.9706266534389598238465e2,
    4.8548868893843886794648e3, 1.6235862515167575384252e4,
    2.3782041382114385731252e4, 1.1819493347062294404278e4,
    8.8709406962545514830200e2};
static const double inv_b[] = {1.0000000000000000000e0,
    4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
    2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
    5.2264952788528545610e3};
static const double inv_c[] = {1.42343711074968357734e0,
    4.63033784615654529590e0, 5.76949722146069140550e0,
    3.64784832476320460504e0, 1.27045825245236838258e0,
    2.41780725177450611770e-1, 2.27238449892691845833e-2,
    7.74545014278341407640e-4};
static const double inv_d[] = {1.4142135623730950488016887e0,
    2.9036514445419946173133295e0, 2.3707661626024532365971225e0,
    9.7547832001787427186894837e-1, 2.0945065210512749128288442e-1,
    2.1494160384252876777097297e-2, 7.7441459065157709165577218e-4,
    1.4859850019840355905497876e-9};
static const double inv_e[] = {6.65790464350110377720e0,
    5.46378491116411436990e0, 1.78482653991729133580e0,
    2.96560571828504891230e-1, 2.65321895265761230930e-2,
    1.24266094738807843860e-3, 2.71155556874348757815e-5,
    2.01033439929228813265e-7};
static const double inv_f[] = {1.414213562373095048801689e0,
    8.482908416595164588112026e-1, 1.936480946950659106176712e-1,
    2.103693768272068968719679e-2, 1.112800997078859844711555e-3,
    2.611088405080593625138020e-5, 2.010321207683943062279931e-7,
    2.891024605872965461538222e-15};

static double
erfinv_go(double x)
{
    if (x == 1 || x == -1)
        return x * INFINITY;
    if (!(x > -1 && x < 1))
        return NAN;
    double a = x < 0 ? -x : x, r; /* -0 stays */
    if (a <= 0.85) {
        double z = 0.180625 - 0.25 * a * a;
        r = a * POLY(z, inv_a) / POLY(z, inv_b);
    } else {
        double z = sqrt(MATH_LN2 - math_log(1.0 - a));
        if (z <= 5.0) {
            z -= 1.6;
            r = POLY(z, inv_c) / POLY(z, inv_d);
        } else {
            z -= 5.0;
            r = POLY(z, inv_e) / POLY(z, inv_f);
        }
    }
    return x < 0 ? -r : r;
}

static const double gam_p[] = {9.99999999999999996796e-01,
    4.94214826801497100753e-01, 2.07448227648435975150e-01,
    4.76367800457137231464e-02, 1.04213797561761569935e-02,
    1.19135147006586384913e-03, 1.60119522476751861407e-04};
static const double gam_q[] = {1.00000000000000000320e+00,
    7.14304917030273074085e-02, -2.34591795718243348568e-01,
    3.58236398605498653373e-02, 1.18139785222060435552e-02,
    -4.45641913851797240494e-03, 5.39605580493303397842e-04,
    -2.31581873324120129819e-05};
static const double gam_s[] = {8.33333333333482257126e-02,
    3.47222221605458667310e-03, -2.68132617805781232825e-03,
    -2.29549961613378126380e-04, 7.87311395793093628397e-04};

/* Stirling's formula for x > 33, as two factors that do not overflow. */
static void
stirling(double x, double *y1, double *y2)
{
    if (x > 200) {
        *y1 = INFINITY;
        *y2 = 1;
        return;
    }
    double w = 1 / x;
    w = 1 + w * POLY(w, gam_s);
    double e = math_exp(x);
    *y2 = 1;
    if (x > 143.01608) {
        double v = math_pow(x, 0.5 * x - 0.25);
        *y1 = v;
        *y2 = v / e;
    } else {
        *y1 = math_pow(x, x - 0.5) / e;
    }
    *y2 = 2.506628274631000502417 * w * *y2;
}

static double
gamma_go(double x)
{
    if (x != x || x == -INFINITY || (x < 0 && trunc(x) == x))
        return NAN;
    if (x == INFINITY)
        return x;
    if (x == 0)
        return copysign(INFINITY, x);
    double q = fabs(x), p = floor(q), y1, y2;
    if (q > 33) {
        stirling(q, &y1, &y2);
        if (x >= 0)
            return y1 * y2;
        int sign = fmod(p, 2) == 0 ? -1 : 1;
        double z = q - p;
        if (z > 0.5) {
            p += 1;
            z = q - p;
        }
        z = fabs(q * math_sin(MATH_PI * z));
        if (z == 0)
            return sign * INFINITY;
        double d = z * y1 * y2;
        z = isinf(d) ? MATH_PI / z / y1 / y2 : MATH_PI / d;
        return sign * z;
    }
    /* Move to [2, 3). */
    double z = 1.0;
    bool small = false;
    while (x >= 3) {
        x -= 1;
        z *= x;
    }
    while (x < 2 && !small) {
        small = x < 0 ? x > -1e-09 : x < 1e-09;
        if (!small) {
            z /= x;
            x += 1;
        }
    }
    if (small) {
        if (x == 0)
            return INFINITY;
        return z / ((1 + 0.57721566490153286060651209008240243 * x) * x);
    }
    if (x == 2)
        return z;
    x -= 2;
    return z * POLY(x, gam_p) / POLY(x, gam_q);
}

static const double lg_a0[] = {7.72156649015328655494e-02,
    6.73523010531292681824e-02, 7.38555086081402883957e-03,
    1.19270763183362067845e-03, 2.20862790713908385557e-04,
    2.52144565451257326939e-05};
static const double lg_a1[] = {3.22467033424113591611e-01,
    2.05808084325167332806e-02, 2.89051383673415629091e-03,
    5.10069792153511336608e-04, 1.08011567247583939954e-04,
    4.48640949618915160150e-05};
static const double lg_r[] = {1.0, 1.39200533467621045958e+00,
    7.21935547567138069525e-01, 1.71933865632803078993e-01,
    1.86459191715652901344e-02, 7.77942496381893596434e-04,
    7.32668430744625636189e-06};
static const double lg_s[] = {-7.72156649015328655494e-02,
    2.14982415960608852501e-01, 3.25778796408930981787e-01,
    1.46350472652464452805e-01, 2.66422703033638609560e-02,
    1.84028451407337715652e-03, 3.19475326584100867617e-05};
static const double lg_t0[] = {4.83836122723810047042e-01,
    -3.27885410759859649565e-02, 6.10053870246291332635e-03,
    -1.40346469989232843813e-03, 3.15632070903625950361e-04};
static const double lg_t1[] = {-1.47587722994593911752e-01,
    1.79706750811820387126e-02, -3.68452016781138256760e-03,
    8.81081882437654011382e-04, -3.12754168375120860518e-04};
static const double lg_t2[] = {6.46249402391333854778e-02,
    -1.03142241298341437450e-02, 2.25964780900612472250e-03,
    -5.38595305356740546715e-04, 3.35529192635519073543e-04};
static const double lg_u[] = {-7.72156649015328655494e-02,
    6.32827064025093366517e-01, 1.45492250137234768737e+00,
    9.77717527963372745603e-01, 2.28963728064692451092e-01,
    1.33810918536787660377e-02};
static const double lg_v[] = {1.0, 2.45597793713041134822e+00,
    2.12848976379893395361e+00, 7.69285150456672783825e-01,
    1.04222645593369134254e-01, 3.21709242282423911810e-03};
static const double lg_w[] = {8.33333333333329678849e-02,
    -2.77777777728775536470e-03, 7.93650558643019558500e-04,
    -5.95187557450339963135e-04, 8.36339918996282139126e-04,
    -1.63092934096575273989e-03};

/* -sin(pi x) for x > 0. */
static double
sin_pi(double x)
{
    if (x < 0.25)
        return -math_sin(MATH_PI * x);
    int n;
    if (floor(x) != x) {
        x = fmod(x, 2);
        n = (int)(x * 4);
    } else {
        /* An integer: 0, with the parity deciding the branch. */
        n = fmod(x, 2) == 0 ? 0 : 4;
        x = n == 0 ? 0 : 1;
    }
    switch (n) {
    case 0:
        x = math_sin(MATH_PI * x);
        break;
    case 1:
    case 2:
        x = math_cos(MATH_PI * (0.5 - x));
        break;
    case 3:
    case 4:
        x = math_sin(MATH_PI * (1 - x));
        break;
    case 5:
    case 6:
        x = -math_cos(MATH_PI * (x - 1.5));
        break;
    default:
        x = math_sin(MATH_PI * (x - 2));
    }
    return -x;
}

/* lgamma for 0 < x < 2, not 1. */
static double
lgamma_small(double x)
{
    const double ymin = 1.461632144968362245;       /* of the minimum */
    const double tc = 1.46163214496836224576e+00;   /* the same */
    const double tf = -1.21486290535849611461e-01;  /* lgamma(tc) */
    const double tt = -3.63867699703950536541e-18;  /* the rest of tf */
    double r = 0, base = 1; /* y = x - base .. */
    if (x <= 0.9) {
        /* by lgamma(x + 1) - log(x) */
        r = -math_log(x);
        base = 0;
    }
    if (x >= ymin - 1 + 0.27 + base) {
        double y = base + 1 - x;
        double z = y * y;
        double p1 = POLY(z, lg_a0);
        double p2 = z * POLY(z, lg_a1);
        double p = y * p1 + p2;
        return r + (p - 0.5 * y);
    }
    if (x >= ymin - 1 - 0.27 + base) {
        double y = base == 0 ? x - (tc - 1) : x - tc;
        double z = y * y;
        double w = z * y;
        double p1 = POLY(w, lg_t0), p2 = POLY(w, lg_t1), p3 = POLY(w, lg_t2);
        double p = z * p1 - (tt - w * (p2 + y * p3));
        return r + (tf + p);
    }
    double y = x - base;
    double p1 = y * POLY(y, lg_u);
    return r + (-0.5 * y + p1 / POLY(y, lg_v));
}

static double
lgamma_go(double x, int64_t *sign)
{
    *sign = 1;
    if (x != x || isinf(x))
        return x;
    if (x == 0)
        return INFINITY;
    bool neg = x < 0;
    x = fabs(x);
    if (x < 0x1p-70) {
        *sign = neg ? -1 : 1;
        return -math_log(x);
    }
    double adjust = 0, r;
    if (neg) {
        if (x >= 0x1p52)
            return INFINITY;
        double t = sin_pi(x);
        if (t == 0)
            return INFINITY;
        adjust = math_log(MATH_PI / fabs(t * x));
        *sign = t < 0 ? -1 : 1;
    }
    if (x == 1 || x == 2) {
        return 0;
    } else if (x < 2) {
        r = lgamma_small(x);
    } else if (x < 8) {
        int i = (int)x;
        double y = x - i;
        r = 0.5 * y + y * POLY(y, lg_s) / POLY(y, lg_r);
        double z = 1.0;
        for (int k = i - 1; k >= 2; k--)
            z *= y + k;
        if (i >= 3)
            r += math_log(z);
    } else if (x < 0x1p58) {
        double t = math_log(x);
        double z = 1 / x;
        double w = 4.18938533204672725052e-01 + z * POLY(z * z, lg_w);
        r = (x - 0.5) * (t - 1) + w;
    } else {
        r = x * (math_log(x) - 1);
    }
    return neg ? adjust - r : r;
}

#define FN1(fn, expr)                                                        \
    enum vm_status lib_math_##fn(                                            \
        struct vm_thread *t, union lib_math_##fn##_1to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        double x = f->in.x;                                                  \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

FN1(Erf, erf_go(x))
FN1(Erfc, erfc_go(x))
FN1(Erfinv, erfinv_go(x))
FN1(Gamma, gamma_go(x))

/* func Lgamma(x float64) (lgamma float64, sign int) */
enum vm_status
lib_math_Lgamma(struct vm_thread *t, union lib_math_Lgamma_1to2 *f)
{
    (void)t;
    int64_t sign;
    f->out.lgamma = lgamma_go(f->in.x, &sign);
    f->out.sign = sign;
    return VM_OK;
}

/* func pow10(n int) float64: from powers of 10^32, as Go's tables are. */
enum vm_status
lib_math_pow10(struct vm_thread *t, union lib_math_pow10_1to1 *f)
{
    static const double low[] = {1e00, 1e01, 1e02, 1e03, 1e04, 1e05, 1e06,
        1e07, 1e08, 1e09, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28,
        1e29, 1e30, 1e31};
    static const double high[] = {1e00, 1e32, 1e64, 1e96, 1e128, 1e160,
        1e192, 1e224, 1e256, 1e288};
    static const double negative[] = {1e-00, 1e-32, 1e-64, 1e-96, 1e-128,
        1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
    (void)t;
    int64_t n = f->in.n;
    if (n >= 0 && n <= 308)
        f->out.r = high[n / 32] * low[n % 32];
    else if (n < 0 && n >= -323)
        f->out.r = negative[-n / 32] / low[-n % 32];
    else
        f->out.r = n > 0 ? INFINITY : 0;
    return VM_OK;
}
