/* The vendor's vector of lanes that are computed in parallel, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_VECTOR_H
#define PPNSIM_HLS_VECTOR_H
#include <stddef.h>
#if __has_include(<initializer_list>)
#include <initializer_list>
#endif

namespace hls {
/* A loop over lanes has no iterations of its own in hardware: the reader of directives unrolls loops of this file. */
#define PPNSIM_LANES for (int k_ = 0; k_ < (int)n_; k_++)
template <typename t_, size_t n_> class vector {
  public:
    t_ ppnsim_lane[n_];
    static const int width = n_;
    /* A constant in older releases, and a method since 2022.2: code of both has the same answer. */
    struct ppnsim_size {
        constexpr operator int() const { return n_; }
        constexpr size_t operator()() const { return n_; }
    };
    static constexpr ppnsim_size size = {};
    vector() = default;
    vector(const vector &) = default;
    vector(t_ of_) {
        PPNSIM_LANES {
            ppnsim_lane[k_] = of_;
        }
    }
#if __has_include(<initializer_list>)
    vector(std::initializer_list<t_> of_);
#endif
    vector &operator=(const vector &) = default;
    t_ &operator[](size_t k_) { return ppnsim_lane[k_]; }
    const t_ &operator[](size_t k_) const { return ppnsim_lane[k_]; }
    t_ reduce_add() const {
        t_ sum_ = 0;
        PPNSIM_LANES {
            sum_ += ppnsim_lane[k_];
        }
        return sum_;
    }
    t_ reduce_and() const {
        t_ all_ = ppnsim_lane[0];
        PPNSIM_LANES {
            all_ &= ppnsim_lane[k_];
        }
        return all_;
    }
    t_ reduce_or() const {
        t_ any_ = 0;
        PPNSIM_LANES {
            any_ |= ppnsim_lane[k_];
        }
        return any_;
    }
    t_ reduce_xor() const {
        t_ odd_ = 0;
        PPNSIM_LANES {
            odd_ ^= ppnsim_lane[k_];
        }
        return odd_;
    }
#define PPNSIM_STEP(op_)                                                                               \
    vector &operator op_() {                                                                           \
        PPNSIM_LANES {                                                                                 \
            op_ ppnsim_lane[k_];                                                                       \
        }                                                                                              \
        return *this;                                                                                  \
    }                                                                                                  \
    vector operator op_(int) {                                                                         \
        vector before_ = *this;                                                                        \
        op_ *this;                                                                                     \
        return before_;                                                                                \
    }
    PPNSIM_STEP(++) PPNSIM_STEP(--)
#define PPNSIM_CHANGE(op_)                                                                             \
    vector &operator op_##=(const vector &y_) {                                                        \
        PPNSIM_LANES {                                                                                 \
            ppnsim_lane[k_] = ppnsim_lane[k_] op_ y_.ppnsim_lane[k_];                                  \
        }                                                                                              \
        return *this;                                                                                  \
    }                                                                                                  \
    vector &operator op_##=(t_ y_) {                                                                   \
        PPNSIM_LANES {                                                                                 \
            ppnsim_lane[k_] = ppnsim_lane[k_] op_ y_;                                                  \
        }                                                                                              \
        return *this;                                                                                  \
    }
    PPNSIM_CHANGE(+) PPNSIM_CHANGE(-) PPNSIM_CHANGE(*) PPNSIM_CHANGE(/) PPNSIM_CHANGE(%) PPNSIM_CHANGE(&)
    PPNSIM_CHANGE(|) PPNSIM_CHANGE(^) PPNSIM_CHANGE(<<) PPNSIM_CHANGE(>>)
    t_ *begin() { return ppnsim_lane; }
    t_ *end() { return ppnsim_lane + n_; }
    const t_ *begin() const { return ppnsim_lane; }
    const t_ *end() const { return ppnsim_lane + n_; }
    t_ reduce_mult() const {
        t_ product_ = 1;
        PPNSIM_LANES {
            product_ *= ppnsim_lane[k_];
        }
        return product_;
    }
};
#define PPNSIM_ALONE(name_, op_)                                                                        \
    template <typename t_, size_t n_> vector<t_, n_> name_(const vector<t_, n_> &x_) {                 \
        vector<t_, n_> made_;                                                                          \
        PPNSIM_LANES {                                                                                 \
            made_.ppnsim_lane[k_] = op_ x_.ppnsim_lane[k_];                                            \
        }                                                                                              \
        return made_;                                                                                  \
    }
PPNSIM_ALONE(operator-, -) PPNSIM_ALONE(operator~, ~) PPNSIM_ALONE(operator+, +)
/* Operators of two vectors, or of a vector and a number, lane by lane. */
template <typename t_> struct ppnsim_lane_of { typedef t_ type; };
#define PPNSIM_OF typename ppnsim_lane_of<t_>::type
#define PPNSIM_VECTOR(op_)                                                                                     \
    template <typename t_, size_t n_> vector<t_, n_> operator op_(vector<t_, n_> x_, const vector<t_, n_> &y_) { \
        vector<t_, n_> made_;                                                                                  \
        PPNSIM_LANES {                                                                                         \
            made_.ppnsim_lane[k_] = x_.ppnsim_lane[k_] op_ y_.ppnsim_lane[k_];            \
        }                                                                                                      \
        return made_;                                                                                          \
    }                                                                                                          \
    template <typename t_, size_t n_> vector<t_, n_> operator op_(const vector<t_, n_> &x_, PPNSIM_OF y_) {      \
        vector<t_, n_> made_;                                                                                  \
        PPNSIM_LANES {                                                                                         \
            made_.ppnsim_lane[k_] = x_.ppnsim_lane[k_] op_ y_;                            \
        }                                                                                                      \
        return made_;                                                                                          \
    }                                                                                                          \
    template <typename t_, size_t n_> vector<t_, n_> operator op_(PPNSIM_OF x_, const vector<t_, n_> &y_) {      \
        vector<t_, n_> made_;                                                                                  \
        PPNSIM_LANES {                                                                                         \
            made_.ppnsim_lane[k_] = x_ op_ y_.ppnsim_lane[k_];                            \
        }                                                                                                      \
        return made_;                                                                                          \
    }
PPNSIM_VECTOR(+) PPNSIM_VECTOR(-) PPNSIM_VECTOR(*) PPNSIM_VECTOR(/) PPNSIM_VECTOR(%) PPNSIM_VECTOR(&) PPNSIM_VECTOR(|)
PPNSIM_VECTOR(^) PPNSIM_VECTOR(<<) PPNSIM_VECTOR(>>)
/* Comparisons give one bool: the first lane that differs decides. */
#define PPNSIM_COMPARISON(op_)                                                                         \
    template <typename t_, size_t n_> bool operator op_(const vector<t_, n_> &x_, const vector<t_, n_> &y_) { \
        bool holds_ = 0 op_ 0;                                                                         \
        PPNSIM_LANES {                                                                                 \
            if (!(x_.ppnsim_lane[n_ - 1 - k_] == y_.ppnsim_lane[n_ - 1 - k_]))                         \
                holds_ = x_.ppnsim_lane[n_ - 1 - k_] op_ y_.ppnsim_lane[n_ - 1 - k_];                  \
        }                                                                                              \
        return holds_;                                                                                 \
    }
PPNSIM_COMPARISON(==) PPNSIM_COMPARISON(!=) PPNSIM_COMPARISON(<) PPNSIM_COMPARISON(<=) PPNSIM_COMPARISON(>)
PPNSIM_COMPARISON(>=)
}
#endif
