#include "../ap_utils.h"
