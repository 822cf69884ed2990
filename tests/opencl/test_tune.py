"""The advisor and its path, against all combinations and the paper."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from ppnsim.errors import InputError
from ppnsim.opencl.design import Design, applied, parse_design
from ppnsim.opencl.laws import Potentials, potentials, predict
from ppnsim.opencl.tune import PredictedDesign, _order, advise, combinations, look, tune
from tests.helpers.opencl_hierarchies import ADD, BOARD, NAMES, kernel, shipped


@cache
def path_of(name: str) -> tuple[PredictedDesign, ...]:
    """Return the tuning path of a shipped kernel, which several tests look at."""
    return tuple(tune(*shipped(name)))


@pytest.mark.parametrize("name", NAMES)
def test_the_advisor_never_takes_a_step_back_and_always_fits(name: str) -> None:
    path = path_of(name)
    assert len(path) > 1
    for before, after in pairwise(path):
        assert after.seconds <= before.seconds * Fraction(101, 100)
        assert after.fits
        assert after.why.split()[0] in ("B_mem", "B_comp", "B_balance")
    assert path[-1].seconds < path[0].seconds / 8


@pytest.mark.parametrize("name", ["mm", "kmeans", "similarity"])
def test_the_path_ends_near_the_best_of_all_combinations(name: str) -> None:
    given_kernel, board = shipped(name)
    end = path_of(name)[-1]
    best = min(
        (made for made in (look(given_kernel, board, design) for design in combinations(given_kernel)) if made.fits),
        key=lambda made: made.seconds,
    )
    assert best.seconds <= end.seconds <= best.seconds * Fraction(102, 100)


def test_the_matrix_product_is_tuned_in_the_order_of_the_paper() -> None:
    assert [str(step.design) for step in path_of("mm")] == ["baseline", "SM", "SM+UL64:k", "SM+UL64:k+SIMD4"]
    assert [path_of("mm")[place].seconds for place in (0, -1)] == [
        Fraction(525_316_128_768, 17_939_903_125), Fraction(33_554_891, 270_000_000),
    ]  # fmt: skip


def test_random_access_is_why_the_matrix_product_is_slower_with_four_units() -> None:
    given_kernel, board = shipped("mm")
    plain, vendor = (look(given_kernel, board, parse_design(text)) for text in ("baseline", "SIMD2+CU4"))
    assert vendor.prediction.cycles == plain.prediction.cycles == 8_594_128_896
    assert vendor.prediction.frequency < plain.prediction.frequency * Fraction(3, 4)


def test_potentials_are_shares() -> None:
    for name in NAMES:
        for step in path_of(name):
            assert all(0 <= value <= 1 for value in step.potentials.by_name().values()), (name, str(step.design))


def test_too_few_work_items_are_a_potential_and_enough_are_none() -> None:
    board = BOARD
    few, many = (potentials(predict(kernel(ADD, items=items), board), board).itpp for items in (10, 100_000))
    assert few > Fraction(9, 10)
    assert many == 0


def test_a_full_device_leaves_nothing_to_advise() -> None:
    given_kernel, board = shipped("mm")
    assert advise(given_kernel, board, look(given_kernel, board, parse_design("SM+UL64:k+SIMD4"))) is None


def test_a_kernel_that_branches_by_work_item_gets_no_lanes() -> None:
    given_kernel, board = shipped("kmeans")
    assert not any(step.design.simd > 1 for step in tune(given_kernel, board))
    with pytest.raises(InputError, match=r"^kernel 'K-means' branches by work item: no SIMD4"):
        applied(given_kernel, parse_design("SIMD4"))


def with_potentials(**values: str) -> PredictedDesign:
    now = look(kernel(ADD), BOARD, Design())
    return replace(now, potentials=Potentials(**{name: Fraction(value) for name, value in values.items()}))


@pytest.mark.parametrize("bound_by", ["memory", "computation"])
def test_only_the_host_cures_too_few_work_items(bound_by: str) -> None:
    now = with_potentials(comp="0.3", mem="0.1", balance="0.2", itpp="0.9")
    assert set(_order(now, bound_by)) == {"B_comp", "B_mem", "B_balance"}


def test_memory_comes_first_if_it_is_waited_for_and_then_the_largest() -> None:
    now = with_potentials(comp="0.3", mem="0.1", balance="0.2", itpp="0")
    assert _order(now, "memory") == ["B_mem", "B_comp", "B_balance"]
    assert _order(now, "computation") == ["B_comp", "B_balance", "B_mem"]


def test_a_potential_up_to_a_twentieth_is_small() -> None:
    now = with_potentials(comp="0.05", mem="0.04", balance="0.051", itpp="0.9")
    assert _order(now, "memory") == ["B_balance"]
