/* SPDX-License-Identifier: MIT */

/* Natives of math/cmplx: the C library's functions. */

#include <complex.h>
#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/vm/native.h"

#define FN(fn, cfn)                                                          \
    enum vm_status lib_cmplx_##fn(struct vm_thread *t, union rt_slot *fp)    \
    {                                                                        \
        (void)t;                                                             \
        double complex x;                                                    \
        memcpy(&x, fp, sizeof x);                                            \
        x = cfn(x);                                                          \
        memcpy(fp, &x, sizeof x);                                            \
        return VM_OK;                                                        \
    }

FN(Acos, cacos)
FN(Acosh, cacosh)
FN(Asin, casin)
FN(Asinh, casinh)
FN(Atan, catan)
FN(Atanh, catanh)
FN(Cos, ccos)
FN(Cosh, ccosh)
FN(Exp, cexp)
FN(Sin, csin)
FN(Sinh, csinh)
FN(Sqrt, csqrt)
FN(Tan, ctan)
FN(Tanh, ctanh)
