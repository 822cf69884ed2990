/* Declarations of the integers of any width of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_INT_H
#define PPNSIM_AP_INT_H
#include <math.h> /* by hls_half.h */
#include "ppnsim_bits.h"

template <int w_> struct ap_range_ref;
/* Quantisation and overflow of a fixed-point number: part of its type, so that templates choose by them. */
enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };
#define PPNSIM_FORMAT int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_
#define PPNSIM_FORMAT1 int w1_, int i1_, bool s1_, ap_q_mode q1_, ap_o_mode o1_, int n1_
#define PPNSIM_FORMAT2 int w2_, int i2_, bool s2_, ap_q_mode q2_, ap_o_mode o2_, int n2_
#define PPNSIM_FIX ap_fixed_base<w_, i_, s_, q_, o_, n_>
#define PPNSIM_FIX1 ap_fixed_base<w1_, i1_, s1_, q1_, o1_, n1_>
#define PPNSIM_FIX2 ap_fixed_base<w2_, i2_, s2_, q2_, o2_, n2_>
template <int w_, int i_, bool s_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0> struct ap_fixed_base;
template <typename t_, bool enum_ = __is_enum(t_)> struct ppnsim_whole;

/* Bytes of a number of W bits in memory: the size of the next larger C type, or whole words of 64 bits. */
#define PPNSIM_BYTES(w_) ((w_) <= 8 ? 1 : (w_) <= 16 ? 2 : (w_) <= 32 ? 4 : ((w_) + 63) / 64 * 8)

/* W bits. A value is constructed from, or assigned, any number. */
template <int w_, bool s_> struct ap_int_base {
    ap_int_base() = default;
    ap_int_base(bool);
    ap_int_base(char);
    ap_int_base(signed char);
    ap_int_base(unsigned char);
    ap_int_base(short);
    ap_int_base(unsigned short);
    ap_int_base(int);
    ap_int_base(unsigned);
    ap_int_base(long);
    ap_int_base(unsigned long);
    ap_int_base(long long);
    ap_int_base(unsigned long long);
    ap_int_base(float);
    ap_int_base(double);
    ap_int_base(const char *text_, signed char base_ = 10);
    template <PPNSIM_FORMAT2> ap_int_base(const PPNSIM_FIX2 &);
    template <int w2_, bool s2_> ap_int_base(const ap_int_base<w2_, s2_> &);
    template <int w2_, bool s2_> ap_int_base(const volatile ap_int_base<w2_, s2_> &);
    operator long long() const;
    ap_int_base &operator=(const ap_int_base &) = default;
    template <int w2_, bool s2_> ap_int_base &operator=(const ap_int_base<w2_, s2_> &);
    template <int w2_, bool s2_> ap_int_base &operator=(const volatile ap_int_base<w2_, s2_> &);
    template <int w2_, bool s2_> void operator=(const volatile ap_int_base<w2_, s2_> &) volatile;
    template <int w2_, bool s2_> void operator=(const ap_int_base<w2_, s2_> &) volatile;
    template <typename t_, typename = typename ppnsim_whole<t_>::test> ap_int_base &operator=(t_);
    template <typename t_, typename = typename ppnsim_whole<t_>::test> void operator=(t_) volatile;
    int to_int() const;
    unsigned to_uint() const;
    long to_long() const;
    double to_double() const;
    unsigned long to_ulong() const;
    long long to_int64() const;
    unsigned long long to_uint64() const;
    bool to_bool() const;
    char to_char() const;
    signed char to_schar() const;
    unsigned char to_uchar() const;
    short to_short() const;
    unsigned short to_ushort() const;
    float to_float() const;
    ppnsim_text to_string(signed char base_ = 2, bool sign_ = s_) const;
    unsigned char ppnsim_held_[PPNSIM_BYTES(w_)];
    static const int width = w_;
    static const bool sign_flag = s_;
    bool sign() const { return s_ && *this < 0; }
    ap_int_base get() const;
    bool is_zero() const { return *this == 0; }
    bool iszero() const { return *this == 0; }
    ap_int_base &reverse();
    void b_not() { *this = ~*this; }
    ap_int_base &lrotate(int by_) {
        ap_int_base<w_, false> held_ = *this;
        *this = (held_ << by_) | (held_ >> (w_ - by_));
        return *this;
    }
    ap_int_base &rrotate(int by_) {
        ap_int_base<w_, false> held_ = *this;
        *this = (held_ >> by_) | (held_ << (w_ - by_));
        return *this;
    }
    int length() const { return w_; }
    ap_range_ref<w_> range(int high_, int low_) const;
    ap_range_ref<w_> range() const;
    ap_range_ref<w_> operator()(int high_, int low_) const;
    ap_range_ref<1> operator[](int at_) const;
    ap_range_ref<1> bit(int at_) const;
    bool test(int at_) const;
    bool get_bit(int at_) const;
    void set(int at_);
    void set(int at_, bool);
    void set_bit(int at_, bool);
    void clear(int at_);
    void invert(int at_);
    bool and_reduce() const;
    bool or_reduce() const;
    bool xor_reduce() const;
    bool nand_reduce() const;
    bool nor_reduce() const;
    bool xnor_reduce() const;
    int countLeadingZeros() const;
    template <int w2_, bool s2_> ap_int_base<w_ + w2_, false> concat(const ap_int_base<w2_, s2_> &) const;
};
/* Some bits of a number: as wide as the number, because data may decide how many bits there are. */
template <int w_> struct ap_range_ref : ap_int_base<w_, false> {
    template <int w2_, bool s2_> ap_range_ref &operator=(const ap_int_base<w2_, s2_> &);
    ap_range_ref &operator=(const ap_range_ref &);
    template <typename t_> ap_range_ref &operator=(const t_ &);
    template <PPNSIM_FORMAT2> ap_range_ref &operator=(const PPNSIM_FIX2 &);
};
/* The number of leading zeros, 64 bits at a time; all bits for the number 0. */
template <int w_, bool wide_ = (w_ > 64)> struct ppnsim_zeros {
    static int of(ap_int_base<w_, false> x_) {
        unsigned long long high_ = x_.range(w_ - 1, w_ - 64).to_uint64();
        return high_ ? ppnsim_clzll(high_) : 64 + ppnsim_zeros<w_ - 64>::of(x_);
    }
};
template <int w_> struct ppnsim_zeros<w_, false> {
    static int of(ap_int_base<w_, false> x_) {
        if (w_ < 32) return ppnsim_clz(x_.to_uint() << (32 - w_) % 32 | 1u << (63 - w_) % 32);
        if (w_ < 64) return ppnsim_clzll(x_.to_uint64() << (64 - w_) | 1ull << (63 - w_) % 64);
        return x_ == 0 ? 64 : ppnsim_clzll(x_.to_uint64());
    }
};
template <int w_, bool s_> int ap_int_base<w_, s_>::countLeadingZeros() const {
    ap_int_base<w_, false> held_ = *this;
    return ppnsim_zeros<w_>::of(held_);
}
template <int w_> using ap_int = ap_int_base<w_, true>;
template <int w_> using ap_uint = ap_int_base<w_, false>;

#define PPNSIM_WIDER(a_, b_) ((a_) > (b_) ? (a_) : (b_))
#define PPNSIM_INTS template <int w1_, bool s1_, int w2_, bool s2_>
#define PPNSIM_TWO_INTS const ap_int_base<w1_, s1_> &, const ap_int_base<w2_, s2_> &
#define PPNSIM_SIGNED_WIDTH PPNSIM_WIDER(w1_ + (s2_ && !s1_), w2_ + (s1_ && !s2_))

PPNSIM_INTS ap_int_base<PPNSIM_SIGNED_WIDTH + 1, s1_ || s2_> operator+(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_SIGNED_WIDTH + 1, true> operator-(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<w1_ + w2_, s1_ || s2_> operator*(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<w1_ + s2_, s1_ || s2_> operator/(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(w1_, w2_), s1_> operator%(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(w1_, w2_), s1_ || s2_> operator&(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(w1_, w2_), s1_ || s2_> operator|(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(w1_, w2_), s1_ || s2_> operator^(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<w1_ + w2_, false> operator,(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<w1_, s1_> operator<<(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<w1_, s1_> operator>>(PPNSIM_TWO_INTS);
template <int w_, bool s_> ap_int_base<w_ + 1, true> operator-(const ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator+(const ap_int_base<w_, s_> &);
template <int w_, bool s_> bool operator!(const ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator~(const ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> &operator++(ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator++(ap_int_base<w_, s_> &, int);
template <int w_, bool s_> ap_int_base<w_, s_> &operator--(ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator--(ap_int_base<w_, s_> &, int);

/* A C number next to one of these types has the width and the sign of its own type. */
template <typename t_, bool enum_> struct ppnsim_whole {};
template <typename t_> struct ppnsim_whole<t_, true> : ppnsim_whole<__underlying_type(t_), false> {};
template <typename t_> struct ppnsim_real {};
#define PPNSIM_WHOLE_OF(t_, s_)                                   \
    template <> struct ppnsim_whole<t_> {                         \
        static const int width = (sizeof(t_) * 8);                \
        static const bool sign = s_;                              \
        typedef ap_int_base<width, sign> number;                  \
        typedef bool test;                                        \
    };
PPNSIM_WHOLE_OF(bool, false) PPNSIM_WHOLE_OF(char, true) PPNSIM_WHOLE_OF(signed char, true)
PPNSIM_WHOLE_OF(unsigned char, false) PPNSIM_WHOLE_OF(short, true) PPNSIM_WHOLE_OF(unsigned short, false)
PPNSIM_WHOLE_OF(int, true) PPNSIM_WHOLE_OF(unsigned, false) PPNSIM_WHOLE_OF(long, true) PPNSIM_WHOLE_OF(unsigned long, false)
PPNSIM_WHOLE_OF(long long, true) PPNSIM_WHOLE_OF(unsigned long long, false)
#define PPNSIM_REAL_OF(t_)              \
    template <> struct ppnsim_real<t_> { \
        typedef t_ number;              \
        typedef bool test;              \
    };
PPNSIM_REAL_OF(float) PPNSIM_REAL_OF(double) PPNSIM_REAL_OF(__fp16)

#define PPNSIM_INT_AND template <int w_, bool s_, typename t_>
#define PPNSIM_INT_MIXED(op_)                                                                                       \
    PPNSIM_INT_AND decltype(ap_int_base<w_, s_>() op_ typename ppnsim_whole<t_>::number())                             \
    operator op_(const ap_int_base<w_, s_> &, t_);                                                                    \
    PPNSIM_INT_AND decltype(typename ppnsim_whole<t_>::number() op_ ap_int_base<w_, s_>())                             \
    operator op_(t_, const ap_int_base<w_, s_> &);
#define PPNSIM_INT_REAL(op_)                                                                         \
    PPNSIM_INT_AND typename ppnsim_real<t_>::number operator op_(const ap_int_base<w_, s_> &, t_);     \
    PPNSIM_INT_AND typename ppnsim_real<t_>::number operator op_(t_, const ap_int_base<w_, s_> &);
#define PPNSIM_INT_TEST(op_)                                                                         \
    PPNSIM_INT_AND typename ppnsim_real<t_>::test operator op_(const ap_int_base<w_, s_> &, t_);       \
    PPNSIM_INT_AND typename ppnsim_real<t_>::test operator op_(t_, const ap_int_base<w_, s_> &);
PPNSIM_INT_MIXED(+) PPNSIM_INT_MIXED(-) PPNSIM_INT_MIXED(*) PPNSIM_INT_MIXED(/) PPNSIM_INT_MIXED(%) PPNSIM_INT_MIXED(&)
PPNSIM_INT_MIXED(|) PPNSIM_INT_MIXED(^)
PPNSIM_INT_REAL(+) PPNSIM_INT_REAL(-) PPNSIM_INT_REAL(*) PPNSIM_INT_REAL(/)
#define PPNSIM_INT_SHIFTED(op_)                                                                                        \
    template <int w_, bool s_, typename t_, typename = typename ppnsim_whole<t_>::test> ap_int_base<w_, s_>               \
    operator op_(const ap_int_base<w_, s_> &, t_);                                                                        \
    template <int w_, bool s_, typename t_, typename = typename ppnsim_whole<t_>::test> t_ operator op_(t_, const ap_int_base<w_, s_> &);
PPNSIM_INT_SHIFTED(<<) PPNSIM_INT_SHIFTED(>>)
#define PPNSIM_INT_COMPARED(op_)              \
    PPNSIM_INTS bool operator op_(PPNSIM_TWO_INTS); \
    PPNSIM_INT_MIXED(op_) PPNSIM_INT_TEST(op_)
PPNSIM_INT_COMPARED(<) PPNSIM_INT_COMPARED(<=) PPNSIM_INT_COMPARED(>) PPNSIM_INT_COMPARED(>=)
PPNSIM_INT_COMPARED(==) PPNSIM_INT_COMPARED(!=)
#define PPNSIM_INT_CHANGED(op_)                                                                 \
    PPNSIM_INTS ap_int_base<w1_, s1_> &operator op_(ap_int_base<w1_, s1_> &, const ap_int_base<w2_, s2_> &); \
    template <int w_, bool s_, typename t_, typename = typename ppnsim_whole<t_>::test> ap_int_base<w_, s_> & \
    operator op_(ap_int_base<w_, s_> &, t_); \
    template <int w_, bool s_, typename t_, typename = typename ppnsim_whole<t_>::test> t_ &operator op_(t_ &, const ap_int_base<w_, s_> &);
PPNSIM_INT_CHANGED(+=) PPNSIM_INT_CHANGED(-=) PPNSIM_INT_CHANGED(*=) PPNSIM_INT_CHANGED(/=) PPNSIM_INT_CHANGED(%=)
PPNSIM_INT_CHANGED(&=) PPNSIM_INT_CHANGED(|=) PPNSIM_INT_CHANGED(^=) PPNSIM_INT_CHANGED(<<=) PPNSIM_INT_CHANGED(>>=)
#define PPNSIM_BITS_CHANGED(op_)                                                                            \
    template <int w1_, int w2_, bool s2_> ap_range_ref<w1_> operator op_(ap_range_ref<w1_> &&, const ap_int_base<w2_, s2_> &); \
    template <int w_, typename t_, typename = typename ppnsim_whole<t_>::test> ap_range_ref<w_> operator op_(ap_range_ref<w_> &&, t_);
PPNSIM_BITS_CHANGED(&=) PPNSIM_BITS_CHANGED(|=) PPNSIM_BITS_CHANGED(^=)
#include "ap_fixed.h"
#endif
