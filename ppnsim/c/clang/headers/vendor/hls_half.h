/* Declaration of the vendor's 16-bit floating point, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_HALF_H
#define PPNSIM_HLS_HALF_H
typedef __fp16 half;
#ifdef __cplusplus
/* For prints of a testbench: without it the call would be ambiguous between the types that a half converts to. */
namespace std {
template <typename c_, typename t_> class basic_ostream;
template <typename c_, typename t_> basic_ostream<c_, t_> &operator<<(basic_ostream<c_, t_> &, half);
}
#endif
#endif
