"""What is written for other tools, letter for letter, of small networks and windows on them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from ppnsim.engines.run import run
from ppnsim.export.perfetto import write_perfetto
from ppnsim.export.tables import TYPES, chunks_of, write_csv
from ppnsim.export.trace import trace_of
from ppnsim.export.vcd import write_gtkwave, write_vcd
from ppnsim.export.wavedrom import write_svg, write_wavejson
from ppnsim.export.window import Window
from tests.export.test_export import NETWORKS
from tests.golden.records import unlike


def _written(name: str) -> Iterator[tuple[str, str]]:
    timeline = run(NETWORKS[name], on_deadlock="return").timeline
    trace, stopped = trace_of(timeline), timeline.stopped
    for window in (Window(0, min(stopped, 12)), Window(stopped // 2, stopped // 2 + 6)):
        shown = f"{name} {window.first}:{window.last}"
        texts = {kind: io.StringIO() for kind in ("vcd", "gtkw", "perfetto", "flows", "json", "svg", "csv")}
        groups = write_vcd(trace, window, texts["vcd"])
        write_gtkwave(groups, Path("run.vcd"), texts["gtkw"])
        write_perfetto(trace, window, texts["perfetto"])
        write_perfetto(trace, window, texts["flows"], flows=True)
        write_wavejson(trace, window, texts["json"])
        write_svg(trace, window, texts["svg"])
        for table in TYPES:
            write_csv(chunks_of(timeline, table, window), table, texts["csv"])
        yield from ((f"{shown} {kind}", text.getvalue()) for kind, text in texts.items())


def exported() -> str:
    """Return all that is written of the networks, a date left out and lists broken into lines."""
    texts = [f"-- {shown}\n{text}\n" for name in NETWORKS for shown, text in _written(name)]
    return re.sub(r"\$date.*?\$end", "$date $end", "".join(texts), flags=re.DOTALL).replace("}, {", "},\n{")


def test_what_is_written_is_recorded() -> None:
    assert unlike("exported") == [], "if it is meant: python -m tests.golden exported"
