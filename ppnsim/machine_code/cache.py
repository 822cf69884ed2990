"""The user's cache of machine code: a file for each kernel, named after all that it depends on."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

KEPT = 256  # kernels, 5 to 100 kB each


def cache_home() -> Path:
    """Return the user's cache directory for ppnsim; it need not exist."""
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "ppnsim"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "ppnsim"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "ppnsim"


def keeps_any() -> bool:
    """Return whether the cache holds machine code, so that most of what is asked for is loaded and not compiled."""
    try:
        return any(cache_home().joinpath("kernels").iterdir())
    except (OSError, RuntimeError):  # none yet, nowhere to read, or no home at all
        return False


def kept(key: str, make: Callable[[], bytes]) -> bytes:
    """Return what the cache has under a key, else what ``make`` returns, which is kept if there is where to write.

    A file says what it holds; one that was not written to its end is made again.
    """
    try:
        path = cache_home() / "kernels" / f"{sha256(key.encode()).hexdigest()[:32]}.o"
        found = path.read_bytes()
        if sha256(found[32:]).digest() == found[:32]:
            return found[32:]
    except FileNotFoundError:
        pass
    except (OSError, RuntimeError):  # nowhere to read, or no home at all
        return make()
    made = make()
    with suppress(OSError):
        _write(path, sha256(made).digest() + made)
    return made


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
    latest = sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for each in latest[KEPT:]:
        each.unlink(missing_ok=True)
