"""The loops of a kernel as hardware has them."""
