"""Lesson 14, transfer: the bytes of a KV cache from a model's config, made of choices."""

from attn_checks.exercise import Step, Steps, exercise, with_each

SETTINGS = "tokens layers kv_heads head_dim sliding window linear latent"
ROW_MISTAKES = {
    "keys-alone": lambda kv_heads, head_dim, latent: latent or kv_heads * head_dim,
    "latent-ignored": lambda kv_heads, head_dim, latent: 2 * kv_heads * head_dim,
    "latent-twice": lambda kv_heads, head_dim, latent: 2 * (latent or kv_heads * head_dim),
    "latent-added": lambda kv_heads, head_dim, latent: 2 * kv_heads * head_dim + latent,
    "latent-always": lambda kv_heads, head_dim, latent: latent,
    "one-head": lambda kv_heads, head_dim, latent: latent or 2 * head_dim,
}
FULL_MISTAKES = {
    "sliding-not-taken-off": lambda layers, sliding, linear: layers - linear,
    "linear-not-taken-off": lambda layers, sliding, linear: layers - sliding,
    "all-layers": lambda layers, sliding, linear: layers,
    "full-missing": lambda layers, sliding, linear: 0,
    "one-layer": lambda layers, sliding, linear: 1,
}
WINDOW_MISTAKES = {
    "window-too-long": lambda tokens, window: window,
    "window-ignored": lambda tokens, window: tokens,
    "larger-of-two": lambda tokens, window: max(tokens, window),
    "window-not-kept": lambda tokens, window: 0,
    "beyond-the-window": [
        lambda tokens, window: max(tokens - window, 0),
        lambda tokens, window: tokens - window,
    ],
    "window-rounded": [
        lambda tokens, window: min(tokens, window) - 1,
        lambda tokens, window: min(tokens, window + 1),
    ],
}
SUM_MISTAKES = {
    "sliding-once": lambda full, tokens, sliding, near, linear: full * tokens + (near if sliding else 0),
    "window-times-tokens": lambda full, tokens, sliding, near, linear: (
        full * tokens + sliding * near * tokens
    ),
    "linear-counted": lambda full, tokens, sliding, near, linear: full * tokens + sliding * near + linear,
    "tokens-missing": lambda full, tokens, sliding, near, linear: full + sliding * near,
}
BYTES_MISTAKES = {
    "numbers-not-bytes": lambda row, rows: row * rows,
    "another-size": with_each((4, 8), lambda row, rows, size: size * row * rows),
    "bits": lambda row, rows: 16 * row * rows,
    "gigabytes": with_each(
        (1e9, 1e6, 1e3, 2**30, 2**20, 2**10),
        lambda row, rows, unit: 2 * row * rows / unit,
    ),
}
# rows: how many of them all layers keep together
OF_SOME_LAYERS = {
    "latent-in-one-layer": [
        lambda rows, tokens, latent, *_: tokens if latent else rows,
        lambda rows, tokens, latent, *_: 0.5 if latent else rows,
    ],
    "matrix-counted": lambda rows, tokens, latent, linear, head_dim: rows + linear * head_dim**2,
}
STEPS = Steps(
    SETTINGS,
    {
        "row": Step(
            "kv_heads head_dim latent",
            "row",
            ROW_MISTAKES,
            lambda kv_heads, head_dim, latent: latent or 2 * kv_heads * head_dim,
        ),
        "full": Step(
            "layers sliding linear",
            "full",
            FULL_MISTAKES,
            lambda layers, sliding, linear: layers - sliding - linear,
        ),
        "window": Step("tokens window", "near", WINDOW_MISTAKES, min),
        "sum": Step(
            "full tokens sliding near linear",
            "rows",
            SUM_MISTAKES,
            lambda full, tokens, sliding, near, linear: full * tokens + sliding * near,
        ),
        "some layers": Step("rows tokens latent linear head_dim", "rows", OF_SOME_LAYERS),
        "bytes": Step("row rows", "result", BYTES_MISTAKES, lambda row, rows: 2 * row * rows),
    },
)


def cache(*settings):
    return STEPS.whole({})(*settings)


def by(count):
    """Made of the numbers in a row, layers that keep all, tokens, layers with windows, and their tokens."""

    def way(tokens, layers, kv_heads, head_dim, sliding, window, linear, latent):
        row = latent or 2 * kv_heads * head_dim
        return count(row, layers - sliding - linear, tokens, sliding, min(tokens, window))

    return way


def all_alike(tokens, layers, kv_heads, head_dim, *settings):
    return 2 * tokens * layers * 2 * kv_heads * head_dim


OTHERS = {
    "per-token": lambda tokens, *settings: cache(1, *settings),
    "all-alike": [all_alike, lambda *settings: all_alike(*settings) // 2],
    "layers-alike": lambda *settings: cache(*settings[:4], 0, 0, 0, settings[-1]),
    "row-for-some": [
        by(lambda row, full, tokens, sliding, near: 2 * row * full * tokens + sliding * near),
        by(lambda row, full, tokens, sliding, near: 2 * row * full * tokens + 2 * sliding * near),
    ],
    "window-everywhere": lambda tokens, layers, kv_heads, head_dim, sliding, window, *others: cache(
        min(tokens, window) if sliding else tokens, layers, kv_heads, head_dim, sliding, window, *others
    ),
}


@exercise(
    inputs={
        "smallest": (3, 2, 1, 5, 0, 0, 0, 0),
        "all layers alike": (10, 4, 2, 8, 0, 0, 0, 0),
        "a window in some layers": (100, 6, 2, 4, 4, 16, 0, 0),
        "a text shorter than the window": (5, 6, 2, 4, 4, 16, 0, 0),
        "a window in all layers": (50, 3, 1, 7, 3, 8, 0, 0),
        "a latent row": (20, 5, 0, 0, 0, 0, 0, 24),
        "a latent row beside heads": (20, 5, 4, 16, 0, 0, 0, 24),
        "linear layers": (30, 8, 2, 6, 0, 0, 6, 0),
        "windows and linear layers": (40, 9, 3, 4, 2, 10, 4, 0),
    },
    mistakes=[STEPS.mistakes(), OTHERS],
    steps=STEPS,
    result="bytes",
)
def cache_bytes(tokens, layers, kv_heads, head_dim, sliding, window, linear, latent):
    """Check `f(tokens, layers, kv_heads, head_dim, sliding, window, linear, latent)` → bytes of the KV cache,
    2 a number.

    Returns Feedback.
    """
    return cache(tokens, layers, kv_heads, head_dim, sliding, window, linear, latent)
