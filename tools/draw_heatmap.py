"""Draw the picture of README.md: whom each word of the running example attends to, under the causal mask.

python tools/draw_heatmap.py           write .github/heatmap.png
python tools/draw_heatmap.py FILE      write another file
"""

import sys

from set_address import ROOT

sys.path.insert(0, str(ROOT))
import attn_helpers as attn  # noqa: E402

PICTURE = ROOT / ".github" / "heatmap.png"


def main(file=PICTURE):
    tokens, X, W_Q, W_K, W_V = attn.load_example()
    mask = attn.causal_mask(len(tokens))
    _, weights = attn.self_attention(X, W_Q, W_K, W_V, mask)
    picture = attn.plot_attention(weights, tokens, mask=mask)
    picture.figure.savefig(file, dpi=150, bbox_inches="tight", metadata={"Software": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
