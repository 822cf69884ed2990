"""Pointers without an interface are wires in the flow for IPs (R6.26)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

COPY = "for (int i = 0; i < 16; i++) out[4 * i] = in[i] + in[i + 1] + in[i + 2] + in[i + 3];"
U55C: dict[str, Any] = {"device": "xcu55c-fsvh2892-2L-e", "clock": "5 ns", "release": "2022.2"}


def found(folder: Path, arguments: str, body: str = COPY, **asked: Any) -> StateMachine:
    path = written(folder, f"void kernel({arguments})\n{{\n{body}\n}}\n")
    return schedule(path, function="kernel", **{**U55C, **asked}).kernels[0].machine


@pytest.mark.parametrize("arguments", ["int *in, int *out", "int in[], int out[]"])
def test_what_goes_through_a_wire_takes_no_port(tmp_path: Path, arguments: str) -> None:
    (nest,) = found(tmp_path, arguments).nests
    assert nest.body.schedule.ii == 1  # four loads of one array: a memory of two ports has 2
    (memory,) = found(tmp_path, "int in[32], int out[64]").nests
    assert memory.body.schedule.ii == 2
    assert nest.body.depth < memory.body.depth  # neither an address nor a state for the data


def test_that_a_pointer_is_a_wire_is_said_with_a_remedy(tmp_path: Path) -> None:
    said = " ".join(found(tmp_path, "int *in, int out[64]").said)
    assert "'in' without an interface: one wire" in said
    assert "#pragma HLS interface m_axi port=in" in said and "'out'" not in said


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        ("int (*in)[64], int out[64]", COPY.replace("in[", "in[0][")),  # the element is an array
        ("int *in, int out[64]", f"#pragma HLS interface ap_memory port=in depth=32\n{COPY}"),
    ],
    ids=["rows", "interface"],
)
def test_pointers_to_arrays_and_those_with_an_interface_are_no_wires(tmp_path: Path, arguments: str, body: str) -> None:
    machine = found(tmp_path, arguments, body)
    assert machine.nests[0].body.schedule.ii == 2
    assert "wire" not in " ".join(machine.said)


def test_the_flow_for_kernels_has_buses_instead(tmp_path: Path) -> None:
    machine = found(tmp_path, "int *in, int out[64]", flow="vitis")
    assert "wire" not in " ".join(machine.said) and machine.nests[0].body.schedule.ii > 1


def test_a_pointer_of_a_function_that_another_one_calls_is_a_memory(tmp_path: Path) -> None:
    code = f"void kernel(int *in, int *out)\n{{\n{COPY}\n}}\nvoid top(int a[32], int b[64]) {{ kernel(a, b); }}\n"
    machine = schedule(written(tmp_path, code), function="kernel", **U55C).kernels[0].machine
    assert machine.nests[0].body.schedule.ii == 2


def test_the_elements_of_an_array_in_a_struct_behind_a_wire_are_chosen_there(tmp_path: Path) -> None:
    structs = "struct Word { int at[4]; };\n"
    body = "for (int i = 0; i < 16; i++) out[i] = in[i].at[0] + in[i].at[1] + in[i].at[2] + in[i].at[3];"
    path = written(tmp_path, f"{structs}void kernel(Word *in, int out[16])\n{{\n{body}\n}}\n")
    (nest,) = schedule(path, function="kernel", **U55C).kernels[0].machine.nests
    assert nest.body.schedule.ii == 1


def test_a_pointer_to_structs_is_said_too(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 16; i++) out[i] = in[i].x + in[i + 1].y + in[i + 2].x;"
    path = written(tmp_path, f"struct P {{ int x, y; }};\nvoid kernel(P *in, int out[16])\n{{\n{body}\n}}\n")
    machine = schedule(path, function="kernel", **U55C).kernels[0].machine
    assert machine.nests[0].body.schedule.ii == 1 and "'in' without an interface: one wire" in " ".join(machine.said)


def test_an_interface_of_a_single_value_does_not_contradict_the_wire(tmp_path: Path) -> None:
    found = written(
        tmp_path, f"void kernel(int *in, int out[64])\n{{\n#pragma HLS interface ap_none port=in\n{COPY}\n}}\n"
    )
    (kernel,) = schedule(found, function="kernel", **U55C).kernels
    assert "it is a memory here" not in str(kernel.directives.ignored)
    assert kernel.directives.wires == ("in",)


@pytest.mark.parametrize(("flow", "words"), [(None, "one wire for each"), ("vitis", "m_axi of bundle gmem")])
def test_a_run_of_a_region_says_what_is_made_of_its_arguments(tmp_path: Path, flow: Any, words: str) -> None:
    tasks = "void a(int *in, int x[8]) { for (int i = 0; i < 8; i++) x[i] = in[i]; }\n"
    tasks += "void b(int x[8], int out[8]) { for (int i = 0; i < 8; i++) out[i] = x[i]; }\n"
    top = "void top(int *in, int out[8])\n{\n#pragma HLS dataflow\nint x[8];\na(in, x);\nb(x, out);\n}\n"
    network = load_source(str(written(tmp_path, tasks + top)), flow=flow)
    assert words in " ".join(network.notes) and words in " ".join(
        schedule(network.file, function="top", flow=flow).kernels[0].machine.said
    )


def test_only_arguments_of_the_kernel_itself_are_wires(tmp_path: Path) -> None:
    """Neither a global pointer that nothing sets nor the parameter of a called function is one."""
    text = """int *held;
int put(const char *from) { int n = 0; for (int i = 0; i < 3; i++) n += from[i]; return n; }
void kernel(int *a, int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i] + held[i]; b[0] += put("YES"); }
"""
    machine = schedule(written(tmp_path, text), function="kernel", **U55C).kernels[0].machine
    (words,) = [each for each in machine.said if "one wire" in each]
    assert words.startswith("'a' without an interface")


def test_an_argument_that_a_directive_wants_in_a_memory_stays_on_its_bus(tmp_path: Path) -> None:
    """In the flow for kernels: it was a memory of one port, faster and without a word."""
    asked = "#pragma HLS bind_storage variable=in type=ram_1p\n"
    free = found(tmp_path, "int *in, int *out", flow="vitis")
    machine = found(tmp_path, "int *in, int *out", asked + COPY, flow="vitis")
    assert machine.cycles == free.cycles
    assert any("'in', 'out' without an interface: m_axi" in each for each in machine.said)


@pytest.mark.parametrize("command", ["lost", "explore", "compare"])
def test_every_command_reads_a_pointer_as_the_schedule_does(tmp_path: Path, command: str, capsys: Any) -> None:
    """The loads of a memory of two ports take two states of an iteration: 32 cycles."""
    path = written(tmp_path, f"void kernel(int *in, int *out)\n{{\n{COPY.replace('16', 'N')}\n}}\n")
    asked: dict[str, Any] = {"defines": {"N": "16"}, "device": "xc7z020", "clock": "10 ns"}
    (kernel,) = ppnsim.schedule(str(path), **asked).kernels
    if command == "lost":
        losses = ppnsim.lost(str(path), **asked).designs
        assert losses is not None
        found = losses.designs[0].split.total
    elif command == "explore":
        steps = ppnsim.explore_directives(str(path), **asked).to_dict()["steps"]
        found = steps[1]["cycles"]
        assert "array_partition" not in str(steps)  # of a wire there are no parts
    else:
        compared = ppnsim.compare(str(path), model=["lost"], vary={"N": [16]}, **asked)
        found = compared.rows()[0]["simulated"]
    assert found == kernel.machine.cycles == 16
    assert command == "compare" or "one wire for each" in capsys.readouterr().err


def test_what_a_testbench_hands_over_is_no_memory(tmp_path: Path) -> None:
    """The size of an array of `main` is not known to hardware; that of another function is, which is said."""
    text = f"void kernel(int *in, int *out)\n{{\n{COPY}\n}}\n"
    free = schedule(written(tmp_path, text), function="kernel", **U55C)
    bench = "int {}() {{ int a[32], b[64]; kernel(a, b); return 0; }}\n"
    tested = schedule(written(tmp_path, text + bench.format("main")), function="kernel", **U55C)
    part = schedule(written(tmp_path, text + bench.format("whole")), function="kernel", **U55C)
    assert tested.kernels[0].machine.cycles == free.kernels[0].machine.cycles < part.kernels[0].machine.cycles
    assert "'in', 'out' without an interface" in " ".join(tested.kernels[0].machine.said)
    assert "'in' is an array of 32 elements, as in the calls of 'kernel'" in " ".join(part.assumed)
