"""Page models, one module per page."""
