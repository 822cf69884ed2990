/* An older name of x_hls_utils.h. */
#include "../../utils/x_hls_utils.h"
