/* <byteswap.h> of the system, with byte swaps as hardware does them. */
#ifndef PPNSIM_STD_BYTESWAP_H
#define PPNSIM_STD_BYTESWAP_H
#if __has_include_next(<byteswap.h>)
#include_next <byteswap.h>
#endif
#undef bswap_16
#undef bswap_32
#undef bswap_64
#define bswap_16(x_) ppnsim_bswap16(x_)
#define bswap_32(x_) ppnsim_bswap32(x_)
#define bswap_64(x_) ppnsim_bswap64(x_)
#define __bswap_16(x_) ppnsim_bswap16(x_)
#define __bswap_32(x_) ppnsim_bswap32(x_)
#define __bswap_64(x_) ppnsim_bswap64(x_)
#endif
