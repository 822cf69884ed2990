/* Declarations of the vendor's bus with bursts by hand, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_BURST_MAXI_H
#define PPNSIM_HLS_BURST_MAXI_H
#include <stddef.h>
namespace hls {
/* Data of a burst come one after the other, as in a stream; a request waits for no data. */
template <typename t_> class burst_maxi {
  public:
    t_ *ppnsim_bus;
    void read_request(size_t, unsigned) {}
    t_ read();
    void write_request(size_t, unsigned) {}
    void write(const t_ &, unsigned char = 255);
    void write_response() {}
};
}
#endif
