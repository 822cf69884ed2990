"""``python -m ppnsim`` is the command ``ppnsim``."""

from ppnsim.cli.main import process

if __name__ == "__main__":
    process()
