"""All questions of the course, gathered from the files of this folder: one a lesson, lessonNN_<what>.py."""

import importlib
import pkgutil


def gather(files):
    """The questions of {name of a file: its questions} in one table.

    Raises
    ------
    ValueError
        If a name is there twice, or does not start with the number of its file's lesson.
    """
    table = {}
    for file, questions in files.items():
        lesson = file.removeprefix("lesson")[:2]
        stray = [slug for slug in questions if slug in table or not slug.startswith(f"{lesson}-")]
        if stray:
            raise ValueError(f"{file}.py: a question here is named {lesson}-…, once; see {', '.join(stray)}")
        table |= questions
    return table


QUESTIONS = gather(
    {
        module.name: importlib.import_module(f"{__name__}.{module.name}").QUESTIONS
        for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name)
    }
)


def question(slug):
    """The question of this name; as the last line of a cell it shows itself and its options.

    Raises
    ------
    KeyError
        If there is no such question; the message lists those that there are.
    """
    if slug not in QUESTIONS:
        raise KeyError(f"no question {slug!r}; there are {', '.join(QUESTIONS)}")
    return QUESTIONS[slug]
