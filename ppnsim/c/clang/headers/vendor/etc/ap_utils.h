/* An older name of ap_utils.h. */
#include "../ap_utils.h"
