"""One module per provider of a judge."""
