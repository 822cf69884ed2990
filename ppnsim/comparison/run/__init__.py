"""What is simulated, one file per kind of source: its parameters, its points, its run, and why a model differs."""
