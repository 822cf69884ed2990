/* The types of results of operators, and of a sum of n numbers; undocumented, written from their use in public sources.
   A sum of numbers with a known width has more bits than they have, which is not known here: such a use is refused. */
#ifndef PPNSIM_X_HLS_TRAITS_H
#define PPNSIM_X_HLS_TRAITS_H
#ifdef __cplusplus
#include "../ap_fixed.h"

namespace hls {
template <class t_> t_ x_traits_value();
template <class s_, class t_> struct x_traits {
    typedef decltype(x_traits_value<s_>() * x_traits_value<t_>()) MULT_T;
    typedef decltype(x_traits_value<s_>() / x_traits_value<t_>()) DIV_T;
    typedef decltype(x_traits_value<s_>() + x_traits_value<t_>()) ADD_T;
    typedef decltype(x_traits_value<s_>() - x_traits_value<t_>()) SUB_T;
};
template <class t_, int n_> struct x_traits_d {
    typedef t_ ACCUM_T;
};
template <int w_, bool s_, int n_> struct x_traits_d<ap_int_base<w_, s_>, n_>;
template <PPNSIM_FORMAT, int sum_> struct x_traits_d<PPNSIM_FIX, sum_>;
}
#endif
#endif
