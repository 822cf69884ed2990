/* hls::task: a function that runs again as long as tokens come (UG1399). The testbench itself starts none. */
#ifndef PPNSIM_NATIVE_TASK_H
#define PPNSIM_NATIVE_TASK_H
#include "hls_stream.h"
#define hls_thread_local static
namespace hls {
class task {
  public:
    task() {}
    template <typename f_, typename... t_> task(f_ &&, t_ &&...) {
        static_assert(sizeof...(t_) > 1000, "an hls::task that the testbench itself starts is not executed");
    }
    template <typename... p_, typename... t_>
    task(ppnsim::Endless at, void (*function)(p_...), t_ &&...arguments) { ppnsim::endless(at, function, arguments...); }
    template <typename... p_, typename... t_>
    void operator()(ppnsim::Endless at, void (*function)(p_...), t_ &&...arguments) {
        ppnsim::endless(at, function, arguments...);
    }
};
}
#endif
