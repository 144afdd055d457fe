"""What stands behind the names of `attn_helpers`: one thing a file, and the file is named for it."""

import sys

if sys.platform == "emscripten":
    from attn_parts import in_browser  # noqa: F401
