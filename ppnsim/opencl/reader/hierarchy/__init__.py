"""Steps as they are found, and the hierarchy of blocks, loops and branches that they become."""
