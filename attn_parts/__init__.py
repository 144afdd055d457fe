"""What stands behind the names of `attn_helpers`: one thing a file, and the file is named for it."""
