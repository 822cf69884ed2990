"""Printed figures of the sources beside ours, each with its verdict: ``python -m validation``."""

import sys
from importlib.util import find_spec

if find_spec("rich") is None:  # whatever of it is run, by a Python that does not have what it needs
    sys.stderr.write(
        "validation: 'rich' is not installed for this Python; with an environment that has what ppnsim needs:\n"
        "  python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python -m validation\n"
    )
    raise SystemExit(2)
