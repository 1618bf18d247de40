"""One module per framework. It imports the framework when it runs, so no other is needed."""
