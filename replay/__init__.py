"""Judge calls, recorded and replayed."""
