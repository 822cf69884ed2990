/* The vendor's operations that sources name are those of ap_utils.h. */
#include "../ap_utils.h"
