"""``python -m tests.fuzz``: what it needs takes seconds to import, and Ctrl-C is answered meanwhile, too."""

import sys

if __name__ == "__main__":
    try:
        from tests.fuzz.command import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
