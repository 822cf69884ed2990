"""Pictures of placements and of runs across nodes."""
