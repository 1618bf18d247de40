"""Simulated APIs: catalogues, queries, the virtual API server, its cache, the choice of tools."""
