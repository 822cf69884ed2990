"""Loop programs written as C."""
