/* Integers of 1 to 128 bits that execute; widths of results as UG1399 gives them. */
#ifndef PPNSIM_NATIVE_AP_INT_H
#define PPNSIM_NATIVE_AP_INT_H
#define AP_MAX(x_, y_) ((x_) > (y_) ? (x_) : (y_))
#define AP_MIN(x_, y_) ((x_) < (y_) ? (x_) : (y_))
#define AP_ABS(x_) ((x_) >= 0 ? (x_) : -(x_))
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
/* Shifted to the right; a number of 128 bits without a sign has its first bit where the sign stands. */
inline Wide moved(Wide value, int by, bool is_signed) {
    if (by >= MOST) return is_signed && value < 0 ? -1 : 0;
    return is_signed ? value >> by : Wide((unsigned __int128)value >> by);
}
template <typename t_> using IfNumber = typename std::enable_if<std::is_arithmetic<t_>::value || std::is_enum<t_>::value>::type;
}

enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };
template <int w_, bool s_> struct ap_int_base;
template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_> struct ap_fixed_base;
namespace ppnsim {
typedef unsigned __int128 Bare;
inline Wide reversed(Wide value, int bits) {
    Wide turned = 0;
    for (int at = 0; at < bits; at++) turned = turned << 1 | (value >> at & 1);
    return turned;
}
/* Bits of a number; the other way round if the first place is the lower one. */
inline Wide picked(Wide of, int high, int low) {
    if (high < low) return reversed(picked(of, low, high), low - high + 1);
    return cut(of >> low, high - low + 1, false);
}
inline Wide placed(Wide of, int high, int low, Wide value) {
    if (high < low) return placed(of, low, high, reversed(value, low - high + 1));
    Wide mask = cut(-1, high - low + 1, false) << low;
    return (of & ~mask) | ((value << low) & mask);
}
/* A number of text: "12", "0x1f", "0b101", "0o17", "-3"; digits of a radix have no prefix. */
inline Wide parsed(const char *text, int radix) {
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (*text == '0' && text[1]) {
        int kind = text[1] | 32, given = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' && radix != 16 ? 2 : 0;
        if (given) radix = given, text += 2;
    }
    Bare value = 0;
    for (; *text; text++) {
        int digit = *text >= 'a' ? *text - 'a' + 10 : *text >= 'A' ? *text - 'A' + 10 : *text - '0';
        if (digit >= 0 && digit < radix) value = value * radix + digit;
    }
    return negative ? -Wide(value) : Wide(value);
}
inline std::string written(Bare value, int radix, int least) {
    std::string text;
    for (; value || int(text.size()) < least; value /= radix) text.insert(text.begin(), "0123456789abcdef"[int(value % radix)]);
    return text;
}
}
/* What bits of a number can do, and several numbers as one (`,`); the class below has value(), length() and set(). */
template <typename own_> struct ap_bits_of {
    const own_ &own() const { return static_cast<const own_ &>(*this); }
    ppnsim::Wide value() const { return own().value(); }
    operator unsigned long long() const { return (unsigned long long)value(); }
    int to_int() const { return int(value()); }
    unsigned to_uint() const { return unsigned(value()); }
    long to_long() const { return long(value()); }
    unsigned long to_ulong() const { return (unsigned long)value(); }
    long long to_int64() const { return (long long)value(); }
    unsigned long long to_uint64() const { return (unsigned long long)value(); }
    bool to_bool() const { return value() != 0; }
    bool or_reduce() const { return value() != 0; }
    bool and_reduce() const { return value() == ppnsim::cut(-1, own().length(), false); }
    bool xor_reduce() const {
        bool odd = false;
        for (ppnsim::Bare left = value(); left; left >>= 1) odd ^= left & 1;
        return odd;
    }
    bool nand_reduce() const { return !and_reduce(); }
    bool nor_reduce() const { return !or_reduce(); }
    bool xnor_reduce() const { return !xor_reduce(); }
};
template <typename of_> struct ap_bits_ref : ap_bits_of<ap_bits_ref<of_>> {
    static const int width = of_::width;
    of_ &of;
    int high, low;
    ap_bits_ref(of_ &of_number, int from, int to) : of(of_number), high(from), low(to) {}
    ap_bits_ref(const ap_bits_ref &) = default;
    ppnsim::Wide value() const { return of.bits(high, low); }
    int length() const { return (high < low ? low - high : high - low) + 1; }
    void set(ppnsim::Wide x) { of.put(high, low, x); }
    ap_int_base<of_::width, false> get() const { return ap_int_base<of_::width, false>::of(value()); }
    bool operator~() const { return !(value() & 1); }
    ap_bits_ref &operator=(const ap_bits_ref &x) { set(x.value()); return *this; }
    template <typename t_> ap_bits_ref &operator=(const t_ &x);
    template <typename t_> ap_bits_ref &operator|=(const t_ &x) { return *this = get() | x; }
    template <typename t_> ap_bits_ref &operator&=(const t_ &x) { return *this = get() & x; }
    template <typename t_> ap_bits_ref &operator^=(const t_ &x) { return *this = get() ^ x; }
};
/* Numbers side by side: of variables, one that can be assigned to. */
template <typename a_, typename b_> struct ap_concat_ref : ap_bits_of<ap_concat_ref<a_, b_>> {
    static const int width = ppnsim::kept(std::decay<a_>::type::width + std::decay<b_>::type::width);
    a_ high;
    b_ low;
    ap_concat_ref(a_ &&first, b_ &&second) : high(static_cast<a_ &&>(first)), low(static_cast<b_ &&>(second)) {}
    ap_concat_ref(const ap_concat_ref &) = default;
    ppnsim::Wide value() const { return high.value() << low.length() | ppnsim::picked(low.value(), low.length() - 1, 0); }
    int length() const { return high.length() + low.length(); }
    void set(ppnsim::Wide x) { low.set(x), high.set(x >> low.length()); }
    ap_int_base<width, false> get() const { return ap_int_base<width, false>::of(value()); }
    ap_concat_ref &operator=(const ap_concat_ref &x) { set(x.value()); return *this; }
    template <typename t_> ap_concat_ref &operator=(const t_ &x);
};

template <int w_, bool s_> struct ap_int_base {
    static_assert(w_ >= 1 && w_ <= ppnsim::MOST, "ppnsim executes integers of 1 to 128 bits");
    static const int width = w_;
    ppnsim::Wide v;

    ap_int_base() : v(0) {}
    template <typename t_, typename = ppnsim::IfNumber<t_>> ap_int_base(t_ x) : v(ppnsim::cut(ppnsim::Wide(x), w_, s_)) {}
    template <int w2_, bool s2_> ap_int_base(const ap_int_base<w2_, s2_> &x) : v(ppnsim::cut(x.v, w_, s_)) {}
    template <typename t_> ap_int_base(const ap_bits_of<t_> &x) : v(ppnsim::cut(x.value(), w_, s_)) {}
    template <int w2_, int i2_, bool s2_, ap_q_mode q2_, ap_o_mode o2_, int n2_>
    ap_int_base(const ap_fixed_base<w2_, i2_, s2_, q2_, o2_, n2_> &x) : v(ppnsim::cut(x.towards_zero(), w_, s_)) {}
    ap_int_base(const char *text, int radix = 10) : v(ppnsim::cut(ppnsim::parsed(text, radix), w_, s_)) {}
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
    unsigned long to_ulong() const { return (unsigned long)v; }
    char to_char() const { return char(v); }
    signed char to_schar() const { return (signed char)v; }
    unsigned char to_uchar() const { return (unsigned char)v; }
    short to_short() const { return short(v); }
    unsigned short to_ushort() const { return (unsigned short)v; }
    double to_double() const { return s_ ? double(v) : double(ppnsim::Bare(v)); }
    float to_float() const { return s_ ? float(v) : float(ppnsim::Bare(v)); }
    bool to_bool() const { return v != 0; }
    int length() const { return w_; }
    bool sign() const { return s_ && v < 0; }
    bool is_zero() const { return v == 0; }
    bool iszero() const { return v == 0; }
    ppnsim::Wide value() const { return bits(w_ - 1, 0); }
    /* Without a prefix for radix 10. Radix 8 and 16: with a sign. All bits of a negative number for radix 2. */
    std::string to_string(int radix = 2, bool with_sign = s_) const {
        bool minus = with_sign && v < 0 && s_;
        if (radix == 10) return (minus ? "-" : "") + ppnsim::written(minus ? -v : with_sign ? v : value(), 10, 1);
        std::string prefix = radix == 2 ? "0b" : radix == 8 ? "0o" : "0x", bits = ppnsim::written(value(), 2, 0);
        if (minus) return radix == 2 ? prefix + bits : "-" + prefix + ppnsim::written(-v, radix, 1);
        int each = radix == 2 ? 1 : radix == 8 ? 3 : 4, digits = int(bits.size()) + (int(bits.size()) < w_);
        return prefix + ppnsim::written(value(), radix, (digits + each - 1) / each);
    }
    ppnsim::Wide bits(int high, int low) const { return ppnsim::picked(v, high, low); }
    void put(int high, int low, ppnsim::Wide x) { v = ppnsim::cut(ppnsim::placed(v, high, low, x), w_, s_); }
    typedef ap_bits_ref<ap_int_base> Bits;
    Bits range(int high, int low) { return {*this, high, low}; }
    Bits range() { return {*this, w_ - 1, 0}; }
    Bits operator()(int high, int low) { return {*this, high, low}; }
    Bits operator[](int at) { return {*this, at, at}; }
    Bits bit(int at) { return {*this, at, at}; }
    ap_int_base<w_, false> range(int high, int low) const { return ap_int_base<w_, false>::of(bits(high, low)); }
    ap_int_base<w_, false> range() const { return range(w_ - 1, 0); }
    ap_int_base<w_, false> operator()(int high, int low) const { return range(high, low); }
    bool bit(int at) const { return test(at); }
    bool operator[](int at) const { return test(at); }
    bool test(int at) const { return bits(at, at) != 0; }
    bool get_bit(int at) const { return test(at); }
    void set(int at) { put(at, at, 1); }
    void set(int at, bool x) { put(at, at, x); }
    void set(ppnsim::Wide x) { v = ppnsim::cut(x, w_, s_); }
    ap_int_base &reverse() { return put(0, w_ - 1, v), *this; }
    void b_not() { v = ppnsim::cut(~v, w_, s_); }
    void lrotate(int by) { by ? put(w_ - 1, 0, bits(w_ - 1 - by, 0) << by | bits(w_ - 1, w_ - by)) : void(); }
    void rrotate(int by) { by ? lrotate(w_ - by) : void(); }
    int countLeadingZeros() const {
        int count = 0;
        while (count < w_ && !test(w_ - 1 - count)) count++;
        return count;
    }
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
    ap_int_base &operator++() { v = ppnsim::cut(v + 1, w_, s_); return *this; }
    ap_int_base &operator--() { v = ppnsim::cut(v - 1, w_, s_); return *this; }
    ap_int_base operator++(int) { ap_int_base old = *this; ++*this; return old; }
    ap_int_base operator--(int) { ap_int_base old = *this; --*this; return old; }
    ap_int_base<ppnsim::kept(w_ + 1), true> operator-() const { return ap_int_base<ppnsim::kept(w_ + 1), true>::of(-v); }
    ap_int_base operator+() const { return *this; }
    ap_int_base operator~() const { return of(~v); }
    bool operator!() const { return v == 0; }
    ap_int_base operator<<(int by) const { return by < 0 ? *this >> -by : of(by >= w_ ? ppnsim::Wide(0) : v << by); }
    ap_int_base operator>>(int by) const { return by < 0 ? *this << -by : of(ppnsim::moved(v, by, s_)); }
};
template <int w_> using ap_int = ap_int_base<w_, true>;
template <int w_> using ap_uint = ap_int_base<w_, false>;

namespace ppnsim {
/* A number of C as one of these: integers as wide as they are. */
template <typename t_> struct AsInt {
    static const bool is = std::is_integral<t_>::value;
    typedef ap_int_base<std::is_same<t_, bool>::value ? 1 : 8 * (is ? sizeof(t_) : 1), std::is_signed<t_>::value> type;
};
template <> struct AsInt<void> {
    static const bool is = false;
};
template <int w_, bool s_> struct AsInt<ap_int_base<w_, s_>> {
    static const bool is = true;
    typedef ap_int_base<w_, s_> type;
};
template <typename of_> struct AsInt<ap_bits_ref<of_>> {
    static const bool is = true;
    typedef ap_int_base<of_::width, false> type;
};
template <typename a_, typename b_> struct AsInt<ap_concat_ref<a_, b_>> {
    static const bool is = true;
    typedef ap_int_base<ap_concat_ref<a_, b_>::width, false> type;
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
/* Sign and absolute value: also of a number of 128 bits without a sign. */
template <typename t_> bool is_below(const t_ &x) { return Shape<typename AsInt<t_>::type>::s && raw(x) < 0; }
template <typename t_> Bare size(const t_ &x) { return is_below(x) ? -Bare(raw(x)) : Bare(raw(x)); }
template <typename a_, typename b_> int order(const a_ &a, const b_ &b) {
    if (is_below(a) != is_below(b)) return is_below(a) ? -1 : 1;
    Bare x = raw(a), y = raw(b);
    return x < y ? -1 : x > y;
}
}
namespace ppnsim {
template <int w_, bool s_> using Int = ap_int_base<kept(w_), s_>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using SumInt = Int<p_::w + 1, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using DifferenceInt = Int<p_::w + 1, true>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using ProductInt = Int<p_::A::w + p_::B::w, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using QuotientInt = Int<p_::A::w + p_::B::s, p_::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using RestInt = Int<p_::A::w < p_::B::w + (p_::A::s && !p_::B::s) ? p_::A::w : p_::B::w + (p_::A::s && !p_::B::s), p_::A::s>;
template <typename a_, typename b_, typename p_ = Pair<a_, b_>> using LogicInt = Int<p_::w, p_::s>;
}
#define PPNSIM_INTS template <typename a_, typename b_, ppnsim::IfInts<a_, b_> * = nullptr>
#define PPNSIM_OPERATOR(op_, result_)                                           \
    PPNSIM_INTS ppnsim::result_<a_, b_> operator op_(const a_ &a, const b_ &b) { \
        return ppnsim::result_<a_, b_>::of(ppnsim::raw(a) op_ ppnsim::raw(b));   \
    }
#define PPNSIM_COMPARED(op_) \
    PPNSIM_INTS bool operator op_(const a_ &a, const b_ &b) { return ppnsim::order(a, b) op_ 0; }
PPNSIM_OPERATOR(+, SumInt)
PPNSIM_OPERATOR(-, DifferenceInt)
PPNSIM_OPERATOR(*, ProductInt)
#define PPNSIM_DIVIDED(op_, result_)                                                                           \
    PPNSIM_INTS ppnsim::result_<a_, b_> operator op_(const a_ &a, const b_ &b) {                                \
        return ppnsim::result_<a_, b_>::of(ppnsim::is_below(a) != (#op_[0] == '/' && ppnsim::is_below(b))         \
                                               ? -ppnsim::Wide(ppnsim::size(a) op_ ppnsim::size(b))               \
                                               : ppnsim::Wide(ppnsim::size(a) op_ ppnsim::size(b)));              \
    }
PPNSIM_DIVIDED(/, QuotientInt)
PPNSIM_DIVIDED(%, RestInt)
PPNSIM_OPERATOR(&, LogicInt)
PPNSIM_OPERATOR(|, LogicInt)
PPNSIM_OPERATOR(^, LogicInt)
PPNSIM_COMPARED(<) PPNSIM_COMPARED(<=) PPNSIM_COMPARED(>) PPNSIM_COMPARED(>=) PPNSIM_COMPARED(==) PPNSIM_COMPARED(!=)
namespace ppnsim {
/* A variable is held by reference, bits of one and numbers of the moment by value. */
template <typename t_> struct Held {
    typedef typename std::decay<t_>::type plain;
    typedef typename std::conditional<std::is_integral<plain>::value, typename AsInt<plain>::type, t_>::type type;
};
template <typename of_> struct Held<ap_bits_ref<of_> &> : Held<ap_bits_ref<of_>> {};
template <typename a_, typename b_> struct Held<ap_concat_ref<a_, b_> &> : Held<ap_concat_ref<a_, b_>> {};
template <typename t_> struct IsPart : std::bool_constant<AsInt<typename std::decay<t_>::type>::is> {};
template <typename t_> struct IsOurs : std::bool_constant<ours<typename std::decay<t_>::type>()> {};
template <typename a_, typename b_> using IfParts = typename std::enable_if<
    std::conjunction<IsPart<a_>, IsPart<b_>, std::disjunction<IsOurs<a_>, IsOurs<b_>>>::value>::type;
}
template <typename a_, typename b_, ppnsim::IfParts<a_, b_> * = nullptr>
ap_concat_ref<typename ppnsim::Held<a_>::type, typename ppnsim::Held<b_>::type> operator,(a_ &&high, b_ &&low) {
    return {static_cast<a_ &&>(high), static_cast<b_ &&>(low)};
}
template <typename of_> template <typename t_> ap_bits_ref<of_> &ap_bits_ref<of_>::operator=(const t_ &x) {
    set(ap_int_base<ppnsim::MOST, true>(x).v);
    return *this;
}
template <typename a_, typename b_> template <typename t_>
ap_concat_ref<a_, b_> &ap_concat_ref<a_, b_>::operator=(const t_ &x) {
    set(ap_int_base<ppnsim::MOST, true>(x).v);
    return *this;
}
template <int w_, bool s_> std::ostream &operator<<(std::ostream &to, const ap_int_base<w_, s_> &x) {
    return to << x.to_string(10);
}
template <typename own_> std::ostream &operator<<(std::ostream &to, const ap_bits_of<own_> &x) {
    return to << ppnsim::written(x.value(), 10, 1);
}
#endif
