/* Implementations of compiler built-ins: the number of set bits, as sums of ever wider fields; the number of leading
   zeros, by halving; and the bytes of a number in reverse order. */
#ifndef PPNSIM_BUILTINS_H
#define PPNSIM_BUILTINS_H
static inline int ppnsim_popcount(unsigned x_) {
    unsigned by2_ = (x_ & 0x55555555u) + (x_ >> 1 & 0x55555555u);
    unsigned by4_ = (by2_ & 0x33333333u) + (by2_ >> 2 & 0x33333333u);
    unsigned by8_ = (by4_ & 0x0f0f0f0fu) + (by4_ >> 4 & 0x0f0f0f0fu);
    unsigned by16_ = (by8_ & 0x00ff00ffu) + (by8_ >> 8 & 0x00ff00ffu);
    return (by16_ & 0x3f) + (by16_ >> 16 & 0x3f);
}
static inline int ppnsim_popcountll(unsigned long long x_) {
    return ppnsim_popcount((unsigned)x_) + ppnsim_popcount((unsigned)(x_ >> 32));
}
static inline int ppnsim_clz(unsigned x_) {
    unsigned by16_ = x_ >> 16 ? x_ : x_ << 16;
    unsigned by8_ = by16_ >> 24 ? by16_ : by16_ << 8;
    unsigned by4_ = by8_ >> 28 ? by8_ : by8_ << 4;
    unsigned by2_ = by4_ >> 30 ? by4_ : by4_ << 2;
    return (x_ >> 16 ? 0 : 16) | (by16_ >> 24 ? 0 : 8) | (by8_ >> 28 ? 0 : 4) | (by4_ >> 30 ? 0 : 2) | (by2_ >> 31 ? 0 : 1);
}
static inline int ppnsim_clzll(unsigned long long x_) {
    unsigned high_ = (unsigned)(x_ >> 32);
    return (high_ ? 0 : 32) | ppnsim_clz(high_ ? high_ : (unsigned)x_);
}
static inline int ppnsim_ctz(unsigned x_) {
    return 31 - ppnsim_clz(x_ & -x_);
}
static inline int ppnsim_ctzll(unsigned long long x_) {
    return 63 - ppnsim_clzll(x_ & -x_);
}
static inline int ppnsim_ffs(unsigned x_) {
    return x_ ? 32 - ppnsim_clz(x_ & -x_) : 0;
}
static inline unsigned short ppnsim_bswap16(unsigned short x_) {
    return (unsigned short)(x_ << 8 | x_ >> 8);
}
static inline unsigned ppnsim_bswap32(unsigned x_) {
    return x_ << 24 | (x_ << 8 & 0xff0000u) | (x_ >> 8 & 0xff00u) | x_ >> 24;
}
static inline unsigned long long ppnsim_bswap64(unsigned long long x_) {
    return (unsigned long long)ppnsim_bswap32((unsigned)x_) << 32 | ppnsim_bswap32((unsigned)(x_ >> 32));
}
#define __builtin_clz(x_) ppnsim_clz(x_)
#define __builtin_clzl(x_) ppnsim_clzll(x_)
#define __builtin_clzll(x_) ppnsim_clzll(x_)
#define __builtin_ctz(x_) ppnsim_ctz(x_)
#define __builtin_ctzl(x_) ppnsim_ctzll(x_)
#define __builtin_ctzll(x_) ppnsim_ctzll(x_)
#define __builtin_popcount(x_) ppnsim_popcount(x_)
#define __builtin_popcountl(x_) ppnsim_popcountll(x_)
#define __builtin_popcountll(x_) ppnsim_popcountll(x_)
#define __builtin_parity(x_) (ppnsim_popcount(x_) & 1)
#define __builtin_parityl(x_) (ppnsim_popcountll(x_) & 1)
#define __builtin_parityll(x_) (ppnsim_popcountll(x_) & 1)
#define __builtin_ffs(x_) ppnsim_ffs(x_)
#define __builtin_bswap16(x_) ppnsim_bswap16(x_)
#define __builtin_bswap32(x_) ppnsim_bswap32(x_)
#define __builtin_bswap64(x_) ppnsim_bswap64(x_)
#define __builtin_expect(x_, expected_) (x_)
#define __builtin_assume(x_) ((void)0)
#endif
