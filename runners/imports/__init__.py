"""Other systems' data and results, as suites and submissions."""
