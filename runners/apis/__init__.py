"""Simulated APIs: tool catalogues and queries, the virtual API server with its cache, and the choice of tools for a query."""
