"""Results as text for the terminal and as JSON for other programs."""
