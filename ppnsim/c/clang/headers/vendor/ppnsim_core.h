/* A vendor core as a pipelined unit of `states_` states, which takes one value per cycle (R7.8). Its states are
   known, or `counted` from the vendor's description of its structure, which the report tells. */
#ifndef PPNSIM_CORE_H
#define PPNSIM_CORE_H
template <typename r_, typename t_> r_ ppnsim_core(int states_, t_ value_);
template <typename r_, typename t_> r_ ppnsim_core_counted(int states_, t_ value_);
template <bool known_> struct ppnsim_unit {
    template <typename r_, typename t_> static r_ of(int states_, t_ value_) { return ppnsim_core<r_>(states_, value_); }
};
template <> struct ppnsim_unit<false> {
    template <typename r_, typename t_> static r_ of(int states_, t_ value_) { return ppnsim_core_counted<r_>(states_, value_); }
};
#endif
