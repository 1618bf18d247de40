"""Judge prompts and replies: what is asked, how a reply is read, and how good a judge is."""
