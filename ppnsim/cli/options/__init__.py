"""Groups of options that commands share, and how they reach what a command works on."""
