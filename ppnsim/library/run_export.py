"""Runs in the formats of other tools: simulated, then written with what stands beside the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export.perfetto import write_perfetto
from ppnsim.export.place import replacing
from ppnsim.export.tables import Chunks, chunks_of, trace_chunks, write_csv, write_parquet
from ppnsim.export.trace import Trace, trace_of
from ppnsim.export.vcd import write_gtkwave, write_vcd
from ppnsim.export.wavedrom import write_svg, write_wavejson
from ppnsim.export.window import Window, WindowLike, period_of, window_called, window_of
from ppnsim.library.applications import application_of
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.timeline import Timeline
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.report.trace import platform_trace
from ppnsim.platform.run.application import run_platform

_LARGEST = 100_000_000  # firings and tokens of a run that is put together: 4 GB


@dataclass(frozen=True, slots=True, kw_only=True)
class RunExport:
    """What is asked of an export: format, file, table, and cycles (None = the end of the run) or times ``A:B``.

    ``progress`` is called while a platform is simulated, with stages done and in all.
    """

    kind: str
    output: Path
    window: WindowLike = (None, None)
    table: str | None = None
    flows: bool = False
    progress: Callable[[int, int], None] | None = None

    def write(self, held: Run | Network | PlatformFile, file: str) -> tuple[dict[str, Any], str]:
        """Write a run, or that of a network or of a platform's application; return the result and a sentence."""
        if isinstance(held, PlatformFile):
            return self._written(file, *self._of_platform(held, file))
        outcome = held if isinstance(held, Run) else run(held, on_deadlock="return")
        timeline = self._timeline(outcome)
        trace = replace(trace_of(timeline), stopped=outcome.stopped)
        return self._written(file, trace, lambda window: chunks_of(timeline, self._table(), window))

    def _timeline(self, outcome: Run) -> Timeline:
        """Return the timeline as far as the window needs it: up to the repetitions that a run leaves out, or all."""
        left_out, (_, last) = outcome.left_out, self._ends(outcome.network.clock_ns)
        if left_out is None or (last is not None and last <= left_out.after + 1):
            return outcome.recorded
        if (size := outcome.network.events) > _LARGEST:
            words = f"{size} firings and tokens are more than are written out ({_LARGEST})"
            raise InputError(f"{words}; up to cycle {left_out.after} any --window can be, and the rest repeats itself")
        return outcome.timeline

    def _ends(self, tick_ns: float) -> tuple[int | None, int | None]:
        """Return the window that is asked for; None is the end of the run."""
        return window_called(self.window, period_of(tick_ns)) if isinstance(self.window, str) else self.window

    def _of_platform(self, given: PlatformFile, path: str) -> tuple[Trace, Callable[[Window], Chunks]]:
        if self.kind == "wavedrom" or self.table not in (None, "spans"):
            what = "a diagram of cycles" if self.kind == "wavedrom" else f"a table of {self.table}"
            raise InputError(f"the run of a platform has no {what[2:]}: vcd, perfetto, or --table spans")
        application = application_of(given, path)
        done = run_platform(given.system, application, progress=self.progress)
        trace = platform_trace(done, name=given.system.name)
        return trace, lambda window: trace_chunks(trace, "spans", window)

    def _table(self) -> str:
        if self.table == "spans":
            raise InputError("--table spans is for platforms; a network has firings, states and occupancy")
        return self.table or "firings"

    def _written(self, path: str, trace: Trace, chunks: Callable[[Window], Chunks]) -> tuple[dict[str, Any], str]:
        window = window_of(*self._ends(trace.tick_ns), stopped=trace.stopped)
        table = "spans" if not trace.states else self._table()
        rows = chunks(window)
        written = [self.output]
        with replacing(self.output, binary=self.kind == "parquet") as out:
            if self.kind == "csv":
                write_csv(rows, table, out)
            elif self.kind == "parquet":
                write_parquet(rows, table, out)
            else:
                written += self._write_trace(trace, window, out)
        result = {
            "file": path, "output": [str(each) for each in written], "format": self.kind,
            "window": [window.first, window.last], "stopped": trace.stopped,
        }  # fmt: skip
        names = " and ".join(str(each) for each in written)
        return result, f"{trace.name}: {trace.tick}s {window.first}..{window.last - 1} written to {names}"

    def _write_trace(self, trace: Trace, window: Window, out: IO[str]) -> list[Path]:
        """Write a trace; return the files beside it."""
        if self.kind == "vcd":
            groups = write_vcd(trace, window, out)
            beside = self.output.with_suffix(".gtkw")
            with replacing(beside) as save:
                write_gtkwave(groups, self.output, save)
            return [beside]
        if self.kind == "perfetto":
            write_perfetto(trace, window, out, flows=self.flows)
        else:
            (write_svg if self.output.suffix.lower() == ".svg" else write_wavejson)(trace, window, out)
        return []
