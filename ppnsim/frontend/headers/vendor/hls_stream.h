/* Declaration of the vendor's hls::stream, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_STREAM_H
#define PPNSIM_HLS_STREAM_H

namespace hls {
template <typename T, int DEPTH = 0> class stream {
  public:
    stream();
    explicit stream(const char *name);
    T read();
    void read(T &);
    bool read_nb(T &);
    void write(const T &);
    bool write_nb(const T &);
    bool empty() const;
    bool full() const;
};
template <typename T, int D> stream<T, D> &operator>>(stream<T, D> &, T &);
template <typename T, int D> stream<T, D> &operator<<(stream<T, D> &, const T &);
}
#endif
