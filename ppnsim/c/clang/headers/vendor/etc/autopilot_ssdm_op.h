/* Declarations of the vendor's operations that sources name: waiting for the next state. */
#ifndef PPNSIM_AUTOPILOT_SSDM_OP_H
#define PPNSIM_AUTOPILOT_SSDM_OP_H
void ap_wait();
void ap_wait_n(int states);
#endif
