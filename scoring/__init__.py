"""Decisions and numbers: rules, judging, and the tables of scores."""
