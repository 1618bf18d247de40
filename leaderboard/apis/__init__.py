"""Simulated APIs: their definitions and names, and what an answer says it called."""
