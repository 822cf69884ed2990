"""Branches, switches and barriers."""

from fractions import Fraction
from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.opencl.kernel import Kernel, KernelBranch
from tests.helpers.opencl_kernels import kernel_of, ops, steps_of


@pytest.mark.parametrize(
    ("body", "vectorise"),
    [
        ("a[g] = 1;", True), ("if (g < 60) a[g] = 1;", False), ("if (n < 60) a[g] = 1;", True),
        ("if (get_group_id(0) < 2) a[g] = 1;", True), ("if (get_local_id(0) < 2) a[g] = 1;", False),
        ("for (int i = g; i < g + 4; i++) a[i] = 1;", True), ("for (int i = g; i < 99; i += 64) a[i] = 1;", False),
        ("float s = 0; if (g < 5) s = 1; a[g] = s;", True), ("if (a[g] > 0) b[g] = 1;", False),
        ("if (c[0] > 0) b[g] = 1;", True),
    ],
)  # fmt: skip
def test_only_work_items_that_go_the_same_way_are_vectorised(body: str, vectorise: bool, tmp_path: Path) -> None:
    assert kernel_of(body, tmp_path, {"n": 4}, sizes=(64,), groups=(16,)).vectorise == vectorise


def test_a_guard_that_always_holds_is_no_branch_and_one_that_does_not_has_its_share(tmp_path: Path) -> None:
    guard = "if (g >= n || h >= m) return; a[g + h * n] = 1;"
    always = kernel_of(guard, tmp_path, {"n": 64, "m": 4}, sizes=(64, 4))
    some = kernel_of(guard, tmp_path, {"n": 60, "m": 3}, sizes=(64, 4))
    assert not any(isinstance(node, KernelBranch) for node in always.body)
    (branch,) = some.body
    assert isinstance(branch, KernelBranch)
    assert (branch.then, 1 - branch.share) == ((), Fraction(60 * 3, 64 * 4))


def test_local_memory_is_read_after_the_barrier_behind_what_was_written(tmp_path: Path) -> None:
    body = (
        "__local float t[16]; t[get_local_id(0)] = b[g]; barrier(CLK_LOCAL_MEM_FENCE); a[g] = t[15 - get_local_id(0)];"
    )
    (load, write, again, store) = steps_of(kernel_of(body, tmp_path, sizes=(64,), groups=(16,)))
    assert (write.op, again.op) == ("local_memory", "local_memory")
    assert (write.after, again.after, store.after) == ((load.name,), (write.name,), (again.name,))


def test_a_break_under_a_condition_within_a_case_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a break under a condition within a case is not followed: use else"):
        kernel_of("switch (c[g]) { case 0: if (b[g] > 1) break; a[g] = 1; break; default: a[g] = 2; }", tmp_path)
    with pytest.raises(InputError, match="a return under two conditions is not followed"):
        kernel_of("switch (c[g]) { case 0: if (b[g] > 1) return; a[g] = 1; break; default: a[g] = 2; }", tmp_path)


def test_a_switch_is_a_chain_of_branches_in_any_order(tmp_path: Path) -> None:
    cases = {"0": "s = 1;", "1: case 2": "{ s = b[g] / 3; break; }", "default": "s = sqrt(b[g]);"}
    found = []
    for order in (("0", "1: case 2", "default"), ("default", "1: case 2", "0")):
        text = "".join(f"{'' if key == 'default' else 'case '}{key}: {cases[key]} break;" for key in order)
        kernel = kernel_of(f"float s; switch (c[g]) {{ {text} }} a[g] = s;", tmp_path)
        found.append(sorted(ops(kernel)))
        branch = next(node for node in kernel.body if isinstance(node, KernelBranch))
        assert len(list(Kernel(name="b", work_items=1, body=branch.then + branch.otherwise).blocks())) == 3
    assert (
        found[0]
        == found[1]
        == sorted(["load", "branch", "bitwise", "branch", "load", "fp_div", "load", "fp_sqrt", "store"])
    )


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("b[g] += 1; if (k == 5) break;", 6), ("b[g] += 1; if (k == 10) break; if (k == 5) break;", 6),
        ("b[g] += 1; if (k == 5) break; if (k == 10) break;", 6), ("b[g] += 1; if (k == 99) break;", 64),
        ("b[g] += 1; if (k < 5) a[g] = 2; else break;", 6),
        ("b[g] += 1; j += 2; if (j == 10) break;", 5), ("b[g] += 1; j += 2; if (j == 20) break; if (j == 6) break;", 3),
        ("b[g] += 1; j += 2; if (j == 6) break; if (j == 20) break;", 3),
    ],
)  # fmt: skip
def test_a_loop_ends_with_the_first_break_that_is_reached(body: str, runs: int, tmp_path: Path) -> None:
    kernel = kernel_of(f"int j = 0; for (int k = 0; k < 64; k++) {{ {body} }}", tmp_path)
    assert [around * block.trip for block, around in kernel.blocks() if block.steps[0].op == "load"] == [runs]
