/* The vendor's FFT (UG1399, "FFT IP Library") as a task with a latency, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_FFT_H
#define PPNSIM_HLS_FFT_H
#include "ap_fixed.h"
#include "ap_int.h"
#include "hls_stream.h"
#include "hls_vector.h"
#include "ppnsim_core.h"
#if __has_include(<complex>)
#include <complex>
#endif

namespace hls {
namespace ip_fft {
enum arch { automatically_select, radix_4_burst_io, radix_2_burst_io, pipelined_streaming_io, radix_2_lite_burst_io };
enum scaling { scaled, unscaled, block_floating_point };
enum rounding { truncation, convergent_rounding };
enum mem { block_ram, distributed_ram };
enum opt { use_luts, use_mults_resources, use_mults_performance, use_xtremedsp_slices };
enum ordering { bit_reversed_order, natural_order };
enum type { fixed_point, floating_point };
enum ssr { ssr_1 = 1, ssr_2 = 2, ssr_4 = 4, ssr_8 = 8, ssr_16 = 16, ssr_32 = 32, ssr_64 = 64 };
/* The kernel's own structure: `ppnsim_latency` is the latency in the core's dialog, in cycles (0: as in reports). */
struct params_t {
    static const unsigned ppnsim_latency = 0;
    static const unsigned input_width = 16, output_width = 16, status_width = 8, config_width = 16, max_nfft = 10;
    static const bool has_nfft = false;
    static const unsigned channels = 1, arch_opt = pipelined_streaming_io, phase_factor_width = 16;
    static const unsigned ordering_opt = bit_reversed_order, output_ordering = bit_reversed_order;
    static const bool ovflo = true;
    static const unsigned scaling_opt = scaled, rounding_opt = truncation;
    static const unsigned mem_data = block_ram, mem_phase_factors = block_ram, mem_reorder = block_ram;
    static const unsigned stages_block_ram = 1;
    static const bool mem_hybrid = false, use_native_float = false, cyclic_prefix_insertion = false, xk_index = false;
    static const unsigned complex_mult_type = use_mults_resources, butterfly_type = use_luts, super_sample_rate = ssr_1;
};
struct ssr_params_t : params_t {
    static const bool systolicfft_inv = false;
};
/* Settings are sent before the first sample; they take no time of a transform. */
template <typename p_> struct config_t {
    ap_uint<p_::config_width> data_;
    void setDir(bool, unsigned = 0) {}
    void setSch(unsigned, unsigned = 0) {}
    void setNfft(unsigned) {}
    void setCpLen(unsigned) {}
    unsigned getDir(unsigned = 0) { return ppnsim_core<unsigned>(1, 0); }
    unsigned getSch(unsigned = 0) { return ppnsim_core<unsigned>(1, 0); }
    unsigned getNfft() { return ppnsim_core<unsigned>(1, 0); }
    unsigned getCpLen() { return ppnsim_core<unsigned>(1, 0); }
};
/* The status of a transform: values that are not computed. */
template <typename p_> struct status_t {
    ap_uint<p_::status_width> data_;
    unsigned getBlkExp(unsigned = 0) { return ppnsim_core<unsigned>(1, 0); }
    unsigned getOvflo(unsigned = 0) { return ppnsim_core<unsigned>(1, 0); }
};
/* Latencies from csynth reports, for other settings from PG109's description of the architecture (R7.8), and the part
   of the latency for which a sample waits after it was read. */
template <typename p_> struct ppnsim_settings {
    static const int bits = p_::max_nfft, size = 1 << bits, stated = p_::ppnsim_latency;
    static const bool natural = p_::ordering_opt == natural_order || p_::output_ordering == natural_order;
    static const bool streaming = p_::arch_opt == pipelined_streaming_io, radix_2 = p_::arch_opt == radix_2_burst_io;
    static const bool radix_4 = p_::arch_opt == radix_4_burst_io;
    static_assert(!p_::has_nfft, "hls::fft with has_nfft: how long a transform is, data decides; leave it out");
    static_assert(p_::channels == 1, "hls::fft of several channels is not followed: no document gives its latency");
    static_assert(p_::super_sample_rate == ssr_1, "hls::fft with super_sample_rate above ssr_1 is not followed: no document gives its latency; write as many "
                  "transforms of ssr_1, or its streams by hand with a latency");
    static_assert(bits >= 3 && bits <= 16, "hls::fft: max_nfft is from 3 to 16 (PG109)");
    static_assert(bits >= 6 || !radix_4, "hls::fft: radix_4_burst_io has 64 points at least (PG109)");
    static_assert(p_::input_width >= 8 && p_::input_width <= 34, "hls::fft: input_width is from 8 to 34 (UG1399)");
    static_assert(p_::phase_factor_width >= 8 && p_::phase_factor_width <= 34, "hls::fft: phase_factor_width is from 8 to 34 (UG1399)");
    static_assert(p_::output_width >= p_::input_width && p_::output_width <= p_::input_width + bits + 1,
                  "hls::fft: output_width is from input_width to input_width + max_nfft + 1 (UG1399)");
    static_assert(p_::stages_block_ram <= 11, "hls::fft: stages_block_ram is from 0 to 11 (UG1399)");
    static_assert(p_::arch_opt <= radix_2_lite_burst_io, "hls::fft: arch_opt is none of the architectures (UG1399)");
    static_assert(stated || p_::arch_opt != automatically_select,
                  "hls::fft with automatically_select: which architecture it is depends on the throughput that is asked for; "
                  "set arch_opt, or add 'static const unsigned ppnsim_latency = N;', the cycles of the core's dialog (PG109)");
    static_assert(!stated || stated > 2 * size, "hls::fft: ppnsim_latency counts from the first sample read to the last "
                                                "one written, which is more than twice as many as there are");
    static const int published = (natural ? 3 : 2) * size + bits / 2 * 17 + bits % 2 * 11 + 38;
    static const int passes = radix_4 ? (bits + 1) / 2 : bits, pass = radix_4 ? size / 4 : radix_2 ? size / 2 : size;
    static const int counted = streaming ? published : 2 * size + passes * (pass + 16) + 3;
    static const bool known = stated || (natural && (streaming ? bits >= 5 && bits <= 13 : radix_2 && bits == 10));
    static const int inside = (stated ? stated : counted) - size;
};
template <typename p_, typename out_, typename in_> out_ ppnsim_transformed(in_ sample_) {
    out_ made_;
    typedef ppnsim_unit<ppnsim_settings<p_>::known> unit_;
    made_.re_ = unit_::template of<typename out_::value_type>(ppnsim_settings<p_>::inside, sample_.re_);
    made_.im_ = unit_::template of<typename out_::value_type>(ppnsim_settings<p_>::inside, sample_.im_);
    return made_;
}
}
/* One sample per cycle is read, and one per cycle is written at the end; `more_`: settings and status, in any form. */
template <typename p_, typename in_, typename out_, typename... more_> void fft(in_ *in, out_ *out, more_...) {
    for (int fft_ = 0; fft_ < ip_fft::ppnsim_settings<p_>::size; fft_++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
        out[fft_] = ip_fft::ppnsim_transformed<p_, out_>(in[fft_]);
    }
}
template <typename p_, typename in_, typename out_, typename... more_>
void fft(stream<in_> &in, stream<out_> &out, more_...) {
    for (int fft_ = 0; fft_ < ip_fft::ppnsim_settings<p_>::size; fft_++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
        out.write(ip_fft::ppnsim_transformed<p_, out_>(in.read()));
    }
}
template <typename p_, typename in_, typename out_>
void fft(stream<in_> &in, stream<out_> &out, stream<ip_fft::status_t<p_>> &status, stream<ip_fft::config_t<p_>> &config) {
    for (int fft_ = 0; fft_ < ip_fft::ppnsim_settings<p_>::size; fft_++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
        if (fft_ == 0) config.read();
        out.write(ip_fft::ppnsim_transformed<p_, out_>(in.read()));
        if (fft_ == ip_fft::ppnsim_settings<p_>::size - 1) {
            ip_fft::status_t<p_> said_;
            said_.data_ = ppnsim_core<unsigned>(ip_fft::ppnsim_settings<p_>::inside, 0);
            status.write(said_);
        }
    }
}
}
#endif
