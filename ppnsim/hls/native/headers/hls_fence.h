/* hls::fence, which has no effect on values (UG1399). */
#ifndef PPNSIM_NATIVE_FENCE_H
#define PPNSIM_NATIVE_FENCE_H
namespace hls {
template <typename... t_> inline void fence(t_ &&...) {}
}
#endif
