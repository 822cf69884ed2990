/* An older place of ap_utils.h. */
#include "../ap_utils.h"
