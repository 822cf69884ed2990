"""Pictures of platforms and of runs on them."""
