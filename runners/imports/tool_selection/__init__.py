"""The tool-selection tester."""
