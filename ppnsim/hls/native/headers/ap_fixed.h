/* Fixed-point numbers of up to 128 bits that execute, with their modes of quantisation and overflow (UG1399). */
#ifndef PPNSIM_NATIVE_AP_FIXED_H
#define PPNSIM_NATIVE_AP_FIXED_H
#include "ap_int.h"
#include <cmath>

enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };

namespace ppnsim {
inline Wide shifted(Wide value, int by) { return by >= 0 ? value << by : value >> (-by >= MOST ? 127 : -by); }
/* Drops `bits` fraction bits. */
inline Wide rounded(Wide value, int bits, ap_q_mode mode) {
    if (bits <= 0) return value << -bits;
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
inline Wide fitted(Wide value, int bits, bool is_signed, ap_o_mode mode) {
    Wide most = cut(-1, bits - is_signed, false), least = is_signed ? -most - 1 : 0;
    if (value >= least && value <= most) return value;
    if (mode == AP_SAT) return value < 0 ? least : most;
    if (mode == AP_SAT_ZERO) return 0;
    if (mode == AP_SAT_SYM) return value < 0 ? (is_signed ? -most : 0) : most;
    return cut(value, bits, is_signed);
}
}

template <int w_, int i_, bool s_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP> struct ap_fixed_base {
    static_assert(w_ >= 1 && w_ <= ppnsim::MOST, "ppnsim executes fixed-point numbers of 1 to 128 bits");
    static const int width = w_, iwidth = i_, fraction = w_ - i_;
    ppnsim::Wide v;

    ap_fixed_base() : v(0) {}
    template <typename t_, typename std::enable_if<std::is_integral<t_>::value, int>::type = 0>
    ap_fixed_base(t_ x) : v(taken(ppnsim::Wide(x), 0)) {}
    template <typename t_, typename std::enable_if<std::is_floating_point<t_>::value, int>::type = 0>
    ap_fixed_base(t_ x) {
        /* Exact: a double has 53 bits, and up to 60 of them behind the last place are looked at. */
        v = taken(ppnsim::Wide(std::ldexp((long double)x, fraction + 60)), fraction + 60);
    }
    template <int w2_, bool s2_> ap_fixed_base(const ap_int_base<w2_, s2_> &x) : v(taken(x.v, 0)) {}
    template <int w2_, int i2_, bool s2_, ap_q_mode q2_, ap_o_mode o2_>
    ap_fixed_base(const ap_fixed_base<w2_, i2_, s2_, q2_, o2_> &x) : v(taken(x.v, w2_ - i2_)) {}
    static ap_fixed_base of(ppnsim::Wide x) {
        ap_fixed_base made;
        made.v = ppnsim::cut(x, w_, s_);
        return made;
    }
    static ppnsim::Wide taken(ppnsim::Wide x, int its_fraction) {
        return ppnsim::fitted(ppnsim::rounded(x, its_fraction - fraction, q_), w_, s_, o_);
    }

    double to_double() const { return double(std::ldexp((long double)v, -fraction)); }
    float to_float() const { return float(to_double()); }
    long long whole() const { return (long long)ppnsim::rounded(v, fraction, AP_TRN_ZERO); }
    int to_int() const { return int(whole()); }
    unsigned to_uint() const { return unsigned(whole()); }
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
    template <int w2_, bool s2_> explicit operator ap_int_base<w2_, s2_>() const {
        return ap_int_base<w2_, s2_>::of(ppnsim::rounded(v, fraction, AP_TRN));
    }
    ppnsim::Wide bits(int high, int low) const { return ppnsim::cut(v >> low, high - low + 1, false); }
    void put(int high, int low, ppnsim::Wide x) {
        ppnsim::Wide mask = ppnsim::cut(-1, high - low + 1, false) << low;
        v = ppnsim::cut((v & ~mask) | ((x << low) & mask), w_, s_);
    }
    struct Bits {
        ap_fixed_base &of;
        int high, low;
        template <int w2_, bool s2_> operator ap_int_base<w2_, s2_>() const {
            return ap_int_base<w2_, s2_>::of(of.bits(high, low));
        }
        operator unsigned long long() const { return (unsigned long long)of.bits(high, low); }
        template <typename t_> Bits &operator=(const t_ &x) { return of.put(high, low, ppnsim::raw(x)), *this; }
    };
    Bits range(int high, int low) { return {*this, high, low}; }
    Bits range() { return {*this, w_ - 1, 0}; }
    Bits operator()(int high, int low) { return {*this, high, low}; }
    Bits operator[](int at) { return {*this, at, at}; }
    ap_int_base<w_, false> range(int high, int low) const { return ap_int_base<w_, false>::of(bits(high, low)); }
    ap_int_base<w_, false> range() const { return range(w_ - 1, 0); }
    bool operator[](int at) const { return bits(at, at) != 0; }
    int length() const { return w_; }

    template <typename t_> ap_fixed_base &operator+=(const t_ &x) { return *this = ap_fixed_base(*this + x); }
    template <typename t_> ap_fixed_base &operator-=(const t_ &x) { return *this = ap_fixed_base(*this - x); }
    template <typename t_> ap_fixed_base &operator*=(const t_ &x) { return *this = ap_fixed_base(*this * x); }
    template <typename t_> ap_fixed_base &operator/=(const t_ &x) { return *this = ap_fixed_base(*this / x); }
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
    ap_fixed_base operator<<(int by) const { return of(ppnsim::shifted(v, by)); }
    ap_fixed_base operator>>(int by) const { return of(ppnsim::shifted(v, -by)); }
};
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_fixed = ap_fixed_base<w_, i_, true, q_, o_>;
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_ufixed = ap_fixed_base<w_, i_, false, q_, o_>;

namespace ppnsim {
/* A number as fixed point: whole ones of C and of ap_int have no fraction. */
template <typename t_> struct AsFixed {
    static const bool is = AsInt<t_>::is;
    typedef Shape<typename AsInt<t_>::type> I;
    typedef ap_fixed_base<I::w, I::w, I::s> type;
};
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_> struct AsFixed<ap_fixed_base<w_, i_, s_, q_, o_>> {
    static const bool is = true;
    typedef ap_fixed_base<w_, i_, s_> type;
};
template <typename t_> struct IsFixed : std::false_type {};
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_>
struct IsFixed<ap_fixed_base<w_, i_, s_, q_, o_>> : std::true_type {};
template <typename a_, typename b_> using IfFixed = typename std::enable_if<
    AsFixed<a_>::is && AsFixed<b_>::is && (IsFixed<a_>::value || IsFixed<b_>::value)>::type;
template <int w_, int i_, bool s_> struct Point {
    static const int w = w_, i = i_, f = w_ - i_;
    static const bool s = s_;
};
template <typename t_> struct PointOf;
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_>
struct PointOf<ap_fixed_base<w_, i_, s_, q_, o_>> : Point<w_, i_, s_> {};
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
template <int i_, int f_, bool s_> using Made = ap_fixed_base<kept(i_ + f_), kept(i_ + f_) - f_, s_>;
}
namespace ppnsim {
template <typename a_, typename b_, typename p_ = Both<a_, b_>> using SumFixed = Made<p_::i + 1, p_::f, p_::s>;
template <typename a_, typename b_, typename p_ = Both<a_, b_>> using DifferenceFixed = Made<p_::i + 1, p_::f, true>;
template <typename a_, typename b_, typename p_ = Both<a_, b_>>
using ProductFixed = Made<p_::A::i + p_::B::i, p_::A::f + p_::B::f, p_::s>;
/* The fraction of a quotient is that of the dividend, and as many bits more as the divisor has before its point. */
template <typename b_> constexpr int more() { return PointOf<b_>::i > 0 ? PointOf<b_>::i : 0; }
template <typename a_, typename b_, typename p_ = Both<a_, b_>>
using QuotientFixed = Made<p_::A::i + p_::B::f + p_::B::s, p_::A::f + more<typename AsFixed<b_>::type>(), p_::s>;
}
#define PPNSIM_FIXED template <typename a_, typename b_, ppnsim::IfFixed<a_, b_> * = nullptr>
#define PPNSIM_ALIGNED(x_) ppnsim::aligned<ppnsim::Both<a_, b_>::f>(x_)
#define PPNSIM_SUM(op_, result_)                                                       \
    PPNSIM_FIXED ppnsim::result_<a_, b_> operator op_(const a_ &a, const b_ &b) {      \
        return ppnsim::result_<a_, b_>::of(PPNSIM_ALIGNED(a) op_ PPNSIM_ALIGNED(b));   \
    }
PPNSIM_SUM(+, SumFixed)
PPNSIM_SUM(-, DifferenceFixed)
PPNSIM_FIXED ppnsim::ProductFixed<a_, b_> operator*(const a_ &a, const b_ &b) {
    typedef typename ppnsim::AsFixed<a_>::type left;
    typedef typename ppnsim::AsFixed<b_>::type right;
    return ppnsim::ProductFixed<a_, b_>::of(left(a).v * right(b).v);
}
PPNSIM_FIXED ppnsim::QuotientFixed<a_, b_> operator/(const a_ &a, const b_ &b) {
    typedef typename ppnsim::AsFixed<a_>::type left;
    typedef typename ppnsim::AsFixed<b_>::type right;
    return ppnsim::QuotientFixed<a_, b_>::of((left(a).v << (right::fraction + ppnsim::more<right>())) / right(b).v);
}
#define PPNSIM_FIXED_COMPARED(op_) \
    PPNSIM_FIXED bool operator op_(const a_ &a, const b_ &b) { return PPNSIM_ALIGNED(a) op_ PPNSIM_ALIGNED(b); }
PPNSIM_FIXED_COMPARED(<) PPNSIM_FIXED_COMPARED(<=) PPNSIM_FIXED_COMPARED(>) PPNSIM_FIXED_COMPARED(>=)
PPNSIM_FIXED_COMPARED(==) PPNSIM_FIXED_COMPARED(!=)
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_>
std::ostream &operator<<(std::ostream &to, const ap_fixed_base<w_, i_, s_, q_, o_> &x) {
    return to << x.to_double();
}
#endif
