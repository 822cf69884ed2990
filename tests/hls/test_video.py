"""Line buffers and windows of hls_video.h: a pixel each cycle, which a memory of each row and registers allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule

SOBEL = """#include "hls_video.h"
typedef unsigned char pixel;
void filter(hls::stream<pixel> &in, hls::stream<pixel> &out) {
    hls::LineBuffer<2, 64, pixel> rows;
    hls::Window<3, 3, pixel> near;
    for (HLS_SIZE_T r = 0; r < 48; r++)
        for (int c = 0; c < 64; c++) {
#pragma HLS pipeline
            pixel p = in.read(), column[3] = {rows.getval(0, c), rows(1, c), p};
            SHIFT;
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) sum += near.getval(i, j);
            out.write(sum >> 3);
        }
}
"""


@pytest.mark.parametrize(
    "shift",
    [
        "near.shift_pixels_left(); near.insert_right_col(column); rows.shift_pixels_up(c); rows.insert_top_row(p, c)",
        "near.shift_left(); near.insert_right(column); rows.shift_up(c); rows.insert_bottom(p, c);",
        "near.shift_right(); for (int i = 0; i < 3; i++) near.insert(column[i], i, 0); rows.val[0][c] = p;",
    ],
)
def test_a_window_over_a_line_buffer_takes_a_pixel_each_cycle(tmp_path: Path, shift: str) -> None:
    path = tmp_path / "filter.cpp"
    path.write_text(SOBEL.replace("SHIFT", shift), encoding="utf-8")
    (nest,) = schedule(path).kernels[0].machine.nests
    assert (nest.body.schedule.ii, nest.iterations) == (1, 48 * 64)


def test_what_of_the_video_library_is_not_followed_is_said(tmp_path: Path) -> None:
    path = tmp_path / "sobel.cpp"
    code = "hls::Mat<9, 9, HLS_8UC1> m, n; hls::Canny<1, 0, 3>(m, n); a[0] = 1;"
    path.write_text(f'#include "hls_video.h"\nvoid f(int *a) {{ {code} }}', encoding="utf-8")
    with pytest.raises(InputError, match=r"hls::Canny is not followed: of hls_video.h hls::Mat, .*write pixels"):
        schedule(path)


INVERT = """#include "hls_video.h"
typedef hls::Mat<48, 64, HLS_8UC3> image;
void invert(image &from, image &to) {
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 64; x++) {
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            hls::Scalar<3, ap_uint<8> > p;
            hls::Scalar<3, unsigned char> q;
            from >> p;
            for (int c = 0; c < 3; c++) q.val[c] = 255 - p.val[c];
            to << q;
        }
}
void top(hls::stream<ap_axiu<24, 1, 1, 1> > &in, hls::stream<ap_axiu<24, 1, 1, 1> > &out) {
#pragma HLS interface axis port=in
#pragma HLS interface axis port=out
#pragma HLS dataflow
    image a(48, 64), b(48, 64);
    hls::AXIvideo2Mat(in, a);
    invert(a, b);
    hls::Mat2AXIvideo(b, out);
}
"""


def test_an_image_takes_a_cycle_for_a_pixel(tmp_path: Path) -> None:
    path = tmp_path / "invert.cpp"
    path.write_text(INVERT, encoding="utf-8")
    machine = schedule(path, function="top", worst=True).kernels[0].machine
    assert [nest.body.schedule.ii for nest in machine.nests if nest.iterations == 48 * 64] == [1, 1, 1]
    assert 48 * 64 < machine.cycles < 48 * (64 + 10)


def test_functions_on_images_take_the_cycles_of_reports_for_them(tmp_path: Path) -> None:
    """Windows run over two rows and columns more; a pixel each cycle, and each row ends its pipeline (R9.46)."""
    path = tmp_path / "filters.cpp"
    gray = "typedef hls::Mat<48, 64, HLS_8UC1> gray; typedef hls::Mat<48, 64, HLS_16S> far;\n"
    called = """hls::CvtColor<HLS_BGR2GRAY>(a, p); hls::GaussianBlur<3, 3>(p, q); hls::Duplicate(q, r, s);
        hls::Sobel<1, 0, 3>(r, x); hls::ConvertScaleAbs(x, u); hls::AddWeighted(u, 0.5, s, 0.5, 0.0, v);
        hls::CvtColor<HLS_GRAY2BGR>(v, b);"""
    text = INVERT.replace("void top", f"{gray}void top").replace("invert(a, b);", called)
    path.write_text(text.replace("b(48, 64);", "b(48, 64); gray p, q, r, s, u, v; far x;"), encoding="utf-8")
    nests = schedule(path, function="top", worst=True).kernels[0].machine.nests
    found = sorted(nest.iterations for nest in nests if nest.body.schedule.ii == 1 and nest.iterations > 64)
    assert found == [48 * 64] * 7 + [50 * 66] * 2


def test_a_resized_image_takes_an_iteration_for_each_pixel_of_the_larger_one(tmp_path: Path) -> None:
    """As the library's loops run: a row and a column more than the image, and no row goes on into the next one."""
    path = tmp_path / "smaller.cpp"
    half = INVERT.replace("void top", "typedef hls::Mat<24, 32, HLS_8UC3> quarter;\nvoid top")
    half = half.replace("b(48, 64);", "b(48, 64); quarter q;").replace(
        "hls::Mat2AXIvideo(b,", "hls::Resize_opr_linear(b, q); hls::Mat2AXIvideo(q,"
    )
    path.write_text(half, encoding="utf-8")
    nests = schedule(path, function="top", worst=True).kernels[0].machine.nests
    assert (1, 49 * 65) in [(nest.body.schedule.ii, nest.iterations) for nest in nests]


def test_a_line_buffer_in_an_object_is_one_memory_for_each_row(tmp_path: Path) -> None:
    """The directives in the constructor of a member hold for this member."""
    path = tmp_path / "rows.cpp"
    body = "lines.shift_up(x); lines.insert_bottom(v, x); return lines.getval(0, x) + lines.getval(2, x);"
    path.write_text(
        '#include "hls_video.h"\n'
        f"struct F {{ hls::LineBuffer<3, 32, int> lines; int n; F() : n(3) {{}} int go(int v, int x) {{ {body} }} }};\n"
        "void top(int a[1024], int b[1024]) { F f; for (int y = 0; y < 32; y++) for (int x = 0; x < 32; x++) {\n"
        "#pragma HLS pipeline\nb[y * 32 + x] = f.go(a[y * 32 + x], x); } }",
        encoding="utf-8",
    )
    (nest,) = schedule(path, function="top").kernels[0].machine.nests
    assert (nest.body.schedule.ii, nest.iterations) == (1, 1024)


def test_a_read_of_an_image_without_arguments_returns_its_pixel(tmp_path: Path) -> None:
    path = tmp_path / "pixels.cpp"
    path.write_text(
        '#include "hls_video.h"\ntypedef hls::Mat<4, 16, HLS_8UC3> image;\n'
        "void top(image &in, unsigned char out[64]) { for (int i = 0; i < 64; i++) {\n"
        "#pragma HLS pipeline\nout[i] = in.read().val[2]; } }",
        encoding="utf-8",
    )
    (nest,) = schedule(path, function="top").kernels[0].machine.nests
    assert (nest.body.schedule.ii, nest.iterations) == (1, 64)
    taken = [node for node in nest.body.graph.nodes if "in_data_stream" in str(node.access) and node.kind == "op"]
    assert len(taken) == 3  # all channels lose a pixel, also those that nobody uses
