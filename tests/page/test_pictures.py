"""Pictures in a page: how large they are."""

from __future__ import annotations

from base64 import b64decode

from matplotlib.figure import Figure

from ppnsim.page.large import data_uri


def test_a_picture_in_a_page_has_eighty_dots_per_inch() -> None:
    kind, _, content = data_uri(Figure(figsize=(2, 1))).partition(",")
    header = b64decode(content)[16:24]
    assert kind == "data:image/png;base64"
    assert (int.from_bytes(header[:4]), int.from_bytes(header[4:])) == (160, 80)
