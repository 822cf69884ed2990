/* Fixed-point numbers of up to 128 bits that execute, with their modes of quantisation and overflow (UG1399). */
#ifndef PPNSIM_NATIVE_AP_FIXED_H
#define PPNSIM_NATIVE_AP_FIXED_H
#include "ap_int.h"
#include <cmath>

namespace ppnsim {
/* Drops `bits` fraction bits. */
inline Wide rounded(Wide value, int bits, ap_q_mode mode) {
    if (bits <= 0) return value << -bits;
    if (bits >= MOST - 1) value = (value > 0) - (value < 0), bits = 2; /* less than a half: its sign is enough */
    Wide floor = value >> bits, rest = value - (floor << bits), half = Wide(1) << (bits - 1);
    switch (mode) {
    case AP_TRN: return floor;
    case AP_TRN_ZERO: return floor + (rest && value < 0);
    case AP_RND: return floor + (rest >= half);
    case AP_RND_ZERO: return floor + (rest > half || (rest == half && value < 0));
    case AP_RND_MIN_INF: return floor + (rest > half);
    case AP_RND_INF: return floor + (rest > half || (rest == half && value >= 0));
    case AP_RND_CONV: return floor + (rest > half || (rest == half && (floor & 1)));
    }
    return floor;
}
/* A number whose last 128 bits are `value`, in the bits of a type; `far`: it has others before them. */
template <ap_o_mode mode, int kept_> Wide fitted(Wide value, bool far, bool negative, int bits, bool is_signed) {
    static_assert(mode == AP_WRAP || mode == AP_WRAP_SM || kept_ == 0, "bits that saturate belong to the modes that wrap");
    Wide most = cut(-1, bits - is_signed, false), least = is_signed ? -most - (mode != AP_SAT_SYM) : 0;
    if (!far && value >= least && value <= most) return value;
    if (mode == AP_SAT || mode == AP_SAT_SYM) return negative ? least : most;
    if (mode == AP_SAT_ZERO) return 0;
    Wide wrapped = cut(value, bits, is_signed);
    if (mode == AP_WRAP_SM && kept_ == 0) {
        bool sign = bits < MOST ? value >> (bits < MOST ? bits : 0) & 1 : negative;
        return sign == (wrapped < 0) ? wrapped : ~wrapped;
    }
    if (kept_ == 0) return wrapped;
    /* The sign stays, and the first bits are those of the largest or the least number that has one. */
    bool turned = mode == AP_WRAP_SM && (kept_ == 1 ? negative != (wrapped < 0) : (value >> (bits - kept_) & 1) == negative);
    Wide last = cut(turned ? ~wrapped : wrapped, bits - kept_ > 0 ? bits - kept_ : 0, false);
    Wide first = (negative && is_signed ? least : most) >> (bits - kept_);
    return cut((first << (bits - kept_)) | last, bits, is_signed);
}
}

template <int w_, int i_, bool s_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0> struct ap_fixed_base {
    static_assert(w_ >= 1 && w_ <= ppnsim::MOST, "ppnsim executes fixed-point numbers of 1 to 128 bits");
    static_assert(s_ || o_ != AP_WRAP_SM, "AP_WRAP_SM needs a sign: ap_fixed, not ap_ufixed (UG1399)");
    static_assert(s_ || w_ < ppnsim::MOST || (o_ == AP_WRAP && n_ == 0), "ppnsim executes ap_ufixed of up to 127 bits");
    static_assert(n_ >= 0 && n_ <= w_, "as many bits saturate as the number has, at most");
    static const int width = w_, iwidth = i_, fraction = w_ - i_;
    union {
        ppnsim::Wide v;
        ap_int_base<w_, s_> V; /* the same as a whole number */
    };

    ap_fixed_base() : v(0) {}
    template <typename t_, typename std::enable_if<std::is_integral<t_>::value, int>::type = 0>
    ap_fixed_base(t_ x) : v(taken(ppnsim::Wide(x), 0)) {}
    template <typename t_, typename std::enable_if<std::is_floating_point<t_>::value, int>::type = 0>
    ap_fixed_base(t_ x) {
        int power; /* a long double has 64 bits */
        long double part = std::frexp((long double)x, &power);
        v = x - x == 0 ? taken(ppnsim::Wide(std::ldexp(part, 64)), 64 - power) : 0;
    }
    template <int w2_, bool s2_> ap_fixed_base(const ap_int_base<w2_, s2_> &x) : v(taken(x.v, 0)) {}
    template <int w2_, int i2_, bool s2_, ap_q_mode q2_, ap_o_mode o2_, int n2_>
    ap_fixed_base(const ap_fixed_base<w2_, i2_, s2_, q2_, o2_, n2_> &x) : v(taken(x.v, w2_ - i2_)) {}
    static ap_fixed_base of(ppnsim::Wide x) {
        ap_fixed_base made;
        made.v = ppnsim::cut(x, w_, s_);
        return made;
    }
    static ppnsim::Wide taken(ppnsim::Wide x, int its_fraction) {
        int by = fraction - its_fraction;
        if (by <= 0) return ppnsim::fitted<o_, n_>(ppnsim::rounded(x, -by, q_), false, x < 0, w_, s_);
        ppnsim::Wide moved = by < ppnsim::MOST ? ppnsim::Wide((unsigned __int128)x << (by < ppnsim::MOST ? by : 0)) : 0;
        bool far = by < ppnsim::MOST ? moved >> (by < ppnsim::MOST ? by : 0) != x : x != 0;
        return ppnsim::fitted<o_, n_>(moved, far, x < 0, w_, s_);
    }

    double to_double() const { return double(std::ldexp((long double)(s_ ? v : 0) + (s_ ? 0 : (long double)ppnsim::Bare(v)), -fraction)); }
    float to_float() const { return float(to_double()); }
    ppnsim::Wide towards_zero() const { return ppnsim::rounded(v, fraction, AP_TRN_ZERO); }
    long long whole() const { return (long long)towards_zero(); }
    int to_int() const { return int(whole()); }
    unsigned to_uint() const { return unsigned(whole()); }
    long to_long() const { return long(whole()); }
    unsigned long to_ulong() const { return (unsigned long)whole(); }
    long long to_int64() const { return whole(); }
    unsigned long long to_uint64() const { return (unsigned long long)whole(); }
    short to_short() const { return short(whole()); }
    char to_char() const { return char(whole()); }
    ap_int_base<(i_ > 1 ? i_ : 1), s_> to_ap_int_base() const { return ap_int_base<(i_ > 1 ? i_ : 1), s_>::of(towards_zero()); }
    bool is_neg() const { return s_ && v < 0; }
    bool is_zero() const { return v == 0; }
    int wl() const { return w_; }
    int iwl() const { return i_; }
    ap_q_mode q_mode() const { return q_; }
    ap_o_mode o_mode() const { return o_; }
    int n_bits() const { return n_; }
    explicit operator double() const { return to_double(); }
    explicit operator float() const { return to_float(); }
    explicit operator int() const { return to_int(); }
    explicit operator unsigned() const { return unsigned(whole()); }
    explicit operator long() const { return long(whole()); }
    explicit operator long long() const { return whole(); }
    explicit operator short() const { return short(whole()); }
    explicit operator char() const { return char(whole()); }
    explicit operator unsigned char() const { return (unsigned char)whole(); }
    explicit operator bool() const { return v != 0; }
    explicit operator signed char() const { return (signed char)whole(); }
    explicit operator unsigned short() const { return (unsigned short)whole(); }
    explicit operator unsigned long() const { return (unsigned long)whole(); }
    explicit operator unsigned long long() const { return (unsigned long long)whole(); }
    explicit operator long double() const { return to_double(); }
    ppnsim::Wide bits(int high, int low) const { return ppnsim::picked(v, high, low); }
    void put(int high, int low, ppnsim::Wide x) { v = ppnsim::cut(ppnsim::placed(v, high, low, x), w_, s_); }
    typedef ap_bits_ref<ap_fixed_base> Bits;
    Bits range(int high, int low) { return {*this, high, low}; }
    Bits range() { return {*this, w_ - 1, 0}; }
    Bits operator()(int high, int low) { return {*this, high, low}; }
    Bits operator[](int at) { return {*this, at, at}; }
    Bits bit(int at) { return {*this, at, at}; }
    bool bit(int at) const { return bits(at, at) != 0; }
    bool get_bit(int at) const { return bits(at, at) != 0; }
    void set_bit(int at, bool x) { put(at, at, x); }
    ap_int_base<w_, false> operator()(int high, int low) const { return range(high, low); }
    ap_int_base<w_, false> range(int high, int low) const { return ap_int_base<w_, false>::of(bits(high, low)); }
    ap_int_base<w_, false> range() const { return range(w_ - 1, 0); }
    bool operator[](int at) const { return bits(at, at) != 0; }
    int length() const { return w_; }

    template <typename t_> ap_fixed_base &operator+=(const t_ &x) { return *this = ap_fixed_base(*this + x); }
    template <typename t_> ap_fixed_base &operator-=(const t_ &x) { return *this = ap_fixed_base(*this - x); }
    template <typename t_> ap_fixed_base &operator*=(const t_ &x) { return *this = ap_fixed_base(*this * x); }
    template <typename t_> ap_fixed_base &operator/=(const t_ &x) { return *this = ap_fixed_base(*this / x); }
    template <typename t_> ap_fixed_base &operator&=(const t_ &x) { return *this = ap_fixed_base(*this & x); }
    template <typename t_> ap_fixed_base &operator|=(const t_ &x) { return *this = ap_fixed_base(*this | x); }
    template <typename t_> ap_fixed_base &operator^=(const t_ &x) { return *this = ap_fixed_base(*this ^ x); }
    ap_fixed_base &operator<<=(int by) { return *this = *this << by; }
    ap_fixed_base &operator>>=(int by) { return *this = *this >> by; }
    ap_fixed_base &operator++() { return *this += 1; }
    ap_fixed_base operator++(int) { ap_fixed_base old = *this; ++*this; return old; }
    ap_fixed_base &operator--() { return *this -= 1; }
    ap_fixed_base operator--(int) { ap_fixed_base old = *this; --*this; return old; }
    ap_fixed_base<ppnsim::kept(w_ + 1), ppnsim::kept(w_ + 1) - (w_ - i_), true> operator-() const {
        return ap_fixed_base<ppnsim::kept(w_ + 1), ppnsim::kept(w_ + 1) - (w_ - i_), true>::of(-v);
    }
    ap_fixed_base operator+() const { return *this; }
    bool operator!() const { return v == 0; }
    ap_fixed_base operator~() const { return of(~v); }
    ap_fixed_base operator<<(int by) const { return by < 0 ? *this >> -by : of(by >= w_ ? 0 : v << by); }
    ap_fixed_base operator>>(int by) const { return by < 0 ? *this << -by : of(ppnsim::moved(v, by, s_)); }
};
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_fixed = ap_fixed_base<w_, i_, true, q_, o_, n_>;
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_ufixed = ap_fixed_base<w_, i_, false, q_, o_, n_>;

namespace ppnsim {
/* A number as fixed point: whole ones of C and of ap_int have no fraction. */
template <typename t_> struct AsFixed {
    static const bool is = AsInt<t_>::is;
    typedef Shape<typename AsInt<t_>::type> I;
    typedef ap_fixed_base<I::w, I::w, I::s> type;
};
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_> struct AsFixed<ap_fixed_base<w_, i_, s_, q_, o_, n_>> {
    static const bool is = true;
    typedef ap_fixed_base<w_, i_, s_> type;
};
template <typename t_> struct IsFixed : std::false_type {};
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_>
struct IsFixed<ap_fixed_base<w_, i_, s_, q_, o_, n_>> : std::true_type {};
template <typename a_, typename b_> using IfFixed = typename std::enable_if<
    AsFixed<a_>::is && AsFixed<b_>::is && (IsFixed<a_>::value || IsFixed<b_>::value)>::type;
template <int w_, int i_, bool s_> struct Point {
    static const int w = w_, i = i_, f = w_ - i_;
    static const bool s = s_;
};
template <typename t_> struct PointOf;
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_>
struct PointOf<ap_fixed_base<w_, i_, s_, q_, o_, n_>> : Point<w_, i_, s_> {};
template <typename a_, typename b_> struct Both {
    typedef PointOf<typename AsFixed<a_>::type> A;
    typedef PointOf<typename AsFixed<b_>::type> B;
    static const bool s = A::s || B::s;
    static const int f = wider(A::f, B::f), i = wider(A::i + (B::s && !A::s), B::i + (A::s && !B::s));
};
template <int f_, typename t_> Wide aligned(const t_ &x) {
    typedef typename AsFixed<t_>::type of;
    return of(x).v << (f_ - of::fraction);
}
template <int i_, int f_, bool s_> struct MadeOf {
    static_assert(i_ + f_ <= MOST, "ppnsim executes results of up to 128 bits: assign the operands to narrower numbers");
    typedef ap_fixed_base<i_ + f_, i_, s_> type;
};
template <int i_, int f_, bool s_> using Made = typename MadeOf<i_, f_, s_>::type;
template <typename a_, typename b_, typename p_ = Both<a_, b_>> using SumFixed = Made<p_::i + 1, p_::f, p_::s>;
template <typename a_, typename b_, typename p_ = Both<a_, b_>> using DifferenceFixed = Made<p_::i + 1, p_::f, true>;
template <typename a_, typename b_, typename p_ = Both<a_, b_>> using LogicFixed = Made<p_::i, p_::f, p_::s>;
template <typename a_, typename b_, typename p_ = Both<a_, b_>>
using ProductFixed = Made<p_::A::i + p_::B::i, p_::A::f + p_::B::f, p_::s>;
/* The fraction of a quotient is that of the dividend, and it is cut towards zero. */
template <typename a_, typename b_, typename p_ = Both<a_, b_>>
using QuotientFixed = Made<p_::A::i + p_::B::f + p_::B::s, p_::A::f + wider(-p_::B::f, 0), p_::s>;
}
#define PPNSIM_FIXED template <typename a_, typename b_, ppnsim::IfFixed<a_, b_> * = nullptr>
#define PPNSIM_ALIGNED(x_) ppnsim::aligned<ppnsim::Both<a_, b_>::f>(x_)
#define PPNSIM_SUM(op_, result_)                                                       \
    PPNSIM_FIXED ppnsim::result_<a_, b_> operator op_(const a_ &a, const b_ &b) {      \
        return ppnsim::result_<a_, b_>::of(PPNSIM_ALIGNED(a) op_ PPNSIM_ALIGNED(b));   \
    }
PPNSIM_SUM(+, SumFixed)
PPNSIM_SUM(-, DifferenceFixed)
PPNSIM_SUM(&, LogicFixed)
PPNSIM_SUM(|, LogicFixed)
PPNSIM_SUM(^, LogicFixed)
PPNSIM_FIXED ppnsim::ProductFixed<a_, b_> operator*(const a_ &a, const b_ &b) {
    typedef typename ppnsim::AsFixed<a_>::type left;
    typedef typename ppnsim::AsFixed<b_>::type right;
    return ppnsim::ProductFixed<a_, b_>::of(left(a).v * right(b).v);
}
PPNSIM_FIXED ppnsim::QuotientFixed<a_, b_> operator/(const a_ &a, const b_ &b) {
    typedef typename ppnsim::AsFixed<a_>::type left;
    typedef typename ppnsim::AsFixed<b_>::type right;
    return ppnsim::QuotientFixed<a_, b_>::of((left(a).v << ppnsim::wider(right::fraction, 0)) / right(b).v);
}
#define PPNSIM_FIXED_COMPARED(op_) \
    PPNSIM_FIXED bool operator op_(const a_ &a, const b_ &b) { return PPNSIM_ALIGNED(a) op_ PPNSIM_ALIGNED(b); }
PPNSIM_FIXED_COMPARED(<) PPNSIM_FIXED_COMPARED(<=) PPNSIM_FIXED_COMPARED(>) PPNSIM_FIXED_COMPARED(>=)
PPNSIM_FIXED_COMPARED(==) PPNSIM_FIXED_COMPARED(!=)
/* Beside floating point it is compared as such. */
#define PPNSIM_REAL_COMPARED(op_)                                                                                \
    template <typename a_, typename b_, typename std::enable_if<                                                  \
        ppnsim::IsFixed<a_>::value && std::is_floating_point<b_>::value, int>::type = 0>                          \
    bool operator op_(const a_ &a, b_ b) { return a.to_double() op_ b; }                                          \
    template <typename a_, typename b_, typename std::enable_if<                                                  \
        ppnsim::IsFixed<b_>::value && std::is_floating_point<a_>::value, int>::type = 0>                          \
    bool operator op_(a_ a, const b_ &b) { return a op_ b.to_double(); }
PPNSIM_REAL_COMPARED(<) PPNSIM_REAL_COMPARED(<=) PPNSIM_REAL_COMPARED(>) PPNSIM_REAL_COMPARED(>=)
PPNSIM_REAL_COMPARED(==) PPNSIM_REAL_COMPARED(!=)
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_>
std::ostream &operator<<(std::ostream &to, const ap_fixed_base<w_, i_, s_, q_, o_, n_> &x) {
    return to << x.to_double();
}
#endif
