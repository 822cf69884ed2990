/* hls::print prints like printf (UG1399). */
#ifndef PPNSIM_NATIVE_PRINT_H
#define PPNSIM_NATIVE_PRINT_H
#include <cstdio>
namespace hls {
template <typename... t_> void print(const char *format, t_... values) { std::printf(format, values...); }
}
#endif
