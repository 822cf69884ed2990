/* Declaration of the vendor's fence, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_FENCE_H
#define PPNSIM_HLS_FENCE_H
namespace hls {
/* It keeps the order of accesses; a schedule keeps that of FIFOs anyway (R5.4). */
template <typename... t_> inline void fence(t_ &&...) {}
struct ppnsim_any {
    template <typename t_> ppnsim_any(t_ &&) {}
};
inline void fence(ppnsim_any, ppnsim_any) {}
}
#endif
