"""One network, run again and again with other depths: the tape is made once, and periodic runs are cut short.

A run that repeats itself need not be walked to its end: with m iterations fewer it does the same up to where it has
begun to repeat, and the same from there to its end. So the network is run with as few iterations as show the period,
and the iterations left out are added at the period's pace. Nothing is extrapolated that `find_period` has not proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences, index_of
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import (
    BASE,
    BEAT,
    CONTROL_START,
    COUNT,
    DECIDED,
    DONE,
    EDGES,
    INDEX,
    NO_TABLE,
    QUEUED,
    SHIFT,
    SOURCE,
    WEIGHT,
    Tape,
    tape_of,
)
from ppnsim.engines.program import Program
from ppnsim.model.network import Network

_FIRST_ITERATIONS = 32
_AT_ONCE = 20_000_000  # passings between two looks at Ctrl-C
