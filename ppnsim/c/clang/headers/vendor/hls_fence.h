/* Declaration of the vendor's fence, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_FENCE_H
#define PPNSIM_HLS_FENCE_H
namespace hls {
/* It keeps an order of statements, which a schedule keeps anyway. */
template <typename... t_> inline void fence(t_ &&...) {}
}
#endif
