/* Declarations of the vendor's tasks that run as long as data come, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_TASK_H
#define PPNSIM_HLS_TASK_H
#include "hls_stream.h"
#define hls_thread_local static
namespace hls {
/* The reader takes a task for a call of its function, with an argument for each of its parameters. */
template <bool> struct an_argument_for_each_parameter {};
template <> struct an_argument_for_each_parameter<true> { typedef void type; };
class task {
  public:
    task();
    template <typename... p_, typename... t_, typename = typename an_argument_for_each_parameter<sizeof...(p_) == sizeof...(t_)>::type>
    task(void (*)(p_...), t_ &&...);
    template <typename... p_, typename... t_>
    typename an_argument_for_each_parameter<sizeof...(p_) == sizeof...(t_)>::type operator()(void (*)(p_...), t_ &&...);
};
}
#endif
