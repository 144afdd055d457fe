"""What is said when Colab moves on, on made-up lists of its versions."""

import pytest

import drift

OURS = "# Python 3.13\nipython==7.34.0\nipywidgets==7.7.1\njupyter_core==5.9.1\nnumpy==2.1.3\n\n# Not Colab's\nnbformat==5.11.1\n"
SYSTEM = "Ubuntu 22.04.5 LTS\nPython 3.13.15\nR version 4.6.1 (2026-06-24)\n"
FREEZE = "ipython==7.34.0\nipywidgets==7.7.1\njupyter_core==5.9.1\nnbformat==5.11.1\nnumpy==2.1.3\ntorch @ https://x.org/torch.whl\n"
NUMPY = "5: numpy was 2.1.3 and is 2.4.6 now. Write numpy==2.4.6"
PYTHON = "1: Python was 3.13 and is 3.14 now. Write # Python 3.14"
DRIFTS = {  # what Colab's lists say now, in place of what before, and what we are told
    "a package": (["numpy==2.1.3", "numpy==2.4.6"], [NUMPY]),
    "Python": (["Python 3.13.15", "Python 3.14.2"], [PYTHON]),
    "both": (["Python 3.13.15", "Python 3.14.2", "numpy==2.1.3", "numpy==2.4.6"], [PYTHON, NUMPY]),
    "back to an older one": (
        ["ipython==7.34.0", "ipython==7.9.0"],
        ["2: ipython was 7.34.0 and is 7.9.0 now. Write ipython==7.9.0"],
    ),
    "a longer version": (
        ["numpy==2.1.3", "numpy==2.1.3.post1"],
        ["5: numpy was 2.1.3 and is 2.1.3.post1 now. Write numpy==2.1.3.post1"],
    ),
    "gone": (
        ["ipywidgets==7.7.1\n", ""],
        ["3: ipywidgets was 7.7.1 and is gone. See how pip-freeze.txt lists it, or take the line out."],
    ),
    "built by Colab": (
        ["numpy==2.1.3", "numpy @ file:///numpy-2.1.3.whl"],
        ["5: numpy was 2.1.3 and is gone. See how pip-freeze.txt lists it, or take the line out."],
    ),
    "a name spelt otherwise": (
        ["jupyter_core==5.9.1", "Jupyter-Core==6.0"],
        ["4: jupyter_core was 5.9.1 and is 6.0 now. Write jupyter_core==6.0"],
    ),
    "Python's third number": (["Python 3.13.15", "Python 3.13.16"], []),
    "not one of ours": (["nbformat==5.11.1", "nbformat==6.0", "torch @", "torch2 @"], []),
}


@pytest.mark.parametrize("name", DRIFTS)
def test_what_moved_is_told_with_the_line_to_change(name, tmp_path, monkeypatch):
    changes, wanted = DRIFTS[name]
    texts = {"os-info.txt": SYSTEM, "pip-freeze.txt": FREEZE, drift.OURS: OURS}
    (tmp_path / "tests").mkdir()
    for file, text in texts.items():
        for before, now in zip(changes[::2], changes[1::2], strict=True):
            text = text.replace(before, now) if file != drift.OURS else text
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.setattr(drift, "ROOT", tmp_path)
    if wanted:
        with pytest.raises(SystemExit) as failed:
            drift.main([str(tmp_path)])
        assert str(failed.value) == "\n".join(f"{drift.OURS}:{line}" for line in wanted) + drift.THEN
    drift.main([str(tmp_path), "--write"])
    assert drift.main([str(tmp_path)]) == "Colab's versions are those of our file."
    assert (tmp_path / drift.OURS).read_text().endswith("\n# Not Colab's\nnbformat==5.11.1\n")
