"""DSP intrinsics by their registers (R6.10), and the vendor's cores as tasks with a latency (R7.8, R7.9)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

# Latencies of the core in csynth reports, by log2 of its points (rule R7.8 has their sources).
REPORTED = {5: 179, 7: 484, 8: 874, 10: 3195, 11: 6278, 13: 24727}
FFT = """
#include "hls_fft.h"
typedef std::complex<float> sample;
struct settings : hls::ip_fft::params_t {
  static const unsigned ordering_opt = hls::ip_fft::ORDER; MORE };
"""
NATURAL = FFT.replace("ORDER", "natural_order")
REGION = """
typedef hls::ip_fft::config_t<settings> config_t;
typedef hls::ip_fft::status_t<settings> status_t;
void front(bool forward, config_t *config, sample in[32], sample out[32]) {
  config->setDir(forward); config->setSch(0x1a);
  for (int i = 0; i < 32; i++) out[i] = in[i]; }
void back(status_t *status, bool *overflow, sample in[32], sample out[32]) {
  for (int i = 0; i < 32; i++) out[i] = in[i];
  *overflow = status->getOvflo() & 1; }
void top(bool forward, sample in[32], sample out[32], bool *overflow) {
#pragma HLS dataflow
  sample xn[32], xk[32];
#pragma HLS stream variable=xn
#pragma HLS stream variable=xk
  config_t config; status_t status;
  front(forward, &config, in, xn);
  hls::fft<settings>(xn, xk, &status, &config);
  back(&status, overflow, xk, out); }
"""
STREAMS = """
void top(hls::stream<sample> &in, hls::stream<sample> &out, bool *overflow) {
#pragma HLS dataflow
  hls::fft<settings>(in, out, true, 0x1a, -1, overflow); }
"""


def _blocks(tmp_path: Path, code: str) -> dict[str, int]:
    """Return the cycles and the DSP blocks of a kernel that uses those of UltraScale."""
    text = f'#include "hls_dsp_builtins.h"\nusing namespace hls::dsp48e2;\n{code}'
    found = ppnsim.schedule(str(written(tmp_path, text)), device="xcvu9p").to_dict()
    return {"cycles": found["cycles"], "dsp": found["resources"]["dsp"]}


@pytest.mark.parametrize(
    ("call", "registers"),
    [
        ("add_mul_add<REG_A1 | REG_P>(d, a, b, c)", 2),  # the manual's own example
        ("mul_add<REG_A1 | REG_B1 | REG_M | REG_P>(a, b, c)", 3),
        ("mul_rev_sub<REG_A1 | REG_A2 | REG_B1 | REG_M | REG_P>(a, b, c)", 4),
        ("sub_mul_add<REG_A1 | REG_D | REG_AD | REG_B1 | REG_M | REG_P>(d, a, b, c)", 4),
        ("mul_add<REG_C | REG_P>(a, b, c)", 2),
        ("mul_sub<NO_REG>(a, b, c)", 0),
        # The sum of one block arrives at the adder of the next one.
        ("mul_add<REG_A1 | REG_B1 | REG_M | REG_P>(a, b, mul_add<REG_A1 | REG_B1 | REG_M | REG_P>(d, b, c))", 4),
    ],
)
def test_the_latency_of_a_block_is_its_registers(tmp_path: Path, call: str, registers: int) -> None:
    found = _blocks(tmp_path, f"long top(long d, long a, long b, long c) {{ return {call}; }}")
    assert found == {"cycles": registers, "dsp": call.count("(")}


def test_a_sum_in_a_block_starts_every_cycle(tmp_path: Path) -> None:
    code = """long top(long a[64], long b[64]) {
  acc<REG_A1 | REG_B1 | REG_M | REG_P> sum; C_t last;
  for (int i = 0; i < 64; i++) last = sum.mul_acc(a[i], b[i], i == 0);
  return last; }"""
    assert _blocks(tmp_path, code)["dsp"] == 1
    assert 64 < _blocks(tmp_path, code)["cycles"] < 64 + 8


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ("acc<REG_M> x; return x.mul_acc(a, b, true);", "hls::dsp acc accumulates on REG_P"),
        ("return mul_add<REG_AD>(a, b, a);", "mul_add has no pre-adder"),
        ("cascade<REG_A1 | REG_P> x; return x.mul_add(a, b, a).pcout;", "a cascade has a register of A"),
    ],
)
def test_registers_that_a_block_lacks_are_refused_at_the_use(tmp_path: Path, use: str, words: str) -> None:
    with pytest.raises(InputError, match=rf"kernel.cpp:3:\d+: {words}"):
        _blocks(tmp_path, f"long top(long a, long b) {{ {use} }}")


def test_blocks_execute_with_a_testbench(tmp_path: Path) -> None:
    """The second register of a cascade holds the sample before, as in the vendor's systolic filter; sums wrap."""
    text = """
#include "hls_dsp_builtins.h"
#include "hls_stream.h"
using namespace hls::dsp48e2;
void part(hls::stream<int> &in, hls::stream<long> &out) {
  acc<REG_M | REG_P> sum;
  cascade<REG_A1 | REG_B1 | REG_B2 | REG_M | REG_P> tap;
  for (int i = 0; i < 8; i++) {
    int v = in.read();
    C_t total = sum.add_mul_acc(1, v, 3, i == 0);
    R_t all = tap.mul_add(v, v, total);
    if (v >= 0) out.write(all.pcout - add_mul_sub<REG_P>(v, 1, 2, total)); } }
void give(int in[8], hls::stream<int> &out) { for (int i = 0; i < 8; i++) out.write(in[i]); }
void take(hls::stream<long> &in, long out[8]) { for (int i = 0; i < 8; i++) out[i] = in.read(); }
void top(int in[8], long out[8]) {
#pragma HLS dataflow
  hls::stream<int> a; hls::stream<long> b;
  give(in, a); part(a, b); take(b, out); }
"""
    bench = """
void top(int in[8], long out[8]);
int main() {
  int in[8]; long out[8], total = 0, before = 0;
  for (int i = 0; i < 8; i++) in[i] = 1000 * i + 7;
  top(in, out);
  for (int i = 0; i < 8; i++) {
    total += 3L * (in[i] + 1);
    if (out[i] != in[i] * before + 2 * total - 2L * (in[i] + 1)) return 1;
    before = in[i]; }
  return 0; }
"""
    kernel, test = written(tmp_path, text), written(tmp_path, bench, "bench.cpp")
    found = ppnsim.run(str(kernel), testbench=str(test), device="xcvu9p")  # main() says whether the values are right
    assert not found.deadlocked


def test_latencies_of_transforms_are_those_of_reports(tmp_path: Path) -> None:
    named = "\n".join(
        f"struct of_{bits} : settings {{ static const unsigned max_nfft = {bits}; }};\n"
        f"static_assert(hls::ip_fft::ppnsim_settings<of_{bits}>::published == {cycles}, '{bits}');".replace("'", '"')
        for bits, cycles in REPORTED.items()
    )
    text = f"{NATURAL.replace('MORE', '')}{named}\nint top(int a) {{ return a + 1; }}"
    assert ppnsim.schedule(str(written(tmp_path, text))).to_dict()["cycles"] >= 0


@pytest.mark.parametrize("device", ["xc7z020", "xcvu9p"])
def test_a_transform_is_a_task_of_its_latency(tmp_path: Path, device: str) -> None:
    """A loop of the kernel would have a state on UltraScale that only counts (R10.2)."""
    text = NATURAL.replace("MORE", "static const unsigned max_nfft = 5;") + REGION
    found = ppnsim.schedule(str(written(tmp_path, text)), device=device).to_dict()
    core = max(found["loops"], key=lambda row: row["depth"])
    assert (core["ii"], core["cycles"]) == (1, REPORTED[5])
    assert any("starts with its first sample" in words for words in found["assumptions"])
    # The tasks overlap: the last sample is in its place some cycles after it was written.
    assert REPORTED[5] <= found["cycles"] <= REPORTED[5] + 4


def test_settings_and_status_go_through_streams(tmp_path: Path) -> None:
    text = NATURAL.replace("MORE", "static const unsigned max_nfft = 10;")
    text += """
void top(hls::stream<sample> &in, hls::stream<sample> &out, hls::stream<hls::ip_fft::status_t<settings> > &said,
         hls::stream<hls::ip_fft::config_t<settings> > &how) {
#pragma HLS dataflow
  hls::fft<settings>(in, out, said, how); }
"""
    (core,) = ppnsim.schedule(str(written(tmp_path, text))).rows()
    assert core["cycles"] == REPORTED[10]


def test_transforms_in_a_loop_run_one_after_the_other(tmp_path: Path) -> None:
    text = NATURAL.replace("MORE", "static const unsigned max_nfft = 5;")
    text += """
typedef std::complex<ap_fixed<16, 1> > pair;
void top(pair in[32], pair out[32]) {
  hls::ip_fft::config_t<settings> how; hls::ip_fft::status_t<settings> said;
  for (int r = 0; r < 4; r++) hls::fft<settings>(in, out, &said, &how); }
"""
    found = ppnsim.schedule(str(written(tmp_path, text)), function="top").to_dict()
    assert found["cycles"] >= 4 * REPORTED[5]


def test_a_region_with_a_transform_is_a_network(tmp_path: Path) -> None:
    text = NATURAL.replace("MORE", "static const unsigned max_nfft = 5;") + REGION
    network = load_source(str(written(tmp_path, text))).network
    assert [each.name for each in network.processes] == ["front", "fft", "back"]
    assert (ppnsim.run(network).finish or 0) in range(REPORTED[5], REPORTED[5] + 4)


def test_a_latency_that_is_given_counts(tmp_path: Path) -> None:
    more = "static const unsigned max_nfft = 5, ppnsim_latency = 150;"
    text = FFT.replace("ORDER", "bit_reversed_order").replace("MORE", more) + STREAMS
    (core,) = ppnsim.schedule(str(written(tmp_path, text))).rows()
    assert core["cycles"] == 150


@pytest.mark.parametrize(
    ("order", "more", "words"),
    [
        ("natural_order", "arch_opt = hls::ip_fft::automatically_select", "automatically_select: .*ppnsim_latency = N"),
        ("natural_order", "arch_opt = hls::ip_fft::radix_4_burst_io, max_nfft = 5", "radix_4_burst_io has 64 points"),
        ("natural_order", "input_width = 7", "input_width is from 8 to 34"),
        ("natural_order", "output_width = 28", "output_width is from input_width to"),
        ("natural_order", "phase_factor_width = 40", "phase_factor_width is from 8 to 34"),
        ("natural_order", "max_nfft = 17", "max_nfft is from 3 to 16"),
        ("natural_order", "channels = 2", "several channels is not followed"),
        ("natural_order", "has_nfft = true", "has_nfft: how long a transform is, data decides"),
        ("natural_order", "super_sample_rate = 2", "super_sample_rate above ssr_1 is not followed"),
        ("natural_order", "ppnsim_latency = 1500", "ppnsim_latency counts from the first sample"),
    ],
)
def test_settings_that_are_not_followed_are_refused_by_name(tmp_path: Path, order: str, more: str, words: str) -> None:
    text = FFT.replace("ORDER", order).replace("MORE", f"static const unsigned {more};" if more else "") + STREAMS
    with pytest.raises(InputError, match=rf"kernel.cpp:9:\d+: hls::fft.*{words}"):
        load_source(str(written(tmp_path, text)))


@pytest.mark.parametrize(
    ("order", "more", "cycles"),
    [
        ("natural_order", "arch_opt = hls::ip_fft::radix_2_burst_io", 7331),  # of a report
        ("natural_order", "arch_opt = hls::ip_fft::radix_2_burst_io, max_nfft = 7", 2 * 128 + 7 * (64 + 16) + 3),
        ("natural_order", "arch_opt = hls::ip_fft::radix_2_lite_burst_io", 2 * 1024 + 10 * (1024 + 16) + 3),
        ("bit_reversed_order", "arch_opt = hls::ip_fft::radix_4_burst_io", 2 * 1024 + 5 * (256 + 16) + 3),
        ("bit_reversed_order", "", REPORTED[10] - 1024),
        ("natural_order", "max_nfft = 4", 3 * 16 + 2 * 17 + 38),
    ],
)
def test_a_latency_in_no_report_is_counted_and_said(tmp_path: Path, order: str, more: str, cycles: int) -> None:
    """From passes over all samples, as PG109 describes the architectures (R7.8)."""
    text = FFT.replace("ORDER", order).replace("MORE", f"static const unsigned {more};" if more else "") + STREAMS
    found = ppnsim.schedule(str(written(tmp_path, text)))
    assert max(row["cycles"] for row in found.rows()) == cycles
    said = any("is in no report" in words for words in found.to_dict()["assumptions"])
    assert said == (cycles != 7331)


FIR = """
#include "hls_fir.h"
typedef ap_fixed<16, 16> in_t; typedef ap_fixed<24, 24> out_t;
struct settings : hls::ip_fir::params_t {
  static const unsigned input_length = 64, output_length = LENGTH, num_coeffs = 3; MORE
  static constexpr double coeff_vec[3] = {1, 2, 1}; };
void top(hls::stream<in_t> &in, hls::stream<out_t> &out) {
#pragma HLS dataflow
  static hls::FIR<settings> filter;
  filter.run(in, out); }
"""
LATENT = "static const unsigned ppnsim_latency = 20"


@pytest.mark.parametrize(
    ("length", "more", "ii", "cycles"),
    [
        (64, "", 1, 63 + 20 + 1),
        (64, ", sample_period = 4", 4, 63 * 4 + 20 + 1),
        (32, ", filter_type = hls::ip_fir::decimation, decim_rate = 2", 1, 63 + 20 + 1),
        (64, ", num_channels = 3", 1, 3 * 64 - 1 + 20 + 1),
        (128, ", filter_type = hls::ip_fir::interpolation, interp_rate = 2", 1, 127 + 20 + 1),
    ],
)
def test_a_filter_takes_a_sample_each_period(tmp_path: Path, length: int, more: str, ii: int, cycles: int) -> None:
    """Each result is its latency behind its sample, and done is signalled in the state of the last one."""
    text = FIR.replace("LENGTH", str(length)).replace("MORE", f"{LATENT}{more};")
    (core,) = ppnsim.schedule(str(written(tmp_path, text))).rows()
    assert (core["ii"], core["cycles"]) == (ii, cycles)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("static const unsigned zero_pack_factor = 9;", "zero_pack_factor is from 1 to 8"),
        (
            f"{LATENT}; static constexpr double sample_period = 0.5;",
            "sample_period is whole cycles.*take the samples of a cycle as one, with sample_period = 1",
        ),
        (f"{LATENT}, num_channels = 2, filter_type = hls::ip_fir::decimation;", "several channels"),
        (f"{LATENT}, filter_type = hls::ip_fir::decimation, decim_rate = 0;", "decim_rate are 1 or more"),
        (f"{LATENT}, filter_type = hls::ip_fir::decimation, decim_rate = 2;", "output_length is input_length times"),
    ],
)
def test_settings_of_a_filter_that_are_not_followed_are_refused(tmp_path: Path, more: str, words: str) -> None:
    with pytest.raises(InputError, match=rf"kernel.cpp:10:\d+: hls::FIR.*{words}"):
        load_source(str(written(tmp_path, FIR.replace("LENGTH", "64").replace("MORE", more))))


def test_a_filter_without_a_latency_has_one_of_its_taps(tmp_path: Path) -> None:
    (found,) = ppnsim.schedule(str(written(tmp_path, FIR.replace("LENGTH", "64").replace("MORE", "")))).kernels
    assert max(nest.cycles for nest in found.nests) == 63 + 3 + 8 + 1
    assert any("is in no report" in words for words in found.assumptions)


FILTER = """
template <int size> class FIR {
  const long *taps; long bias;
  cascade<REG_A1 | REG_B1 | REG_M | REG_P> first;
  cascade<REG_A1 | REG_B1 | REG_B2 | REG_M | REG_P> others[size - 1];
 public:
  FIR(const long *h, long c) : taps(h), bias(c) {
#pragma HLS array_partition variable=others complete
  }
  long next(B_t x) {
    R_t out = first.mul_add(taps[0], x, bias);
    for (int j = 1; j < size; j++) {
#pragma HLS unroll
      out = others[j - 1].mul_add(taps[j], out.bcout, out.pcout); }
    return out.pcout; } };
void top(const long h[4], const long x[32], long c, long y[32]) {
#pragma HLS array_partition variable=h complete
  FIR<4> filter(h, c);
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    y[i] = filter.next(x[i]); } }
"""


def test_a_chain_of_blocks_costs_a_cycle_for_each_adder(tmp_path: Path) -> None:
    """An array that an object has a pointer to is read through it."""
    four, eight = (_blocks(tmp_path, FILTER.replace("h[4]", f"h[{n}]").replace("FIR<4>", f"FIR<{n}>")) for n in (4, 8))
    assert (four["dsp"], eight["dsp"]) == (4, 8)
    assert eight["cycles"] - four["cycles"] == 4


def test_a_pointer_in_an_object_stands_for_one_array(tmp_path: Path) -> None:
    text = """struct S { const int *c; S(const int *x) : c(x) {} };
void top(int a[8], int b[8], int o[8]) { S s(a); s.c = b; for (int i = 0; i < 8; i++) o[i] = s.c[i]; }
"""
    with pytest.raises(InputError, match=r"kernel.cpp:2:\d+: 's.c' may point into 'a' or into 'b' after 's.c = b'"):
        ppnsim.schedule(str(written(tmp_path, text)))


def test_a_task_between_two_transforms_may_hand_their_settings_on(tmp_path: Path) -> None:
    """Settings were written only, and the file with a task that reads them was refused."""
    head = (
        NATURAL.replace("MORE", "static const unsigned max_nfft = 5;") + "typedef hls::ip_fft::config_t<settings> C;\n"
    )
    body = (
        "void top(C *a, C *b, int *n) { b->setDir(a->getDir() == 0); b->setSch(a->getSch()); *n = a->getNfft() & 1; }"
    )
    (tmp_path / "settings.cpp").write_text(head + body, "utf-8")
    assert ppnsim.schedule(tmp_path / "settings.cpp", function="top").kernels[0].machine.cycles <= 1
