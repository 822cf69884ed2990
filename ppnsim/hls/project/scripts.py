"""A reader for ``run_hls.tcl``: the commands of Vitis HLS and Vivado HLS in a Tcl script."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.settings import Settings
from ppnsim.hls.project.tcl import Tcl
from ppnsim.hls.project.tcl_words import items
from ppnsim.hls.project.words import meant

_QUIET = frozenset(
    """csim_design csynth_design cosim_design export_design close_solution close_project
    delete_project delete_solution close_component exec get_clock_period config_export config_cosim config_csim
    config_debug config_sdx help list_part ::common::set_param set_param enable_beta_device""".split()  # noqa: SIM905
)
"""Commands that run the tool, or that concern steps after synthesis."""
_PLAIN = frozenset(("tb", "blackbox", "reset", "appendflags", "off", "register", "region", "recursive", "rewind"))
_BARE = _PLAIN | frozenset(
    "skip_exit_check skip_exit_test enable_flush unsafe_math_optimizations default disable_start_propagation".split()  # noqa: SIM905
)
"""Options without a value, unless the next word looks like one."""
_OF_FILES = frozenset(("tb", "cflags", "csimflags", "blackbox"))
"""Options of ``add_files``."""

_GONE = ": it is not there"
"""The end of a note about a file that a script sources."""


def read_script(path: str, arguments: Sequence[str] = ()) -> Settings:
    """Return the settings of a Tcl script; ``arguments`` are its ``argv``.

    Raises
    ------
    InputError
        With file and line: invalid Tcl, a missing file, an invalid clock.
    """
    settings = Settings(path, Path(path).parent)
    text = Path(path).read_text(encoding="utf-8", errors="replace") if Path(path).is_file() else ""
    settings.by_vivado = "generated automatically by Vivado HLS" in text
    if not arguments and re.search(r"\bargv\b", text):  # $argv0 is the name of the script
        settings.hint = "; the script takes arguments ($argv) and none is given (--tclargs)"
    script = Tcl(path, arguments, _Tool(settings).command)
    script.run()
    settings.said = [*script.variables.said.values()]
    return settings


class _Tool:
    """The receiver of the tool's commands."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.commands: Mapping[str, Callable[[Sequence[str], str], None]] = {
            "set_top": self._set_top, "add_files": self._add_files, "add_file": self._add_files,
            "open_solution": self._open_solution, "set_part": self._set_part, "create_clock": self._create_clock,
            "open_project": self._open_project, "cd": self._cd,
            "open_component": self._open_component, "set_clock_uncertainty": self._set_clock_uncertainty,
        }  # fmt: skip

    def command(self, name: str, arguments: Sequence[str], where: str) -> None:
        self.settings.synthesizes |= name == "csynth_design"
        if name == "source" and arguments[0].endswith(_GONE):
            gone = arguments[0].removesuffix(_GONE)
            self.settings.hint = f"; '{gone}', which it sources, is not there: the build, or another script, makes it"
        if name in self.commands:
            self.commands[name](arguments, where)
        elif name.startswith("set_directive_"):
            self._directive(name.removeprefix("set_directive_"), arguments, where)
        elif name.startswith("config_") and name not in _QUIET:
            options, rest = _options(arguments, _BARE - {"reset"})  # open_solution -reset, but config_rtl -reset all
            for option, value in [*options, *(("", each) for each in rest)]:
                self.settings.config(name.removeprefix("config_"), option, value, where)
        elif name not in _QUIET:
            self.settings.unknown(f"{' '.join([name, *arguments])}{meant(name, self.commands)}", where)

    def _set_top(self, arguments: Sequence[str], where: str) -> None:
        if not arguments or not arguments[-1]:
            raise InputError(f"set_top names no function{self.settings.hint}", where=where)
        if "$" in arguments[-1]:
            raise InputError(f"set_top {arguments[-1]}: the variable has no value{self.settings.hint}", where=where)
        self.settings.files.top = (arguments[-1], where)

    def _add_files(self, arguments: Sequence[str], where: str) -> None:
        options, names = _options(arguments)
        given = dict(options)
        if "blackbox" in given:
            for name in (each for listed in names for each in _names(listed, where)):
                self.settings.black_box(name, where)
            return
        for option, value in options:
            if option not in _OF_FILES:
                self.settings.unknown(f"add_files -{option} {value}".rstrip(), where)
        for name in (each for listed in names for each in _names(listed, where)):
            self.settings.add(name, where, testbench="tb" in given)
        if "cflags" in given and "tb" not in given:
            self.settings.flags(given["cflags"], where)

    def _open_solution(self, arguments: Sequence[str], where: str) -> None:
        options, names = _options(arguments)
        self.settings.open(names[-1] if names else "")
        if (flow := dict(options).get("flow_target")) is not None:
            self.settings.flow(flow, where)

    def _cd(self, arguments: Sequence[str], where: str) -> None:
        """Note that the change to another folder is not followed; most scripts change to their own folder."""
        base, name = self.settings.base.resolve(), Path(*arguments[:1])
        if (base / name).resolve() != base and name.name != base.name:
            self.settings.unknown(f"cd {name}: names of files stay those from the folder of the script", where)

    def _open_project(self, arguments: Sequence[str], _where: str) -> None:
        self.settings.open_project(again="reset" not in dict(_options(arguments)[0]))

    def _open_component(self, arguments: Sequence[str], where: str) -> None:
        options, names = _options(arguments)
        self.settings.open_component(names[-1] if names else "")
        if (flow := dict(options).get("flow_target")) is not None:
            self.settings.flow(flow, where)

    def _set_part(self, arguments: Sequence[str], where: str) -> None:
        _, names = _options(arguments)
        self.settings.part(names[-1] if names else "", where)

    def _create_clock(self, arguments: Sequence[str], where: str) -> None:
        period = dict(_options(arguments)[0]).get("period")
        if period is None:
            raise InputError("create_clock has no -period", where=where)
        self.settings.clock(period, where)

    def _set_clock_uncertainty(self, arguments: Sequence[str], where: str) -> None:
        _, words = _options(arguments)
        if not words:
            raise InputError("set_clock_uncertainty says no uncertainty", where=where)
        self.settings.clock_uncertainty(words[0], where, *words[1:2])

    def _directive(self, name: str, arguments: Sequence[str], where: str) -> None:
        options, words = _options(arguments)
        if name == "top":
            self.settings.unknown(" ".join(["set_directive_top", *arguments]), where)
            return
        if not words:
            raise InputError(f"set_directive_{name} is for no function", where=where)
        self.settings.directive(name, words[0], [*options, *(("", each) for each in words[1:])], where)


def _names(listed: str, where: str) -> list[str]:
    """Return the files of a list; backslashes of a Windows path are no escapes if nothing is quoted.

    Examples
    --------
    >>> _names('"a.cpp" b.cpp', ""), _names("a.cpp b.cpp", "")
    (['a.cpp', 'b.cpp'], ['a.cpp', 'b.cpp'])
    """
    return items(listed, where) if '"' in listed or "{" in listed else listed.split()


def _options(
    arguments: Sequence[str], bare: Collection[str] = _BARE
) -> tuple[list[tuple[str, str]], list[str]]:  # fmt: skip
    """Return the options of a command with their values, and its other words; ``bare`` options have no value.

    Examples
    --------
    >>> _options(["-II", "2", "top/loop", "-off", "-dim=1", "a"])
    ([('II', '2'), ('off', ''), ('dim', '1')], ['top/loop', 'a'])
    """
    options, words = [], []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or len(word) == 1:
            words.append(word)
        elif "=" in word:
            name, _, value = word[1:].partition("=")
            options.append((name, value))
        elif word[1:].lower() in bare and not (rest and rest[0].lower() in ("true", "false", "0", "1")):
            options.append((word[1:], ""))
        else:
            valued = rest and not (rest[0].startswith("-") and not rest[0][1:2].isdigit() and word != "-cflags")
            options.append((word[1:], rest.pop(0) if valued else ""))
    return options, words
