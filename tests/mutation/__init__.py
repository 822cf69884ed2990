"""Do the tests notice? ``python -m tests.mutation --seed S --count N [--room R] [--file F:LINE]``."""
