"""Pictures of a comparison: lines, bars and clouds, and maps of the error over two parameters."""
