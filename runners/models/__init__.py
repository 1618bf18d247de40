"""Asking a model: providers, conversations, retries and the journal of a run."""
