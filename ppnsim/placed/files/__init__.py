"""Networks across nodes in TOML."""
