/* The vendor's hls::stream_of_blocks and its locks, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_STREAMOFBLOCKS_H
#define PPNSIM_HLS_STREAMOFBLOCKS_H
#include "hls_stream.h"
namespace hls {
/* A block is held from its write_lock to the end of its read_lock, full from the write_lock's end to the read_lock. */
template <typename block_, int depth_ = 2> class stream_of_blocks {
  public:
    block_ ppnsim_block;
    stream<bool, depth_> ppnsim_held;
    stream<bool, depth_> ppnsim_full;
    stream_of_blocks();
    explicit stream_of_blocks(const char *name);
    bool empty() const { return ppnsim_full.empty(); }
    bool full() const { return ppnsim_held.full(); }
    /* A stream of any depth can be passed to functions that leave the depth open. */
    template <int other_> operator stream_of_blocks<block_, other_> &();
};
template <typename block_> class read_lock {
  public:
    template <int depth_> read_lock(stream_of_blocks<block_, depth_> &);
    operator block_ &();
};
template <typename t_, decltype(sizeof(0)) n_> class read_lock<t_[n_]> {
    typedef t_ block_[n_];

  public:
    template <int depth_> read_lock(stream_of_blocks<t_[n_], depth_> &);
    operator block_ &();
    t_ &operator[](int);
};
template <typename block_> class write_lock {
  public:
    template <int depth_> write_lock(stream_of_blocks<block_, depth_> &);
    operator block_ &();
};
template <typename t_, decltype(sizeof(0)) n_> class write_lock<t_[n_]> {
    typedef t_ block_[n_];

  public:
    template <int depth_> write_lock(stream_of_blocks<t_[n_], depth_> &);
    operator block_ &();
    t_ &operator[](int);
};
}
#endif
