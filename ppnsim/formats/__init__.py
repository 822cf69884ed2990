"""Files to networks and back; the only room that knows pydantic."""
