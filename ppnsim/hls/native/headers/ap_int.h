/* Integers of 1 to 128 bits that execute; widths of results as UG1399 gives them. */
#ifndef PPNSIM_NATIVE_AP_INT_H
#define PPNSIM_NATIVE_AP_INT_H
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <type_traits>

namespace ppnsim {
typedef __int128 Wide;
/* Results wider than this keep their low bits only if the program can not tell; it is refused otherwise. */
constexpr int MOST = 128;
constexpr int wider(int a, int b) { return a > b ? a : b; }
constexpr int kept(int bits) { return bits < MOST ? bits : MOST; }
inline Wide cut(Wide value, int bits, bool is_signed) {
    if (bits >= MOST) return value;
    Wide mask = (Wide(1) << bits) - 1;
    value &= mask;
    return is_signed && (value >> (bits - 1) & 1) ? value | ~mask : value;
}
template <typename t_> using IfNumber = typename std::enable_if<std::is_arithmetic<t_>::value || std::is_enum<t_>::value>::type;
}

template <int w_, bool s_> struct ap_int_base;
template <int w_, bool s_> struct ap_bits_ref {
    ap_int_base<w_, s_> &of;
    int high, low;
    operator unsigned long long() const { return (unsigned long long)of.bits(high, low); }
    ap_bits_ref &operator=(unsigned long long value) { return of.put(high, low, ppnsim::Wide(value)), *this; }
    ap_bits_ref &operator=(const ap_bits_ref &other) { return *this = (unsigned long long)other; }
    template <int w2_, bool s2_> ap_bits_ref &operator=(const ap_int_base<w2_, s2_> &value) {
        return of.put(high, low, value.v), *this;
    }
    template <int w2_, bool s2_> ap_bits_ref &operator=(const ap_bits_ref<w2_, s2_> &other) {
        return of.put(high, low, other.of.bits(other.high, other.low)), *this;
    }
    int to_int() const { return int(of.bits(high, low)); }
    unsigned to_uint() const { return unsigned(of.bits(high, low)); }
};

template <int w_, bool s_> struct ap_int_base {
    static_assert(w_ >= 1 && w_ <= ppnsim::MOST, "ppnsim executes integers of 1 to 128 bits");
    static const int width = w_;
    ppnsim::Wide v;

    ap_int_base() : v(0) {}
    template <typename t_, typename = ppnsim::IfNumber<t_>> ap_int_base(t_ x) : v(ppnsim::cut(ppnsim::Wide(x), w_, s_)) {}
    template <int w2_, bool s2_> ap_int_base(const ap_int_base<w2_, s2_> &x) : v(ppnsim::cut(x.v, w_, s_)) {}
    template <int w2_, bool s2_> ap_int_base(const ap_bits_ref<w2_, s2_> &x)
        : v(ppnsim::cut(x.of.bits(x.high, x.low), w_, s_)) {}
    explicit ap_int_base(const char *text, int radix = 10) : v(ppnsim::cut(std::stoll(text, nullptr, radix), w_, s_)) {}
    static ap_int_base of(ppnsim::Wide x) {
        ap_int_base made;
        made.v = ppnsim::cut(x, w_, s_);
        return made;
    }
    typedef typename std::conditional<s_, long long, unsigned long long>::type plain_t;
    operator plain_t() const { return plain_t(v); }
    int to_int() const { return int(v); }
    unsigned to_uint() const { return unsigned(v); }
    long to_long() const { return long(v); }
    long long to_int64() const { return (long long)v; }
    unsigned long long to_uint64() const { return (unsigned long long)v; }
    double to_double() const { return double(v); }
    float to_float() const { return float(v); }
    bool to_bool() const { return v != 0; }
    int length() const { return w_; }

    ppnsim::Wide bits(int high, int low) const { return ppnsim::cut(v >> low, high - low + 1, false); }
    void put(int high, int low, ppnsim::Wide value) {
        ppnsim::Wide mask = ppnsim::cut(-1, high - low + 1, false) << low;
        v = ppnsim::cut((v & ~mask) | ((value << low) & mask), w_, s_);
    }
    ap_bits_ref<w_, s_> range(int high, int low) { return {*this, high, low}; }
    ap_bits_ref<w_, s_> range() { return {*this, w_ - 1, 0}; }
    ap_bits_ref<w_, s_> operator()(int high, int low) { return {*this, high, low}; }
    ap_bits_ref<w_, s_> operator[](int at) { return {*this, at, at}; }
    ap_bits_ref<w_, s_> bit(int at) { return {*this, at, at}; }
    ap_int_base<w_, false> range(int high, int low) const { return ap_int_base<w_, false>::of(bits(high, low)); }
    ap_int_base<w_, false> operator()(int high, int low) const { return range(high, low); }
    bool operator[](int at) const { return test(at); }
    bool test(int at) const { return bits(at, at) != 0; }
    bool get_bit(int at) const { return test(at); }
    void set(int at) { put(at, at, 1); }
    void set_bit(int at, bool value) { put(at, at, value); }
    void clear(int at) { put(at, at, 0); }
    void invert(int at) { put(at, at, !test(at)); }
    bool and_reduce() const { return bits(w_ - 1, 0) == ppnsim::cut(-1, w_, false); }
    bool or_reduce() const { return v != 0; }
    bool xor_reduce() const {
        bool odd = false;
        for (int at = 0; at < w_; at++) odd ^= test(at);
        return odd;
    }
    bool nand_reduce() const { return !and_reduce(); }
    bool nor_reduce() const { return !or_reduce(); }
    bool xnor_reduce() const { return !xor_reduce(); }
    template <int w2_, bool s2_> ap_int_base<w_ + w2_, false> concat(const ap_int_base<w2_, s2_> &low) const {
        return ap_int_base<w_ + w2_, false>::of((v << w2_) | low.bits(w2_ - 1, 0));
    }

    template <typename t_> ap_int_base &operator+=(const t_ &x) { return *this = ap_int_base(*this + x); }
    template <typename t_> ap_int_base &operator-=(const t_ &x) { return *this = ap_int_base(*this - x); }
    template <typename t_> ap_int_base &operator*=(const t_ &x) { return *this = ap_int_base(*this * x); }
    template <typename t_> ap_int_base &operator/=(const t_ &x) { return *this = ap_int_base(*this / x); }
    template <typename t_> ap_int_base &operator%=(const t_ &x) { return *this = ap_int_base(*this % x); }
    template <typename t_> ap_int_base &operator&=(const t_ &x) { return *this = ap_int_base(*this & x); }
    template <typename t_> ap_int_base &operator|=(const t_ &x) { return *this = ap_int_base(*this | x); }
    template <typename t_> ap_int_base &operator^=(const t_ &x) { return *this = ap_int_base(*this ^ x); }
    template <typename t_> ap_int_base &operator<<=(const t_ &x) { return *this = *this << int(x); }
    template <typename t_> ap_int_base &operator>>=(const t_ &x) { return *this = *this >> int(x); }
    ap_int_base &operator++() { return v = ppnsim::cut(v + 1, w_, s_), *this; }
    ap_int_base &operator--() { return v = ppnsim::cut(v - 1, w_, s_), *this; }
    ap_int_base operator++(int) { ap_int_base old = *this; ++*this; return old; }
    ap_int_base operator--(int) { ap_int_base old = *this; --*this; return old; }
    ap_int_base<ppnsim::kept(w_ + 1), true> operator-() const { return ap_int_base<ppnsim::kept(w_ + 1), true>::of(-v); }
    ap_int_base operator+() const { return *this; }
    ap_int_base operator~() const { return of(~v); }
    bool operator!() const { return v == 0; }
    ap_int_base operator<<(int by) const { return by < 0 ? *this >> -by : of(by >= w_ ? ppnsim::Wide(0) : v << by); }
    ap_int_base operator>>(int by) const { return by < 0 ? *this << -by : of(v >> (by >= ppnsim::MOST ? 127 : by)); }
};
template <int w_> using ap_int = ap_int_base<w_, true>;
template <int w_> using ap_uint = ap_int_base<w_, false>;

namespace ppnsim {
/* A number of C as one of these: integers as wide as they are. */
template <typename t_> struct AsInt {
    static const bool is = std::is_integral<t_>::value;
    typedef ap_int_base<std::is_same<t_, bool>::value ? 1 : 8 * (is ? sizeof(t_) : 1), std::is_signed<t_>::value> type;
};
template <int w_, bool s_> struct AsInt<ap_int_base<w_, s_>> {
    static const bool is = true;
    typedef ap_int_base<w_, s_> type;
};
template <int w_, bool s_> struct AsInt<ap_bits_ref<w_, s_>> {
    static const bool is = true;
    typedef ap_int_base<w_, false> type;
};
template <typename t_> constexpr bool ours() { return !std::is_arithmetic<t_>::value && AsInt<t_>::is; }
template <typename a_, typename b_>
using IfInts = typename std::enable_if<AsInt<a_>::is && AsInt<b_>::is && (ours<a_>() || ours<b_>())>::type;
template <typename t_> struct Shape;
template <int w_, bool s_> struct Shape<ap_int_base<w_, s_>> {
    static const int w = w_;
    static const bool s = s_;
};
template <typename a_, typename b_> struct Pair {
    typedef Shape<typename AsInt<a_>::type> A;
    typedef Shape<typename AsInt<b_>::type> B;
    static const bool s = A::s || B::s;
    static const int w = wider(A::w + (B::s && !A::s), B::w + (A::s && !B::s));
};
template <typename t_> Wide raw(const t_ &x) { return typename AsInt<t_>::type(x).v; }
}
namespace ppnsim {
template <int w_, bool s_> using Int = ap_int_base<kept(w_), s_>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using SumInt = Int<p_::w + 1, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using DifferenceInt = Int<p_::w + 1, true>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using ProductInt = Int<p_::A::w + p_::B::w, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using QuotientInt = Int<p_::A::w + p_::B::s, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using RestInt = Int<p_::w, p_::A::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using LogicInt = Int<p_::w, p_::s>;
}
#define PPNSIM_INTS template <typename a_, typename b_, ppnsim::IfInts<a_, b_> * = nullptr>
#define PPNSIM_OPERATOR(op_, result_)                                           \
    PPNSIM_INTS ppnsim::result_<a_, b_> operator op_(const a_ &a, const b_ &b) { \
        return ppnsim::result_<a_, b_>::of(ppnsim::raw(a) op_ ppnsim::raw(b));   \
    }
#define PPNSIM_COMPARED(op_) \
    PPNSIM_INTS bool operator op_(const a_ &a, const b_ &b) { return ppnsim::raw(a) op_ ppnsim::raw(b); }
PPNSIM_OPERATOR(+, SumInt)
PPNSIM_OPERATOR(-, DifferenceInt)
PPNSIM_OPERATOR(*, ProductInt)
PPNSIM_OPERATOR(/, QuotientInt)
PPNSIM_OPERATOR(%, RestInt)
PPNSIM_OPERATOR(&, LogicInt)
PPNSIM_OPERATOR(|, LogicInt)
PPNSIM_OPERATOR(^, LogicInt)
PPNSIM_COMPARED(<) PPNSIM_COMPARED(<=) PPNSIM_COMPARED(>) PPNSIM_COMPARED(>=) PPNSIM_COMPARED(==) PPNSIM_COMPARED(!=)
template <int w1_, bool s1_, int w2_, bool s2_>
ap_int_base<w1_ + w2_, false> operator,(const ap_int_base<w1_, s1_> &high, const ap_int_base<w2_, s2_> &low) {
    return high.concat(low);
}
template <int w_, bool s_> std::ostream &operator<<(std::ostream &to, const ap_int_base<w_, s_> &x) {
    return to << (long long)x.v;
}
#endif
