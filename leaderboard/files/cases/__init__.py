"""Cases of a category file: one reader per kind of suite."""
