"""The version, which the package, its pages and the command line tell."""

VERSION = "0.1.0"
