/* A header from inside of Vivado HLS, which sources include beside hls_math.h; the vendor describes none of it. */
#include "x_hls_utils.h"
