"""The command line `lb`: one command per module; the only code that prints or exits."""
