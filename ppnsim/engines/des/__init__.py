"""The SimPy engine: processes with read, execute and write stages over recording channels; the readable definition."""
