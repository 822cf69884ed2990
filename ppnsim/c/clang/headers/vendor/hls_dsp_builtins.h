/* The vendor's DSP intrinsics (UG1399, "DSP Intrinsics"), for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_DSP_BUILTINS_H
#define PPNSIM_HLS_DSP_BUILTINS_H
#include "ap_int.h"
#if __has_include(<complex>)
#include <complex>
#endif

/* Parts of a block, each of `states_` states: input registers and logic, multiplier, adder, and output (R6.10). */
template <typename r_, typename... t_> r_ ppnsim_dsp_register(int states_, t_... operands_);
template <typename r_, typename... t_> r_ ppnsim_dsp(int states_, t_... operands_);
template <typename r_, typename... t_> r_ ppnsim_dsp_sum(int states_, t_... operands_);
template <typename r_> r_ ppnsim_dsp_output(int states_, r_ sum_);

/* The number of requested registers, of two. */
template <long long flags_, long long one_, long long other_ = 0> struct ppnsim_registers {
    static const int count = ((flags_ & one_) != 0) + ((flags_ & other_) != 0);
};
#define PPNSIM_ONE(flags_, of_) (((flags_) & (of_)) != 0)
#define PPNSIM_COUNT(...) ppnsim_registers<f_, __VA_ARGS__>::count
#define PPNSIM_PRODUCT(name_) \
    template <long long f_> C_t name_(A_t a_, B_t b_, C_t c_) { \
        static_assert(!PPNSIM_ONE(f_, REG_D | REG_AD), #name_ " has no pre-adder, and no REG_D or REG_AD (UG1399)"); \
        return ppnsim_added<f_>(ppnsim_multiplied<f_>(a_, b_), c_); \
    }
#define PPNSIM_ADDED(name_) \
    template <long long f_> C_t name_(D_t d_, A_t a_, B_t b_, C_t c_) { \
        return ppnsim_added<f_>(ppnsim_multiplied<f_>(d_, a_, b_), c_); \
    }
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
    template <long long f_> A_t ppnsim_first(A_t a_) { \
        return ppnsim_dsp_register<A_t>(PPNSIM_COUNT(REG_A1, REG_A2), a_); \
    } \
    template <long long f_> B_t ppnsim_second(B_t b_) { \
        return ppnsim_dsp_register<B_t>(PPNSIM_COUNT(REG_B1, REG_B2), b_); \
    } \
    template <long long f_> C_t ppnsim_multiplied(A_t a_, B_t b_) { \
        return ppnsim_dsp<C_t>(PPNSIM_COUNT(REG_M), ppnsim_first<f_>(a_), ppnsim_second<f_>(b_)); \
    } \
    template <long long f_> C_t ppnsim_multiplied(D_t d_, A_t a_, B_t b_) { \
        return ppnsim_dsp<C_t>( \
            PPNSIM_COUNT(REG_M), \
            ppnsim_dsp_register<A_t>(PPNSIM_COUNT(REG_AD), ppnsim_first<f_>(a_), \
                                     ppnsim_dsp_register<D_t>(PPNSIM_COUNT(REG_D), d_)), \
            ppnsim_second<f_>(b_)); \
    } \
    template <long long f_> C_t ppnsim_added(C_t product_, C_t c_) { \
        C_t sum_ = ppnsim_dsp_sum<C_t>(PPNSIM_COUNT(REG_P), product_, ppnsim_dsp_register<C_t>(PPNSIM_COUNT(REG_C), c_)); \
        return ppnsim_dsp_output<C_t>(PPNSIM_COUNT(REG_P), sum_); \
    } \
    PPNSIM_PRODUCT(mul_add) \
    PPNSIM_PRODUCT(mul_sub) \
    PPNSIM_PRODUCT(mul_rev_sub) \
    PPNSIM_ADDED(add_mul_add) \
    PPNSIM_ADDED(add_mul_sub) \
    PPNSIM_ADDED(add_mul_rev_sub) \
    PPNSIM_ADDED(sub_mul_add) \
    PPNSIM_ADDED(sub_mul_sub) \
    PPNSIM_ADDED(sub_mul_rev_sub) \
    template <long long f_> class acc { \
        static_assert(PPNSIM_ONE(f_, REG_P), "hls::dsp acc accumulates on REG_P, which its flags have to name (UG1399)");\
 \
      public: \
        C_t kept_; \
        C_t mul_acc(A_t a_, B_t b_, bool init_) { \
            kept_ = ppnsim_dsp_sum<C_t>(1, ppnsim_multiplied<f_>(a_, b_), kept_, init_); \
            return ppnsim_dsp_output<C_t>(1, kept_); \
        } \
        C_t add_mul_acc(D_t d_, A_t a_, B_t b_, bool init_) { \
            kept_ = ppnsim_dsp_sum<C_t>(1, ppnsim_multiplied<f_>(d_, a_, b_), kept_, init_); \
            return ppnsim_dsp_output<C_t>(1, kept_); \
        } \
    }; \
    /* The second register of an operand holds the value of the previous call (the vendor's systolic filter). */ \
    template <long long f_> class cascade { \
        static_assert(PPNSIM_ONE(f_, REG_A1 | REG_A2) && PPNSIM_ONE(f_, REG_B1 | REG_B2) && PPNSIM_COUNT(REG_M, REG_P) == 2,\
                      "a cascade has a register of A, one of B, REG_M and REG_P (UG1399)"); \
        static_assert(!PPNSIM_ONE(f_, REG_C | REG_D | REG_AD), "a cascade has no REG_C, REG_D or REG_AD (UG1399)"); \
        static const bool late_a_ = PPNSIM_COUNT(REG_A1, REG_A2) == 2, late_b_ = PPNSIM_COUNT(REG_B1, REG_B2) == 2; \
 \
      public: \
        A_t kept_a_; \
        B_t kept_b_; \
        R_t mul_add(A_t a_, B_t b_, C_t c_) { \
            R_t made_; \
            made_.acout = ppnsim_dsp_register<A_t>(1, late_a_ ? kept_a_ : a_); \
            made_.bcout = ppnsim_dsp_register<B_t>(1, late_b_ ? kept_b_ : b_); \
            made_.pcout = ppnsim_dsp_output<C_t>(1, ppnsim_dsp_sum<C_t>(1, ppnsim_dsp<C_t>(1, made_.acout, made_.bcout), c_)); \
            kept_a_ = a_; \
            kept_b_ = b_; \
            return made_; \
        } \
    }; \
    }
namespace hls {
PPNSIM_BLOCK(dsp48e1, 25, 18, 48)
PPNSIM_BLOCK(dsp48e2, 27, 18, 48)
PPNSIM_BLOCK(dsp58, 27, 24, 58)
/* Versal's complex blocks: no document tells which of their registers a product passes. */
namespace dspcplx {
#define PPNSIM_REFUSED \
    static_assert(f_ < 0, "hls::dspcplx is not followed: no document says which registers a product passes; write that of " \
                          "std::complex<ap_int<18>>")
typedef std::complex<ap_int<18>> A_t, B_t;
typedef std::complex<ap_int<58>> C_t;
const long long NO_PIPELINE = 0, BALANCED_PIPELINE = 5, FULL_PIPELINE = 47, REG_M = 64, REG_P = 256;
struct R_t {
    A_t acout;
    B_t bcout;
    C_t pcout;
};
template <long long f_> C_t mul(A_t, B_t) { PPNSIM_REFUSED; }
template <long long f_> C_t mul_add(A_t, B_t, C_t) { PPNSIM_REFUSED; }
template <long long f_> class acc {
    PPNSIM_REFUSED;

  public:
    C_t mul_acc(A_t, B_t, bool);
};
template <long long f_> class cascade {
    PPNSIM_REFUSED;

  public:
    R_t mul_add(A_t, B_t, C_t);
};
#undef PPNSIM_REFUSED
}
}
#undef PPNSIM_BLOCK
#undef PPNSIM_ADDED
#undef PPNSIM_PRODUCT
#undef PPNSIM_ONE
#undef PPNSIM_COUNT
#endif
