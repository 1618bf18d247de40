"""The forms in which harnesses and providers write what a model answered: one module per family.

`known_forms.py` lists those of harnesses, `provider_replies.py` those of providers. `converter.py`
turns a file in any of them into the records of a responses file.
"""
