"""What the text of a function says about its variables, before anything is lowered."""
