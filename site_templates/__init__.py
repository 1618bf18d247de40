"""The site: page models made from a board, the templates that show them, and the builder that writes the files.

`build.build` is the way in. Nothing here scores, judges or touches the network: a `board.Board` comes in complete.
"""
