"""The commands of `lb`, one module each. They never import each other."""
