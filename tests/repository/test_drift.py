"""What is said when Colab moves on, on made-up lists of its versions."""

import pytest

import drift

OURS = (
    "# Python 3.13\nipython==7.34.0\nipywidgets==7.7.1\njupyter_core==5.9.1\nnumpy==2.1.3\n\n# Not "
    "Colab's\nzmq==1.0\n"
)
FREEZE = (
    "ipython==7.34.0\nipywidgets==7.7.1\njupyter_core==5.9.1\nnumpy==2.1.3\ntorch @ "
    "https://x.org/torch.whl\nzmq==1.0\n"
)
LISTS = {drift.OURS: OURS, "os-info.txt": "Ubuntu 22.04.5 LTS\nPython 3.13.15\n", "pip-freeze.txt": FREEZE}
NUMPY = "5: numpy 2.1.3 moved. Write numpy==2.4.6"
PYTHON = "1: Python 3.13 moved. Write # Python 3.14"
DRIFTS = [  # what Colab's lists say in place of what, and what we are told
    ("numpy==2.1.3", "numpy==2.4.6", [NUMPY]),
    ("Python 3.13.15, numpy==2.1.3", "Python 3.14.2, numpy==2.4.6", [PYTHON, NUMPY]),
    ("ipywidgets==7.7.1\n", "", ["3: ipywidgets 7.7.1 moved. pip-freeze.txt has no version of it"]),
    ("numpy==2.1.3", "numpy @ file:///n.whl", ["5: numpy 2.1.3 moved. pip-freeze.txt has no version of it"]),
    ("jupyter_core==5.9.1", "Jupyter-Core==6.0", ["4: jupyter_core 5.9.1 moved. Write jupyter_core==6.0"]),
    ("Python 3.13.15", "Python 3.13.16", []),
    ("zmq==1.0", "zmq==2.0", []),
]


@pytest.mark.parametrize(("before", "now", "told"), DRIFTS)
def test_what_moved_is_told_with_the_line_to_change(before, now, told, tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    for file, text in LISTS.items():
        for old, new in zip(before.split(", "), now.split(", "), strict=True):
            text = text if file == drift.OURS else text.replace(old, new)
        (tmp_path / file).write_text(text, "utf-8")
    monkeypatch.setattr(drift, "ROOT", tmp_path)
    if told:
        with pytest.raises(SystemExit) as failed:
            drift.main(str(tmp_path))
        assert str(failed.value) == "\n".join(f"{drift.OURS}:{line}" for line in told) + drift.THEN
        drift.main(str(tmp_path), "--write")
    drift.main(str(tmp_path))
    assert (tmp_path / drift.OURS).read_text("utf-8").endswith("\n# Not Colab's\nzmq==1.0\n")
