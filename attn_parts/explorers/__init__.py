"""One picture with sliders a file, named for its lesson."""
