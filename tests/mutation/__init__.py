"""Do the tests notice? ``python -m tests.mutation --journal tests/mutation/verdicts.jsonl`` goes on with a batch."""
