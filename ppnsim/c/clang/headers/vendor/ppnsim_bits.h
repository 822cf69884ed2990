/* How many bits of a number are set, as sums of ever wider fields; what compilers have built in for it is this. */
#ifndef PPNSIM_BITS_H
#define PPNSIM_BITS_H
static inline int ppnsim_popcount(unsigned x_) {
#pragma HLS inline
    unsigned by2_ = (x_ & 0x55555555u) + (x_ >> 1 & 0x55555555u);
    unsigned by4_ = (by2_ & 0x33333333u) + (by2_ >> 2 & 0x33333333u);
    unsigned by8_ = (by4_ & 0x0f0f0f0fu) + (by4_ >> 4 & 0x0f0f0f0fu);
    unsigned by16_ = (by8_ & 0x00ff00ffu) + (by8_ >> 8 & 0x00ff00ffu);
    return (by16_ & 0x3f) + (by16_ >> 16 & 0x3f);
}
static inline int ppnsim_popcountll(unsigned long long x_) {
#pragma HLS inline
    return ppnsim_popcount((unsigned)x_) + ppnsim_popcount((unsigned)(x_ >> 32));
}
#define __builtin_popcount(x_) ppnsim_popcount(x_)
#define __builtin_popcountl(x_) ppnsim_popcountll(x_)
#define __builtin_popcountll(x_) ppnsim_popcountll(x_)
#define __builtin_parity(x_) (ppnsim_popcount(x_) & 1)
#define __builtin_parityl(x_) (ppnsim_popcountll(x_) & 1)
#define __builtin_parityll(x_) (ppnsim_popcountll(x_) & 1)
#endif
