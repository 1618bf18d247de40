"""The forms in which harnesses and providers write what a model answered: one module per family.

`converter.py` turns a file in any of them into the records of a responses file.
"""
