"""Process networks, their tokens, the timeline of a run and the run itself; no engine and no file format."""
