"""What a board exports for other systems."""
