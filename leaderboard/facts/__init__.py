"""Facts of a case: what the text of a right answer must state, ask for, find wrong or refuse."""
