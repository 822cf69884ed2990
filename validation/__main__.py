"""``python -m validation [NAME ...]``."""

from __future__ import annotations

import sys

from validation.harness.cli import main

if __name__ == "__main__":
    sys.exit(main())
