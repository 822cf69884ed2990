"""What `ppnsim.lost` refuses of sizes to learn from and to predict at, in whole sentences, and which sizes it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.errors import InputError
from ppnsim.hls.lost.designs import GENERAL, POWERS
from ppnsim.library import lost_source

SIX = [2, 3, 4, 5, 6, 7]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("lost") / "product.c"
    file.write_text(
        "#ifndef N\n#define N 8\n#endif\n"
        "void scale(int a[N], int b[N]) { for (int i = 0; i < N; i++) b[i] = 3 * a[i]; }\n"
    )
    return str(file)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"learn": ["M"]}, "--learn: 'M' has no value: give it one with -D M=N or --set M=N"),
        ({"learn": ["N", "N"]}, "--learn: 'N' is named twice"),
        ({"at": [{"N": 9}]}, "--at: 'N=9' is not NAME=N with a name of --learn (none)"),
        ({"learn": ["N"], "at": [{"N": 4, "M": 9}]}, "--at: 'M=9' is not NAME=N with a name of --learn (N)"),
        ({"learn": ["N"], "at": [{"N": 0}]}, "--at: N = 0 executes nothing (sizes start at 1)"),
        ({"learn": ["N"], "at": [{}]}, "--at: gives no value for N"),
        ({"sizes": SIX}, "--sizes: says what sizes to look at, but --learn names none"),
        ({"learn": ["N"], "sizes": [0, *SIX]}, "--sizes: 0, 2, 3, 4, 5, 6, 7 must be different sizes from 1 on"),
        ({"learn": ["N"], "sizes": [2, *SIX]}, "--sizes: 2, 2, 3, 4, 5, 6, 7 must be different sizes from 1 on"),
        ({"learn": ["N"], "sizes": []}, "--sizes:  must be different sizes from 1 on"),
        ({"learn": ["N"], "sizes": SIX[:5]}, "--sizes: 5 sizes do not determine and check a formula (at least 6)"),
        ({"learn": ["N"], "vary": {"N": [4]}}, "--vary: says what --learn and --at say: give one of them"),
        ({"at": [{"N": 4}], "vary": {"N": [4]}}, "--vary: says what --learn and --at say: give one of them"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(product: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        ppnsim.lost(product, defines={"N": "8"}, **given)
    assert str(error.value) == words


@pytest.mark.parametrize(
    ("at", "sizes", "taken"),
    [
        ([], None, GENERAL), ([{"N": 64}], None, POWERS), ([{"N": 64}, {"N": 48}], None, GENERAL),
        ([{"N": 64}], SIX, SIX), ([{"N": 64}], [1, *SIX], [1, *SIX]),
    ],
)  # fmt: skip
def test_a_law_is_learned_from_powers_of_two_where_only_such_are_wanted(
    product: str, at: list[dict[str, int]], sizes: list[int] | None, taken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(lost_source, "_add_design", lambda *given: asked.append(given))
    ppnsim.lost(product, defines={"N": "8"}, learn=["N"], at=at, sizes=sizes)
    ((_, kernel, library, design, names, places, bounds, _),) = asked
    assert (list(bounds), list(names), list(places)) == (list(taken), ["N"], at)
    assert (str(design), library.device.name, library.clock_ns) == ("auto", "xc7z020", 10)
    assert kernel.defines == {"N": "8"}


def test_what_varies_is_learned_and_predicted_in_all_combinations(
    product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(lost_source, "_add_design", lambda *given: asked.append(given))
    found = lost_source.lost_in_source(
        product, designs=("none", "auto", "none"), vary={"N": [16, 32]}, device="xcvu9p", clock="5 ns"
    )
    assert [str(design) for _, _, _, design, *_ in asked] == ["none", "auto"]
    assert all(list(names) == ["N"] and list(places) == [{"N": 16}, {"N": 32}] for *_, names, places, _, _ in asked)
    assert (found.device, found.clock_ns, found.interrupted, found.designs) == ("xcvu9p", 5, False, [])


def test_ctrl_c_keeps_what_was_found_and_says_where(
    product: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def add(found: list[Any], *given: Any) -> None:
        if found:
            raise KeyboardInterrupt
        found.append(given[2])

    monkeypatch.setattr(lost_source, "_add_design", add)
    found = lost_source.lost_in_source(product, designs=("none", "auto"))
    assert found.interrupted and [str(each) for each in found.designs] == ["none"]
    assert "interrupted in design 'auto'" in "".join(capsys.readouterr())


def test_predictions_stand_beside_the_schedule_of_each_size(product: str) -> None:
    told: list[tuple[int, int]] = []
    found = lost_source.lost_in_source(
        product, designs=("none",), defines={"N": "8"}, learn=["N"], at=[{"N": 40}], sizes=SIX,
        progress=lambda done, most: told.append((done, most)),
    )  # fmt: skip
    (design,) = found.designs
    (prediction,) = design.predictions
    assert prediction.reason == "" and prediction.sizes == {"N": 40}
    assert prediction.predicted is not None and prediction.scheduled is not None
    assert prediction.predicted.total == prediction.scheduled.total > design.split.total
    assert told and all(most == max(done, 4) for done, most in told)  # two to the number of names plus one at least


@pytest.mark.parametrize("given", [{"solution": "one"}, {"arguments": ["fast"]}])
def test_only_a_project_has_arguments_and_solutions(product: str, given: dict[str, Any]) -> None:
    """A file is named; a program that was read before has no name to give."""
    words = f"'{given.get('solution', 'fast')}' is of a project (run_hls.tcl, hls_config.cfg), and this is none"
    option = "--solution" if "solution" in given else "--tclargs"
    for source, where in ((product, f"{product}: "), (load_programs(product)[0], "")):
        with pytest.raises(InputError) as error:
            ppnsim.schedule(source, **given)
        assert str(error.value) == f"{where}{option}: {words}"


def test_what_is_assumed_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "k.cpp").write_text("void k(int *a) { while (*a > 3) *a -= 2; }", encoding="utf-8")
    ppnsim.lost(path, designs=["auto", "none"])
    assert capsys.readouterr().err.count("the loop in line 1 runs 64 times") == 1
