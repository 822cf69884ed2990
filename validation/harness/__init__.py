"""What runs the sections, judges the rows and writes the report."""
