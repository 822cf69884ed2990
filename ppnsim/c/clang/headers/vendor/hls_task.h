/* Declarations of the vendor's tasks that run as long as data come, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_TASK_H
#define PPNSIM_HLS_TASK_H
#include "hls_stream.h"
#define hls_thread_local static
namespace hls {
/* The reader takes a task for a call of its function. */
class task {
  public:
    task();
    template <typename... p_, typename... t_> task(void (*)(p_...), t_ &&...);
    template <typename... p_, typename... t_> void operator()(void (*)(p_...), t_ &&...);
};
}
#endif
