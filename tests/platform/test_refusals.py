"""What platforms and applications refuse, word for word; the largest that is taken; the messages of collectives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ppnsim.boards.files import load_board
from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.shipped import shipped
from ppnsim.platform.files.tables import with_preset, with_value
from ppnsim.platform.files.toml import parse_platform
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.nodes import Bus, BusDirection, Interconnect, NodeGroup
from ppnsim.platform.model.presets import card, preset_system
from ppnsim.platform.model.schedules import collective_schedule, message_sizes
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Compute, Stage
from ppnsim.platform.model.system import System, _check_name
from ppnsim.platform.run.application import run_platform

(PDF,) = (each.path for each in shipped()["platform"] if each.name == "pdf_2_nodes")
TABLES: Any = with_preset(decode_toml(PDF.read_text(encoding="utf-8")))
STAGE = "stage.estimate"
FILES = [
    ("network.ethernet.connects", [], "network 'ethernet': connects = [] must list names of nodes"),
    ("network.ethernet.connects", ["cpu", 3], "network 'ethernet': connects = ['cpu', 3] must list names of nodes"),
    ("network.ethernet.connects", "cpu", "network 'ethernet': connects = 'cpu' must list names of nodes"),
    (f"{STAGE}.input.write X.direction", None, f"{STAGE}: input 'write X': direction is missing (write, read or both)"),
    (
        f"{STAGE}.input.scatter X.pattern", None,
        f"{STAGE}: input 'scatter X': pattern is missing (scatter, broadcast, gather or reduce)",
    ),
    (
        f"{STAGE}.input.scatter X.algorithm", None,
        f"{STAGE}: input 'scatter X': algorithm is missing (binomial, linear, serialised or ring)",
    ),
    (f"{STAGE}.input.write X.root", "cpu", f"{STAGE}: input 'write X': root is not for a transfer over a bus"),
    (f"{STAGE}.input.scatter X.block", 4, f"{STAGE}: input 'scatter X': block is not for a transfer over a network"),
    (f"{STAGE}.input.write X.name", "write Y", f"{STAGE}: two transfers have the same name (scatter X, scatter Y, "),
    ("application.iterations", 0, "application: iterations = 0 is below 1"),
    ("application.software", "0 s", "application: software = 0 s must be above 0"),
    (f"{STAGE}.buffers", 0, f"{STAGE}: buffers = 0 is below 1"),
    ("node.fpga.count", "gpu", "node 'fpga': count = 'gpu' is not a group with a number (did you mean 'cpu'?)"),
    ("node.fpga.count", "fpga", "node 'fpga': count = 'fpga' is not a group with a number (known: cpu)"),
    ("node.fpga.clock", "0 Hz", "node 'fpga': clock = 0 Hz must be above 0"),
    ("node.fpga.port", "0 byte/cycle", "node 'fpga': port = 0 bytes per cycle must be above 0"),
    ("bus.pcix.read.delay", "-1 s", "bus 'pcix': read: delay = -1 s is negative"),
    (
        "memory", {"cpu": {"on": "fpga", "preset": "HBM2"}},
        "platform '2D-PDF, 2 nodes': two parts are called 'cpu' (names are unique)",
    ),
    ("memory", {"m": {"on": "gpu", "preset": "HBM2"}}, "memory 'm': there is no node 'gpu' (did you mean 'cpu'?)"),
    (f"{STAGE}.input.write X.block", "1 GiB", ": blocks have from 1 byte to the whole size"),
]  # fmt: skip


def said(work: Callable[[], object]) -> str:
    with pytest.raises(InputError) as error:
        work()
    return str(error.value)


@pytest.mark.parametrize(("path", "value", "words"), FILES)
def test_a_file_that_breaks_a_rule_is_refused_in_a_sentence(path: str, value: Any, words: str) -> None:
    tables = with_value(TABLES, path, value)
    for transfer in tables["stage"]["estimate"]["input"]:
        for key in [key for key in transfer if transfer[key] is None]:
            del transfer[key]
    assert words.replace("stage.estimate", "stage 'estimate'") in said(lambda: parse_platform(tables))


def test_files_without_nodes_or_without_stages_are_refused() -> None:
    assert said(lambda: parse_platform({})) == "there is no node (write [node.NAME], or [platform] with a preset)"
    nodes = {"node": {"n": {"kind": "fpga"}}}
    assert parse_platform(nodes)[1] is None
    words = "application: has no stage, so there is nothing to run"
    assert said(lambda: parse_platform(nodes | {"application": {}})) == words
    assert said(lambda: Application(stages=())) == words


WAY = BusDirection(delay=Fraction(0), rate=Fraction(1000), efficiency=((1, Fraction(1)),), clamp=True)
NODES = tuple(NodeGroup(name=name, kind="fpga", clock=Fraction(1)) for name in ("h", "d", "e"))
NET = Interconnect(name="net", connects=("h", "e"), latency=Fraction(1), per_byte=Fraction(1))
SYSTEM = System(
    name="s", nodes=NODES, networks=(NET,), buses=(Bus(name="b", host="h", device="d", write=WAY, read=WAY),)
)  # fmt: skip


def stage(*transfers: Any, on: str = "d", name: str = "s") -> Stage:
    return Stage(name=name, inputs=transfers, compute=Compute(on=on, elements=1, ops_per_element=1, ops_per_cycle=1))  # type: ignore[arg-type]


def over(name: str, **changes: Any) -> Collective:
    given: dict[str, Any] = {"pattern": "scatter", "algorithm": "linear", "size": 8, "root": "h", "group": "h"}
    return Collective(name=name, over="net", **(given | changes))


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        ((stage(), stage()), "application: two stages are called 's' (names are unique)"),
        (
            (stage(BusTransfer(name="t", over="b", direction="write", size=8, block=8), on="e"),),
            "stage 's': transfer 't': bus 'b' leads from 'h' to 'd', not to 'e'",
        ),
        ((stage(over("t", group="d")),), "stage 's': transfer 't': network 'net' joins 'h', 'e', and 'd' is not"),
        ((stage(over("t", group="e")),), "stage 's': transfer 't': nobody leads from 'e' to 'd', which computes (a"),
        ((stage(over("t"), on="e"),), "stage 's': transfer 't': nobody leads from 'h' to 'e', which computes (a"),
        ((stage(over("t", group="f")),), "stage 's': transfer 't': there is no node 'f' (known: d, e, h)"),
    ],
)  # fmt: skip
def test_an_application_that_does_not_fit_its_platform_is_refused(stages: tuple[Stage, ...], words: str) -> None:
    found = said(lambda: run_platform(SYSTEM, Application(stages=stages)))
    assert found.startswith(words)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: over("t", size=0), "size = 0 and element = 1 bytes must be above 0"),
        (lambda: over("t", element=0), "size = 8 and element = 0 bytes must be above 0"),
        (lambda: over("t", cost=Fraction(-1)), "cost = -1 s per element is negative"),
        (
            lambda: BusTransfer(name="t", over="b", direction="write", size=8, block=9),
            "size = 8, block = 9: blocks have from 1 byte to the whole size",
        ),
        (
            lambda: BusTransfer(name="t", over="b", direction="write", size=10**7 + 1, block=1).blocks(),
            "transfer 't': 10000001 bytes in blocks of 1 are 10000001 transfers (at most 10000000)",
        ),
        (lambda: NodeGroup(name="n", kind="fpga", count=2**16 + 1), "node 'n': count = 65537 is not from 1 to 65536"),
        (
            lambda: replace(NET, per_byte=Fraction(0), sharing="fair"),
            "network 'net': per_byte = 0 s: there is no bandwidth limit that flows could share",
        ),
        (
            lambda: card(replace(load_board("aws-f1"), host=None)),
            "device 'aws-f1' has no link to a host",
        ),
        (lambda: preset_system("xc7z020"), "there is no preset 'xc7z020'"),
        (
            lambda: collective_schedule(over("t"), 1, 0),
            "transfer 't': joins 1 node, and a collective needs at least 2",
        ),
        (
            lambda: collective_schedule(over("t", algorithm="ring"), 3, 0),
            "transfer 't': algorithm = 'ring' is for gather (all get all), not for scatter",
        ),
    ],
)  # fmt: skip
def test_parts_that_cannot_be_are_refused(make: Callable[[], object], words: str) -> None:
    assert said(make).startswith(words)


def test_largest_parts_are_taken() -> None:
    assert len(BusTransfer(name="t", over="b", direction="write", size=10**7, block=1).blocks()) == 10**7
    assert BusTransfer(name="t", over="b", direction="write", size=9, block=9).blocks() == [9]
    assert NodeGroup(name="n", kind="fpga", count=2**16).count == 65536
    assert over("t", size=1, element=1, cost=Fraction(3), pattern="reduce").combining == 3
    assert over("t", size=8, element=4, cost=Fraction(3), pattern="reduce").combining == 6
    assert over("t", cost=Fraction(3)).combining == 0


def test_a_ring_has_no_equation_and_one_node_no_receiver() -> None:
    nodes = (replace(NODES[0], count=3), replace(NODES[1], count=3), NODES[2])
    ring = stage(over("t", algorithm="ring", pattern="gather"))
    words = "stage 's': transfer 't': algorithm = 'ring' has no equation in RATSS (simulate it instead)"
    assert said(lambda: predict(replace(SYSTEM, nodes=nodes), Application(stages=(ring,)))) == words
    alone = stage(over("t", algorithm="serialised"))
    found = said(lambda: predict(SYSTEM, Application(stages=(alone,))))
    assert found == "stage 's': transfer 't': P = 0 receivers"


# Who sends how many bytes to whom, rank by rank: the trees of 4 ranks by hand.
MESSAGES: dict[tuple[str, str], list[tuple[int, int, int]]] = {
    ("linear", "scatter"): [(0, 1, 8), (0, 2, 8), (0, 3, 8)],
    ("linear", "broadcast"): [(0, 1, 8), (0, 2, 8), (0, 3, 8)],
    ("serialised", "broadcast"): [(0, 1, 8), (0, 2, 8), (0, 3, 8)],
    ("linear", "gather"): [(1, 0, 8), (2, 0, 8), (3, 0, 8)],
    ("linear", "reduce"): [(1, 0, 8), (2, 0, 8), (3, 0, 8)],
    ("binomial", "scatter"): [(0, 1, 8), (0, 2, 16), (2, 3, 8)],
    ("binomial", "broadcast"): [(0, 1, 8), (0, 2, 8), (2, 3, 8)],
    ("binomial", "gather"): [(1, 0, 8), (2, 0, 16), (3, 2, 8)],
    ("binomial", "reduce"): [(1, 0, 8), (2, 0, 8), (3, 2, 8)],
    ("ring", "gather"): [(rank, (rank + 1) % 4, 8) for rank in range(4) for _ in range(3)],
}


@pytest.mark.parametrize("combining", [0, 7])
@pytest.mark.parametrize(("algorithm", "pattern"), MESSAGES)
def test_a_collective_sends_what_its_tree_says(algorithm: str, pattern: str, combining: int) -> None:
    transfer = over("t", algorithm=algorithm, pattern=pattern)
    schedule = collective_schedule(transfer, 4, combining)
    sent = [(rank, each.peer, each.amount) for rank, row in enumerate(schedule) for each in row if each.kind == "send"]
    assert sorted(sent) == sorted(MESSAGES[algorithm, pattern])
    work = [each.amount for row in schedule for each in row if each.kind == "calc"]
    combines = pattern == "reduce" and combining
    assert work == ([7] * 3 if combines else work if pattern == "reduce" else [])
    assert message_sizes(transfer, 4) == {size for _, _, size in MESSAGES[algorithm, pattern]}


@pytest.mark.parametrize(
    ("name", "shown"),
    [("", ""), ("a.b", "a.b"), (" a", " a"), ("a[0]", "a[0]"), ("a\tb\u200b", "a\\tb\\u200b"), ("\n", "\\n")],
)
def test_a_name_that_cannot_be_one_is_shown_in_letters_that_can_be_read(name: str, shown: str) -> None:
    with pytest.raises(InputError) as refused:
        _check_name(name, "a node", "node")
    rule = "names are of printable characters, without dots and brackets, and without spaces around"
    assert str(refused.value) == f"node: a node is called '{shown}' ({rule})"
