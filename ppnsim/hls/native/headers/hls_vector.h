/* hls::vector that executes: arithmetic, comparisons and reductions of lanes (UG1399). */
#ifndef PPNSIM_NATIVE_VECTOR_H
#define PPNSIM_NATIVE_VECTOR_H
#include <array>
#include <cstddef>
#include <initializer_list>
#include <ostream>

namespace hls {
template <typename t_, size_t n_> class vector {
    static_assert(n_ >= 1, "a vector has at least one lane");
    std::array<t_, n_> lanes;

  public:
    static const int width = n_;
    static const int size = n_;
    vector() = default;
    vector(const t_ &of) { lanes.fill(of); }
    vector(std::initializer_list<t_> of) : lanes{} {
        size_t at = 0;
        for (const t_ &each : of)
            if (at < n_) lanes[at++] = each;
    }
    vector(const std::array<t_, n_> &of) : lanes(of) {}
    t_ &operator[](size_t at) { return lanes[at]; }
    const t_ &operator[](size_t at) const { return lanes[at]; }
    t_ *begin() { return lanes.data(); }
    t_ *end() { return lanes.data() + n_; }
    const t_ *begin() const { return lanes.data(); }
    const t_ *end() const { return lanes.data() + n_; }
    template <typename f_> t_ reduced(f_ both) const {
        t_ result = lanes[0];
        for (size_t at = 1; at < n_; at++) result = both(result, lanes[at]);
        return result;
    }
#define PPNSIM_REDUCED(name_, op_) \
    t_ name_() const { return reduced([](const t_ &x, const t_ &y) { return t_(x op_ y); }); }
    PPNSIM_REDUCED(reduce_add, +) PPNSIM_REDUCED(reduce_mult, *) PPNSIM_REDUCED(reduce_and, &)
    PPNSIM_REDUCED(reduce_or, |) PPNSIM_REDUCED(reduce_xor, ^)
#undef PPNSIM_REDUCED
    vector operator+() const { return *this; }
    vector operator-() const { return made([](const t_ &x) { return t_(-x); }); }
    vector operator~() const { return made([](const t_ &x) { return t_(~x); }); }
    vector &operator++() { return *this += t_(1); }
    vector &operator--() { return *this -= t_(1); }
    vector operator++(int) { vector old = *this; ++*this; return old; }
    vector operator--(int) { vector old = *this; --*this; return old; }
    template <typename f_> vector made(f_ one) const {
        vector result;
        for (size_t at = 0; at < n_; at++) result[at] = one(lanes[at]);
        return result;
    }
#define PPNSIM_LANES(op_)                                                           \
    vector &operator op_##=(const vector &other) {                                   \
        for (size_t at = 0; at < n_; at++) lanes[at] = t_(lanes[at] op_ other[at]);  \
        return *this;                                                                \
    }                                                                                \
    friend vector operator op_(vector x, const vector &y) { return x op_##= y; }
    PPNSIM_LANES(+) PPNSIM_LANES(-) PPNSIM_LANES(*) PPNSIM_LANES(/) PPNSIM_LANES(%) PPNSIM_LANES(&)
    PPNSIM_LANES(|) PPNSIM_LANES(^) PPNSIM_LANES(<<) PPNSIM_LANES(>>)
#undef PPNSIM_LANES
/* A comparison gives one bool: the first lane that differs decides. */
#define PPNSIM_COMPARISON(op_)                                                \
    friend bool operator op_(const vector &x, const vector &y) {              \
        for (size_t at = 0; at < n_; at++)                                    \
            if (!(x[at] == y[at])) return x[at] op_ y[at];                    \
        return t_() op_ t_();                                                 \
    }
    PPNSIM_COMPARISON(<) PPNSIM_COMPARISON(<=) PPNSIM_COMPARISON(>) PPNSIM_COMPARISON(>=)
    PPNSIM_COMPARISON(==) PPNSIM_COMPARISON(!=)
#undef PPNSIM_COMPARISON
    friend std::ostream &operator<<(std::ostream &to, const vector &x) {
        to << '{';
        for (size_t at = 0; at < n_; at++) to << (at ? ", " : "") << x[at];
        return to << '}';
    }
};
}
#endif
