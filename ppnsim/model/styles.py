"""Which pipeline style hardware has: tools and kinds of circuit by name, what is known of them and what assumed."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.elements import STYLES, Style


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareStyle:
    """One kind of hardware.

    Attributes
    ----------
    name : that can stand wherever a style can.
    style : what it means here.
    hardware : what it is.
    known : what its documentation or its sources say.
    assumed : what is taken for granted beyond that; "" for nothing.
    source : where ``known`` stands.
    """

    name: str
    style: Style
    hardware: str
    known: str
    assumed: str = ""
    source: str


_UG1448 = "UG1448, Pipeline Styles (2022.1, 2022.2)"
HARDWARE = (
    HardwareStyle(
        name="hls", style="frozen", hardware="high-level synthesis, style not known",
        known="not flushable pipelines of dataflow tasks deadlock where others wait",
        assumed="the stall pipeline of `stp`, the one that deadlocks most", source=_UG1448,
    ),
    HardwareStyle(
        name="stp", style="frozen", hardware="Vitis HLS, pipeline style=stp",
        known="runs only while its input is there, else stalls as a whole. The default up to 2022.1; guides of 2022.2 "
        "name frp, and since 2023.2 the tool chooses: see its report",
        source=f"{_UG1448}; UG1399 2023.2, Flushing Pipelines and Pipeline Types",
    ),
    HardwareStyle(
        name="flp", style="flushable", hardware="Vitis HLS, pipeline style=flp",
        known="stops reading when its input is missing, and goes on with what it has begun",
        assumed="bubbles stay: a blocked write holds all stages behind it",
        source="UG1399 2022.1, Flushing Pipelines",
    ),
    HardwareStyle(
        name="frp", style="elastic", hardware="Vitis HLS, pipeline style=frp",
        known="runs even when its input is missing; FIFOs are added at its outputs",
        assumed="these FIFOs hold the firings of a full pipeline, ceil(L / ii)", source=_UG1448,
    ),
    HardwareStyle(
        name="finn", style="flushable", hardware="FINN, layers in HLS",
        known="its projects set config_compile -pipeline_style flp; loops of finn-hlslib are pipelined style=flp II=1",
        assumed="layers in RTL behave alike", source="scripts of public FINN builds; finn-hlslib",
    ),
    HardwareStyle(
        name="hls4ml", style="frozen", hardware="hls4ml, io_stream",
        known="its project script sets no pipeline style, so that of the tool holds",
        assumed="that is the stall pipeline", source="hls4ml, templates/vivado/build_prj.tcl",
    ),
    HardwareStyle(
        name="xls", style="elastic", hardware="XLS, pipelined procs",
        known="a stage stalls only if the next one is taken and stalls, so bubbles close up",
        assumed="as many firings are in flight as there are stages", source="XLS, code generation: bubble flow control",
    ),
    HardwareStyle(
        name="chisel", style="elastic", hardware="Chisel, Decoupled and Queue",
        known="Decoupled is a ready-valid handshake, Queue a FIFO with one on each side",
        assumed="a handshake at every stage; a shift register with one enable is flushable",
        source="Chisel, standard library",
    ),
    HardwareStyle(
        name="dynamatic", style="elastic", hardware="Dynamatic, elastic circuits",
        known="units and buffers with slots, connected by handshakes",
        assumed="operators of several cycles let bubbles close up, too; with one enable for all stages they do not",
        source="Dynamatic, docs/Specs/Buffering",
    ),
    HardwareStyle(
        name="kahn", style="elastic", hardware="Kahn process networks",
        known="a process waits for its inputs only; FIFOs have no end",
        assumed="give --depth unbounded: an elastic process also waits for room", source="Kahn 1974",
    ),
)  # fmt: skip
"""The table, by name."""

STYLE_NAMES = (*STYLES, *(each.name for each in HARDWARE))
_ALIASES = {each.name: each.style for each in HARDWARE}


def style_of(name: str, *, where: str = "") -> Style:
    """Return the style that a name means, in small or capital letters: its own, or that of a kind of hardware.

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> style_of("elastic"), style_of("hls"), style_of("finn")
    ('elastic', 'frozen', 'flushable')
    >>> style_of("elastik")
    Traceback (most recent call last):
    ppnsim.errors.InputError: style = 'elastik' is none of elastic, flushable, frozen (did you mean 'elastic'?), nor a
    kind of hardware (ppnsim styles)
    """
    meant = str(name).lower()
    for style in STYLES:
        if meant == style:
            return style
    if meant in _ALIASES:
        return _ALIASES[meant]
    hint = did_you_mean(meant, STYLE_NAMES)
    near = hint if "did you mean" in hint else ""
    words = f"style = '{name}' is none of {', '.join(STYLES)}{near}, nor a kind of hardware (ppnsim styles)"
    raise InputError(words, where=where)
