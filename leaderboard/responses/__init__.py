"""What a system answered: the forms of a responses file, of steps and of tools."""
