"""What stands behind the names of `attn_helpers`: one thing a file, and the file is named for it."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036, an older one gets this far and one sentence
    raise SystemExit("This course needs Python 3.11 or newer; this is {}.{}.".format(*sys.version_info[:2]))
if sys.platform == "emscripten":
    from attn_parts import in_browser  # noqa: F401
