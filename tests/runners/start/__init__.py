"""Tests of what `lb init` writes."""
