/* Sources use the vendor's operations of ap_utils.h under these names. */
#include "../ap_utils.h"
