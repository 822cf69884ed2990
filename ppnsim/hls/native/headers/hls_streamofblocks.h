/* hls::stream_of_blocks that executes, a task after the other: as many blocks as are released wait (UG1399). */
#ifndef PPNSIM_NATIVE_STREAMOFBLOCKS_H
#define PPNSIM_NATIVE_STREAMOFBLOCKS_H
#include "hls_stream.h"
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace hls {
template <typename block_, int depth_ = 2> class stream_of_blocks;
template <typename block_> class stream_of_blocks<block_, 2> {
  public:
    struct held { block_ elements; };
    std::deque<held> blocks;
    held written;
    stream_of_blocks() {}
    explicit stream_of_blocks(const char *) {}
    stream_of_blocks(const stream_of_blocks &) = delete;
    stream_of_blocks &operator=(const stream_of_blocks &) = delete;
    bool empty() const { return blocks.empty(); }
    bool full() const { return false; }
};
template <typename block_, int depth_> class stream_of_blocks : public stream_of_blocks<block_, 2> {
  public:
    using stream_of_blocks<block_, 2>::stream_of_blocks;
};
template <typename block_> class write_lock {
    stream_of_blocks<block_, 2> &of;

  public:
    write_lock(stream_of_blocks<block_, 2> &of_) : of(of_) {}
    write_lock(const write_lock &) = delete;
    ~write_lock() { of.blocks.push_back(of.written); }
    operator block_ &() { return of.written.elements; }
    template <typename t_> auto operator[](t_ at) -> decltype((of.written.elements[at])) { return of.written.elements[at]; }
};
template <typename block_> class read_lock {
    stream_of_blocks<block_, 2> &of;

  public:
    read_lock(stream_of_blocks<block_, 2> &of_) : of(of_) {
        if (of.blocks.empty()) {
            std::fprintf(stderr, "ppnsim: a block is locked for reading and none was released\n");
            std::abort();
        }
    }
    read_lock(const read_lock &) = delete;
    ~read_lock() { of.blocks.pop_front(); }
    operator block_ &() { return of.blocks.front().elements; }
    template <typename t_> auto operator[](t_ at) -> decltype((of.written.elements[at])) {
        return of.blocks.front().elements[at];
    }
};
}
#endif
