/* Declarations of the fixed-point types of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_FIXED_H
#define PPNSIM_AP_FIXED_H
#include "ap_int.h"

#ifndef AP_INT_MAX_W
#define AP_INT_MAX_W 4096
#endif

template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_fixed = ap_fixed_base<w_, i_, true, q_, o_, n_>;
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_ufixed = ap_fixed_base<w_, i_, false, q_, o_, n_>;

/* W bits, I of them before the point (with the sign). A value is constructed from, or assigned, any number. */
template <PPNSIM_FORMAT> struct ap_fixed_base {
    ap_fixed_base() = default;
    ap_fixed_base(bool);
    ap_fixed_base(char);
    ap_fixed_base(signed char);
    ap_fixed_base(unsigned char);
    ap_fixed_base(short);
    ap_fixed_base(unsigned short);
    ap_fixed_base(int);
    ap_fixed_base(unsigned);
    ap_fixed_base(long);
    ap_fixed_base(unsigned long);
    ap_fixed_base(long long);
    ap_fixed_base(unsigned long long);
    ap_fixed_base(__fp16);
    ap_fixed_base(double);
    ap_fixed_base(float);
    ap_fixed_base(const char *text_);
    template <int w2_, bool s2_> ap_fixed_base(const ap_int_base<w2_, s2_> &);
    template <PPNSIM_FORMAT2> ap_fixed_base(const PPNSIM_FIX2 &);
    template <PPNSIM_FORMAT2> ap_fixed_base(const volatile PPNSIM_FIX2 &);
    ap_fixed_base &operator=(const ap_fixed_base &) = default;
    template <PPNSIM_FORMAT2> ap_fixed_base &operator=(const PPNSIM_FIX2 &);
    template <PPNSIM_FORMAT2> ap_fixed_base &operator=(const volatile PPNSIM_FIX2 &);
    operator int() const;
    operator float() const;
    operator double() const;
    operator bool() const;
    operator unsigned() const;
    operator char() const;
    operator signed char() const;
    operator unsigned char() const;
    operator short() const;
    operator unsigned short() const;
    operator long() const;
    operator unsigned long() const;
    operator long long() const;
    ap_int_base<w_, s_> V; /* its bits */
    static const int width = w_;
    static const int iwidth = i_;
    static const bool sign_flag = s_;
    int length() const { return w_; }
    ppnsim_text to_string(signed char base_ = 2, bool sign_ = s_) const;
    int to_int() const;
    unsigned to_uint() const;
    long to_long() const;
    unsigned long to_ulong() const;
    unsigned long long to_uint64() const;
    short to_short() const;
    char to_char() const;
    int wl() const { return w_; }
    int iwl() const { return i_; }
    long long to_int64() const;
    __fp16 to_half() const;
    ap_int_base<(i_ > 1 ? i_ : 1), s_> to_ap_int_base() const;
    bool is_neg() const { return s_ && *this < 0; }
    bool is_zero() const { return *this == 0; }
    ap_range_ref<1> bit(int at_) const;
    bool get_bit(int at_) const;
    void set_bit(int at_, bool);
    float to_float() const;
    double to_double() const;
    ap_range_ref<w_> range(int high_, int low_) const;
    ap_range_ref<w_> range() const;
    ap_range_ref<w_> operator()(int high_, int low_) const;
    ap_range_ref<1> operator[](int at_) const;
};

#define PPNSIM_MAX(a_, b_) ((a_) > (b_) ? (a_) : (b_))
/* Integer and fraction bits of a sum, a product and a quotient of two formats, as the vendor's manual gives them. */
#define PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_) \
    (PPNSIM_MAX(i1_ + (s2_ && !s1_), i2_ + (s1_ && !s2_)) + 1 + PPNSIM_MAX(w1_ - i1_, w2_ - i2_))
#define PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_) (PPNSIM_MAX(i1_ + (s2_ && !s1_), i2_ + (s1_ && !s2_)) + 1)
#define PPNSIM_TWO template <PPNSIM_FORMAT1, PPNSIM_FORMAT2>
#define PPNSIM_BOTH const PPNSIM_FIX1 &, const PPNSIM_FIX2 &

PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_), PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_), s1_ || s2_>
operator+(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_), PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_), true>
operator-(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<w1_ + w2_, i1_ + i2_, s1_ || s2_> operator*(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<w1_ + w2_ - i2_ + s2_, i1_ + w2_ - i2_ + s2_, s1_ || s2_> operator/(PPNSIM_BOTH);
template <PPNSIM_FORMAT> ap_fixed_base<w_ + 1, i_ + 1, true> operator-(const PPNSIM_FIX &);
template <PPNSIM_FORMAT> PPNSIM_FIX operator+(const PPNSIM_FIX &);
template <PPNSIM_FORMAT> bool operator!(const PPNSIM_FIX &);
template <PPNSIM_FORMAT> PPNSIM_FIX operator~(const PPNSIM_FIX &);
template <PPNSIM_FORMAT> PPNSIM_FIX &operator++(PPNSIM_FIX &);
template <PPNSIM_FORMAT> PPNSIM_FIX operator++(PPNSIM_FIX &, int);
template <PPNSIM_FORMAT> PPNSIM_FIX &operator--(PPNSIM_FIX &);
template <PPNSIM_FORMAT> PPNSIM_FIX operator--(PPNSIM_FIX &, int);
template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_whole<t_>::test> PPNSIM_FIX operator>>(const PPNSIM_FIX &, t_);
template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_whole<t_>::test> PPNSIM_FIX operator<<(const PPNSIM_FIX &, t_);
template <PPNSIM_FORMAT, int w2_, bool s2_> PPNSIM_FIX operator>>(const PPNSIM_FIX &, const ap_int_base<w2_, s2_> &);
template <PPNSIM_FORMAT, int w2_, bool s2_> PPNSIM_FIX operator<<(const PPNSIM_FIX &, const ap_int_base<w2_, s2_> &);

/* An integer next to a fixed-point operand becomes a fixed-point number without a fraction. */
template <typename t_> struct ppnsim_beside {};
#define PPNSIM_BESIDE(t_)                                                                             \
    template <> struct ppnsim_beside<t_> {                                                            \
        typedef ap_fixed_base<ppnsim_whole<t_>::width, ppnsim_whole<t_>::width, ppnsim_whole<t_>::sign> number; \
        typedef bool test;                                                                            \
    };
PPNSIM_BESIDE(bool) PPNSIM_BESIDE(char) PPNSIM_BESIDE(signed char) PPNSIM_BESIDE(unsigned char) PPNSIM_BESIDE(short)
PPNSIM_BESIDE(unsigned short) PPNSIM_BESIDE(int) PPNSIM_BESIDE(unsigned) PPNSIM_BESIDE(long) PPNSIM_BESIDE(unsigned long)
PPNSIM_BESIDE(long long) PPNSIM_BESIDE(unsigned long long)
template <int w_, bool s_> struct ppnsim_beside<ap_int_base<w_, s_>> {
    typedef ap_fixed_base<w_, w_, s_> number;
    typedef bool test;
};
template <int w_> struct ppnsim_beside<ap_range_ref<w_>> {
    typedef ap_fixed_base<w_, w_, false> number;
    typedef bool test;
};
/* A floating-point operand next to it is converted to its format. */
template <typename t_> struct ppnsim_same {};
template <> struct ppnsim_same<float> { typedef bool test; };
template <> struct ppnsim_same<double> { typedef bool test; };
template <> struct ppnsim_same<__fp16> { typedef bool test; };
#define PPNSIM_AND template <PPNSIM_FORMAT, typename t_>
#define PPNSIM_AND_REAL template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_same<t_>::test>
#define PPNSIM_BESIDE_WHOLE(op_)                                                                                             \
    PPNSIM_AND decltype(PPNSIM_FIX() op_ typename ppnsim_beside<t_>::number()) operator op_(const PPNSIM_FIX &, const t_ &); \
    PPNSIM_AND decltype(typename ppnsim_beside<t_>::number() op_ PPNSIM_FIX()) operator op_(const t_ &, const PPNSIM_FIX &);
#define PPNSIM_MIXED(op_)                                                                         \
    PPNSIM_BESIDE_WHOLE(op_)                                                                      \
    PPNSIM_AND_REAL decltype(PPNSIM_FIX() op_ PPNSIM_FIX()) operator op_(const PPNSIM_FIX &, t_); \
    PPNSIM_AND_REAL decltype(PPNSIM_FIX() op_ PPNSIM_FIX()) operator op_(t_, const PPNSIM_FIX &);
#define PPNSIM_COMPARED(op_)                   \
    PPNSIM_TWO bool operator op_(PPNSIM_BOTH); \
    PPNSIM_MIXED(op_)
#define PPNSIM_CHANGED_BY_WHOLE(op_)                                                                             \
    PPNSIM_TWO PPNSIM_FIX1 &operator op_(PPNSIM_FIX1 &, const PPNSIM_FIX2 &);                                    \
    template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_beside<t_>::test> PPNSIM_FIX &              \
    operator op_(PPNSIM_FIX &, const t_ &);
#define PPNSIM_CHANGED(op_)      \
    PPNSIM_CHANGED_BY_WHOLE(op_) \
    PPNSIM_AND_REAL PPNSIM_FIX &operator op_(PPNSIM_FIX &, t_);
PPNSIM_MIXED(+) PPNSIM_MIXED(-) PPNSIM_MIXED(*) PPNSIM_MIXED(/)
PPNSIM_COMPARED(<) PPNSIM_COMPARED(<=) PPNSIM_COMPARED(>) PPNSIM_COMPARED(>=) PPNSIM_COMPARED(==) PPNSIM_COMPARED(!=)
/* A fixed-point number that is assigned to a C number is converted to the C type. */
#define PPNSIM_TAKEN(op_)                                                                    \
    template <PPNSIM_FORMAT> float &operator op_(float &, const PPNSIM_FIX &);     \
    template <PPNSIM_FORMAT> double &operator op_(double &, const PPNSIM_FIX &);   \
    template <PPNSIM_FORMAT> int &operator op_(int &, const PPNSIM_FIX &);
PPNSIM_TAKEN(+=) PPNSIM_TAKEN(-=) PPNSIM_TAKEN(*=) PPNSIM_TAKEN(/=)
PPNSIM_CHANGED(+=) PPNSIM_CHANGED(-=) PPNSIM_CHANGED(*=) PPNSIM_CHANGED(/=)

template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_whole<t_>::test> PPNSIM_FIX &operator<<=(PPNSIM_FIX &, t_);
template <PPNSIM_FORMAT, typename t_, typename = typename ppnsim_whole<t_>::test> PPNSIM_FIX &operator>>=(PPNSIM_FIX &, t_);
template <PPNSIM_FORMAT, int w2_, bool s2_> PPNSIM_FIX &operator<<=(PPNSIM_FIX &, const ap_int_base<w2_, s2_> &);
template <PPNSIM_FORMAT, int w2_, bool s2_> PPNSIM_FIX &operator>>=(PPNSIM_FIX &, const ap_int_base<w2_, s2_> &);
#define PPNSIM_LOGIC(op_)                                                                                                              \
    PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_) - 1, PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_) - 1, s1_ || s2_> \
    operator op_(PPNSIM_BOTH);                                                                                                         \
    PPNSIM_BESIDE_WHOLE(op_) PPNSIM_CHANGED_BY_WHOLE(op_##=)
PPNSIM_LOGIC(&) PPNSIM_LOGIC(|) PPNSIM_LOGIC(^)

/* The root of a number with I integer bits has half as many. */
template <PPNSIM_FORMAT> ap_fixed_base<w_ - i_ + (i_ + 1) / 2, (i_ + 1) / 2, false> sqrt(PPNSIM_FIX);
/* Printing, which makes no hardware, and reading of files, which only testbenches do. */
namespace std {
template <typename c_, typename t_> class basic_ostream;
template <typename c_, typename t_> class basic_istream;
}
template <typename c_, typename t_, PPNSIM_FORMAT>
std::basic_istream<c_, t_> &operator>>(std::basic_istream<c_, t_> &, PPNSIM_FIX &);
template <typename c_, typename t_, int w_, bool s_>
std::basic_istream<c_, t_> &operator>>(std::basic_istream<c_, t_> &, ap_int_base<w_, s_> &);
template <typename c_, typename t_, PPNSIM_FORMAT>
std::basic_ostream<c_, t_> &operator<<(std::basic_ostream<c_, t_> &, const PPNSIM_FIX &);
template <typename c_, typename t_, int w_, bool s_>
std::basic_ostream<c_, t_> &operator<<(std::basic_ostream<c_, t_> &, const ap_int_base<w_, s_> &);
#endif
