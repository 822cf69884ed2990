"""The numbers of high-level synthesis as they execute: widths, wrapping, rounding, bits, lanes."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from math import floor
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
  // Those of C keep their type: one of half alone would round 27.1126 to 27.109375, and 1e30 to infinity.
  CHECK(hls::exp(3.3f) == std::exp(3.3f) && hls::log(1e300) == std::log(1e300) && hls::abs(-1e30f) == 1e30f)
  CHECK(hls::fmax(1e30f, 1.0f) == 1e30f && hls::pow(10.0, 20.0) == 1e20 && hls::fma(3.0, 4.0, 5.0) == 17)
  CHECK(hls::isfinite(1e30f) && !hls::isinf(1e300) && hls::signbit(-1e-30f) && hls::isnormal(1e-30f))
  ap_fixed<16, 8> minus = -2.5; CHECK(hls::signbit(minus) && hls::isfinite(minus) && !hls::isnan(minus))
  CHECK(hls::abs(minus).to_double() == 2.5 && hls::sqrt(ap_uint<20>(1000000)) == 1000)
  CHECK(float(hls::half_exp(half(0))) == 1 && float(hls::sqrt(half(2.25f))) == 1.5f)
  typedef hls::vector<int, 4> vec; vec v = {1, 2, 3, 4}, y = 2; vec t = v * y + 1;
  CHECK(t[0] == 3 && t[3] == 9 && t.reduce_add() == 24 && (v << 1)[2] == 6 && (2 * v)[1] == 4)
  v += y; CHECK(v[0] == 3 && (-v)[0] == -3 && v.reduce_mult() == 360)
  CHECK(v < 5 && (v < vec{3, 5, 0, 0}) && !(v < v) && v <= v && v == v && v != y && !(v > y + 9))
  CHECK(v++ == (vec{3, 4, 5, 6}) && --v == (vec{3, 4, 5, 6}))
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
  CHECK(hls::sqrt(17) / 3 == 1 && hls::sqrt((unsigned char)99) == 9)
  CHECK(hls::abs(ap_fixed<16, 8>(-2.5)).to_double() == 2.5)
  CHECK(hls::abs(-3) == 3 && hls::fabs(-2.5f) == 2.5f && hls::sinf(0.0f) == 0 && hls::cospi(1.0) == -1)
  CHECK(hls::pow(2.0, 3) == 8 && hls::exp(0.0f) == 1 && hls::signbit(-1.0))
  ap_axis<32, 2, 5, 6> sent; sent.set_data(-5); sent.set_last(1); sent.keep_all();
  CHECK(sent.get_data() == -5 && sent.keep == 15 && sent.get_last() == 1)
  hls::axis<float, 0, 0, 0> q; q.set_data(2.5f); CHECK(q.data == 2.5f)
  hls::axis<ap_uint<20>, 0, 0, 0> few; few.keep_all(); CHECK(few.keep == 7)
  hls::axis_user<3, AXIS_ENABLE_LAST> user; user.set_user(5); CHECK(user.get_user() == 5)
  ap_wait(); ap_wait_until(true); hls::fence(s, v); hls::print("%d", 3);
  return 0;
}
"""


# What members that were added after the first ones do; the examples of bits in UG1399 among them.
MORE = """
#include <ap_fixed.h>
#include <string>
#define CHECK(x) if (!(x)) return __LINE__;
int main() {
  ap_uint<10> whole; ap_int<3> a = -3; ap_int<6> b = 54; ap_uint<9> joined = (a, b);
  CHECK(joined == 0x176) CHECK((a, b).length() == 9) (a, b) = ap_uint<9>(0x1f); CHECK(a == 0 && b == 31)
  ap_uint<8> bits = 0x5f; ap_uint<4> low = bits.range(0, 3), high = bits(7, 4); CHECK(low == 15 && high == 5)
  bits.range(0, 3) = ap_uint<4>(1); CHECK(bits == 0x58) CHECK(bits.range(4, 7).to_uint() == 10)
  ap_uint<8> cat = (bits(7, 4), bits(1, 0)); CHECK(cat == 20) (bits(1, 0), bits(3, 2)) = 6; CHECK(bits == 0x59)
  ap_uint<128> wide = ~ap_uint<128>(0); CHECK(wide >> 120 == 255)
  CHECK(wide > 5 && wide / 2 > wide / 4 && wide % 16 == 15)
  CHECK(wide.to_double() > 3.4e38) CHECK(wide.to_string(10) == "340282366920938463463374607431768211455")
  wide.lrotate(3); CHECK(wide.and_reduce()) ap_uint<8> turn = 0x81; turn.rrotate(1); CHECK(turn == 0xc0)
  turn.lrotate(2); CHECK(turn == 3) turn.reverse(); CHECK(turn == 0xc0 && turn.countLeadingZeros() == 0) turn.b_not();
  CHECK(turn == 0x3f && !turn.sign() && !turn.is_zero() && turn.to_ulong() == 63 && turn.to_char() == 63)
  CHECK(ap_int<16>("-0x12") == -18)
  CHECK(ap_uint<100>("12345678901234567890123").to_string(10) == "12345678901234567890123")
  CHECK(ap_int<8>("1101", 2) == 13 && ap_int<8>(-80).to_string(2) == "0b10110000")
  CHECK(ap_uint<8>(12).to_string(16) == "0x0c")
  ap_fixed<8, 4> f = -1.5; ap_int<4> cut = f;
  CHECK(cut == -1 && f.to_int64() == -1 && f < -1.25 && 0.5 > f && f == -1.5)
  f[7] = 0; CHECK(f.to_double() == 6.5) f(7, 4) = 3;
  CHECK(f.to_double() == 3.5 && f.get_bit(3) && f.wl() == 8 && f.iwl() == 4)
  CHECK((f & ap_fixed<8, 4>(1)).to_double() == 1 && (f | ap_fixed<8, 4>(4.25)).to_double() == 7.75)
  CHECK((~f).to_double() == -3.5625)
  /* The quotient has the fraction of the dividend and is cut towards zero. */
  ap_fixed<32, 16> five = -5; CHECK((ap_fixed<32, 16>(five / 3)).to_double() == -109226.0 / 65536)
  ap_fixed<16, 8, AP_RND, AP_SAT> most = 1e20, least = -1e30;
  CHECK(most.to_double() == 127.99609375 && least.to_double() == -128)
  ap_fixed<16, 8> tiny = -1e-300; CHECK(tiny.to_double() == -1.0 / 256)
  ap_fixed<8, 2, AP_TRN, AP_SAT> far = ap_int<100>(1) << 90; CHECK(far.to_double() == 1.984375)
  ap_fixed<4, 4, AP_RND, AP_WRAP_SM> m = 19, n = -19; CHECK(m.to_double() == -4 && n.to_double() == 2)
  ap_fixed<4, 4, AP_RND, AP_WRAP, 1> w = 31, x = -19; CHECK(w.to_double() == 7 && x.to_double() == -3)
  return 0;
}
"""

_Q = "AP_RND AP_RND_ZERO AP_RND_MIN_INF AP_RND_INF AP_RND_CONV AP_TRN AP_TRN_ZERO".split()  # noqa: SIM905
_O = "AP_SAT AP_SAT_ZERO AP_SAT_SYM AP_WRAP AP_WRAP_SM".split()  # noqa: SIM905
_FORMATS = ((6, 4), (4, 4), (8, 3), (5, 7), (3, -1))
_EIGHTHS = range(-300, 301)


def _quantised(exact: Fraction, mode: str) -> int:
    """Return the whole number that a mode takes for a number: the definitions of UG1399."""
    below, rest = floor(exact), exact - floor(exact)
    if mode.startswith("AP_TRN"):
        return below + (mode == "AP_TRN_ZERO" and rest > 0 and exact < 0)
    if rest != Fraction(1, 2):
        return below + (rest > Fraction(1, 2))
    upwards = {"AP_RND": True, "AP_RND_ZERO": exact < 0, "AP_RND_MIN_INF": False, "AP_RND_INF": exact > 0}
    return below + int(upwards.get(mode, below % 2 == 1))


def _held(number: int, width: int, signed: bool, mode: str) -> int:
    """Return what ``width`` bits hold of a whole number: the definitions of UG1399."""
    most: int = 2 ** (width - signed) - 1
    least = -most - (mode != "AP_SAT_SYM") if signed else 0
    if least <= number <= most:
        return number
    if mode in ("AP_SAT", "AP_SAT_SYM"):
        return most if number > most else least
    if mode == "AP_SAT_ZERO":
        return 0
    wrapped: int = number % 2**width
    wrapped -= 2**width if signed and wrapped > most else 0
    negative = bool(number >> width & 1)  # the last bit that is left out
    return wrapped if mode == "AP_WRAP" or (wrapped < 0) == negative else ~wrapped


def test_every_mode_of_quantisation_and_overflow_has_its_value(tmp_path: Path) -> None:
    lines, expected = [], []
    for width, whole in _FORMATS:
        for name, signed in (("ap_fixed", True), ("ap_ufixed", False)):
            for overflow in _O[: len(_O) - (not signed)]:
                for quantised in _Q:
                    lines.append(f"grid<{name}<{width}, {whole}, {quantised}, {overflow}>>();")
                    for each in _EIGHTHS:
                        exact = Fraction(each, 8) * Fraction(2) ** (width - whole)
                        expected.append(_held(_quantised(exact, quantised), width, signed, overflow))
    source = f"""
#include <ap_fixed.h>
template <typename t_> void grid() {{
  for (int at = {_EIGHTHS[0]}; at <= {_EIGHTHS[-1]}; at++) {{
    t_ real = at / 8.0, fixed = ap_fixed<20, 12>(at / 8.0);
    if (real != fixed) std::printf("differ ");
    std::printf("%d\\n", int(real.v));
  }}
}}
int main() {{ {" ".join(lines)} }}"""
    assert list(map(int, _output(tmp_path, source).split())) == expected


def _output(folder: Path, text: str) -> str:
    source, program = folder / "program.cpp", folder / "program"
    source.write_text(text, encoding="utf-8")
    made = [compiler(), "-std=gnu++17", f"-I{HEADERS}", str(source), "-o", str(program)]
    assert subprocess.run(made, capture_output=True, text=True, check=False).stderr == ""
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, text.splitlines()[done.returncode - 1]
    return done.stdout


def test_numbers_execute_as_documented(tmp_path: Path) -> None:
    """The program returns the line of the first check that fails."""
    assert _output(tmp_path, CHECKS) == "3"


def test_further_members_of_numbers(tmp_path: Path) -> None:
    """Concatenation, reversed ranges, numbers of 128 bits, quotients, far values."""
    assert _output(tmp_path, MORE) == ""


def test_results_wider_than_ours_are_refused(tmp_path: Path) -> None:
    """A product of 200 bits would lose its first ones without a word."""
    source = tmp_path / "wide.cpp"
    source.write_text("#include <ap_fixed.h>\nap_fixed<100, 50> f(ap_fixed<100, 50> a) { return a * a; }\n")
    made = [compiler(), "-std=gnu++17", f"-I{HEADERS}", "-c", str(source), "-o", str(tmp_path / "wide.o")]
    said = subprocess.run(made, capture_output=True, text=True, check=False).stderr
    assert "results of up to 128 bits" in said
