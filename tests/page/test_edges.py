"""What a page says where something cannot be worked out, and what a lesson says where a block of it fails."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from ppnsim.engines.run import run
from ppnsim.errors import InputError, PpnsimError
from ppnsim.model.builders import chain, fork_join
from ppnsim.page import large, notebook, placed, sections
from ppnsim.page.large import depth_steps, depths_section
from ppnsim.page.lessons.lesson import Cell, Lesson
from ppnsim.page.lessons.performed import lesson_page
from ppnsim.page.sections import Origin


def _unable(*_: object, **__: object) -> Any:
    raise PpnsimError("too many of them")


def shown(kind: Any, text: str) -> str:
    """Return what a lesson of one block shows below the block."""
    page = lesson_page(Lesson(number=0, title="lesson & 0", cells=(Cell(kind, text),)))
    assert "<title>lesson &amp; 0</title><style>" in page
    found = re.search(r"<article><pre><code>(.*?)</code></pre>(.*)</article></body></html>\n$", page, re.DOTALL)
    assert found is not None and "<" not in found[1]
    return found[2]


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("1 + 1", '<pre class="out">2</pre>'),
        ("'<'", '<pre class="out">&#x27;&lt;&#x27;</pre>'),
        ("print('<')", '<pre class="out">&lt;\n</pre>'),
        ("print(1)\n2", '<pre class="out">1\n</pre><pre class="out">2</pre>'),
        ("x = 3", ""),
        ("None", ""),
        ("", ""),
        ("import types\ntypes.SimpleNamespace(_repr_html_=lambda: '<b>')", "<b>"),
        ("import types\ntypes.SimpleNamespace(as_html=lambda name: name, _repr_html_=lambda: '<b>')", "picture"),
    ],
)
def test_a_block_shows_what_it_prints_and_the_value_of_its_last_line(text: str, below: str) -> None:
    assert shown("python", text) == below


def test_names_of_a_block_are_there_in_the_next_and_text_is_markdown() -> None:
    cells = (Cell("text", "*a* | b\n"), Cell("python", "x = 3"), Cell("python", "(x, __name__)"))
    page = lesson_page(Lesson(number=0, title="t", cells=cells))
    assert "<article><p><em>a</em> | b</p>\n<pre>" in page
    assert '<pre class="out">(3, &#x27;__lesson__&#x27;)</pre>' in page


def test_a_block_that_fails_is_told_with_its_text() -> None:
    with pytest.raises(InputError) as failed:
        shown("python", "1 / 0")
    assert str(failed.value) == "lesson & 0: ZeroDivisionError('division by zero') in\n1 / 0"


def test_commands_are_those_of_this_ppnsim(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def ran(command: list[str], **said: Any) -> Any:
        asked.append((command[1:], said["capture_output"], said["text"]))
        return SimpleNamespace(returncode=2 * ("bad" in command), stdout=f"<{command[-1]}>\n", stderr=" a reason \n")

    monkeypatch.setattr("subprocess.run", ran)
    assert shown("sh", "ppnsim run 'a b'\nppnsim draw c\n") == '<pre class="out">&lt;a b&gt;\n&lt;c&gt;\n</pre>'
    assert asked == [(["-m", "ppnsim", "run", "a b"], True, True), (["-m", "ppnsim", "draw", "c"], True, True)]
    for text, words in (
        ("ls .", "lesson & 0: 'ls' is not a command of ppnsim"),
        ("ppnsim bad", "lesson & 0: 'ppnsim bad' fails: a reason"),
    ):
        with pytest.raises(InputError) as failed:
            shown("sh", text)
        assert str(failed.value) == words


def test_a_path_or_estimates_that_cannot_be_worked_out_are_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(chain(firings=4, length=2))
    monkeypatch.setattr(sections, "critical_path", _unable)
    monkeypatch.setattr(sections, "absolute", _unable)
    assert sections.path_of(done, None) == "not worked out: too many of them"
    table = sections._estimates(done)
    assert (table["title"], table["notes"]) == ("Estimates beside the run", ["not estimated: too many of them"])
    assert table["columns"] == ["", "cycles", "time", "because"]
    assert table["rows"] == [["simulated", done.finish, "110 ns", "engine des"]]


def test_runs_that_cannot_be_made_before_are_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(chain(firings=4, length=2))
    monkeypatch.setattr(large, "depth_steps", _unable)
    only = depths_section(done)
    first = f"{done.network.events} firings and tokens are too many for this page: the slider shows runs made before"
    assert only == {"title": "Other depths", "notes": [first, "too many of them"]}


def test_a_scaled_depth_holds_a_token_and_what_is_there_at_first() -> None:
    """Depth 2, a quarter of which is none, and depth 8 with 3 tokens at first."""
    network = fork_join(firings=6, short_depth=2, long_depth=8)
    steps = depth_steps(run(network))
    assert [name for name, _ in steps] == [
        "times 0.25", "times 0.5", "as in the file", "times 2", "times 4", "unbounded"
    ]  # fmt: skip
    for (name, finish), (short, deep) in zip(steps[:-1], [(1, 2), (1, 4), (2, 8), (4, 16), (8, 32)], strict=True):
        there = run(fork_join(firings=6, short_depth=short, long_depth=deep), on_deadlock="return")
        assert finish == there.finish, name


def test_a_scaled_depth_that_is_a_credit_is_run_with_so_many() -> None:
    network = chain(firings=40, length=3, depth=8, style="frozen").with_convention("sdf3")
    assert network.credits
    found = {str(name): finish for name, finish in depth_steps(run(network, on_deadlock="return"))}
    for name, depth in (("times 0.5", 4), ("times 2", 16), ("unbounded", None)):
        assert found[name] == run(network.with_depths(depth), on_deadlock="return").finish, name


def test_a_sizing_without_an_answer_has_no_network_below() -> None:
    gap = SimpleNamespace(question="target", not_searched="no time was left")
    answers = SimpleNamespace(found={}, gaps=[gap], unbounded=True)
    problem = SimpleNamespace(
        variables=[SimpleNamespace(channels=("a", "b"))], choices=[0], objective=SimpleNamespace(name="finish")
    )
    sizing: Any = SimpleNamespace(answers=answers, problem=problem)
    assert notebook._sizing(sizing) == (
        "<h3>Smallest depths</h3><table><tr><th>question</th><th>cost</th><th>finish</th><th></th><th>a = b</th></tr>"
        "<tr><td>target</td><td>-</td><td>-</td><td>no time was left</td><td>-</td></tr></table>"
    )


@pytest.mark.parametrize(
    ("finish", "binds", "answer", "note"),
    [
        (2e-6, {"sentence": "it binds"}, "finish 2000 ns", "it binds"),
        (None, None, "deadlock: a, b did not come to an end", ""),
    ],
)
def test_a_placed_run_is_told_with_its_answer(
    finish: float | None, binds: Any, answer: str, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = {"name": "net", "finish_s": finish, "stuck": ["a", "b"], "binds": binds, "channels": {}}
    result |= {"processes": {"a": {"busy_s": 1e-6}}, "links": {}, "memories": {}, "ports": {}}
    monkeypatch.setattr(placed, "placed_result", lambda *_, **__: result)
    monkeypatch.setattr(placed, "nodes_svg", lambda _: "nodes")
    seen: list[Any] = []
    for name in ("_over_time", "_occupancy"):
        monkeypatch.setattr(placed, name, lambda _, window: seen.append(window))
    outcome: Any = SimpleNamespace(placement=SimpleNamespace(network=chain(firings=2)), stopped=4000)
    told = placed.placed_told(outcome, origin=Origin(file="f"), window="1ns:2ns")
    assert (told["answer"], told["deadlock"], told["name"], told["engine"]) == (answer, finish is None, "net", "des")
    titles = [each["title"] for each in told["sections"]]
    assert titles == ["Nodes", "Over time", "Occupancy", "Processes", "Provenance"]
    assert told["sections"][0] == {"title": "Nodes", "picture": "nodes", "notes": [note]}
    assert told["fallback"] == [
        {"title": "Processes", "columns": ["", "busy"], "rows": [["a", "1000 ns"]], "notes": []}
    ]
    assert seen == [(1000, 2000)] * 2
