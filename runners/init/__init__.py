"""What `lb init` writes: a new board."""
