/* Declaration of the vendor's hls::stream, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_STREAM_H
#define PPNSIM_HLS_STREAM_H

namespace hls {
template <typename t_, int depth_ = 0> class stream;
template <typename t_> class stream<t_, 0> {
  public:
    stream();
    explicit stream(const char *name);
    t_ read();
    void read(t_ &);
    bool read_nb(t_ &);
    void write(const t_ &);
    bool write_nb(const t_ &);
    bool read_dep(t_ &, volatile bool);
    bool write_dep(const t_ &, volatile bool);
    void operator>>(t_ &);
    void operator<<(const t_ &);
    bool empty() const;
    bool full() const;
    unsigned size() const;
    unsigned capacity() const;
    void set_name(const char *name);
    t_ operator()();
    unsigned depth() const;
};
/* A stream of any depth can be passed to functions that leave the depth open. */
template <typename t_, int depth_> class stream : public stream<t_, 0> {
  public:
    stream();
    explicit stream(const char *name);
};
}
#endif
