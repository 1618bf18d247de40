"""`python -m cli` is `lb`."""

from cli.main import main

main()
