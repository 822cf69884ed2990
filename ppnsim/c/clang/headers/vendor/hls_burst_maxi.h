/* Declarations of the vendor's bus with manual bursts, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_BURST_MAXI_H
#define PPNSIM_HLS_BURST_MAXI_H
#include <stddef.h>
namespace hls {
/* The data of a burst arrive one after another from the requested address; a request waits for no data. */
template <typename t_> class burst_maxi {
  public:
    t_ ppnsim_bus[1 << 28];
    size_t ppnsim_read, ppnsim_written;
    void read_request(size_t offset, size_t) { ppnsim_read = offset; }
    t_ read() { return ppnsim_bus[ppnsim_read++]; }
    void write_request(size_t offset, size_t) { ppnsim_written = offset; }
    void write(const t_ &value) { ppnsim_bus[ppnsim_written++] = value; }
    template <typename mask_> void write(const t_ &value, mask_) { ppnsim_bus[ppnsim_written++] = value; }
    void write_response() {}
};
}
#endif
