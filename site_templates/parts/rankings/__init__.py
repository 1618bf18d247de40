"""Rankings: their rows, columns, pages, and what is shown beside a score."""
