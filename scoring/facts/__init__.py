"""Facts of cases: how texts are read, and what the facts decide about them."""
