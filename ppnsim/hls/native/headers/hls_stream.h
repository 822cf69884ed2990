/* hls::stream that executes: by itself outside the tasks of a region, and as the simulator says inside (UG1399). */
#ifndef PPNSIM_NATIVE_STREAM_H
#define PPNSIM_NATIVE_STREAM_H
#include "ppnsim_native.h"

namespace hls {
template <typename t_, int depth_ = 0> class stream;
template <typename t_> class stream<t_, 0> {
  public:
    std::deque<t_> tokens;
    int number;

    stream() : number(ppnsim::region().streams++) {}
    explicit stream(const char *) : stream() {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    t_ read(ppnsim::Site site = {}) {
        if (ppnsim::inside()) ppnsim::region().ask(ppnsim::READ, site.id, number);
        if (tokens.empty()) {
            std::fflush(stdout);
            std::fprintf(stderr, "ppnsim: a stream is read by the testbench while it is empty\n");
            std::_Exit(ppnsim::EMPTIED);
        }
        t_ value = tokens.front();
        tokens.pop_front();
        return value;
    }
    void read(t_ &value, ppnsim::Site site = {}) { value = read(site); }
    void operator>>(t_ &value) { value = read(); }
    void write(const t_ &value, ppnsim::Site site = {}) {
        tokens.push_back(value);
        if (ppnsim::inside()) ppnsim::region().add(ppnsim::WRITE, site.id, number);
    }
    void operator<<(const t_ &value) { write(value); }
    bool read_nb(t_ &value, ppnsim::Site site = {}) {
        if (ppnsim::inside() ? !ppnsim::region().ask(ppnsim::READ_NB, site.id, number) : tokens.empty()) return false;
        value = tokens.front();
        tokens.pop_front();
        return true;
    }
    bool write_nb(const t_ &value, ppnsim::Site site = {}) {
        if (ppnsim::inside() && !ppnsim::region().ask(ppnsim::WRITE_NB, site.id, number)) return false;
        tokens.push_back(value);
        return true;
    }
    bool empty(ppnsim::Site site = {}) const {
        return ppnsim::inside() ? ppnsim::region().ask(ppnsim::EMPTY, site.id, number) != 0 : tokens.empty();
    }
    bool full(ppnsim::Site site = {}) const {
        return ppnsim::inside() && ppnsim::region().ask(ppnsim::FULL, site.id, number) != 0;
    }
    unsigned size(ppnsim::Site site = {}) const {
        return ppnsim::inside() ? ppnsim::region().ask(ppnsim::SIZE, site.id, number) : unsigned(tokens.size());
    }
    void set_name(const char *) {}
};
template <typename t_, int depth_> class stream : public stream<t_, 0> {
  public:
    using stream<t_, 0>::stream;
};
}

namespace ppnsim {
template <typename t_> void name(const hls::stream<t_, 0> &stream, int argument) {
    region().add(NAME, argument, stream.number);
    region().add(NAME, -1, int(stream.tokens.size()));
}
template <typename t_, int depth_> void name(const hls::stream<t_, depth_> &stream, int argument) {
    name(static_cast<const hls::stream<t_, 0> &>(stream), argument);
}
template <typename t_> const void *stream_of(const hls::stream<t_, 0> &stream) { return &stream; }
template <typename t_, int depth_> const void *stream_of(const hls::stream<t_, depth_> &stream) { return &stream; }
}
#endif
