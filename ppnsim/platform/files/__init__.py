"""Platforms and applications in TOML."""
