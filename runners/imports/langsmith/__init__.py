"""LangSmith examples and runs."""
