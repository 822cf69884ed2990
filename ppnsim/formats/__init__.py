"""Files that describe networks: network JSON and scenario TOML, read and written; the only room that knows pydantic."""
