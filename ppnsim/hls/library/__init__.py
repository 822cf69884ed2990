"""What operators cost on a device: time and area."""
