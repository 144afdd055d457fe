"""One file a lesson: its exercises, with their inputs and the mistakes that people make."""
