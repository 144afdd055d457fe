"""Everything about one lesson but its notebook: a folder per lesson, a file per exercise."""

import attn_parts  # noqa: F401, which asks for a Python that is new enough
