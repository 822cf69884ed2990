"""Networks across nodes at many points of their parameters."""
