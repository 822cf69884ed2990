"""Models: those of this program by name, and a user's own. Nothing here, or imported here, runs anything."""
