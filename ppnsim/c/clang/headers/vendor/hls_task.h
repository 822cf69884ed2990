/* Declarations of the vendor's tasks that run as long as data come, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_TASK_H
#define PPNSIM_HLS_TASK_H
#include "hls_stream.h"
#define hls_thread_local static
namespace hls {
/* The reader treats a task as a call of its function, with an argument for each parameter. */
template <bool... each_> struct all_of_them;
template <> struct all_of_them<> { typedef void type; };
template <bool... each_> struct all_of_them<true, each_...> : all_of_them<each_...> {};
template <typename...> struct parameters {};
template <typename to_, typename of_, typename = void> struct fit {};
template <typename... p_, typename... t_> struct fit<parameters<p_...>, parameters<t_...>,
    typename all_of_them<sizeof...(p_) == sizeof...(t_)>::type> : all_of_them<__is_convertible_to(t_, p_)...> {};
class task {
  public:
    task();
    template <typename... p_, typename... t_, typename = typename fit<parameters<p_...>, parameters<t_ &&...>>::type>
    task(void (*)(p_...), t_ &&...);
    template <typename... p_, typename... t_>
    typename fit<parameters<p_...>, parameters<t_ &&...>>::type operator()(void (*)(p_...), t_ &&...);
};
}
#endif
