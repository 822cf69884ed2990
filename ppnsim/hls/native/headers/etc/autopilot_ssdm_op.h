/* The vendor's operations that sources name: waiting, which has no effect on values. */
#include "../ap_utils.h"
