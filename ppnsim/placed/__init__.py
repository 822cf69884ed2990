"""Networks whose processes are placed on the nodes of a platform."""
