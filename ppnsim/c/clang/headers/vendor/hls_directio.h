/* Declarations of the vendor's ports without or with a handshake, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_DIRECTIO_H
#define PPNSIM_HLS_DIRECTIO_H
namespace hls {
#define PPNSIM_PORT(name_)                                              \
    template <typename t_> class name_ {                                \
      public:                                                           \
        t_ ppnsim_value;                                                \
        bool ppnsim_ready;                                              \
        t_ read() { return ppnsim_value; }                              \
        void read(t_ &to_) { to_ = ppnsim_value; }                      \
        bool read_nb(t_ &to_) { to_ = ppnsim_value; return ppnsim_ready; } \
        void write(const t_ &of_) { ppnsim_value = of_; }               \
        bool write_nb(const t_ &of_) { ppnsim_value = of_; return ppnsim_ready; } \
        bool valid() { return ppnsim_ready; }                           \
        bool ready() { return ppnsim_ready; }                           \
        void operator>>(t_ &to_) { to_ = ppnsim_value; }                \
        void operator<<(const t_ &of_) { ppnsim_value = of_; }          \
    };
PPNSIM_PORT(ap_none)
PPNSIM_PORT(ap_vld)
PPNSIM_PORT(ap_ack)
PPNSIM_PORT(ap_hs)
}
#endif
