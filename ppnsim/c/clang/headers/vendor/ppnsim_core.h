/* A core of the vendor's as a pipelined unit of `states_` states, which takes a value a cycle (R7.8). */
#ifndef PPNSIM_CORE_H
#define PPNSIM_CORE_H
template <typename r_, typename t_> r_ ppnsim_core(int states_, t_ value_);
#endif
