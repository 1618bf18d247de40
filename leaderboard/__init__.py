"""The nouns of Toolboard: what a suite, a case, a submission, a response and a verdict are, and how they are read from files.

Nothing in this package scores, renders, prints or touches the network; the four packages beside it (`scoring`, `replay`,
`runners`, `site_templates`) stand on it and never on each other.
"""
