"""What nbval leaves out: pictures, cells that were never run, exceptions that no longer happen.

A pytest plugin, loaded by `-p nbval_pictures` in pyproject.toml. nbval re-runs every notebook and compares
text exactly. With this plugin it also

* compares every stored PNG with the one drawn now, whether a bare image/png or inside an `<img>` of HTML;
  the rest of that HTML, the alternative text included, is still compared exactly;
* compares SVG pictures by their decoded text, exactly;
* fails for a code cell that has no execution count, which nbval would let pass unseen;
* fails for a cell tagged raises-exception that raises nothing.

The tolerance is the root mean square over all pixels, of 255. With the pinned versions a picture comes out
the same to the byte, so it only has to allow for a pixel rounded the other way by another processor; 1 % more
or less in a heatmap's data gives 0.27 for 32 x 32 cells without numbers, 3 and more with. For other versions
of matplotlib, whose letters differ, give a larger one: `pytest --picture-tolerance 12`.
"""

import base64
import copy
import io
import re
import shutil

import numpy as np
from nbval import plugin as nbval
from PIL import Image

TOLERANCE = 0.05
FOLDER = "test-results/pictures"
DATA = re.compile(r"data:image/(png|svg\+xml);base64,([A-Za-z0-9+/=\s]+)")


def pytest_addoption(parser):
    parser.addoption(
        "--picture-tolerance",
        type=float,
        default=TOLERANCE,
        help=f"root mean square difference allowed in notebook pictures, of 255 (default {TOLERANCE})",
    )


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):
        shutil.rmtree(session.config.rootpath / FOLDER, ignore_errors=True)


class LessonCell(nbval.IPyNbCell):
    """A notebook cell under test."""

    def runtest(self):
        if self.cell.execution_count is None:
            self.raise_cell_error("This cell has never been run; python .ci/refresh.py runs the notebook")
        super().runtest()

    def compare_outputs(self, test, ref, skip_compare=None):
        if self.options["check_exception"] and not any(out.output_type == "error" for out in test):
            self.comparison_traceback = ["The cell is tagged raises-exception but raises nothing."]
            return False
        now, pictures_now = without_pictures(test)
        stored, pictures_stored = without_pictures(ref)
        if not super().compare_outputs(now, stored, skip_compare):
            return False
        pairs = zip(
            pictures_stored, pictures_now, strict=True
        )  # as many: their places were compared just now
        problems = [self.compare_pictures(number, *pair) for number, pair in enumerate(pairs, 1)]
        self.comparison_traceback = [problem for problem in problems if problem]
        return not self.comparison_traceback

    def compare_pictures(self, number, stored, now):
        """None if the two PNG files look the same, else what differs; leaves pictures to look at."""
        if stored == now:
            return None
        pixels_stored, pixels_now = pixels(stored), pixels(now)
        if pixels_stored.shape == pixels_now.shape:
            difference = np.abs(pixels_stored - pixels_now)
            rms = float(np.sqrt((difference**2).mean()))
            tolerance = self.config.getoption("--picture-tolerance")
            if rms <= tolerance:
                return None
            what = f"differs from the stored one: root mean square {rms:.3g}, allowed {tolerance:.3g}"
            shown = np.clip(difference * 10, 0, 255).astype(np.uint8)
        else:
            sizes = [f"{p.shape[1]} x {p.shape[0]}" for p in (pixels_stored, pixels_now)]
            what, shown = f"is {sizes[1]} pixels, the stored one {sizes[0]}", None
        folder = self.config.rootpath / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{self.path.stem}-{self.cell.get('id', self.cell_num)}-{number}"
        (folder / f"{stem}-stored.png").write_bytes(stored)
        (folder / f"{stem}-now.png").write_bytes(now)
        if shown is not None:
            Image.fromarray(shown).save(folder / f"{stem}-difference.png")
        return f"Picture {number} {what}. Look at {FOLDER}/{stem}-*.png"

    def repr_failure(self, excinfo):
        report = super().repr_failure(excinfo)
        if not isinstance(excinfo.value, nbval.NbCellError):
            return report
        return (
            f"{self.path.name}, cell {self.cell.get('id')}: see CONTRIBUTING.md, When a cell fails.\n{report}"
        )


def without_pictures(outputs):
    """A copy of the outputs with pictures in a form that nbval compares, and the PNG files taken out."""
    outputs, files = copy.deepcopy(outputs), []

    def take(match):
        raw = base64.b64decode(match[2])
        if match[1] == "svg+xml":
            return f"<SVG picture>{raw.decode('utf-8')}</SVG picture>"
        files.append(raw)
        return f"<PNG picture {len(files)}>"

    for output in outputs:
        data = output.get("data", {})
        for mime in ("image/png", "image/jpeg"):  # nbval skips both under their own names
            if mime in data:
                data[f"{mime} picture"] = (
                    f"data:image/png;base64,{data.pop(mime)}" if "png" in mime else data.pop(mime)
                )
        for mime, value in data.items():
            if isinstance(value, str):
                data[mime] = DATA.sub(take, value)
    return outputs, files


def pixels(png):
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGBA").convert("RGB"), dtype=float)


def pytest_itemcollected(item):
    if type(item) is nbval.IPyNbCell:
        item.__class__ = LessonCell  # nbval has no hook for a class of one's own
