/* The vendor's FIR filter (UG1399, "FIR Filter IP Library") as a task with a latency, for reading kernels without its headers. */
#ifndef PPNSIM_HLS_FIR_H
#define PPNSIM_HLS_FIR_H
#include "ap_fixed.h"
#include "ap_int.h"
#include "hls_stream.h"
#include "ppnsim_core.h"

namespace hls {
namespace ip_fir {
enum filter_type { single_rate, interpolation, decimation, hilbert_filter, interpolated };
enum rate_change { integer, fixed_fractional };
enum chan_seq { basic, advanced };
enum rate_specification { frequency, period };
enum coeff_structure { inferred, non_symmetric, symmetric, negative_symmetric, half_band, hilbert };
enum coeff_sign { signed_coeff, unsigned_coeff };
enum data_sign { signed_data, unsigned_data };
enum output_rounding_mode {
    full_precision, truncate_lsbs, non_symmetric_rounding_down, non_symmetric_rounding_up, symmetric_rounding_to_zero,
    symmetric_rounding_to_infinity, convergent_rounding_to_even, convergent_rounding_to_odd
};
enum filter_arch { systolic_multiply_accumulate, transpose_multiply_accumulate };
enum opt_goal { area, speed };
enum inter_column_pipe_length { automatic_pipe };
enum config_method { single, by_channel };
enum quantization { integer_coefficients, quantize_only, maximize_dynamic_range, normalize_to_centre_coefficient };
/* The kernel's own structure: `ppnsim_latency` is the latency in cycles in the core's dialog. */
struct params_t {
    static const unsigned ppnsim_latency = 0;
    static const unsigned input_width = 16, input_fractional_bits = 0, output_width = 24, output_fractional_bits = 0;
    static const unsigned coeff_width = 16, coeff_fractional_bits = 0, num_coeffs = 21, coeff_sets = 1;
    static const unsigned input_length = 21, output_length = 21, num_channels = 1, total_num_coeff = 21;
    static const unsigned filter_type = single_rate, rate_change = integer, interp_rate = 1, decim_rate = 1;
    static const unsigned zero_pack_factor = 1, rate_specification = period, hardware_oversampling_rate = 1;
    static const unsigned sample_period = 1;
    static constexpr double sample_frequency = 0.001;
    static const unsigned chan_seq = basic, quantization = integer_coefficients, best_precision = false;
    static const unsigned coeff_structure = non_symmetric, coeff_sign = signed_coeff, data_sign = signed_data;
    static const unsigned output_rounding_mode = full_precision, filter_arch = systolic_multiply_accumulate;
    static const unsigned optimization_goal = area, inter_column_pipe_length = 4, column_config = 1;
    static const unsigned config_method = single, coeff_padding = 0, reloadable = 0;
};
template <typename p_> struct ppnsim_settings {
    static const int period_ = p_::sample_period, channels = p_::num_channels;
    static const int given = p_::input_length * channels, kept = p_::output_length * channels; /* of channels in turn */
    static const int stated = p_::ppnsim_latency, up = p_::interp_rate, down = p_::decim_rate;
    static const bool known = stated > 0, halved = p_::coeff_structure == symmetric || p_::coeff_structure == negative_symmetric;
    static const int taps = halved ? (p_::num_coeffs + 1) / 2 : p_::num_coeffs;
    /* Without it: one cycle per multiplier of the chain; each multiplier serves as many taps as a period has cycles. */
    static const int latency = known ? stated : (taps + (period_ > 0 ? period_ : 1) - 1) / (period_ > 0 ? period_ : 1) + 8;
    static const unsigned kind = p_::filter_type;
    static_assert(p_::num_coeffs >= 1 && p_::coeff_sets >= 1 && p_::coeff_sets <= 1024, "hls::FIR: coeff_sets is from 1 to 1024 (UG1399)");
    static_assert(p_::interp_rate <= 1024 && p_::decim_rate <= 1024, "hls::FIR: interp_rate and decim_rate are from 1 to 1024 (UG1399)");
    static_assert(p_::zero_pack_factor >= 1 && p_::zero_pack_factor <= 8, "hls::FIR: zero_pack_factor is from 1 to 8 (UG1399)");
    static_assert(channels >= 1 && channels <= 1024, "hls::FIR: num_channels is from 1 to 1024 (PG149)");
    static_assert(channels == 1 || kind == single_rate || kind == interpolated,
                  "hls::FIR of several channels is followed at a single rate alone");
    static_assert(kind == single_rate || kind == interpolated || kind == interpolation || kind == decimation,
                  "hls::FIR: filter_type hilbert_filter is not followed: its results are pairs");
    static_assert(p_::rate_change == integer, "hls::FIR: rate_change fixed_fractional is not followed");
    static_assert(p_::rate_specification == period || p_::hardware_oversampling_rate == 1,
                  "hls::FIR: rate_specification frequency is not followed; say sample_period, in cycles");
    static_assert(period_ >= 1 && period_ == p_::sample_period,
                  "hls::FIR: sample_period is whole cycles from one sample to the next; a fraction, which is several "
                  "samples a cycle, is not followed: for its cycles, take the samples of a cycle as one, with sample_period = 1 "
                  "and input_length and output_length divided by their number");
    static_assert(up >= 1 && down >= 1, "hls::FIR: interp_rate and decim_rate are 1 or more");
    static_assert(kind != interpolation || down == 1, "hls::FIR: an interpolation has decim_rate 1");
    static_assert(kind != decimation || up == 1, "hls::FIR: a decimation has interp_rate 1");
    static_assert((kind == interpolation ? given * up : kind == decimation ? given / (down ? down : 1) : given) == kept,
                  "hls::FIR: output_length is input_length times interp_rate, divided by decim_rate (UG1399)");
};
}
/* A sample is read each `sample_period` cycles, and its result written `latency` cycles later (R7.9). */
template <typename p_, bool up_> class ppnsim_filter {
    typedef ip_fir::ppnsim_settings<p_> set_;

  public:
    template <typename in_, typename out_, typename... more_> void run(in_ *in, out_ *out, more_...) {
        for (int fir_ = 0; fir_ < set_::given; fir_++) {
#pragma HLS pipeline II = p_::sample_period
#pragma HLS loop_flatten off
            out_ made_ = ppnsim_unit<set_::known>::template of<out_>(set_::latency, in[fir_]);
            if (fir_ % set_::down == set_::down - 1) out[fir_ / set_::down] = made_;
        }
    }
    template <typename in_, typename out_, typename... more_> void run(stream<in_> &in, stream<out_> &out, more_...) {
        for (int fir_ = 0; fir_ < set_::given; fir_++) {
#pragma HLS pipeline II = p_::sample_period
#pragma HLS loop_flatten off
            out_ made_ = ppnsim_unit<set_::known>::template of<out_>(set_::latency, in.read());
            if (fir_ % set_::down == set_::down - 1) out.write(made_);
        }
    }
};
/* An interpolation writes a result each cycle. */
template <typename p_> class ppnsim_filter<p_, true> {
    typedef ip_fir::ppnsim_settings<p_> set_;
    static_assert(p_::sample_period <= p_::interp_rate,
                  "hls::FIR: an interpolation of which a sample takes more cycles than it has results is not followed");

  public:
    template <typename in_, typename out_, typename... more_> void run(in_ *in, out_ *out, more_...) {
        in_ sample_ = 0;
        for (int fir_ = 0; fir_ < set_::kept; fir_++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
            if (fir_ % set_::up == 0) sample_ = in[fir_ / set_::up];
            out[fir_] = ppnsim_unit<set_::known>::template of<out_>(set_::latency, sample_);
        }
    }
    template <typename in_, typename out_, typename... more_> void run(stream<in_> &in, stream<out_> &out, more_...) {
        in_ sample_ = 0;
        for (int fir_ = 0; fir_ < set_::kept; fir_++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
            if (fir_ % set_::up == 0) sample_ = in.read();
            out.write(ppnsim_unit<set_::known>::template of<out_>(set_::latency, sample_));
        }
    }
};
template <typename p_> class FIR : public ppnsim_filter<p_, p_::filter_type == ip_fir::interpolation> {};
}
#endif
