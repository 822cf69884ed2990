"""Why a run takes as long as it does, and what would change that."""
