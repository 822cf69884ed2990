/* The vendor's vector of lanes that are computed side by side, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_VECTOR_H
#define PPNSIM_HLS_VECTOR_H
#include <stddef.h>

namespace hls {
/* A loop over lanes has no iteration of its own in hardware: `unroll` makes it so. */
template <typename t_, size_t n_> class vector {
  public:
    t_ ppnsim_lane[n_];
    vector() = default;
    vector(const vector &) = default;
    vector(t_ of_) {
        for (int k_ = 0; k_ < (int)n_; k_++) {
#pragma HLS unroll
            ppnsim_lane[k_] = of_;
        }
    }
    vector &operator=(const vector &) = default;
    t_ &operator[](size_t k_) { return ppnsim_lane[k_]; }
    const t_ &operator[](size_t k_) const { return ppnsim_lane[k_]; }
};
}
#endif
