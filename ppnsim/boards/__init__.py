"""What boards and devices are: one class, and one table for each of them."""
