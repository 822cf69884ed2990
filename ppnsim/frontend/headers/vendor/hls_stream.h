/* Declaration of the vendor's hls::stream, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_STREAM_H
#define PPNSIM_HLS_STREAM_H

namespace hls {
template <typename t_, int depth_ = 0> class stream {
  public:
    stream();
    explicit stream(const char *name);
    t_ read();
    void read(t_ &);
    bool read_nb(t_ &);
    void write(const t_ &);
    bool write_nb(const t_ &);
    bool empty() const;
    bool full() const;
};
template <typename t_, int d_> stream<t_, d_> &operator>>(stream<t_, d_> &, t_ &);
template <typename t_, int d_> stream<t_, d_> &operator<<(stream<t_, d_> &, const t_ &);
}
#endif
