"""Functions of math.h and hls_math.h (R2.17): all are answered, and what no report times is said."""

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

ONE = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp10 exp2 expm1
fabs floor lgamma log log10 log1p log2 logb nearbyint recip rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma
trunc"""
WHOLE = "ilogb isfinite isinf isnan isnormal llrint llround lrint lround signbit"
TWO = """atan2 atan2pi copysign divide fdim fmax fmin fmod hypot maxmag minmag nextafter nexttoward pow powr remainder
isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isunordered"""
"""Those of UG1399, "HLS Math Library"; others are below."""
OTHERS = """
y[n] = hls::ldexp(x[n], 3) + hls::scalbn(x[n], k[n]) + hls::pown(x[n], 3) + hls::rootn(x[n], k[n]);
y[n] = hls::fma(x[n], x[n], y[n]) + hls::mad(x[n], y[n], x[n]);
of sine, cosine; hls::sincos(x[n], &sine, &cosine); y[n] = sine + cosine;
of sine, cosine; hls::sincospi(x[n], &sine, &cosine); y[n] = sine + cosine;
of whole; y[n] = hls::modf(x[n], &whole) + whole;
of whole; y[n] = hls::fract(x[n], &whole) + whole;
int whole; y[n] = hls::frexp(x[n], &whole); k[n] = whole;
int whole; y[n] = hls::remquo(x[n], y[n], &whole); k[n] = whole;
"""


def _source(of: str) -> str:
    bodies = [f"y[n] = hls::{name}(x[n]);" for name in f"{ONE} {WHOLE}".split()]
    bodies += [f"y[n] = hls::{name}(x[n], y[n]);" for name in TWO.split()]
    others = OTHERS.strip().splitlines()
    fixed = of == "ap_fixed<16, 8>"
    bodies += others if not fixed else others[2:7]  # no ldexp, no fma
    bodies += [f"y[n] = hls::half_{name}(x[n]);" for name in ("sqrt", "exp", "sin", "recip")] if of == "half" else []
    bodies += ["ap_fixed<10, 2> sine, cosine; hls::sincos(x[n], &sine, &cosine); y[n] = sine + cosine;"] * fixed
    loops = "".join(f"for (int n = 0; n < 8; n++) {{ {each} }}\n" for each in bodies)
    heads = "".join(f'#include "{each}.h"\n' for each in ("hls_math", "hls_half", "ap_fixed"))
    return f"{heads}typedef {of} of;\nvoid top(of x[8], of y[8], int k[8]) {{\n{loops}}}\n"


@pytest.mark.parametrize("of", ["float", "double", "half", "ap_fixed<16, 8>"])
def test_every_function_of_the_library_is_answered(tmp_path: Path, of: str) -> None:
    (kernel,) = schedule(written(tmp_path, _source(of))).kernels
    loops = _source(of).count("for (")
    assert len(kernel.machine.nests) == loops
    assert all(nest.iterations == 8 for nest in kernel.machine.nests)
    said = " ".join(kernel.assumptions)
    assert "no report says how long acos" in said
    assert " sqrt" not in said


def test_what_no_report_times_is_said_once_and_what_one_times_is_not(tmp_path: Path) -> None:
    text = '#include "hls_math.h"\nvoid top(float x[8], float y[8]) {\n'
    text += "for (int n = 0; n < 8; n++) y[n] = hls::hypot(x[n], y[n]) + hls::hypot(y[n], x[n]); }"
    (kernel,) = schedule(written(tmp_path, text), device="xczu7ev-ffvc1156-2-e", clock="10ns").kernels
    assert [each for each in kernel.assumptions if "exp" in each] == [
        "no report says how long hypot takes: as long as exp (R2.17 in ppnsim/hls/RULES.md)"
    ]
    # sin_or_cos_float_s and atan2_cordic_float_s of reports at 10 ns: 10 and 17 cycles, behind the two of the load.
    for of, cycles in (("hls::sin(x[n])", 10), ("hls::atan2(x[n], y[n])", 17)):
        timed = text.replace("hls::hypot(x[n], y[n]) + hls::hypot(y[n], x[n])", of)
        (kernel,) = schedule(written(tmp_path, timed), device="xczu7ev-ffvc1156-2-e", clock="10ns").kernels
        assert not [each for each in kernel.assumptions if "exp" in each]
        assert kernel.machine.nests[0].body.depth == 2 + cycles


def test_two_functions_of_one_number_are_two_units(tmp_path: Path) -> None:
    text = "#include <math.h>\nvoid top(float x[8], float y[8]) {\nfor (int n = 0; n < 8; n++) y[n] = "
    one, two = (
        schedule(written(tmp_path, f"{text}{of}; }}")).kernels[0].area.dsp
        for of in ("sinf(x[n])", "sinf(x[n]) + cosf(x[n])")
    )
    assert two == 2 * one + 2  # and the sum
