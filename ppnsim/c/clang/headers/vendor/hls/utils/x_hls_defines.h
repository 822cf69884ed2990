#include "../../utils/x_hls_defines.h"
