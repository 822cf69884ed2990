"""Members of the vendor's types, as UG1399 lists them: a source with each of them is scheduled."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

INTS = """
y[i] = a[i].to_schar() + a[i].to_uchar() + a[i].to_short() + a[i].to_ushort();
y[i] = a[i].length() + a[i].iszero() + a[i].is_zero() + a[i].sign();
ap_int<13> t = a[i]; t.lrotate(3); t.rrotate(i); y[i] = t + a[i].countLeadingZeros();
ap_int<13> t = a[i], u = t.lrotate(3).rrotate(i); y[i] = t + u; printf("%s", t.to_string(16).c_str());
ap_int<13> t = a[i]; t.b_not(); t.set(5, 1); y[i] = t.range();
ap_int<13> t, u; (t, u) = ap_uint<26>(y[i]); y[i] = t + u;
ap_uint<13> t = b[i]; (t.range(3, 0), t.range(7, 4)) = 5; y[i] = t;
ap_uint<13> t = b[i]; t.range(3, 0) |= 5; t[4] ^= 1; y[i] = t;
ap_uint<64> t = y[i]; ap_int<200> u = t; y[i] = (a[i] + t).countLeadingZeros() + u.countLeadingZeros();
std::bitset<13> t(y[i]), u; t.set(3).reset(4).flip(5); u.set().flip().reset(); u[i] = t[2]; y[i] = (t | u).count();
std::bitset<100> t; t.set(i, 1); y[i] = t.count() + t.any() + t.all() + t.none() + t.test(3) + t.size() + t[5];
std::bitset<9> t(y[i]), u(5); t &= ~u << 2; t ^= u; t <<= 1; y[i] = (t == u) + (t != u) + (t ^ u).to_ulong();
"""
FIXED = """
y[i] = a[i].to_ulong() + a[i].to_uint64() + a[i].to_short() + a[i].to_char();
y[i] = a[i].length() + a[i].wl() + a[i].iwl() + a[i].is_neg() + a[i].is_zero();
ap_fixed<18, 6> t = a[i] ^ a[i]; t |= b[i]; t = t & b[i]; y[i] = t.to_int();
ap_fixed<18, 6> t = a[i]; t <<= 1; t >>= i; y[i] = t.to_int();
"""
VECTORS = """
hls::vector<int, 4> t = {1, 2, 3, y[0][0]}; t[2] = a[i][1]; y[i] = t;
hls::vector<int, 4> t = -a[i]; t = ~t; ++t; --t; y[i] = t;
y[i][0] = a[i].reduce_and() + a[i].reduce_or() + a[i].reduce_xor();
"""
MATHS = """
y[i] = hls::sqrt((short)a[i]) + hls::sqrt((unsigned char)a[i]) + hls::sqrt((long)a[i]) + hls::exp(2) + hls::pow(2, 3);
float s, c; hls::sincosf(a[i], &s, &c); y[i] = s + c + hls::log2(ap_uint<9>(a[i])) + (hls::fpclassify(s) == FP_NAN);
y[i] = a[i] > 2 ? hls::nanf("") : 1.0f;
"""
PACKETS = """
hls::stream<ap_axis<32, 0, 0, 0>>: t.set_keep(-1); t.set_strb(1); t.strb_all(); t.set_data(t.get_keep());
hls::stream<ap_axiu<32, 1, 1, 1>>: t.set_user(1); t.set_id(t.get_dest()); t.set_dest(0); t.set_last(t.get_user());
hls::stream<qdma_axis<64, 0, 0, 0>>: t.set_keep(-1); t.set_last(t.get_last());
hls::stream<hls::axis_user<3>>: t.set_user(t.get_user() + 1);
hls::stream<hls::axis_user<3, AXIS_ENABLE_LAST>>: t.set_last(1);
"""


def _source(arguments: str, body: str) -> str:
    headers = "ap_int ap_fixed hls_vector hls_math hls_stream ap_axi_sdata hls_fence".split()  # noqa: SIM905
    head = "".join(f'#include "{each}.h"\n' for each in headers)
    return f"{head}#include <bitset>\nvoid top({arguments}) {{ for (int i = 0; i < 16; i++) {{ {body} }} }}"


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        *(("ap_int<13> a[16], ap_uint<13> b[16], int y[16]", each) for each in INTS.strip().splitlines()),
        *(("ap_fixed<18, 6> a[16], ap_ufixed<12, 4> b[16], int y[16]", each) for each in FIXED.strip().splitlines()),
        *(("hls::vector<int, 4> a[16], hls::vector<int, 4> y[16]", each) for each in VECTORS.strip().splitlines()),
        *(("int a[16], float y[16]", each) for each in MATHS.strip().splitlines()),
        ("int a[16], hls::stream<int> &s", "hls::fence({a}, {s}); hls::fence(a, s); a[i] = s.read();"),
        *((f"{of} &x, {of} &y", f"auto t = x.read(); {done} y.write(t);")
          for of, done in (each.split(": ", 1) for each in PACKETS.strip().splitlines())),
    ],
)  # fmt: skip
def test_a_member_is_followed(tmp_path: Path, arguments: str, body: str) -> None:
    assert schedule(written(tmp_path, _source(arguments, body))).kernels[0].machine.cycles > 0


def test_a_bound_in_an_object_with_an_array_is_one_number(tmp_path: Path) -> None:
    text = "struct S { int d[64], n; };\nvoid top(int y[64]) { S s; s.n = y[3]; "
    text += "for (int i = 0; i < 64; i++) s.d[i] = y[i]; for (int i = 0; i < s.n; i++) y[i] = s.d[i] * 3; }"
    assert [nest.iterations for nest in schedule(written(tmp_path, text)).kernels[0].machine.nests] == [64, 64]


def test_a_member_of_an_empty_class_is_nothing(tmp_path: Path) -> None:
    """The end of a chain of classes that templates make is one: it was a number of an unknown type."""
    text = """struct none { int get(int x) const { return x; } };
    struct chain { int held[4]; none rest; };
    void k(int a[8]) { chain c; for (int i = 0; i < 4; i++) c.held[i] = a[i];
      for (int i = 0; i < 4; i++) a[i + 4] = c.rest.get(c.held[3 - i]); }"""
    plain = text.replace("none rest;", "").replace("c.rest.get", "none().get")
    found = [schedule(written(tmp_path, each)).kernels[0].machine.cycles for each in (text, plain)]
    assert found[0] == found[1] > 1
