"""The boards and clusters of the sources as ready platforms; every parameter says where it comes from.

RATSS is Holland et al. 2011; the roofline paper is the one whose Smith-Waterman ran on F1 and U280. What no source of
ours prints is from the maker's data sheet, or is a guess and says so: replace a guess by a measurement of your own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ppnsim.boards.board import Board, HostLink
from ppnsim.boards.files import find_board, known_boards, load_board
from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.memory.model.presets import preset
from ppnsim.platform.model.nodes import Bus, BusDirection, Interconnect, NodeGroup
from ppnsim.platform.model.system import System

_US = Fraction(1, 10**6)
_NS = Fraction(1, 10**9)
_KIB = 1024


def nallatech_h101(nodes: int = 8) -> System:
    """Return the cluster of RATSS section 4: Xeons on Gigabit Ethernet, each with an H101 card behind PCI-X.

    Examples
    --------
    >>> cluster = nallatech_h101(nodes=2)
    >>> cluster.route("fpga[0]", "fpga[1]")
    ['fpga[0]', 'cpu[0]', 'ethernet', 'cpu[1]', 'fpga[1]']
    """
    cpu = NodeGroup(
        name="cpu", kind="microprocessor", count=nodes, clock=Fraction(3_200_000_000), device="Xeon",
        provenance={"clock": "data sheet: RATSS 4.1", "device": "data sheet: RATSS 4.1"},
    )  # fmt: skip
    fpga = NodeGroup(
        name="fpga", kind="fpga", count=nodes, clock=Fraction(195_000_000), device="XC4VLX100", resources={"mac": 96},
        provenance={
            "clock": "measured: RATSS 4.2, the implementation's maximum", "device": "data sheet: RATSS 4.1",
            "resources": "data sheet: RATSS 4.1",
        },
    )  # fmt: skip
    ethernet = Interconnect(
        name="ethernet", connects=("cpu",), latency=108 * _US, overhead=Fraction("6.75") * _US,
        gap=Fraction("16.4") * _US, per_byte=Fraction("9.56") * _NS,
        provenance=dict.fromkeys(("latency", "overhead", "gap", "per_byte"), "measured: RATSS Table III")
        | {"sharing": "guess: a switch, every port on its own"},
    )  # fmt: skip
    rate = Fraction(1_064_000_000)
    pcix = Bus(
        name="pcix", host="cpu", device="fpga", latency="per transfer",
        write=BusDirection(delay=16 * _US, rate=rate, efficiency=((32 * _KIB, Fraction(31, 100)),)),
        read=BusDirection(delay=32 * _US, rate=rate, efficiency=((256 * _KIB, Fraction(1, 10)),)),
        provenance={
            "write.delay": "measured: RATSS Table II", "read.delay": "measured: RATSS Table II",
            "write.rate": "data sheet: PCI-X at 133 MHz, 64 bit (RATSS prints 33 MHz, which is 266 MB/s)",
            "read.rate": "data sheet: as write",
            "write.efficiency": "measured: RATSS 4.3.1, 8192 elements", "sharing": "guess: one transfer at a time",
            "read.efficiency": "measured: RATSS 4.3.1, 65536 elements", "latency": "guess: each transfer is a call",
        },
    )  # fmt: skip
    return System(name="nallatech-h101", nodes=(cpu, fpga), networks=(ethernet,), buses=(pcix,))


def src6(nodes: int = 4) -> System:
    """Return the SRC-6 of RATSS section 5: MAP-B nodes of two FPGAs on the SNAP network of one workstation."""
    host = NodeGroup(
        name="host", kind="microprocessor", clock=Fraction(3_200_000_000), device="dual Xeon",
        provenance={"clock": "guess: that of the baseline's Xeon", "device": "data sheet: RATSS 5"},
    )  # fmt: skip
    maps = NodeGroup(
        name="map", kind="fpga", count=nodes, clock=Fraction(100_000_000), port=Fraction(8), device="2 x XC2V6000",
        resources={"fpga": 2, "sram bank": 6},
        provenance={
            "clock": "data sheet: RATSS 5, fixed", "port": "data sheet: RATSS 5, one 8-byte word per cycle",
            "device": "data sheet: RATSS 5", "resources": "data sheet: RATSS 5.2, four input and two output banks",
        },
    )  # fmt: skip
    snap = Interconnect(
        name="snap", connects=("host", "map"), latency=Fraction("10.1") * _US, overhead=Fraction(0),
        gap=Fraction("0.64") * _US, per_byte=Fraction("1.25") * _NS, receiving="overhead",
        provenance=dict.fromkeys(("latency", "gap", "per_byte"), "measured: RATSS Table VI")
        | {
            "overhead": "guess: RATSS Table VI calls it negligible", "receiving": "data sheet: RATSS 5, DMA",
            "sharing": "data sheet: RATSS 5, arbitrated one by one",
        },
    )  # fmt: skip
    return System(name="src6", nodes=(host, maps), networks=(snap,))


def card(board: Board, nodes: int = 1) -> System:
    """Return hosts with a board each, behind PCIe.

    Raises
    ------
    InputError
        If the board has no link to a host.

    Examples
    --------
    >>> system = card(load_board("aws-f1"), nodes=2)
    >>> system.group("fpga", "").resources["dsp"], system.memories[0].dram.channels
    (6840, 4)
    """
    if board.host is None:
        raise InputError(f"device '{board.name}' has no link to a host")
    device = board.part or board.name
    told = {"clock": board.clock_provenance} | dict.fromkeys(("device", "resources"), f"data sheet: {device}")
    host = NodeGroup(name="host", kind="microprocessor", count=nodes)
    fpga = NodeGroup(
        name="fpga", kind="fpga", count=nodes, clock=board.clock, device=device, resources=board.resources,
        provenance={key: words for key, words in told.items() if words},
    )  # fmt: skip
    memories = tuple(
        MemoryGroup(
            name=each.name, on="fpga", dram=replace(preset(each.preset).dram, channels=each.banks), preset=each.preset,
            provenance={"preset": each.provenance} if each.provenance else {},
        ) for each in board.memories
    )  # fmt: skip
    return System(name=board.name, nodes=(host, fpga), buses=(_pcie(board.host),), memories=memories)


def _pcie(link: HostLink) -> Bus:
    # PCIe 3.0: 8 GT/s per lane with 128b/130b, in whole bytes per second.
    rate = Fraction(link.lanes * 10**9 * 128 // 130)
    guess = "guess: a DMA engine at three quarters of the link from 1 MiB on"
    efficiency = ((4 * _KIB, Fraction(1, 4)), (1024 * _KIB, Fraction(3, 4)))
    way = BusDirection(delay=10 * _US, rate=rate, efficiency=efficiency, clamp=True)
    told = f"data sheet: PCIe 3.0 x{link.lanes}"
    given = {"delay": "guess: a DMA call of some 10 us", "rate": told, "efficiency": guess}
    return Bus(
        name="pcie", host="host", device="fpga", write=way, read=way, latency="per transfer",
        provenance={f"{direction}.{key}": words for direction in ("write", "read") for key, words in given.items()}
        | {"latency": "guess: each transfer is a call", "sharing": "guess: one transfer at a time"},
    )  # fmt: skip


_CLUSTERS: dict[str, Callable[..., System]] = {"nallatech-h101": nallatech_h101, "src6": src6}


def preset_names() -> list[str]:
    """Return the names of the presets: the clusters, and every board with a link to a host."""
    boards = {board.name: board.host for board in map(load_board, known_boards())}
    return [*_CLUSTERS, *(name for name, link in boards.items() if link)]


def preset_system(name: str, nodes: int | None = None) -> System:
    """Return a preset by name; ``nodes`` is the number of its FPGA nodes.

    Raises
    ------
    InputError
        If there is none of this name.

    Examples
    --------
    >>> preset_system("src7")
    Traceback (most recent call last):
    ppnsim.errors.InputError: there is no preset 'src7' (did you mean 'src6'?)
    """
    count = () if nodes is None else (nodes,)
    if name in _CLUSTERS:
        return _CLUSTERS[name](*count)
    board = find_board(name)
    if board is None or board.host is None:
        raise InputError(f"there is no preset '{name}'{did_you_mean(name, preset_names())}")
    return card(board, *count)
