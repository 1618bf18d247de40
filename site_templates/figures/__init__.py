"""Charts, badges and other drawings, as numbers for the templates."""
