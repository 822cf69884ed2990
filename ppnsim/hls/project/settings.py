"""The settings of a project while its file is read: settings with an effect, and settings without one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppnsim.c.pragmas.black_boxes import read_black_box
from ppnsim.errors import InputError, located
from ppnsim.hls.library.uncertainty import VIVADO, ClockUncertainty
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.project.model import MissingFile, Project
from ppnsim.hls.project.places import elsewhere, moved, placed, submodule
from ppnsim.hls.project.solutions import Files, Solution
from ppnsim.hls.project.words import meant, shell_words
from ppnsim.hls.structure.partitions import BUS_LATENCIES
from ppnsim.units import clock_ns

_SOURCES = frozenset((".c", ".cc", ".cpp", ".cxx", ".C"))
_VARIABLE: Mapping[str, str] = dict.fromkeys(
    ("array_partition", "array_reshape", "array_map", "stream", "bind_storage", "bind_op", "resource", "aggregate",
     "disaggregate", "data_pack", "stable", "reset", "alias", "shared", "dependence",
     "function_instantiate"), "variable",
) | {"interface": "port", "allocation": "instances"}  # fmt: skip
"""The clause for the word after the location of a directive."""
_FLAGS = frozenset(
    """off rewind skip_exit_check skip_exit_test region recursive register force on_return enable_flush
    disable_start_propagation""".split()  # noqa: SIM905
)
_TEMPLATE = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_TRUE = frozenset(("", "1", "true", "on", "yes"))
_ON = frozenset(("0", "false", "off", "no")) | _TRUE


@dataclass(slots=True)
class Settings:
    """A project while it is read; ``base`` is the folder to which its file names are relative.

    ``by_vivado``: Vivado HLS wrote the script, which pipelines no loop without a directive (R1.6). ``said`` are the
    assumptions about the environment of the script. ``synthesizes``: the script has run ``csynth_design``.
    """

    file: str
    base: Path
    hint: str = ""
    by_vivado: bool = False
    synthesizes: bool = False
    said: list[str] = field(default_factory=list)
    solutions: list[Solution] = field(default_factory=lambda: [Solution()])

    @property
    def solution(self) -> Solution:
        """The solution to which settings go."""
        return self.solutions[-1]

    @property
    def files(self) -> Files:
        """The files of the component to which settings go."""
        return self.solution.files

    def unknown(self, text: str, where: str) -> None:
        """Note a setting that has no effect here."""
        self.solution.unknown.append(f"{where}: {text}")

    def open(self, name: str) -> None:
        """Start a solution, or continue one."""
        found = next((each for each in self.solutions if each.name == name and each.files is self.files), None)
        if found is None and not self.solution.name:
            self.solution.name = name  # settings before the first solution belong to it
            return
        if found is not None:
            self.solutions.remove(found)
        self.solutions.append(found or Solution(name, self.files))

    def open_project(self, *, again: bool) -> None:
        """Start another project of the script, or open one ``again``, with the files that it had."""
        if not self.files.sources:
            return
        before = self.files
        files = Files(
            before.top, [*before.sources], [*before.testbench], [*before.missing], [*before.include],
            dict(before.defines), again=True,
        ) if again else Files()  # fmt: skip
        self.solutions.append(Solution(files=files))

    def open_component(self, name: str) -> None:
        """Start a component, which has its own files and settings."""
        if self.solutions[0].name or self.files.sources:
            self.solutions.append(Solution())
        self.solution.name = name

    def add(self, name: str, where: str, *, testbench: bool = False) -> None:
        """Add a file of the project."""
        self.files.renewed()
        path = placed(self.file, self.base, name)
        if not path.exists() and (testbench or (path.suffix and path.suffix not in _SOURCES)):
            self.files.missing.append(MissingFile(name, str(path), testbench, where))
            return
        if not path.exists() and (other := self._found(name)) is not None:
            self.unknown(f"add_files {name}: it is not there; '{other}' is read", where)
            path = other
        if not path.exists():
            hint = submodule(path) or self.hint
            raise InputError(f"the source '{name}' is not there (looked for {path}){hint}", where=where)
        known = self.files.testbench if testbench else self.files.sources
        if (testbench or path.suffix in _SOURCES) and str(path) not in known:
            known.append(str(path))

    def black_box(self, name: str, where: str) -> None:
        """Add the description of a function that RTL replaces."""
        self.files.renewed()
        path = placed(self.file, self.base, name)
        if not path.exists() and (other := moved(self.file, self.base, name)) is not None:
            self.unknown(f"black box {name}: it is not there; '{other}' is read", where)
            path = other
        if not path.exists():
            self.unknown(f"black box {name}: it is not there (looked for {path})", where)
            return
        self.files.boxes.append(read_black_box(path))

    def _found(self, name: str) -> Path | None:
        """Return the file that replaces a missing source, None if that is not clear."""
        if Path(self.file).name == "script.tcl":
            return moved(self.file, self.base, name) or elsewhere(self.base, name)
        found = elsewhere(self.base, name)
        return found if found or submodule(self.base / name) else moved(self.file, self.base, name)

    def flags(self, text: str, where: str) -> None:
        """Take folders and macros from compiler flags; other flags change nothing and are not listed."""
        words = shell_words(text, where)
        while words:
            word = words.pop(0)
            if word in ("-I", "-D", "-isystem", "-include") and words and words[0]:
                word += words.pop(0)
            if word.startswith(("-I", "-isystem")):
                folder = placed(self.file, self.base, word.removeprefix("-I").removeprefix("-isystem"))
                if not folder.is_dir() and (other := elsewhere(self.base, str(folder))) is not None:
                    self.unknown(f"flag {word}: the folder is not there; '{other}' is read", where)
                    folder = other
                if not folder.is_dir():
                    self.unknown(f"flag {word}: there is no such folder", where)
                    continue
                self.files.include += [str(folder)] * (str(folder) not in self.files.include)
            elif word == "-D":
                raise InputError(f"flag -D names no macro{self.hint}", where=where)
            elif word.startswith("-D"):
                name, _, value = word[2:].partition("=")
                if "$" in word:
                    raise InputError(f"flag {word}: the variable has no value{self.hint}", where=where)
                self.files.defines[name] = value or "1"
            elif not word.startswith(("-std=", "-W", "-O", "-g", "-f")):
                self.unknown(f"flag {word}", where)

    def part(self, name: str, where: str) -> None:
        """Set the part; a part in a variable without a value is ignored."""
        if "$" in name:
            self.unknown(f"set_part {name}: the variable has no value; --device says the part", where)
            return
        self.solution.part, self.solution.part_at = name.strip(), where

    def clock(self, text: str, where: str) -> None:
        """Set the clock: a period in ns, or with a unit; a clock in a variable without a value is ignored."""
        if "$" in text:
            self.unknown(f"create_clock -period {text}: the variable has no value; --clock says the period", where)
            return
        with located(where):
            self.solution.clock_ns = clock_ns(f"{text} ns" if _is_number(text) else text)

    def clock_uncertainty(self, text: str, where: str, clock: str = "") -> None:
        """Set the share of the clock that the tool keeps: the last one counts, for whichever clock."""
        found, before = ClockUncertainty(text, where), self.solution.uncertainty
        found.checked()
        if before is not None and clock and self.solution.clock_name not in ("", clock):
            words = f"clock uncertainty {before.text} of clock '{self.solution.clock_name}'"
            self.unknown(f"{words}: a design has one clock, and the last one counts", before.where)
        self.solution.uncertainty, self.solution.clock_name = found, clock or self.solution.clock_name

    def flow(self, text: str, where: str) -> None:
        """Set the product of the tool."""
        found = next((each for each in BUS_LATENCIES if each == text.strip().lower()), None)
        if found is None:
            raise InputError(f"flow_target '{text}' is none of {', '.join(BUS_LATENCIES)}", where=where)
        self.solution.flow = found

    def directive(self, name: str, location: str, options: Sequence[tuple[str, str]], where: str) -> None:
        """Add a directive for ``function`` or ``function/label``.

        Its options are pairs of a name and a value; a word without a name, ``("", "a")``, is the variable or the port.
        """
        function, _, label = _TEMPLATE.sub("", location.strip()).partition("/")
        function = function.rpartition("::")[2]  # without the class or the namespace
        if not function:
            raise InputError(f"directive '{name}' is for no function", where=where)
        parts = []
        for option, value in options:
            key = option or (_VARIABLE.get(name, "") if value.lower() not in _FLAGS else "")
            parts.append(f"{key}={value}" if key and value else key or value)
        self.solution.directives.append(PlacedDirective(function, label, " ".join([name, *parts]), where))

    def config(self, group: str, option: str, value: str, where: str) -> None:
        """Take a global setting, such as ``compile``, ``unsafe_math_optimizations``, ``1``."""
        if (group, option) == ("compile", "unsafe_math_optimizations"):
            if value.lower() not in _ON:
                raise InputError(f"unsafe_math_optimizations = {value} is neither true nor false", where=where)
            self.solution.unsafe_math = value.lower() in _TRUE
        elif (group, option) in _NUMBERS:
            if not value.isdecimal():
                raise InputError(f"{option} = {value or 'nothing'} is not a whole number", where=where)
            if option in _POWERS and not _is_power(int(value), _POWERS[option]):
                upto = f" up to {_POWERS[option]}: tools pass over others" if _POWERS[option] else ""
                self.unknown(f"config_{group} -{option} {value}, not 0 or a power of two{upto}", where)
            else:
                setattr(self.solution, _NUMBERS[group, option], int(value))
                if group == "interface":
                    self.solution.of_buses[option] = f"{where}: config_interface -{option} {value}"
        elif (group, option) == ("dataflow", "default_channel") and value in ("fifo", "pingpong"):
            self.solution.fifo_channels = where if value == "fifo" else ""
        elif (group, option, value) not in _DEFAULTS:
            near = meant(option, [known for of, known in _FOLLOWED if of == group])
            self.unknown(f"{f'config_{group} -{option} {value}'.strip()}{near}", where)

    def project(self, solution: str | None = None) -> Project:
        """Return the project, with the settings of a solution, by default the first one."""
        names = tuple(dict.fromkeys(each.name for each in self.solutions if each.name))
        chosen = self.solutions[0]
        if solution is not None:
            found = [each for each in self.solutions if each.name == solution]
            if not found:
                words = f"no solution '{solution}' (solutions: {', '.join(names) or 'none'})"
                raise InputError(words, where=self.file)
            chosen = found[0]
        files, loops = chosen.files, chosen.pipeline_loops
        if not files.top[0]:
            raise InputError(f"no top function is set{self.hint or ' (set_top NAME; syn.top=NAME)'}", where=self.file)
        if not files.sources:
            raise InputError(f"no source is added{self.hint or ' (add_files FILE; syn.file=FILE)'}", where=self.file)
        return Project(
            file=self.file, top=files.top[0], top_at=files.top[1], sources=tuple(files.sources),
            testbench=tuple(files.testbench), include=tuple(files.include), defines=dict(files.defines),
            part=chosen.part, part_at=chosen.part_at, clock_ns=chosen.clock_ns,
            clock_uncertainty=chosen.uncertainty or (VIVADO if self.by_vivado else None),
            unsafe_math=chosen.unsafe_math, flow=chosen.flow,
            bus_latency=chosen.bus_latency, bus_beat=chosen.bus_beat, bus_aligned=chosen.bus_aligned,
            of_buses=tuple(chosen.of_buses.values()), fifo_depth=chosen.fifo_depth,
            pipeline_loops=loops if loops is not None else 0 if self.by_vivado else 64, by_vivado=self.by_vivado,
            override_depth=chosen.override_depth, fifo_channels=chosen.fifo_channels,
            directives=tuple(chosen.directives), boxes=tuple(files.boxes), solution=chosen.name, solutions=names,
            unknown=tuple(chosen.unknown), missing=tuple(files.missing),
            said=tuple(self.said),
        )  # fmt: skip


_NUMBERS = {
    ("compile", "pipeline_loops"): "pipeline_loops", ("dataflow", "fifo_depth"): "fifo_depth",
    ("dataflow", "override_user_fifo_depth"): "override_depth", ("interface", "m_axi_latency"): "bus_latency",
    ("interface", "m_axi_max_widen_bitwidth"): "bus_beat", ("interface", "m_axi_alignment_byte_size"): "bus_aligned",
}  # fmt: skip
"""Settings that are integers, by their names in a solution."""
_FOLLOWED = (*_NUMBERS, ("compile", "unsafe_math_optimizations"), ("dataflow", "default_channel"))
_POWERS = {"m_axi_max_widen_bitwidth": 1024, "m_axi_alignment_byte_size": 0}
"""Settings that are 0 or a power of two, with the largest value, 0 for any (UG1448, UG1399)."""
_DEFAULTS = frozenset((("rtl", "reset", "control"),))
"""Settings that ask for the default anyway."""


def _is_power(number: int, most: int) -> bool:
    return not number & (number - 1) and (not most or number <= most)


def _is_number(text: str) -> bool:
    return text.strip().replace(".", "", 1).isdecimal()
