/* Additions of Vivado HLS to its integers: the macros of ap_int_base.h, and the bits of numbers. */
#ifndef PPNSIM_BITS_H
#define PPNSIM_BITS_H
#include "ppnsim_builtins.h"
#define AP_MAX(x_, y_) ((x_) > (y_) ? (x_) : (y_))
#define AP_MIN(x_, y_) ((x_) < (y_) ? (x_) : (y_))
#define AP_ABS(x_) ((x_) >= 0 ? (x_) : -(x_))
/* The text of a number, for printing; it replaces std::string, whose header not every source includes. */
struct ppnsim_text {
    const char *c_str() const;
    template <typename t_> operator t_() const;
};
template <typename to_> to_ &operator<<(to_ &, const ppnsim_text &);
#endif
