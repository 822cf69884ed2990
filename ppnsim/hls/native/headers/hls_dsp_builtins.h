/* The vendor's DSP intrinsics that execute: whole numbers of the widths of a block, cut where the block cuts (UG1399). */
#ifndef PPNSIM_NATIVE_DSP_BUILTINS_H
#define PPNSIM_NATIVE_DSP_BUILTINS_H
#include "ap_int.h"

#define PPNSIM_PRODUCT(name_, of_) \
    template <long long f_> C_t name_(A_t a, B_t b, C_t c) { return of_; }
#define PPNSIM_ADDED(name_, of_) \
    template <long long f_> C_t name_(D_t d, A_t a, B_t b, C_t c) { return of_; }
#define PPNSIM_BLOCK(space_, a_bits_, b_bits_, c_bits_) \
    namespace space_ { \
    typedef ap_int<a_bits_> A_t; \
    typedef ap_int<b_bits_> B_t; \
    typedef ap_int<c_bits_> C_t; \
    typedef ap_int<a_bits_> D_t; \
    const long long NO_REG = 0, REG_A1 = 1, REG_A2 = 2, REG_B1 = 4, REG_B2 = 8, REG_D = 16, REG_AD = 32, REG_M = 64, \
                    REG_C = 128, REG_P = 256; \
    struct R_t { \
        A_t acout; \
        B_t bcout; \
        C_t pcout; \
    }; \
    PPNSIM_PRODUCT(mul_add, a * b + c) \
    PPNSIM_PRODUCT(mul_sub, a * b - c) \
    PPNSIM_PRODUCT(mul_rev_sub, c - a * b) \
    PPNSIM_ADDED(add_mul_add, (d + a) * b + c) \
    PPNSIM_ADDED(add_mul_sub, (d + a) * b - c) \
    PPNSIM_ADDED(add_mul_rev_sub, c - (d + a) * b) \
    PPNSIM_ADDED(sub_mul_add, (d - a) * b + c) \
    PPNSIM_ADDED(sub_mul_sub, (d - a) * b - c) \
    PPNSIM_ADDED(sub_mul_rev_sub, c - (d - a) * b) \
    template <long long f_> class acc { \
        C_t kept; \
\
      public: \
        C_t mul_acc(A_t a, B_t b, bool init) { return kept = init ? C_t(a * b) : C_t(kept + a * b); } \
        C_t add_mul_acc(D_t d, A_t a, B_t b, bool init) { \
            return kept = init ? C_t((d + a) * b) : C_t(kept + (d + a) * b); \
        } \
    }; \
    template <long long f_> class cascade { \
        A_t kept_a; \
        B_t kept_b; \
\
      public: \
        R_t mul_add(A_t a, B_t b, C_t c) { \
            R_t made; \
            made.acout = (f_ & (REG_A1 | REG_A2)) == (REG_A1 | REG_A2) ? kept_a : a; \
            made.bcout = (f_ & (REG_B1 | REG_B2)) == (REG_B1 | REG_B2) ? kept_b : b; \
            made.pcout = made.acout * made.bcout + c; \
            kept_a = a, kept_b = b; \
            return made; \
        } \
    }; \
    }
namespace hls {
PPNSIM_BLOCK(dsp48e1, 25, 18, 48)
PPNSIM_BLOCK(dsp48e2, 27, 18, 48)
PPNSIM_BLOCK(dsp58, 27, 24, 58)
}
#undef PPNSIM_BLOCK
#undef PPNSIM_ADDED
#undef PPNSIM_PRODUCT
#endif
