"""Default arguments of a Tcl script: the first word compared with ``$argv`` with which the script synthesizes."""

from __future__ import annotations

import re
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.scripts import read_script
from ppnsim.hls.project.settings import Settings

_ARM = re.compile(r"^[ \t]*\"?([A-Za-z]\w*)\"?[ \t]*\{", re.MULTILINE)
_COMPARED = re.compile(r"(?:==|\beq\b)\s*[\"{]?([A-Za-z]\w*)|[\"{]([A-Za-z]\w*)[\"}]\s*(?:==|\beq\b)")
_COMMANDS = frozenset("if else elseif while for foreach switch catch try finally default proc puts".split())  # noqa: SIM905
_MOST = 12


def with_own_word(path: str) -> Settings | None:
    """Return the settings of a script that uses ``$argv`` to choose what to run, with a word from its comparisons.

    None if no single word makes it synthesize: the user then has to give one. The settings say which word was used.
    """
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    compared = [word for found in _COMPARED.findall(text) for word in found if word]
    words = [each for each in dict.fromkeys([*_ARM.findall(text), *compared]) if each not in _COMMANDS]
    for word in words[:_MOST] if "argv" in text else ():
        try:
            settings = read_script(path, [word])
            settings.project()
        except InputError:
            continue
        if settings.synthesizes:
            others = f" (of {', '.join(words)})" if len(words) > 1 else ""
            told = f"{path}: the script takes arguments and none is given: '{word}' is taken{others}, with which it"
            settings.said.append(f"{told} synthesizes; --tclargs gives others")
            return settings
    return None
