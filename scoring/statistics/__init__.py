"""Formulas with their sources, without suites or tables. Scores are shares, p-values two-sided."""
