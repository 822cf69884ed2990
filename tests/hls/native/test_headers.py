"""The numbers of high-level synthesis as they execute: widths, wrapping, rounding, bits."""

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
#include <hls_math.h>
#include <hls_stream.h>
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
