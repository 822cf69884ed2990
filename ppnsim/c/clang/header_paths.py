"""Paths of the standard headers: those of the installed gcc, or the small ones that come with ppnsim."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

STUBS = Path(__file__).with_name("headers")
# Declarations of the vendor's headers for high-level synthesis; folders of -I come first.
VENDOR = ("-idirafter", str(STUBS / "vendor"))


@cache
def header_arguments() -> tuple[str, ...]:
    """Return clang's arguments for the standard headers.

    The libclang wheel has no ``stddef.h``. If gcc or its C library (``stdio.h``) is missing, the stubs replace all
    headers.
    """
    own = _gcc_headers()
    if own and Path("/usr/include/stdio.h").is_file():
        return ("-isystem", own, *VENDOR)
    return ("-nostdinc", "-isystem", str(STUBS), *VENDOR)


def opencl_arguments(standard: str) -> tuple[str, ...]:
    """Return clang's arguments for OpenCL C of a standard (CL1.2, CL2.0); its address spaces are those of SPIR."""
    return ("-x", "cl", f"-cl-std={standard}", "-target", "spir64", "-nostdinc", "-isystem", str(STUBS / "opencl"))


def _gcc_headers() -> str:
    if not (gcc := shutil.which("gcc")):
        return ""
    found = subprocess.run(
        [gcc, "-print-file-name=include"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return found if Path(found, "stddef.h").is_file() else ""
