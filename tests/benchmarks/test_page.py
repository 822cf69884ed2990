"""The page: its size, and how long a browser takes until it shows a hundred thousand firings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ppnsim.engines.run import run
from ppnsim.model.builders import chain
from ppnsim.page.build import told_of
from ppnsim.page.html import page_of
from ppnsim.page.sections import Origin
from tests.page.browser import browser, needs_browser

NETWORK = chain(firings=33_334, length=3, depth=2)


def page() -> str:
    return page_of([told_of(run(NETWORK), origin=Origin(file="chain"))])


def test_writing_the_page(benchmark: Any) -> None:
    text = benchmark.pedantic(page, rounds=3)
    benchmark.extra_info["kB"] = len(text) // 1000
    assert len(text) < 150_000


@needs_browser
def test_opening_the_page(benchmark: Any, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    place.write_text(page(), encoding="utf-8")
    with browser() as driver:
        benchmark.pedantic(driver.get, args=(place.as_uri(),), rounds=5)
        assert driver.execute_script("return document.getElementById('answer').dataset.finish") == str(
            run(NETWORK).finish
        )
