"""What commands print: messages, tables, problems and reports."""
