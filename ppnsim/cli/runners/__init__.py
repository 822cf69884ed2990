"""What ``ppnsim run`` does with each kind of file."""
