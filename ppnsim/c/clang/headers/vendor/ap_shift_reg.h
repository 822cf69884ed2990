/* The vendor's shift register (UG1399, "Mapping Directly into SRL Resources"), for reading kernels without its headers. */
#ifndef PPNSIM_AP_SHIFT_REG_H
#define PPNSIM_AP_SHIFT_REG_H
/* It takes a value and returns the value of one stage in one cycle, like the registers of an SRL. */
template <typename t_, unsigned int depth_ = 32> class ap_shift_reg {
  public:
    t_ kept_[depth_];
    ap_shift_reg() = default;
    ap_shift_reg(const char *) {}
    t_ shift(t_ in_, unsigned int at_ = depth_ - 1, bool enable_ = true) {
#pragma HLS inline
#pragma HLS array_partition variable=kept_ complete
        t_ out_ = kept_[at_];
        if (enable_) {
            for (int k_ = (int)depth_ - 1; k_ > 0; k_--) {
#pragma HLS unroll
                kept_[k_] = kept_[k_ - 1];
            }
            kept_[0] = in_;
        }
        return out_;
    }
    t_ read(unsigned int at_ = depth_ - 1) const {
#pragma HLS inline
#pragma HLS array_partition variable=kept_ complete
        return kept_[at_];
    }
};
#endif
