"""Section rtl."""
