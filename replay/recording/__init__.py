"""Recording judge calls that no cassette holds yet."""
