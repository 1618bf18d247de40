"""The data files of the site."""
