/* Any of scenarios/kernels in a type of high-level synthesis: -D VALUE=ap_fixed<32,16> -D KERNEL="...c". */
#include "ap_fixed.h"

typedef VALUE value_t;
#define DATA_TYPE value_t
#include KERNEL
