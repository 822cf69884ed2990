"""``python -m ppnsim`` is the command ``ppnsim``."""

from ppnsim.cli.main import main

if __name__ == "__main__":
    main()
