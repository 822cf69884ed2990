"""A platform's run as a trace, for waveform viewers and profilers: what each part did, in picoseconds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ppnsim.export.trace import Spans, Trace
from ppnsim.platform.run.record import PlatformRun, parts

_PER_SECOND = 10**12


def platform_trace(outcome: PlatformRun, *, name: str) -> Trace:
    """Return the spans of every part; times are rounded to whole picoseconds.

    Spans are numbered per part in order of their start, from 0.
    """
    spans = []
    for part in parts(outcome.spans):
        own = sorted((span for span in outcome.spans if span.where == part), key=lambda span: (span.start, span.end))
        begin, end = (np.array([_ps(time) for time in times], dtype=np.int64) for times in zip(
            *((span.start, span.end) for span in own), strict=True
        ))  # fmt: skip
        words = tuple(f"{span.kind}: {span.what}" for span in own)
        number = np.arange(len(own), dtype=np.int64)
        spans.append(Spans(name=part, begin=begin, end=end, number=number, words=words))
    return Trace(name=name, tick_ns=0.001, stopped=_ps(outcome.makespan), tick="picosecond", spans=tuple(spans))


def _ps(seconds: Fraction) -> int:
    return round(seconds * _PER_SECOND)
