"""What becomes of our list when Colab moves on, on made-up lists of its versions."""

import pytest

import drift

OURS = "# Python 3.13\nipython==7.34.0\njupyter_core==5.9.1\nnumpy==2.1.3\n\n# Not Colab's\nzmq==1.0\n"
FREEZE = "ipython==7.34.0\njupyter_core==5.9.1\nnumpy==2.1.3\ntorch @ https://x.org/torch.whl\nzmq==2.0\n"
SYSTEM = "Ubuntu 22.04.5 LTS\nPython 3.13.15\n"


@pytest.mark.parametrize(
    ("before", "now", "ours"),
    [  # what Colab's lists say in place of what, and what replaces a line of ours
        ("", "", {}),
        ("numpy==2.1.3", "numpy==2.4.6", {"numpy==2.1.3": "numpy==2.4.6"}),
        ("Python 3.13.15", "Python 3.14.2", {"# Python 3.13": "# Python 3.14"}),
        ("Python 3.13.15", "Python 3.13.16", {}),
        ("numpy==2.1.3", "numpy @ file:///n.whl", {"numpy==2.1.3\n": ""}),
        ("jupyter_core==5.9.1", "Jupyter-Core==6.0", {"jupyter_core==5.9.1": "jupyter_core==6.0"}),
    ],
)
def test_what_moved_is_written(before, now, ours):
    wanted = OURS
    for line, instead in ours.items():
        wanted = wanted.replace(line, instead)
    assert (
        drift.moved(
            OURS,
            SYSTEM.replace(before, now),
            FREEZE.replace(before, now),
        )
        == wanted
    )
