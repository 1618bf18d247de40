"""Strategies that understand nothing, and what they score on the shipped suites."""
