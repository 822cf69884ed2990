"""The index space of a kernel: its sizes, and what OpenCL's functions return for a work item."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine

_GROUP_SIZES = ("get_local_size", "get_enqueued_local_size", "get_num_groups")
_SIZES = ("get_global_size", "get_work_dim", *_GROUP_SIZES)
_OF_GROUPS = ("get_local_id", "get_group_id", "get_local_linear_id", *_GROUP_SIZES)
ITEM_FUNCTIONS = ("get_global_id", "get_global_linear_id", "get_global_offset", *_SIZES, *_OF_GROUPS)


@dataclass(frozen=True, slots=True)
class NDRange:
    """Sizes of an index space, and of its work groups (None: not known).

    Examples
    --------
    >>> items = NDRange((64, 4), (16, 1))
    >>> str(items.function("get_global_id", 0)), str(items.function("get_global_id", 1)), items.symbols
    ('16*group0 + local0', 'group1', {'local0': 16, 'group0': 4, 'group1': 4})
    """

    sizes: tuple[int, ...]
    groups: tuple[int, ...] | None = None

    def checked(self) -> NDRange:
        """Return it with groups of as many dimensions; raise `InputError` unless groups divide the sizes."""
        if self.groups is None:
            return self
        if any(size > 1 for size in self.groups[len(self.sizes) :]):
            message = f"the work group has {len(self.groups)} dimensions, the global size {len(self.sizes)}"
            raise InputError(f"{message} ({self.text})")
        groups = (*self.groups, 1, 1)[: len(self.sizes)]
        if any(size % group for size, group in zip(self.sizes, groups, strict=True)):
            raise InputError(f"the work group does not divide the global size ({self.text})")
        return NDRange(self.sizes, groups)

    @property
    def text(self) -> str:
        """Both sizes as text."""
        groups = "" if self.groups is None else f" in groups of {' x '.join(map(str, self.groups))}"
        return f"{' x '.join(map(str, self.sizes))}{groups}"

    @property
    def items(self) -> int:
        """Work items in all."""
        return prod(self.sizes)

    @property
    def symbols(self) -> dict[str, int]:
        """The symbols of a work item's numbers, each with its range."""
        found: dict[str, int] = {}
        for dimension, size in enumerate(self.sizes):
            if self.groups is None:
                found[f"global{dimension}"] = size
            else:
                group = self.groups[dimension]
                found |= {f"local{dimension}": group, f"group{dimension}": size // group}
        return {name: size for name, size in found.items() if size > 1}

    @property
    def lanes(self) -> set[str]:
        """The symbols that differ within a work group, as the lanes of a vector do."""
        return {name for name in self.symbols if not name.startswith("group")}

    @property
    def next_item(self) -> str | None:
        """The symbol in which neighbouring work items differ, None if there is one work item."""
        return next(iter(self.symbols), None)

    def function(self, name: str, dimension: int) -> Affine:
        """Return what a function returns for a work item.

        Raises
        ------
        InputError
            If it is about work groups and their size is not known.
        """
        if self.groups is None and name in _OF_GROUPS:
            message = f"{name} needs the size of a work group: give --local N[,N[,N]]"
            raise InputError(f"{message}, or reqd_work_group_size in the source")
        sizes, groups = self.sizes, self.groups or (1,) * len(self.sizes)
        if name == "get_work_dim":
            return Affine.of(len(self.sizes))
        if not 0 <= dimension < len(self.sizes) or name == "get_global_offset":
            return Affine.of(1 if name in _SIZES else 0)
        size, group = sizes[dimension], groups[dimension]
        match name:
            case "get_global_size":
                return Affine.of(size)
            case "get_local_size" | "get_enqueued_local_size":
                return Affine.of(group)
            case "get_num_groups":
                return Affine.of(size // group)
            case "get_local_id" | "get_group_id":
                return self._symbol(f"{name.split('_')[1]}{dimension}")
            case "get_local_linear_id":
                return sum((self._symbol(f"local{d}") * prod(groups[:d]) for d in range(len(self.sizes))), Affine())
            case "get_global_linear_id":
                numbers = (self.function("get_global_id", each) for each in range(len(self.sizes)))
                return sum((number * prod(sizes[:d]) for d, number in enumerate(numbers)), Affine())
        if self.groups is None:
            return self._symbol(f"global{dimension}")
        return self._symbol(f"group{dimension}") * group + self._symbol(f"local{dimension}")

    def _symbol(self, name: str) -> Affine:
        return Affine.of(name) if name in self.symbols else Affine()
