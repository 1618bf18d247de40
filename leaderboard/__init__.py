"""The nouns of Toolboard (suite, case, submission, response, verdict), and readers of their files.

Nothing here scores, renders, prints or uses the network. `scoring`, `replay`, `runners` and
`site_templates` import this package, and never each other.
"""
