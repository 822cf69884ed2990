"""Tables I-V: 2D-PDF estimation on 2, 4 and 8 nodes."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.platform.laws.equations import reduce_time
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.stages import BusTransfer
from ppnsim.platform.model.system import System
from ppnsim.platform.run.application import run_platform
from validation.harness.rows import Expected, Row
from validation.ratss.cells import computed, given, quoted, quotient
from validation.ratss.examples import pdf_estimation

NODES = (2, 4, 8)
_MIB = 2**20
_ELEMENT = 4  # bytes of a sample or a partial sum

# Tables I-IV, a column per number of nodes.
T_FPGA = ("1.41E+2", "7.05E+1", "3.52E+1")
WRITE = ("4.07E-1", "2.03E-1", "1.02E-1")
READ = ("1.01E+1", "5.05E+0", "2.52E+0")
SCATTER = ("1.28E+0", "1.92E+0", "2.25E+0")
REDUCE = ("3.89E-3", "7.78E-3", "1.17E-2")
T_COMM = ("1.35E+1", "9.31E+0", "7.25E+0")
T_STAGE = ("1.54E+2", "7.98E+1", "4.24E+1")
# Table V: (predicted, experimental, error in per cent) of t_comp, t_comm, t_total, speed-up.
TABLE_V = {
    2: (("1.41E+2", "1.56E+2", "-9.6"), ("1.35E+1", "1.51E+1", "-10.7"), ("1.54E+2", "1.71E+2", "-9.7"),
        ("146", "132", "10.6")),
    4: (("7.05E+1", "7.84E+1", "-10.1"), ("9.31E+0", "9.93E+0", "-6.2"), ("7.98E+1", "8.84E+1", "-9.7"),
        ("283", "255", "11.0")),
    8: (("3.52E+1", "3.95E+1", "-10.9"), ("7.25E+0", "7.70E+0", "-5.9"), ("4.24E+1", "4.72E+1", "-10.1"),
        ("532", "478", "11.3")),
}  # fmt: skip
BASELINE = Fraction(22_590)  # seconds: backed out once, from all six speed-ups; the paper does not print it

_REDUCE_WHY = (
    "Eq. 20 with gamma per byte, as Table III says; the printed figure has gamma per 4-byte element and the "
    "short-message gap g that Eq. 20 omits (next row)"
)
# Eq. 20: log2 P (L + 2o + (G + gamma) k), k = 262144 bytes: 7.608e-3 s a round, in the six digits that are shown.
_REDUCE = {2: "0.00760833", 4: "0.0152167", 8: "0.022825"}
_COMM_WHY = (
    "the cells printed above it add up to 7.24, ours to 7.23: 7.25 follows from neither (ppnsim estimate has 7.2408, "
    "with its own reduce)"
)
_STAGE_WHY = "its addends give 42.45 as printed and 42.47 as computed, so 42.4 is cut and not rounded"


def printed_reduce(system: System, ranks: int, size: int) -> Fraction:
    """Return log2 P (L + 2o + g + G k + gamma k / 4), which Table III prints."""
    link = system.networks[0]
    return reduce_time(
        ranks=ranks, latency=link.latency, overhead=link.overhead, gap=link.gap, per_byte=link.per_byte, size=size,
        cost=Fraction("19e-9") / _ELEMENT,
    ).seconds  # fmt: skip


def input_rows() -> list[Row]:
    """Return the input cells of Tables I-III, and what their texts say otherwise."""
    system, application = pdf_estimation(2)
    stage, link, bus = application.stages[0], system.networks[0], system.buses[0]
    work, fpga = stage.compute, system.group("fpga", "")
    rows = [
        given("Table I", "PL_comp", "11", work.fill, "cycles"),
        given("Table I", "R_comp", "240", work.ops_per_cycle, "ops/cycle"),
        given("Table I", "F_clock", "195", fpga.frequency() / 10**6, "MHz"),
        given("Table I", "N_ops/element", "196608", work.ops_per_element),
        given("Table II", "L + o, write", "1.60E-5", bus.write.delay, "s"),
        given("Table II", "L + o, read", "3.20E-5", bus.read.delay, "s"),
        computed("Table II", "g(k), write", "3.03E-3", bus.write.gap(32768) * 10**6, "s/MB"),
        computed("Table II", "g(k), read", "9.40E-3", bus.read.gap(262144) * 10**6, "s/MB"),
        given("Table III", "L", "1.08E-4", link.latency, "s"),
        given("Table III", "o", "6.75E-6", link.overhead, "s"),
        given("Table III", "g", "1.64E-5", link.gap, "s"),
        given("Table III", "G", "9.56E-9", link.per_byte, "s/byte"),
        given("Table III", "gamma", "1.90E-8", Fraction("19e-9"), "s/byte"),
        given("Table IV", "N_stage_iterations", "1", stage.iterations),
        given(
            "text of 4.1", "data samples", "67108684", work.elements * 2,
            expected="67108864", why="a misprint: the tables have 2**26 = 67,108,864 samples",
        ),
        given(
            "text of 4.3", "33 MHz, 64-bit PCI-X", "1064", Fraction(800, 3), "MB/s",
            expected="800/3", why="8 bytes at 33.3 MHz are 267 MB/s; 1,064 MB/s is PCI-X at 133 MHz",
        ),
        given(
            "text of 4.5", "network error on 2 nodes", "12", Fraction("10.7"), "%",
            expected="10.7", why="the text says just under 12 %; Table V prints -10.7 %, which its cells confirm",
        ),
    ]  # fmt: skip
    elements, k_write, k_read = ("33554432", "16777216", "8388608"), ("128", "64", "32"), ("1024", "512", "256")
    for column, nodes in enumerate(NODES):
        stage = pdf_estimation(nodes)[1].stages[0]
        sizes = {each.name: Fraction(each.size, _MIB) for each in stage.transfers}
        name = f", {nodes} nodes"
        rows.append(given("Table I", "N_comp_elements" + name, elements[column], stage.compute.elements))
        rows += [
            given("Table II", f"k, write {axis}{name}", k_write[column], sizes[f"write {axis}"], "MiB") for axis in "XY"
        ]
        rows.append(given("Table II", "k, read" + name, k_read[column], sizes["read"], "MiB"))
        rows.append(
            given("Table III", "P" + name, str(nodes), len(pdf_estimation(nodes)[0].group("cpu", "").instances()))
        )
        rows += [
            given("Table III", f"k, scatter {axis}{name}", k_write[column], sizes[f"scatter {axis}"], "MiB")
            for axis in "XY"
        ]
        rows.append(given("Table III", "k, reduce" + name, "256", sizes["reduce"] * 1024, "KiB"))
    return rows


def predicted_rows(column: int) -> list[Row]:
    """Return the computed cells of Tables I-IV for one number of nodes."""
    nodes = NODES[column]
    system, application = pdf_estimation(nodes)
    times = predict(system, application).quantities()
    name = f", {nodes} nodes"
    size = next(each.size for each in application.stages[0].outputs if not isinstance(each, BusTransfer))
    reduce, ours = printed_reduce(system, nodes, size), times["estimate.reduce"]
    comm = times["estimate.t_comm"] - ours + reduce
    with_printed = "with the reduce as Table III prints it"

    def of(group: str, what: str, cells: tuple[str, ...], term: str, **more: str) -> Row:
        return computed(group, what + name, cells[column], times[f"estimate.{term}"], **more)

    rows = [of("Table I", "t_fpga", T_FPGA, "t_fpga")]
    for group in ("Table II", "Table IV"):
        rows += [of(group, f"write {axis}", WRITE, f"write {axis}") for axis in "XY"]
        rows.append(of(group, "read", READ, "read"))
    for group in ("Table III", "Table IV"):
        rows += [of(group, f"scatter {axis}", SCATTER, f"scatter {axis}") for axis in "XY"]
        label = "reduce" if group == "Table III" else "reduce (printed: gather)"
        rows.append(of(group, label, REDUCE, "reduce", expected=_REDUCE[nodes], why=_REDUCE_WHY))
        rows.append(computed(group, f"{label}, log2 P (L + 2o + g + Gk + gamma k/4){name}", REDUCE[column], reduce))
    rows.append(of("Table IV", "S_comp", T_FPGA, "t_comp"))
    rows.append(of("Table IV", "t_comp", T_FPGA, "t_comp"))
    differs = nodes == 8
    rows.append(computed(
        "Table IV", "t_comm" + name, T_COMM[column], comm, note=with_printed,
        expected="7.22968" if differs else "", why=_COMM_WHY,
    ))  # fmt: skip
    rows.append(computed(
        "Table IV", "t_stage" + name, T_STAGE[column], comm + times["estimate.t_comp"], note=with_printed,
        expected="42.4704" if differs else "", why=_STAGE_WHY,
    ))  # fmt: skip
    return rows


def comparison_rows(nodes: int) -> list[Row]:
    """Return Table V: predicted cells, quotations, errors, and speed-ups on the backed-out baseline."""
    rows = []
    system, application = pdf_estimation(nodes)
    times = predict(system, application).quantities()
    size = next(each.size for each in application.stages[0].outputs if not isinstance(each, BusTransfer))
    comm = times["estimate.t_comm"] - times["estimate.reduce"] + printed_reduce(system, nodes, size)
    ours = (times["estimate.t_comp"], comm, times["estimate.t_comp"] + comm)
    known: dict[tuple[int, str], tuple[str, str]] = {
        (8, "t_comm"): ("7.22968", _COMM_WHY), (8, "t_total"): ("42.4704", _STAGE_WHY)
    }  # fmt: skip
    for what, cells, mine in zip(("t_comp", "t_comm", "t_total"), TABLE_V[nodes], ours, strict=False):
        predicted, measured, error = cells
        name = f"{what}, {nodes} FPGAs"
        expected, why = known.get((nodes, what), ("", ""))
        rows.append(computed("Table V", f"{name}, predicted", predicted, mine, expected=expected, why=why))
        rows.append(quoted("Table V", f"{name}, experimental", measured))
        rows.append(quotient("Table V", f"{name}, error", error, predicted, measured))
    predicted, measured, error = TABLE_V[nodes][3]
    name, note = f"speed-up, {nodes} FPGAs", f"software baseline of {BASELINE} s, backed out of all six speed-ups"
    rows.append(computed("Table V", f"{name}, predicted", predicted, BASELINE / ours[2], "", note=note))
    rows.append(
        quotient("Table V", f"{name}, experimental", measured, str(BASELINE), TABLE_V[nodes][2][1], minus_one=False)
    )
    rows.append(quotient("Table V", f"{name}, error", error, predicted, measured))
    return rows


# Our simulation beside the hardware; six digits, and why it does not meet the measurement.
SIMULATED = {
    2: {"t_comp": "140.963", "t_comm": "13.7415", "t_total": "154.705"},
    4: {"t_comp": "70.4815", "t_comm": "9.44863", "t_total": "79.9301"},
    8: {"t_comp": "35.2408", "t_comm": "7.30605", "t_total": "42.5468"},
}
_MEASURED_WHY = {
    "t_comp": "section 4.5: the hardware spends cycles on moving data while it computes, which no parameter holds",
    "t_comm": "nearer than the equations, as each of the blocks pays L + o; what is left the paper puts down to the "
    "overhead of MPI's scatter and reduce",
    "t_total": "the computation's missing cycles (above)",
}


def simulated_rows(nodes: int) -> list[Row]:
    """Return the simulation beside the paper's measurements."""
    times = run_platform(*pdf_estimation(nodes)).times
    ours = {"t_total": times["t_application"]} | {key: times[f"estimate.{key}"] for key in ("t_comp", "t_comm")}
    cells = dict(zip(("t_comp", "t_comm", "t_total"), (each[1] for each in TABLE_V[nodes]), strict=False))
    rows = []
    for what, cell in cells.items():
        row = computed("simulated against measured", f"{what}, {nodes} FPGAs", cell, ours[what])
        explained = Expected(ours=Fraction(SIMULATED[nodes][what]), why=_MEASURED_WHY[what])
        rows.append(Row(
            group=row.group, what=row.what, source="RATSS (Holland et al. 2011), Table V, experimental",
            printed=row.printed, ours=row.ours, unit="s", explained=explained,
        ))  # fmt: skip
    return rows
