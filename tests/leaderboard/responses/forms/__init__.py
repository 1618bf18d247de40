"""Files in the forms of other systems."""
