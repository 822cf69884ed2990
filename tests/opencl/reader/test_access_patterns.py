"""What addresses say of accesses: consecutive, the same, shared by work items."""

from pathlib import Path

import pytest

from tests.helpers.opencl_kernels import kernel_of, steps_of

NEAR, ROW = ("items",), ("k",)


@pytest.mark.parametrize(
    ("index", "along", "same"),
    [
        ("g", NEAR, ("k",)), ("g + 5", NEAR, ("k",)), ("2 * g", (), ("k",)), ("-g", (), ("k",)), ("k", ROW, ()),
        ("g + k", ("k", "items"), ()), ("g * 64 + k", ROW, ()), ("k * 64 + g", NEAR, ()), ("h * 64 + k", ROW, ()),
        ("h", (), ("k",)), ("(g << 6) | 0", (), ("k",)), ("(g / 64) * 64 + g % 64", NEAR, ("k",)),
        ("g % 64", NEAR, ("k",)), ("g / 2", (), ("k",)), ("g % 2", (), ("k",)), ("k / 2", (), ()), ("c[g]", (), ("k",)),
        ("k % 2", (), ()), ("k % 16", ROW, ()), ("k % 13", (), ()),
        ("c[k]", (), ()), ("c[h] + k", ROW, ()), ("63 - k", (), ()), ("min(k, 63)", ROW, ()), ("n * k", (), ()),
        ("get_global_id(0) + get_global_size(0) * k", NEAR, ()),
        ("get_group_id(0) * get_local_size(0) + get_local_id(0)", NEAR, ("k",)),
    ],
)  # fmt: skip
def test_an_address_says_along_what_it_is_consecutive(
    index: str, along: tuple[str, ...], same: tuple[str, ...], tmp_path: Path
) -> None:
    # 'k % 16' jumps three times in 63 steps, 'k % 13' four times: one step in sixteen is the most.
    body = f"float s = 0; for (int k = 0; k < 64; k++) {{ b[k] = 0; s += a[{index}]; }} b[g] = s;"
    kernel = kernel_of(body, tmp_path, {"n": 3}, sizes=(256, 256), groups=(16, 4))
    # A load whose address stays the same is made before the loop, unless the loop writes there.
    (load,) = [step for step in steps_of(kernel, "load") if step.name.startswith("a")]
    inside = [step for block, around in kernel.blocks() for step in block.steps if around > 1]
    assert (load in inside) == ("k" not in same)
    assert load.along == along


@pytest.mark.parametrize(
    ("index", "reuse"),
    [("g", 4), ("h", 16), ("0", 64), ("h * 64 + k", 16), ("g * 64 + k", 4), ("k", 64), ("g + k", 22), ("c[g]", 1)],
)
def test_reuse_is_how_many_work_items_of_a_group_load_the_same(index: str, reuse: int, tmp_path: Path) -> None:
    body = f"float s = 0; for (int k = 0; k < 8; k++) {{ a[c[k]] = s; s += b[{index}]; }} a[g] = s;"
    kernel = kernel_of(body, tmp_path, sizes=(256, 256), groups=(16, 4))
    (load,) = [step for step in steps_of(kernel, "load") if step.name.startswith("b")]
    assert load.reuse == reuse  # 'g + k': 64 work items x 8 loads go to 16 + 7 places: 64 x 8 / 23 = 22
