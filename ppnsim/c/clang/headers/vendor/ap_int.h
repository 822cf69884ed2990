/* Declarations of the integers of any width of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_INT_H
#define PPNSIM_AP_INT_H

template <int w_> struct ap_range_ref;

/* W bits. What a value is made of or given: any number. */
template <int w_, bool s_> struct ap_int_base {
    ap_int_base() = default;
    ap_int_base(int);
    ap_int_base(unsigned);
    ap_int_base(long);
    ap_int_base(double);
    template <int w2_, bool s2_> ap_int_base(const ap_int_base<w2_, s2_> &);
    operator long long() const;
    int to_int() const;
    unsigned to_uint() const;
    long to_long() const;
    double to_double() const;
    static const int width = w_;
    int length() const;
    ap_range_ref<w_> range(int high_, int low_) const;
    ap_range_ref<w_> operator()(int high_, int low_) const;
    ap_range_ref<1> operator[](int at_) const;
    ap_range_ref<1> bit(int at_) const;
    bool test(int at_) const;
    bool get_bit(int at_) const;
    void set(int at_);
    void set_bit(int at_, bool);
    void clear(int at_);
    void invert(int at_);
    bool and_reduce() const;
    bool or_reduce() const;
    bool xor_reduce() const;
    bool nand_reduce() const;
    bool nor_reduce() const;
    bool xnor_reduce() const;
    template <int w2_, bool s2_> ap_int_base<w_ + w2_, false> concat(const ap_int_base<w2_, s2_> &) const;
};
/* Some bits of a number: as wide as that, because how many they are may be data. */
template <int w_> struct ap_range_ref : ap_int_base<w_, false> {
    template <int w2_, bool s2_> ap_range_ref &operator=(const ap_int_base<w2_, s2_> &);
    ap_range_ref &operator=(const ap_range_ref &);
    ap_range_ref &operator=(long);
};
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
template <int w_, bool s_> ap_int_base<w_, s_> operator~(const ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator>>(const ap_int_base<w_, s_> &, int);
template <int w_, bool s_> ap_int_base<w_, s_> operator<<(const ap_int_base<w_, s_> &, int);
template <int w_, bool s_> ap_int_base<w_, s_> &operator++(ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator++(ap_int_base<w_, s_> &, int);
template <int w_, bool s_> ap_int_base<w_, s_> &operator--(ap_int_base<w_, s_> &);
template <int w_, bool s_> ap_int_base<w_, s_> operator--(ap_int_base<w_, s_> &, int);

/* A number of C beside one of these is one of 32 bits. */
#define PPNSIM_INT_MIXED(op_, r_)                                                                                        \
    template <int w_, bool s_> r_ operator op_(const ap_int_base<w_, s_> &, int);                                            \
    template <int w_, bool s_> r_ operator op_(int, const ap_int_base<w_, s_> &);                                            \
    template <int w_, bool s_> r_ operator op_(const ap_int_base<w_, s_> &, unsigned);                                       \
    template <int w_, bool s_> r_ operator op_(unsigned, const ap_int_base<w_, s_> &);
#define PPNSIM_WITH_INT ap_int_base<PPNSIM_WIDER(w_, 32) + 1, true>
#define PPNSIM_LIKE_INT ap_int_base<PPNSIM_WIDER(w_, 32), true>
#define PPNSIM_COMMA_WIDE ap_int_base<w_ + 32, true>
PPNSIM_INT_MIXED(+, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(-, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(*, PPNSIM_COMMA_WIDE)
PPNSIM_INT_MIXED(/, PPNSIM_WITH_INT) PPNSIM_INT_MIXED(%, PPNSIM_LIKE_INT) PPNSIM_INT_MIXED(&, PPNSIM_LIKE_INT)
PPNSIM_INT_MIXED(|, PPNSIM_LIKE_INT) PPNSIM_INT_MIXED(^, PPNSIM_LIKE_INT)
#define PPNSIM_INT_COMPARED(op_) PPNSIM_INTS bool operator op_(PPNSIM_TWO_INTS); PPNSIM_INT_MIXED(op_, bool)
PPNSIM_INT_COMPARED(<) PPNSIM_INT_COMPARED(<=) PPNSIM_INT_COMPARED(>) PPNSIM_INT_COMPARED(>=)
PPNSIM_INT_COMPARED(==) PPNSIM_INT_COMPARED(!=)
#define PPNSIM_INT_CHANGED(op_)                                                                 \
    PPNSIM_INTS ap_int_base<w1_, s1_> &operator op_(ap_int_base<w1_, s1_> &, const ap_int_base<w2_, s2_> &); \
    template <int w_, bool s_> ap_int_base<w_, s_> &operator op_(ap_int_base<w_, s_> &, int);
PPNSIM_INT_CHANGED(+=) PPNSIM_INT_CHANGED(-=) PPNSIM_INT_CHANGED(*=) PPNSIM_INT_CHANGED(/=) PPNSIM_INT_CHANGED(%=)
PPNSIM_INT_CHANGED(&=) PPNSIM_INT_CHANGED(|=) PPNSIM_INT_CHANGED(^=) PPNSIM_INT_CHANGED(<<=) PPNSIM_INT_CHANGED(>>=)
#endif
