"""What the words of a rewriting mean: which statement, loop and number it takes, and what is none."""

from __future__ import annotations

import pytest

from ppnsim.errors import InputError
from ppnsim.library.rewriting import rewritten, steps_of
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.rewrite.interchange import interchange
from ppnsim.loops.rewrite.merge import merge
from ppnsim.loops.rewrite.partition import cut, unfold
from ppnsim.loops.rewrite.skew import skew
from tests.helpers.loop_programs import at, do, kernel, loop


def square() -> LoopProgram:
    """Two statements in a nest over i and j, 4 by 4."""
    s, t = do("s", writes=(at("a", "i", "j"),)), do("t", writes=(at("b", "i", "j"),))
    return kernel("square", {"a": (4, 4), "b": (4, 4)}, loop("i", 0, 3, loop("j", 0, 3, s, t)))


def after(*steps: str) -> LoopProgram:
    return rewritten(square(), steps_of(steps), io=False)[0]


def test_each_word_makes_its_rewriting() -> None:
    program = square()
    assert after("unfold s=4") == unfold(program, "s", 4, iterator=None)
    assert after("unfold s=2@i") == unfold(program, "s", 2, iterator="i") != unfold(program, "s", 2, iterator=None)
    assert after("cut s=4@i") == cut(program, "s", 4, iterator="i") != cut(program, "s", 2, iterator="i")
    assert after("cut s") == cut(program, "s", 2, iterator=None)
    assert after("cut s@i") == cut(program, "s", 2, iterator="i")
    assert after("merge s,t") == merge(program, ["s", "t"], name=None)
    assert after("merge both=s,t") == merge(program, ["s", "t"], name="both") != after("merge s,t")
    assert after("interchange s@i,j") == interchange(program, "s", "i", "j")


@pytest.mark.parametrize(
    ("written", "factor"),
    [("i", 1), ("2*i", 2), ("i*3", 3), ("-i", -1), ("-2*i", -2), ("2*i*3", 6), (" 2 * i ", 2), ("i*-2", -2)],
)
def test_a_loop_is_skewed_by_a_multiple_of_another_one(written: str, factor: int) -> None:
    assert after(f"skew s@j={written}") == skew(square(), "s", "j", "i", factor)


def test_steps_follow_one_another_and_streams_come_first() -> None:
    program = square()
    assert after("skew s@j=i", "interchange s@i,j") == interchange(skew(program, "s", "j", "i"), "s", "i", "j")
    assert rewritten(program, [], io=True) == (program, True)
    found, io = rewritten(program, steps_of(["unfold out_a=2@e0"]), io=True)
    names = [statement.name for statement in found.statements()]
    assert not io
    assert any(name.startswith("out_a") for name in names) and "out_b" in names and "out_a" not in names
    assert rewritten(program, steps_of(["cut s"]), io=False)[1] is False


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("unfold s", "--unfold: 's' is not STMT=N"),
        ("unfold =2", "--unfold: '=2' is not STMT=N"),
        ("unfold s=two", "--unfold s=two: 'two' is not a whole number"),
        ("cut =2", "--cut: '=2' is not STMT=N"),
        ("interchange s@i", "--interchange: 's@i' is not STMT@OUTER,INNER"),
        ("interchange s@i,j,k", "--interchange: 's@i,j,k' is not STMT@OUTER,INNER"),
        ("interchange i,j", "--interchange: 'i,j' is not STMT@OUTER,INNER"),
        ("skew j=i", "--skew: 'j=i' is not STMT@LOOP=N*OUTER"),
        ("skew s@j", "--skew: 's@j' is not STMT@LOOP=N*OUTER"),
        ("skew s@j=2", "--skew: 's@j=2' is not STMT@LOOP=N*OUTER"),
        ("skew s@j=i+1", "--skew: 's@j=i+1' is not STMT@LOOP=N*OUTER"),
    ],
)
def test_what_is_no_rewriting_of_its_kind_is_told_the_form(step: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        after(step)
    assert str(error.value) == words


@pytest.mark.parametrize("step", ["tile s=2", "unfold", "unfold ", "", "--cut"])
def test_what_begins_with_no_rewriting_is_told_them_all(step: str) -> None:
    with pytest.raises(InputError) as error:
        steps_of([step])
    known = "unfold, cut, skew, interchange, merge"
    assert str(error.value) == f"'{step}' is not a rewriting (like 'unfold tmp=4'; known: {known})"
