"""What the tables of a run say: every figure of a run that can be counted by hand, and every word around it."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.markup import escape

import ppnsim
from ppnsim.analysis.lost_cycles import ProcessSplit, lost_cycles
from ppnsim.analysis.lower_bounds import Bound
from ppnsim.analysis.path.critical_path import critical_path
from ppnsim.engines.run import run
from ppnsim.model.builders import chain, fork_join, predictor
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.run import Fix, Run
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import RunSummary, summary_of
from ppnsim.model.tokens import Rates
from ppnsim.report import bottleneck as sentences
from ppnsim.report import slowest
from ppnsim.report.bottleneck import bottleneck
from ppnsim.report.lost_cycles import lost_result, print_lost
from ppnsim.report.result import deadlock_result, run_result, steady_result
from ppnsim.report.slowest import usual_gap
from ppnsim.report.table import Screen
from ppnsim.report.text import alike, plain_line, plain_table, print_run, some_of, style_words
from ppnsim.units import duration


def shown(text: str) -> list[list[str]]:
    """The lines of a report, each as its columns."""
    lines = (line.strip() for line in text.splitlines())
    return [[cell for cell in line.split("  ") if cell.strip()] for line in lines if line and "───" not in line]


def run_as_shown(summary: RunSummary, fix: Fix | None = None) -> list[list[str]]:
    console = Console(file=StringIO(), width=250)
    print_run(console, summary, fix=fix, seconds=1.234)
    return [[cell.strip() for cell in line] for line in shown(console.file.getvalue())]  # type: ignore[attr-defined]


def lost_as_shown(done: Run, splits: Sequence[ProcessSplit]) -> list[list[str]]:
    console = Console(file=StringIO(), width=250)
    print_lost(console, done, splits)
    return [[cell.strip() for cell in line] for line in shown(console.file.getvalue())]  # type: ignore[attr-defined]


def diamond(*, uneven: bool = True) -> Network:
    """A feeds b, c, d in a row and d at once: the direct FIFO of two places fills while the row takes its time."""
    processes = [Process(name="a", firings=20), Process(name="b", firings=20, latency=2)]
    processes += [Process(name="c", firings=20, latency=4), Process(name="d", firings=20)]
    ends = {"x": ("a", "b", 1), "y": ("b", "c", 1), "z": ("c", "d", 2), "zz": ("a", "d", 2 if uneven else None)}
    channels = [Channel(name=name, source=s, target=t, depth=depth) for name, (s, t, depth) in ends.items()]
    return Network(name="diamond", processes=processes, channels=channels).checked()


@pytest.fixture(scope="module")
def uneven() -> RunSummary:
    return summary_of(run(diamond()))


def shared(units: int = 1) -> Network:
    """A and b take turns at one multiplier, b for two cycles at a time."""
    processes = [Process(name="a", firings=4, resource="mul"), Process(name="b", firings=4, resource="mul", ii=2)]
    return Network(name="shared", processes=processes, channels=[], resources={"mul": units}).checked()


def test_a_run_is_told_with_the_cycles_of_every_process_and_channel(uneven: RunSummary) -> None:
    # 20 starts, 124 cycles: a waits 19 for 'x' and 72 for 'zz', and is done 12 cycles before the others.
    first, *rest = run_as_shown(uneven)
    assert first == [
        "diamond", "finish 124 cycles (1240 ns)", "parallelism 1.29 mean, 3 max", "engine des", "style elastic",
        "1.23 s",
    ]  # fmt: skip
    assert rest == [
        ["process", "firings", "first..last start", "utilisation", "starting", "starved", "blocked", "draining",
         "done"],
        ["a", "20", "0..109", "18.2 %", "20", "-", "b 19, d 72", "1", "12"],
        ["b", "20", "2..112", "18 %", "20", "a 93", "-", "3", "8"],
        ["c", "20", "6..116", "18 %", "20", "b 97", "-", "5", "2"],
        ["d", "20", "12..122", "18 %", "20", "c 103", "-", "1", "0"],
        ["channel", "from", "to", "kind", "tokens", "most held", "depth"],
        ["x", "a", "b", "IOM-", "20", "1", "1"],
        ["y", "b", "c", "IOM-", "20", "1", "1"],
        ["z", "c", "d", "IOM-", "20", "1", "2"],
        ["zz", "a", "d", "IOM-", "20", "2", "2"],
        ["note: a reads no channel and waits 91 cycles for room in 'x', 'zz': what feeds it has to wait, too "
         "(a memory does, a camera or a converter would lose data)"],
        ["bottleneck: 'zz' is full for 72 cycles of a; 91 cycles above the 33 of FIFOs that never fill"],
    ]  # fmt: skip


def test_columns_of_ii_and_resources_are_there_when_they_cost_cycles() -> None:
    network = shared()
    heads, a, b = run_as_shown(summary_of(run(network)))[1:4]
    assert heads[4:] == ["starting", "between starts", "resource", "starved", "blocked", "draining", "done"]
    assert a == ["a", "4", "0..3", "100 %", "4", "0", "-", "-", "-", "0", "7"]
    assert b == ["b", "4", "4..10", "100 %", "4", "3", "mul 4", "-", "-", "0", "0"]


def test_what_never_started_has_no_figures_and_the_way_out_is_the_last_line() -> None:
    done = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    lines = run_as_shown(summary_of(done))
    assert lines[0][1:3] == ["deadlock", "parallelism - mean, 6 max"]
    assert lines[5] == ["join", "20", "never", "-", "0", "short 5, long 3", "-", "0", "0"]
    assert lines[-1] == ["-> the search for depths was interrupted"]
    fix = Fix(depths={"short_in": 6}, smallest=True, runs=3)
    assert run_as_shown(summary_of(done), fix)[-1][0].startswith("-> 'short_in' at depth 6")
    assert not any(line[0].startswith("bottleneck") for line in lines)


@pytest.mark.parametrize("network", [shared(), diamond()], ids=["with ii", "without"])
def test_numbers_stand_at_the_right_of_their_columns(network: Network) -> None:
    console = Console(file=StringIO(), width=250)
    print_run(console, summary_of(run(network)), fix=None, seconds=1)
    text = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    first = next(number for number, line in enumerate(text) if line.startswith("process"))
    head, rows = text[first], text[first + 2 : first + 2 + len(network.processes)]
    for title in ("firings", "first..last start", "utilisation", "starting", "between starts", "draining", "done"):
        if (begin := head.find(f"  {title}")) >= 0:
            end = begin + 2 + len(title)
            assert all(row[end - 1] != " " and row[end : end + 1] in ("", " ") for row in rows), title
    for title in ("process", "starved", "blocked"):
        begin = head.index(title)
        assert all(row[begin] != " " for row in rows), title


def test_a_network_without_channels_has_no_table_of_them() -> None:
    alone = run_as_shown(summary_of(run(chain(firings=4, length=1))))
    assert [line[0] for line in alone] == [
        "chain", "process", "p0", "bottleneck: p0 starts its 4 firings 1 cycle apart; deeper FIFOs change nothing",
    ]  # fmt: skip


def test_what_a_high_utilisation_counts_is_said_where_it_is_of_the_smaller_part_of_a_run() -> None:
    said = [line[0] for line in run_as_shown(summary_of(run(predictor()))) if line[0].startswith("utilisation")]
    assert said == [
        "utilisation counts from the first to the last start: the 100 % of source are of 25 of the 83 cycles"
    ]
    busy = run_as_shown(summary_of(run(chain(firings=40, length=3))))
    assert not any(line[0].startswith("utilisation") for line in busy)


def test_elements_of_an_array_share_a_row_only_if_they_say_the_same() -> None:
    processes = [Process(name="a", firings=2), Process(name="b", firings=2)]
    names = [f"s[{k}]" for k in range(6)]
    channels = [Channel(name=name, source="a", target="b", depth=3 if name == "s[5]" else 2) for name in names]
    rows = run_as_shown(summary_of(run(Network(processes=processes, channels=channels))))[6:8]
    assert rows == [
        ["s[0] .. s[4] (5)", "a", "b", "IOM-", "2", "2", "2"], ["s[5]", "a", "b", "IOM-", "2", "2", "3"]
    ]  # fmt: skip
    assert alike(names[:4]) == names[:4]
    assert alike(names[:5]) == ["s[0] .. s[4] (5)"]


def test_initial_tokens_count_and_an_endless_fifo_says_so() -> None:
    processes = [Process(name="a", firings=2), Process(name="b", firings=5)]
    channel = Channel(name="x", source="a", target="b", initial=3)
    rows = run_as_shown(summary_of(run(Network(processes=processes, channels=[channel]))))
    assert rows[6][4:] == ["5", "3", "unbounded"]
    result = run_result(summary_of(run(Network(processes=processes, channels=[channel]))), file="f")
    assert result["channels"]["x"] == {"kind": "IOM-", "depth": None, "tokens": 5, "max_occupancy": 3}


def mixed(styles: dict[str, Style]) -> Network:
    return Network(processes=[Process(name=name, firings=4, style=style) for name, style in styles.items()]).checked()


def test_styles_are_counted_in_the_order_of_the_guide() -> None:
    some = mixed({"a": "frozen", "b": "elastic", "c": "flushable", "d": "elastic"})
    assert style_words(some) == "styles elastic 2, flushable 1, frozen 1"
    assert style_words(mixed({"a": "frozen", "b": "frozen"})) == "style frozen"
    assert style_words(mixed({"a": "frozen", "b": "elastic"})) == "styles elastic 1, frozen 1"


def test_styles_of_a_result_come_by_name() -> None:
    some = mixed({"a": "frozen", "b": "elastic", "c": "flushable", "d": "elastic"})
    styles = run_result(summary_of(run(some)), file="f")["styles"]
    assert list(styles.items()) == [("elastic", 2), ("flushable", 1), ("frozen", 1)]


def test_a_time_has_the_largest_unit_of_which_it_is_ten() -> None:
    times = [0.5, 9999.0, 10_000.0, 9_999_000.0, 1e7, 9.999e9, 1e10, 123456789.0]
    assert [duration(ns) for ns in times] == [
        "0.5 ns", "9999 ns", "10 us", "9999 us", "10 ms", "9999 ms", "10 s", "123.46 ms"
    ]  # fmt: skip


def test_of_a_long_front_the_first_the_last_and_few_between_are_shown() -> None:
    assert some_of(range(20)) == list(range(20))
    rows = some_of(range(21))
    assert (rows[0], rows[-1], len(rows)) == (0, 20, 20)
    assert some_of(range(191)) == list(range(0, 191, 10))


def test_a_steady_state_is_told_in_cycles_and_repetitions() -> None:
    # An elastic chain with one process of ii = 3: every graph iteration is one firing of each, 3 cycles later.
    done = run(chain(firings=10**6, ii=(1, 3, 1), depth=2), engine="compiled")
    said = next(line[0] for line in run_as_shown(summary_of(done)) if line[0].startswith("steady"))
    assert done.left_out is not None
    assert said == (
        f"steady state: 3 cycles per graph iteration, from cycle 5 on; {done.left_out.rounds} repetitions left out, "
        "exactly"
    )
    assert done.left_out.rounds > 999_000
    assert steady_result(done) == {
        "period": 3.0, "iterations": 1, "cycles": 3, "since": 5, "firings": {"p0": 1, "p1": 1, "p2": 1}
    }  # fmt: skip


def test_the_result_of_a_deadlock_says_who_waits_for_what_and_what_helps() -> None:
    done = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    assert done.deadlock is not None
    bare = deadlock_result(done, None)
    assert bare is not None
    assert (bare["at"], bare["ended"], bare["firings"]) == (8, 8, 80)
    assert bare["cycle"][0] == {
        "process": "split", "firing": 6, "waits_for": "space", "channel": "short_in", "token": 8, "occupancy": 2,
        "depth": 2, "other": "short",
    } | {key: bare["cycle"][0][key] for key in ("waits_for", "token")}  # fmt: skip
    assert [bare[key] for key in ("fix", "fix_is_smallest", "initial", "buried", "explanation")] == [None] * 5
    fix = Fix(depths={"short_in": 6}, smallest=False, runs=3, buried={"short_in": (9, 4)})
    told = deadlock_result(done, fix)
    assert told is not None
    assert told["fix"] == {"short_in": 6}
    assert told["fix_is_smallest"] is False
    assert told["buried"] == {"short_in": {"written": 9, "read": 4}}
    assert told["initial"] is None
    assert told["explanation"] == str(fix)
    hopeless = deadlock_result(done, Fix(depths={}, smallest=True, runs=3, initial={"long_in": 2}))
    assert hopeless is not None
    assert (hopeless["fix"], hopeless["fix_is_smallest"], hopeless["initial"]) == (None, None, {"long_in": 2})


def test_a_line_is_printed_as_it_is() -> None:
    console = Console(file=StringIO(), width=10, force_terminal=True)
    plain_line(console, "[bold]x[/bold] 12 'y' " + "z" * 20)
    assert console.file.getvalue() == "[bold]x[/bold] 12 'y' " + "z" * 20 + "\n"  # type: ignore[attr-defined]


@given(st.lists(st.tuples(*[st.text("a \t\né世[/]b", max_size=5)] * 3), max_size=4))
@settings(max_examples=40)
def test_a_table_that_fits_has_the_lines_of_rich(rows: list[tuple[str, ...]]) -> None:
    table = plain_table("one", "of 2", "世", right=(1,))
    for row in rows:
        table.add_row(*map(escape, row))
    ours, richs = Screen(room=80), Screen(room=80)
    with ours.capture() as mine:
        ours.print(table)
    with richs.capture() as expected, patch("ppnsim.report.table._is_plain", return_value=False):
        richs.print(table)
    assert mine.get() == expected.get()


def test_a_table_folds_what_is_too_wide_and_names_are_no_markup() -> None:
    network = Network(name="n", processes=[Process(name="[red]a", firings=2)])
    assert run_as_shown(summary_of(run(network)))[2][0] == "[red]a"


# Bottlenecks


def waits_for(latency: int) -> str | None:
    """A scheduled process of ten steps that first waits for one value."""
    task = Process.scheduled(name="task", steps=10)
    ends = Channel(name="x", source="a", target="task", depth=1, read_steps=StepList((0,)))
    network = Network(processes=[Process(name="a", firings=1, latency=latency, write=0), task], channels=[ends])
    return bottleneck(summary_of(run(network)))


def test_a_scheduled_process_is_its_own_bottleneck_until_it_waits_for_half_of_the_run() -> None:
    assert waits_for(3) == "task goes through 10 steps; deeper FIFOs change nothing"
    assert waits_for(9) == "task goes through 10 steps; deeper FIFOs change nothing"
    assert "goes through" not in str(waits_for(10))


def test_the_fifo_that_is_full_longest_is_named(uneven: RunSummary) -> None:
    assert uneven.processes["a"].cycles.blocked == {"x": 19, "zz": 72}
    assert str(bottleneck(uneven)).startswith("'zz' is full for 72 cycles of a; 91 cycles above")
    few = summary_of(run(fork_join(firings=20, short_depth=2)))
    assert str(bottleneck(few)).endswith("; 33 cycles above the 37 of FIFOs that never fill")


def test_a_resource_comes_before_the_fifos_that_are_full_because_of_it() -> None:
    said = bottleneck(summary_of(run(shared())))
    assert said == (
        "b waits 4 cycles for 'mul'; 0 cycles above the 11 of resource 'mul' (12 busy cycles on 1 unit); "
        "a deeper FIFO may help or hurt here: try"
    )


@pytest.mark.parametrize(
    ("cycles", "words"),
    [(37, "33 cycles above the 37 of FIFOs that never fill"), (38, "32 cycles above the 38 of resource 'x' (busy)"),
     (36, "33 cycles above the 37 of FIFOs that never fill")],
)  # fmt: skip
def test_a_run_is_held_against_the_strongest_bound(cycles: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = Bound(name="resource 'x'", cycles=cycles, reason="busy")
    monkeypatch.setattr(sentences, "resource_bounds", lambda _: [bound])
    assert str(bottleneck(summary_of(run(fork_join(firings=20, short_depth=2))))).endswith(words)


def test_long_runs_are_looked_at_in_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    done = summary_of(run(fork_join(firings=20, short_depth=2)))
    size = done.run.network.events
    said = bottleneck(done)
    for limit in (size, size - 1):  # by the estimate, or by a run without depths: the answer is the same
        monkeypatch.setattr(sentences, "_LONG", limit)
        assert bottleneck(done) == said
    monkeypatch.setattr(sentences, "_TOO_LONG", size - 1)
    assert bottleneck(done) == said  # by the estimate again, as columns of numbers
    unlike = f"not looked for: {size} firings and tokens that never repeat themselves (at most {size - 1})"
    with monkeypatch.context() as patch:  # a circle is gone through firing by firing
        patch.setattr("ppnsim.analysis.throughput.LARGEST", size - 1)
        patch.setattr("ppnsim.analysis.throughput.passed_at_once", lambda *_, **__: {})
        assert bottleneck(done) == unlike
    monkeypatch.setattr(sentences, "_AT_ONCE", size - 1)
    assert bottleneck(done) == unlike


def test_a_deadlock_has_words_of_its_own() -> None:
    stuck = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    assert bottleneck(summary_of(stuck)) is None


def test_cycles_that_frozen_pipelines_cost_are_no_fault_of_a_fifo() -> None:
    """`fast` is full, but with FIFOs that never fill the run ends as late: elastic pipelines alone would end sooner."""
    parts = ((10, 1, 27), (30, 3, 11), (10, 8, 24), (30, 1, 4), (10, 1, 10))
    processes = [
        Process(name=name, firings=firings, ii=ii, latency=latency, style="frozen")
        for name, (firings, ii, latency) in zip("abcde", parts, strict=True)
    ]
    channels = [
        Channel(name="ab", source="a", target="b", tokens=Rates(3, 1)),
        Channel(name="fast", source="a", target="c", depth=6),
        Channel(name="ad", source="a", target="d", tokens=Rates(3, 1)),
        Channel(name="be", source="b", target="e", tokens=Rates(1, 3)),
        Channel(name="ed", source="e", target="d", tokens=Rates(3, 1), initial=1),
    ]
    done = run(Network(processes=processes, channels=channels))
    assert done.finish == run(done.network.never_full()).finish
    assert bottleneck(summary_of(done)) == "b starts its 30 firings 3 cycles apart; deeper FIFOs change nothing"


def test_one_start_in_fifty_may_be_late() -> None:
    process = Process(name="a", firings=50)  # 49 gaps: 50 cycles of them are steady, 51 are not
    ran = summary_of(run(Network(processes=[process]))).processes["a"]
    steady = [
        slowest._is_steady(process, replace(ran, first_start=7, last_start=7 + span), 49) for span in (49, 50, 51)
    ]
    assert steady == [True, True, False]
    assert not slowest._is_steady(process, replace(ran, last_start=None), 0)
    assert not slowest._is_steady(process, replace(ran, first_start=7, last_start=56), 50)  # it waits for longer


def test_of_tasks_that_wait_for_each_other_the_longest_is_named() -> None:
    steps = StepList(((0, 1, 4),)), StepList((0,))
    slow, sums, last = (Process.scheduled(name=name, steps=n) for name, n in (("slow", 60), ("sums", 9), ("last", 1)))
    channels = [
        Channel(name="s", source="slow", target="sums", write_steps=StepList(((0, 15, 4),)), read_steps=steps[0]),
        Channel(name="t", source="sums", target="last", write_steps=StepList((8,)), read_steps=steps[1]),
    ]
    said = bottleneck(summary_of(run(Network(processes=[slow, sums, last], channels=channels))))
    assert said == "slow goes through 60 steps; deeper FIFOs change nothing"
    alone = Network(processes=[Process(name="a", firings=3), Process(name="b", firings=1)], channels=[])
    assert bottleneck(summary_of(run(alone))) == "a starts its 3 firings 1 cycle apart; deeper FIFOs change nothing"


def test_two_that_wait_for_each_other_are_said_to_do_so() -> None:
    processes = [Process(name="a", firings=6, latency=2), Process(name="b", firings=6)]
    there = Channel(name="there", source="a", target="b")
    back = Channel(name="back", source="b", target="a", initial=1)
    said = bottleneck(summary_of(run(Network(processes=processes, channels=[there, back]))))
    assert said == "a and b wait for each other's data; deeper FIFOs change nothing"


@pytest.mark.parametrize("name", ["flushable", "iom_minus", "oom_minus", "fork_join", "resnet", "predictor"])
def test_a_run_and_its_explanation_name_the_same_culprit(name: str) -> None:
    file = Path(__file__).parents[2] / "scenarios" / "networks" / f"{name}.toml"
    done = ppnsim.load(file).run()
    said, path = bottleneck(summary_of(done)) or "", critical_path(done.timeline)
    slots = {each.part: each.count for each in path.shares if each.kind == "release"}
    if slots and "is full for" in said:
        assert said.split("'")[1] in {channel for channel, count in slots.items() if count == max(slots.values())}
    else:
        assert said.split()[0] == path.busiest


def test_the_usual_gap_is_the_most_frequent_one_and_of_several_the_smallest() -> None:
    source = Process(name="a", firings=5, latency=(1, 4, 1, 4, 1))
    reader = Process(name="b", firings=5)
    done = run(Network(processes=[source, reader], channels=[Channel(name="x", source="a", target="b")]))
    start = done.timeline.start("b").tolist()
    gaps = [later - sooner for sooner, later in itertools.pairwise(start)]
    assert usual_gap(done, "b") == min(set(gaps), key=lambda gap: (-gaps.count(gap), gap))
    assert usual_gap(done, "a") == 1


def test_the_bottleneck_of_a_sample_rate_is_the_reader() -> None:
    processes = [Process(name="a", firings=40), Process(name="b", firings=10, ii=9)]
    four = Channel(name="c", source="a", target="b", tokens=Rates(produce=(1,), consume=(4,)))
    said = bottleneck(summary_of(run(Network(processes=processes, channels=[four]))))
    assert said == "b starts its 10 firings 9 cycles apart; deeper FIFOs change nothing"


# Lost cycles


def test_lost_cycles_are_shown_by_part_with_the_share_that_is_useful(uneven: RunSummary) -> None:
    done = uneven.run
    assert lost_as_shown(done, lost_cycles(done)) == [
        ["diamond", "finish 124 cycles (1240 ns)", "engine des"],
        ["process", "useful", "initialisation", "starved", "blocked", "idle", "all", "useful share"],
        ["a", "20", "1", "0", "91", "12", "124", "16.1 %"],
        ["b", "20", "5", "91", "0", "8", "124", "16.1 %"],
        ["c", "20", "11", "91", "0", "2", "124", "16.1 %"],
        ["d", "20", "13", "91", "0", "0", "124", "16.1 %"],
        ["d ends last and loses most to starvation (91 cycles): it waits for the data of others: see `ppnsim explain` "
         "for whose"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("initialisation", "initialisation (5 cycles): it fills and empties, or waits for its own results: a shorter "
         "latency, or more firings"),
        ("starved", "starvation (5 cycles): it waits for the data of others: see `ppnsim explain` for whose"),
        ("blocked", "full FIFOs (5 cycles): its FIFOs are full: see `ppnsim size` for depths that lose nothing"),
        ("control", "control (5 cycles): its initiation interval: a smaller ii, if the recurrence and the ports allow "
         "it"),
        ("contention", "contention (5 cycles): a shared resource: another unit"),
    ],
)  # fmt: skip
def test_each_kind_of_lost_cycle_has_its_advice(part: str, words: str, uneven: RunSummary) -> None:
    none = dict.fromkeys(("initialisation", "starved", "blocked", "control", "contention", "idle"), 0)
    late = ProcessSplit(process="a", useful=119, **{**none, part: 5})
    early = ProcessSplit(process="b", useful=4, **{**none, "starved": 20, "idle": 100})
    assert lost_as_shown(uneven.run, [early, late])[-1] == [f"a ends last and loses most to {words}"]


def test_who_loses_nothing_is_told_to_divide_its_work(uneven: RunSummary) -> None:
    none = dict.fromkeys(("initialisation", "starved", "blocked", "control", "contention", "idle"), 0)
    lines = lost_as_shown(uneven.run, [ProcessSplit(process="p", useful=124, **none)])
    assert lines[1:] == [
        ["process", "useful", "all", "useful share"],
        ["p", "124", "124", "100 %"],
        ["p ends last and loses no cycle: only to divide its work would be faster"],
    ]


def test_the_result_of_lost_cycles_has_every_part(uneven: RunSummary) -> None:
    done = uneven.run
    result = lost_result(done, lost_cycles(done), file="f.toml")
    assert result["processes"]["d"] == {
        "process": "d", "useful": 20, "initialisation": 13, "starved": 91, "blocked": 0, "control": 0,
        "contention": 0, "idle": 0, "lost": 104,
    }  # fmt: skip
    assert (result["file"], result["time_ns"], result["engine"], result["deadlock"]) == ("f.toml", 1240.0, "des", None)


@pytest.mark.parametrize("room", [60, 80, 100, 200])
def test_no_word_of_a_heading_and_no_number_is_broken_on_a_narrow_terminal(room: int) -> None:
    network = fork_join(firings=20, short_depth=3)
    paper = StringIO()
    screen = Screen(room=room)
    screen.file = paper
    print_run(screen, summary_of(run(network)), fix=None, seconds=None)
    lines = paper.getvalue().splitlines()
    table = lines[1 : next(n for n, line in enumerate(lines) if line.startswith("channel"))]
    words = {word for line in table for word in line.split()}
    # Of 80 columns "starting", "draining" and "firings" were broken, of 100 the lines were wrapped by the terminal.
    assert words >= {"process", "firings", "utilisation", "starting", "starved", "blocked", "draining", "done", "52.6"}
    assert max(map(len, table)) <= max(room, 80)


def test_a_table_that_has_room_stays_as_it_is_and_one_without_any_breaks_words() -> None:
    def told(room: int, cells: Sequence[str]) -> list[str]:
        paper = StringIO()
        screen = Screen(room=room)
        screen.file = paper
        table = plain_table(*(f"column {n}" for n in range(len(cells))), right=(0,))
        table.add_row(*cells)
        screen.print(table)
        return paper.getvalue().splitlines()

    assert told(100, ["1 us", "b", "c"])[0] == "column 0   column 1   column 2"
    assert told(29, ["1 us", "b", "c"])[0].rstrip() == "column 0  column 1  column 2"
    assert told(18, ["1 us", "b", "c"])[:2] == ["column column column", "     0 1      2     "]
    assert max(map(len, told(80, ["1"] * 60))) <= 100


def test_a_name_is_broken_before_a_heading_is() -> None:
    def told(name: str) -> list[str]:
        paper = StringIO()
        screen = Screen(room=80)
        screen.file = paper
        table = plain_table(*(f"{'heading':7}{n}" for n in range(10)), right=tuple(range(1, 8)))
        table.add_row(name, *["1"] * 7, f"{name} 1512", f"{name} 146")
        screen.print(table)
        return paper.getvalue().splitlines()

    lines = told("exponentials")  # "first..last" and "utilisation" were broken in a table of one column too many
    assert max(map(len, lines)) <= 100
    assert lines[0].split() == [f"heading{n}" for n in range(10)]


def test_sentences_fold_where_tables_do_and_what_is_pasted_does_not() -> None:
    command = "ppnsim size 'fork and join.toml' --style frozen --target 10 --json -"
    paper = StringIO()
    for room, folds in ((60, True), (60, False)):
        screen = Screen(room=room, folds=folds)
        screen.file = paper
        plain_line(screen, f"to apply them, {'word ' * 20}: {command}")
    *lines, whole = paper.getvalue().splitlines()
    assert max(map(len, lines[:-1])) <= 60 and len(whole) > 150
    assert lines[-1] == f"  {command}"


def test_numbers_and_names_have_no_colour_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal with colours, only what is marked up has one."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Screen(room=80)
    with screen.capture() as told:
        screen.print("3 cycles of 'a', [bold]False[/]", soft_wrap=True)
    assert told.get() == "3 cycles of 'a', \x1b[1mFalse\x1b[0m\n"
