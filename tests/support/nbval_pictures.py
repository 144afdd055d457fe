"""What nbval leaves out: pictures, and cells that were never run.

A pytest plugin, loaded by `-p nbval_pictures` in pyproject.toml. nbval re-runs every notebook and compares
text exactly. With this plugin it also compares every stored PNG inside an `<img>` of HTML with the one drawn
now, and any other picture exactly (of an SVG its text, so that a failure can be read); and it fails for a
code cell without an execution count.

PNG files are compared by the root mean square over all pixels, of 255. With the pinned versions they come out
the same to the byte. TOLERANCE allows for a pixel that another processor rounds; 1 % more or less in a
heatmap's data gives 0.27 and up.

Other versions of matplotlib set letters differently. For them `pytest --coarse-pictures` compares pictures
shrunk to a sixteenth: over the whole course matplotlib 3.9.0 and 3.10.0 differ by 1.0 to 8.1 from 3.11.2,
while a transposed heatmap, a flipped axis, another colormap or colour scale gives 21 to 23, and a missing
label changes the size.
"""

import base64
import copy
import io
import re
import shutil

import numpy as np
from nbval import plugin as nbval
from PIL import Image, ImageChops

TOLERANCE = 0.05
COARSE_TOLERANCE = 12
COARSE_SIDE = 0.015  # the part of its length by which a side may differ with other letters
FOLDER = "test-results/pictures"
DATA = re.compile(r"data:image/(png|svg\+xml);base64,([A-Za-z0-9+/=\s]+)")


def pytest_addoption(parser):
    parser.addoption(
        "--coarse-pictures",
        action="store_true",
        help="compare notebook pictures without their fine detail, for other versions of matplotlib",
    )


def pytest_sessionstart(session):
    coarse = session.config.getoption("--coarse-pictures")  # of other versions, which may run meanwhile
    if not coarse and not hasattr(session.config, "workerinput"):
        shutil.rmtree(session.config.rootpath / FOLDER, ignore_errors=True)


class LessonCell(nbval.IPyNbCell):
    def runtest(self):
        if self.cell.execution_count is None:
            self.raise_cell_error("This cell has never been run; python tools/refresh.py runs the notebook")
        super().runtest()

    def compare_outputs(self, test, ref, skip_compare=None):
        # tools/refresh.py puts an empty output before those that are folded
        shown = [output for output in ref if output.get("data") != {"text/plain": ""}]
        (now, pictures_now), (stored, pictures_stored) = map(without_pictures, (test, shown))
        if not super().compare_outputs(now, stored, skip_compare):
            return False
        pairs = zip(
            pictures_stored,
            pictures_now,
            strict=True,
        )  # their places were compared just now
        problems = [self.compare_pictures(number, *pair) for number, pair in enumerate(pairs, 1)]
        self.comparison_traceback = [problem for problem in problems if problem]
        return not self.comparison_traceback

    def compare_pictures(self, number, *files):
        """None if two PNG files look the same, else what differs; leaves three files to look at."""
        if files[0] == files[1]:
            return None
        stored, now = map(picture, files)
        what = difference(stored, now, self.config.getoption("--coarse-pictures"))
        if what is None:
            return None
        folder = self.config.rootpath / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{self.path.stem}-{self.cell.get('id', self.cell_num)}-{number}"
        changes = ImageChops.difference(stored, now).point(lambda value: 10 * value)
        for kind, image in (("stored", stored), ("now", now), ("difference", changes)):
            image.save(folder / f"{stem}-{kind}.png")
        return f"Picture {number} {what}. Look at {FOLDER}/{stem}-*.png"

    def repr_failure(self, excinfo):
        report = super().repr_failure(excinfo)
        if not isinstance(excinfo.value, nbval.NbCellError):
            return report
        cell = f"{self.path.name}, cell {self.cell.get('id')}"
        return f"{cell}: see CONTRIBUTING.md, When a cell fails.\n{report}"


def without_pictures(outputs):
    """A copy of the outputs in a form that nbval compares whole, and the PNG files taken out of it."""
    outputs = copy.deepcopy(outputs)
    files = []

    def take(match):
        raw = base64.b64decode(match[2])
        if match[1] == "svg+xml":
            return raw.decode("utf-8")
        files.append(raw)
        return f"<PNG picture {len(files)}>"

    for output in outputs:
        data = output.get("data", {})
        for mime in [mime for mime, value in data.items() if isinstance(value, str)]:
            # nbval skips image/png and image/jpeg under their own names
            data[mime.replace("image/", "bare ")] = DATA.sub(take, data.pop(mime))
    return outputs, files


def difference(stored, now, coarse=False):
    """None if two pictures look the same, else what differs, in words."""
    farthest = max(abs(a - b) / a for a, b in zip(stored.size, now.size, strict=True))
    if farthest > (COARSE_SIDE if coarse else 0):
        return "is {} x {} pixels, the stored one {} x {}".format(*now.size, *stored.size)
    size = [side // 16 for side in stored.size] if coarse else stored.size
    pixels = [np.asarray(image.resize(size, Image.Resampling.BOX), float) for image in (stored, now)]
    rms = np.sqrt(((pixels[0] - pixels[1]) ** 2).mean())
    tolerance = COARSE_TOLERANCE if coarse else TOLERANCE
    if rms > tolerance:
        return f"differs from the stored one: root mean square {rms:.3g}, allowed {tolerance:.3g}"
    return None


def picture(png):
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGBA").convert("RGB")


def pytest_itemcollected(item):
    if type(item) is nbval.IPyNbCell:
        item.__class__ = LessonCell  # nbval has no hook for a class of one's own
