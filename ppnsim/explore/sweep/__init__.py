"""One network at many points of its parameters."""
