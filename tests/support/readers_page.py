"""A page as `mine.page()` writes it, for the tests that verify, forge and drop it."""

import numpy as np

from attn_checks.kept import page as pages
from students import SOFTMAX

IMPORTS = "import os\n\nimport numpy as np"
OF_THE_COURSE = f"{IMPORTS}\nimport attn_checks as check\nimport attn_helpers as attn"
SCORES = "def scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)"
SCALED = "def scaled_scores(Q, K):\n    return scores(Q, K) / np.sqrt(Q.shape[-1])"
Q, K = [[1.0, 0.5], [0.0, 2.0]], [[3.0, 1.0], [1.0, 1.0]]
PICTURE = {"scores(Q, K)": np.round(np.array(Q) @ np.array(K).T, 2)}
MISTAKES = [("softmax", "normalised over the queries", "2026-11-02", "2026-11-20")]


def made(functions, imports=IMPORTS, **more):
    written = [pages.Written(name, code, pages.record_of(imports, code)) for name, code in functions.items()]
    parts = {"name": "Zoë", "made": "2026-11-28", "words": (), "Q": (), "K": (), "pictures": {}}
    return pages.Page(**parts | {"imports": imports, "functions": written} | more)


HONEST = made(
    {"softmax": SOFTMAX, "scores": SCORES, "scaled_scores": SCALED},
    words=["süßer", "a<b"],
    Q=Q,
    K=K,
    pictures=PICTURE,
    gpt=("400 names", 2.05, 2.46, ["mira", "tol\nven"]),
    mistakes=MISTAKES,
)
TEXT = pages.html_of(HONEST)
