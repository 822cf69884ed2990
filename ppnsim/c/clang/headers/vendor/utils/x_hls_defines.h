/* An internal header of Vivado HLS that sources include besides hls_math.h; the vendor does not document it. */
#include "x_hls_utils.h"
