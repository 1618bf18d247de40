"""The site: page models made from a board, their templates, and the builder that writes the files.

Start at `builder.build`. It gets a complete `board.Board`: nothing here scores, judges or uses the
network.
"""
