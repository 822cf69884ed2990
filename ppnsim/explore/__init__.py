"""Questions that are answered by running a network again and again."""
