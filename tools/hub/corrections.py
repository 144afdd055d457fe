"""What a JupyterHub does when a student opens the course's link again: answers stay, corrections arrive.

nbgitpuller alone merges notebooks as lines of text, lets the student's lines win without a word, and stops for good
when the teacher's branch was pushed by force. With this file as `/etc/jupyter/jupyter_server_config.py` of the
students' servers it is still nbgitpuller that answers the link, but the course is merged cell by cell:

- A file that the student has not changed becomes the corrected one; one that was deleted comes back.
- In a notebook that they have changed, every corrected cell that they have not touched is replaced. A cell that they
  have touched stays theirs, and the corrected one is shown below it. A note on top of the notebook says what is new.
- Another file that they have changed stays theirs; the corrected one is put beside it, "(corrected 2026-11-21)".
- A file of theirs that stands where a new one belongs is kept under another name, "(yours 2026-11-21)".
- `CORRECTIONS.md`, in the course's folder, lists everything that came.

No commit is made and the student's index is not touched, so there is nothing that can conflict.
"""

import datetime
import os
import pathlib
import re
import subprocess
import time
import warnings

import nbformat
from nbgitpuller.pull import GitPuller, execute_cmd

with warnings.catch_warnings(action="ignore"):  # that it guesses the server to be Jupyter's: so it is
    import nbgitpuller.handlers

DELIVERED = "refs/course/delivered"  # the teacher's commit that the student's folder has last received
NEWS = "CORRECTIONS.md"
# what reading something that is no notebook, or a strange one, comes to
NO_NOTEBOOK = ValueError, TypeError, KeyError, AttributeError, nbformat.ValidationError


def merge(base, ours, new, day):
    """Bring what the teacher changed from `base` to `new` into `ours`, the student's; return sentences about it.

    Cells are matched by their ids. Raises ValueError where less than half of the teacher's cells are there.
    """
    before, after = ({cell.id: cell for cell in notebook.cells} for notebook in (base, new))
    if 2 * len({cell.id for cell in ours.cells} & set(before)) < len(before):
        raise ValueError("less than half of the cells are there")
    names = [name for name in {**before, **after} if _content(before.get(name)) != _content(after.get(name))]
    mended = [name for name in names if _text(before.get(name)) != _text(after.get(name))]
    cells = _without_notes(ours.cells, {_note_id(name): before.get(name) for name in mended})
    told = []
    for name in names:
        said = _settle(cells, name, before.get(name), after.get(name), list(after))
        if said:
            told.append(f"{_heading(new if name in after else base, name)}: {said}")
    ours.cells = _with_news(cells, told, day)
    ours.nbformat_minor = max(ours.nbformat_minor, new.nbformat_minor)
    return told


def _settle(cells, name, before, after, order):
    """Do in `cells` what became of one of the teacher's; return what to say of it, if anything."""
    place = next((place for place, cell in enumerate(cells) if cell.id == name), None)
    if place is None:
        return _bring(cells, name, before, after, order)
    mine = cells[place]
    if after is None and _text(mine) == _text(before):
        del cells[place]
        return "a cell was taken out."
    if after is None:
        return "a cell was taken out of the lesson; you have changed it, so yours stays."
    if _text(before) == _text(after):
        return _show(cells, place, before, after)
    if _text(mine) == _text(after):  # they have it already
        return None
    if _text(mine) == _text(before):
        cells[place] = after
        return "a cell was corrected."
    cells.insert(place + 1, _note(name, "The cell above is yours and stays as it is.", after))
    return "a cell was corrected that you have changed: yours stays, the corrected one stands below it."


def _show(cells, place, before, after):
    """The same where only what is stored below the cell is another."""
    mine, said = cells[place], "a stored output is new"
    if _text(mine) != _text(before):
        said += "; you have changed its cell, so yours stays"
    elif _outputs(mine) != _outputs(before):
        said += "; yours stays until you run the cell again"
    else:
        cells[place] = after
    return f"{said}." if _outputs(before) != _outputs(after) else None


def _bring(cells, name, before, after, order):
    """Put a cell that the student does not have behind the one that it follows in the teacher's `order`."""
    if after is None:
        return None
    here = {cell.id: place for place, cell in enumerate(cells)}
    above = [here[other] for other in order[: order.index(name)] if other in here]
    place = above[-1] + 1 if above else 0
    if before is None:
        cells.insert(place, after)
        return "a cell is new."
    if _text(before) == _text(after):
        return "a stored output is new; you have deleted its cell."
    cells.insert(place, _note(name, "You had deleted this cell.", after))
    return "a cell was corrected that you have deleted; the corrected one is shown."


def _text(cell):
    return cell and (cell.cell_type, cell.source)


def _outputs(cell):
    """What a cell shows, without the numbers that count how often cells were run."""
    return [
        {key: output[key] for key in output if key != "execution_count"} for output in cell.get("outputs", [])
    ]


def _content(cell):
    return cell and (_text(cell), _outputs(cell), cell.metadata, cell.get("attachments"))


def _heading(notebook, name):
    """The heading under which a cell stands."""
    found = "Top"
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"(?ms)^\s*```.*?^\s*```", "", cell.source)
            found = (re.findall(r"(?m)^#{1,6} (.+?)\s*$", prose) or [found])[-1]
        if cell.id == name:
            return found


def _note(name, why, cell):
    """A cell that shows the corrected one; as text, so that running it cannot replace the student's answer."""
    return nbformat.v4.new_markdown_cell(f"**Corrected.** {why} {_shown(cell)}", id=_note_id(name))


def _shown(cell):
    shown = cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```"
    return f"The corrected one:\n\n{shown}"


def _note_id(name):
    return f"{name[:50]}-corrected"


def _without_notes(cells, outdated):
    """`cells` without notes of earlier corrections; one into which the student has written becomes a cell of theirs."""
    kept = []
    for cell in cells:
        if cell.id in outdated:
            shown = outdated[cell.id]
            if shown and cell.source.endswith(_shown(shown)):
                continue
            cell.id = nbformat.v4.new_markdown_cell().id
        kept.append(cell)
    return kept


def _with_news(cells, told, day):
    """`cells` with the sentences in a note on top, above those of earlier days."""
    if not told:
        return cells
    earlier = [cell for cell in cells if cell.id == "corrections"]
    news = f"**Corrected on {day}.** What you wrote is kept.\n\n" + "\n".join(f"- {line}" for line in told)
    news = "\n\n".join([news, *(cell.source for cell in earlier)])
    note = nbformat.v4.new_markdown_cell(news, id="corrections")
    rest = [cell for cell in cells if cell.id != "corrections"]
    return [*rest[:1], note, *rest[1:]]


class Folder:
    """A student's copy of the course, on one day. `told` collects what came."""

    def __init__(self, root, today=None):
        self.root, self.today, self.told = pathlib.Path(root), today or datetime.date.today(), []
        self.day = f"{self.today:%d %B %Y}".lstrip("0")

    def receive(self, path, base, new, name=None):
        """Bring a file from the contents `base` to `new`, either None where there is no file; `name`: its new name."""
        target, mine = self.root / (name or path), self._mine(path)
        if name and mine is not None:
            self._make_room(target)
            write(target, mine)
            (self.root / path).unlink(missing_ok=True)
            self.told.append(f"{path}: is now {name}")
        if new == (self._mine(name) if name else mine):
            return
        if mine is None or base is None:
            self._make_room(target)
            write(target, new)
            self.told.append(f"{name or path}: is new" if base is None else f"{name or path}: is here again")
        elif new is None and mine == base:
            target.unlink()
            self.told.append(f"{path}: was taken out")
        elif new is None:
            self.told.append(f"{path}: was taken out of the course; you have changed it, so yours stays")
        elif mine == base:
            write(target, new)
            self.told.append(f"{name or path}: was corrected")
        elif new != base:
            self._merge(target, base, mine, new)

    def _merge(self, target, base, mine, new):
        shown = target.relative_to(self.root).as_posix()
        try:
            if target.suffix != ".ipynb":
                raise ValueError("not a notebook")
            contents = [nbformat.reads(text.decode("utf-8"), as_version=4) for text in (base, mine, new)]
            lines = merge(*contents, self.day)
            write(target, nbformat.writes(contents[1]).encode("utf-8"))
            self.told += [f"{shown}: {line}" for line in lines]
        except NO_NOTEBOOK:
            beside = self._free(target, "corrected")
            write(beside, new)
            self.told.append(
                f"{shown}: was corrected; you have changed it, so the corrected one is {beside.name}"
            )

    def _mine(self, path):
        """The contents of the student's file of this name, None if there is none."""
        path = self.root / path
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None

    def _make_room(self, target):
        """Rename what the student has where a file of the course, or one of its folders, belongs."""
        for place in (*reversed(target.relative_to(self.root).parents[:-1]), target.relative_to(self.root)):
            place = self.root / place
            if os.path.lexists(place) and (place == target or place.is_symlink() or not place.is_dir()):
                kept = self._free(place, "yours")
                place.rename(kept)
                self.told.append(f"{kept.relative_to(self.root).as_posix()}: yours, under a new name")

    def _free(self, path, what):
        """A name that is not taken: `01 (corrected 2026-11-21).ipynb`."""
        names = (f"{path.stem} ({what} {self.today}{count}){path.suffix}" for count in _counts())
        return next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))

    def announce(self):
        """Write what came into CORRECTIONS.md, the newest day first."""
        if self.told:
            news = f"## {self.day}\n\n" + "\n".join(f"- {line}" for line in self.told) + "\n"
            earlier = self._mine(NEWS)
            if earlier is None:
                self._make_room(self.root / NEWS)
            write(self.root / NEWS, news.encode() + b"\n" + (earlier or b""))


def _counts():
    yield ""
    number = 2
    while True:
        yield f", {number}"
        number += 1


def write(path, contents):
    """Write the whole file or nothing of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(contents)
    os.replace(half, path)


class CoursePuller(GitPuller):
    """nbgitpuller's own, but for how a copy that is there already is brought up to date."""

    def git(self, *command):
        """What a git command prints, as bytes; it sees the folder's own repository and none above it."""
        repository = ["--git-dir", os.path.join(self.repo_dir, ".git")]
        return subprocess.run(["git", *repository, *command], check=True, capture_output=True).stdout

    def initialize_repo(self):
        yield from super().initialize_repo()
        self.git("update-ref", DELIVERED, "HEAD")

    def update(self):
        if not os.path.exists(os.path.join(self.repo_dir, ".git")):
            yield from execute_cmd(["git", "init", "--quiet", self.repo_dir])
        yield from self.fetch()
        base, new = self.delivered(), self.git("rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        old, fresh, folder = self.files(base), self.files(new), Folder(self.repo_dir)
        try:
            for path, name in self.changes(base, new, old, fresh):
                folder.receive(path, self.blob(old.get(path)), self.blob(fresh.get(name or path)), name)
        finally:
            folder.announce()
        self.git("update-ref", DELIVERED, new)
        yield from (f"{line}\n" for line in folder.told)

    def fetch(self):
        """Get the branch's newest commit; its history is of no use here, and may be another one than last time."""
        for name in (
            "shallow.lock",
            f"{DELIVERED}.lock",
        ):  # of a git that was killed: no git holds them for long
            lock = pathlib.Path(self.repo_dir, ".git", name)
            if lock.exists() and time.time() - lock.stat().st_mtime > 60:
                lock.unlink()
        repository = ["--git-dir", os.path.join(self.repo_dir, ".git")]
        depth = ["--depth=1"] if self.is_shallow() else []
        command = ["git", *repository, "fetch", "--no-tags", *depth, "--", self.git_url, self.branch_name]
        yield from execute_cmd(command)

    def is_shallow(self):
        return os.path.exists(os.path.join(self.repo_dir, ".git", "shallow"))

    def delivered(self):
        """The commit that the folder has last received, None if that is not known."""
        # what was cloned, before nbgitpuller merged anything
        first = "log", "--first-parent", "--max-parents=0", "--format=%H", "HEAD"
        known = first if self.is_shallow() else ("merge-base", "HEAD", "FETCH_HEAD")
        for command in (("rev-parse", "--verify", "--quiet", DELIVERED), known):
            try:
                return self.git(*command).decode().split()[0]
            except (subprocess.CalledProcessError, IndexError):
                continue
        return None

    def files(self, commit):
        """The files of a commit: {path: blob}."""
        listed = self.git("ls-tree", "-r", "-z", commit).decode().split("\0") if commit else []
        files = [entry for entry in listed if entry.startswith("100")]  # no links, no submodules
        entries = [entry.split("\t", 1) for entry in files]
        return {path: what.split()[2] for what, path in entries}

    def blob(self, name):
        return self.git("cat-file", "blob", name) if name else None

    def changes(self, base, new, old, fresh):
        """Pairs of a path and its new name, or None, of all that differs between two commits or is not there."""
        diff = "diff", "--find-renames", "--diff-filter=R", "--name-status", "-z"
        fields = self.git(*diff, base, new).decode().split("\0") if base else []
        renamed = dict(zip(fields[1::3], fields[2::3], strict=True))
        for path in sorted({*old, *fresh} - set(renamed.values())):
            lost = path in fresh and not os.path.lexists(os.path.join(self.repo_dir, path))
            if path in renamed or lost or old.get(path) != fresh.get(path):
                yield path, renamed.get(path)


nbgitpuller.handlers.GitPuller = CoursePuller
