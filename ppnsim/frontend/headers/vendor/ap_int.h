/* Declarations of the integers of any width of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_INT_H
#define PPNSIM_AP_INT_H

/* W bits. What a value is made of or given: any number. */
template <int W, bool S> struct ap_int_base {
    ap_int_base() = default;
    ap_int_base(int);
    ap_int_base(unsigned);
    ap_int_base(long);
    ap_int_base(double);
    template <int W2, bool S2> ap_int_base(const ap_int_base<W2, S2> &);
    operator long long() const;
};
template <int W> using ap_int = ap_int_base<W, true>;
template <int W> using ap_uint = ap_int_base<W, false>;

#define PPNSIM_WIDER(a, b) ((a) > (b) ? (a) : (b))
#define PPNSIM_INTS template <int W1, bool S1, int W2, bool S2>
#define PPNSIM_TWO_INTS const ap_int_base<W1, S1> &, const ap_int_base<W2, S2> &
#define PPNSIM_SIGNED_WIDTH PPNSIM_WIDER(W1 + (S2 && !S1), W2 + (S1 && !S2))

PPNSIM_INTS ap_int_base<PPNSIM_SIGNED_WIDTH + 1, S1 || S2> operator+(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_SIGNED_WIDTH + 1, true> operator-(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<W1 + W2, S1 || S2> operator*(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<W1 + S2, S1 || S2> operator/(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(W1, W2), S1> operator%(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(W1, W2), S1 || S2> operator&(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(W1, W2), S1 || S2> operator|(PPNSIM_TWO_INTS);
PPNSIM_INTS ap_int_base<PPNSIM_WIDER(W1, W2), S1 || S2> operator^(PPNSIM_TWO_INTS);
template <int W, bool S> ap_int_base<W + 1, true> operator-(const ap_int_base<W, S> &);
template <int W, bool S> ap_int_base<W, S> operator~(const ap_int_base<W, S> &);
template <int W, bool S> ap_int_base<W, S> operator>>(const ap_int_base<W, S> &, int);
template <int W, bool S> ap_int_base<W, S> operator<<(const ap_int_base<W, S> &, int);
template <int W, bool S> ap_int_base<W, S> &operator++(ap_int_base<W, S> &);
template <int W, bool S> ap_int_base<W, S> operator++(ap_int_base<W, S> &, int);
template <int W, bool S> ap_int_base<W, S> &operator--(ap_int_base<W, S> &);
template <int W, bool S> ap_int_base<W, S> operator--(ap_int_base<W, S> &, int);

/* A number of C beside one of these is one of 32 bits. */
#define PPNSIM_INT_MIXED(OP, R)                                                                                        \
    template <int W, bool S> R operator OP(const ap_int_base<W, S> &, int);                                            \
    template <int W, bool S> R operator OP(int, const ap_int_base<W, S> &);                                            \
    template <int W, bool S> R operator OP(const ap_int_base<W, S> &, unsigned);                                       \
    template <int W, bool S> R operator OP(unsigned, const ap_int_base<W, S> &);
#define PPNSIM_WITH_INT ap_int_base<PPNSIM_WIDER(W, 32) + 1, true>
#define PPNSIM_LIKE_INT ap_int_base<PPNSIM_WIDER(W, 32), true>
#define PPNSIM_COMMA_WIDE ap_int_base<W + 32, true>
PPNSIM_INT_MIXED(+, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(-, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(*, PPNSIM_COMMA_WIDE)
PPNSIM_INT_MIXED(/, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(%, PPNSIM_LIKE_INT) PPNSIM_INT_MIXED(&, PPNSIM_LIKE_INT)
PPNSIM_INT_MIXED(|, PPNSIM_LIKE_INT) PPNSIM_INT_MIXED(^, PPNSIM_LIKE_INT)
#define PPNSIM_INT_COMPARED(OP) PPNSIM_INTS bool operator OP(PPNSIM_TWO_INTS); PPNSIM_INT_MIXED(OP, bool)
PPNSIM_INT_COMPARED(<) PPNSIM_INT_COMPARED(<=) PPNSIM_INT_COMPARED(>) PPNSIM_INT_COMPARED(>=)
PPNSIM_INT_COMPARED(==) PPNSIM_INT_COMPARED(!=)
#define PPNSIM_INT_CHANGED(OP)                                                                 \
    PPNSIM_INTS ap_int_base<W1, S1> &operator OP(ap_int_base<W1, S1> &, const ap_int_base<W2, S2> &); \
    template <int W, bool S> ap_int_base<W, S> &operator OP(ap_int_base<W, S> &, int);
PPNSIM_INT_CHANGED(+=) PPNSIM_INT_CHANGED(-=) PPNSIM_INT_CHANGED(*=) PPNSIM_INT_CHANGED(/=) PPNSIM_INT_CHANGED(%=)
PPNSIM_INT_CHANGED(&=) PPNSIM_INT_CHANGED(|=) PPNSIM_INT_CHANGED(^=) PPNSIM_INT_CHANGED(<<=) PPNSIM_INT_CHANGED(>>=)
#endif
