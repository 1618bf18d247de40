"""StableToolBench and its wrapper."""
