"""The numbers of high-level synthesis as they execute: widths, wrapping, rounding, bits, lanes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ppnsim.hls.native.build import HEADERS, compiler
from tests.hls.native.designs import needs_compiler

pytestmark = needs_compiler

# By UG1399: widths of results, AP_TRN and AP_WRAP unless a type says otherwise, quantisation before overflow.
CHECKS = """
#include <ap_axi_sdata.h>
#include <ap_fixed.h>
#include <ap_utils.h>
#include <hls_fence.h>
#include <hls_half.h>
#include <hls_math.h>
#include <hls_print.h>
#include <hls_stream.h>
#include <hls_task.h>
#include <hls_vector.h>
#define CHECK(x) if (!(x)) return __LINE__;
int main() {
  ap_int<7> a = 63; a += 1; CHECK(a == -64)
  ap_uint<4> u = 15; u++; CHECK(u == 0)
  ap_uint<8> x = 0xa5; CHECK(x.range(7, 4) == 10) x(3, 0) = 7; CHECK(x == 0xa7) CHECK(x[0] == 1)
  ap_int<8> p = -3; int z = p * 4 + 1; CHECK(z == -11) CHECK((p >> 1) == -2) CHECK(p / 2 == -1) CHECK(p % 2 == -1)
  CHECK((ap_uint<4>(3), ap_uint<8>(255)) == 1023)
  static_assert(decltype(ap_int<8>() + ap_int<8>())::width == 9, "");
  static_assert(decltype(ap_uint<8>() * ap_int<4>())::width == 12, "");
  ap_fixed<8, 4, AP_RND, AP_SAT> f = 9.03; CHECK(f.to_double() == 7.9375) f = 1.03125; CHECK(f.to_double() == 1.0625)
  ap_fixed<8, 4> g = -1.03; CHECK(g.to_double() == -1.0625) CHECK(int(g) == -1) CHECK(g < 0)
  ap_fixed<8, 4, AP_TRN, AP_SAT> h = -100; CHECK(h.to_double() == -8) ap_fixed<8, 4> w = 8; CHECK(w.to_double() == -8)
  static_assert(decltype(ap_fixed<8, 4>() * ap_fixed<10, 2>())::width == 18, "");
  CHECK((g * g).to_double() == 1.12890625)
  ap_fixed<32, 16> d = 5; CHECK((ap_fixed<32, 16>(d / 3)).to_double() == 109226.0 / 65536)
  ap_axiu<32, 1, 1, 1> packet; packet.data = 5; packet.last = 1; CHECK(packet.data == 5 && packet.last)
  hls::stream<int> s("s"); s << 4; s.write(5); int first; s >> first; CHECK(first == 4 && s.read() == 5 && s.empty())
  CHECK(!s.read_nb(first) && s.write_nb(6) && s.size() == 1 && !s.full() && s.read_nb(first) && first == 6)
  CHECK(hls::max(3, 4) == 4 && hls::sqrt(16.0) == 4)
  typedef hls::vector<int, 4> vec; vec v = {1, 2, 3, 4}, y = 2; vec t = v * y + 1;
  CHECK(t[0] == 3 && t[3] == 9 && t.reduce_add() == 24 && (v << 1)[2] == 6 && (2 * v)[1] == 4)
  v += y; CHECK(v[0] == 3 && (v < 5)[1] && !(v < 5)[2] && (-v)[0] == -3 && v.reduce_mult() == 360)
  hls::vector<float, 8> halves = 0.5f; CHECK((halves * 2).reduce_add() == 8)
  hls::stream<vec> r; r.write(v); CHECK(r.read()[3] == 6)
  hls::stream<vec, 4> two[2]; two[1] << y; CHECK(two[1].read()[0] == 2)
  half e = 1.0009765625f; CHECK(float(e) == 1.0009765625f)
  e = 2049; CHECK(float(e) == 2048) e = 2051; CHECK(float(e) == 2052)
  e = 65519.9; CHECK(float(e) == 65504)
  e = 65520; CHECK(std::isinf(float(e)))
  e = 5.960464477539063e-08; CHECK(float(e) > 0)
  e = 2.98e-08; CHECK(float(e) == 0)
  e = 0.1f; CHECK(float(e) == 0.0999755859375f) CHECK(float(e + e) == 0.199951171875f)
  CHECK(e * 2.0f == 0.199951171875f)
  e += 1; CHECK(float(e) == 1.099609375f) CHECK(e > 1 && e < half(2))
  CHECK(float(hls::sqrt(half(2))) == 1.4140625f) CHECK(hls::rsqrt(4.0f) == 0.5f && hls::recip(8.0) == 0.125)
  ap_fixed<16, 8> root = 2.25; CHECK(hls::sqrt(root).to_double() == 1.5)
  CHECK(hls::abs(ap_fixed<16, 8>(-2.5)).to_double() == 2.5)
  CHECK(hls::abs(-3) == 3 && hls::fabs(-2.5f) == 2.5f && hls::sinf(0.0f) == 0 && hls::cospi(1.0) == -1)
  CHECK(hls::pow(2.0, 3) == 8 && hls::exp(0.0f) == 1 && hls::signbit(-1.0))
  ap_axis<32, 2, 5, 6> sent; sent.set_data(-5); sent.set_last(1); sent.keep_all();
  CHECK(sent.get_data() == -5 && sent.keep == 15 && sent.get_last() == 1)
  hls::axis<float, 0, 0, 0> q; q.set_data(2.5f); CHECK(q.data == 2.5f)
  hls::axis_user<ap_uint<3>, AXIS_ENABLE_USER | AXIS_ENABLE_LAST> user; user.set_user(5); CHECK(user.get_user() == 5)
  ap_wait(); ap_wait_until(true); hls::fence(s, v); hls::print("%d", 3);
  return 0;
}
"""


def test_numbers_execute_as_documented(tmp_path: Path) -> None:
    """The program returns the line of the first check that fails."""
    source, program = tmp_path / "checks.cpp", tmp_path / "checks"
    source.write_text(CHECKS, encoding="utf-8")
    made = [compiler(), "-std=gnu++17", f"-I{HEADERS}", str(source), "-o", str(program)]
    assert subprocess.run(made, capture_output=True, text=True, check=False).stderr == ""
    assert subprocess.run([str(program)], check=False).returncode == 0
