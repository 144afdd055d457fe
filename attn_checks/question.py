"""A question with options, each of which is answered in its own way; how it is shown and answered."""

import html
import re
import reprlib
from dataclasses import dataclass

from attn_checks.feedback import say
from attn_checks.running import guarded

MARKUP = re.compile(r"`([^`]+)`|\*([^*\s](?:[^*]*[^*\s])?)\*")  # `code` or *emphasis*


def as_text(text):
    """The text without its marks: stars and backticks are for HTML."""
    return MARKUP.sub(lambda found: found[1] or found[2], text)


def as_html(text):
    """HTML of a text in which *stars* mark emphasis and `backticks` code.

    >>> as_html("never *more* than `Q * K`")
    'never <em>more</em> than <code>Q * K</code>'
    """
    return MARKUP.sub(
        lambda found: f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>",
        html.escape(text, quote=False),
    )


@dataclass(frozen=True)
class Question:
    """A question, its options, and what is said to a reader who chooses each of them.

    Displays itself: the question and its options, no replies.

    Attributes
    ----------
    text : str
        The question; *stars* mark emphasis, `backticks` code, here and below.
    options : dict
        Letter -> (option, reply), two to four of them, lettered from "a".
    right : str
        The letter of the right option.
    see : str or None
        The section to read again after a wrong answer, as "lesson 04, Temperature".

    Raises
    ------
    ValueError
        If there are too few or too many options, or `right` is none of them.

    Examples
    --------
    >>> sky = Question("The sky is", {"a": ("blue", "Look up."), "b": ("green", "That is grass.")}, right="a")
    >>> sky.feedback("b").message.splitlines()
    ['answer b: not yet.', 'That is grass.']
    """

    text: str
    options: dict
    right: str
    see: str | None = None

    def __post_init__(self):
        letters = "".join(self.options)
        if letters not in ("ab", "abc", "abcd"):
            raise ValueError(
                f"a question has 2 to 4 options, lettered from a; got {letters!r} in {self.text!r}"
            )
        if self.right not in self.options:
            raise ValueError(f"right={self.right!r} is none of the options {letters!r} in {self.text!r}")

    def letter(self, answer):
        """The letter that an answer such as "B", "(b)" or "b." means.

        Raises
        ------
        ValueError
            If there is no such option.
        """
        letter, _, _ = guarded(lambda: self._meant(answer))
        if letter is None:
            got = guarded(lambda: reprlib.repr(answer))[0] or f"an object of type {type(answer).__name__}"
            raise ValueError(f"Got {got}; choose one of {', '.join(self.options)}, in quotes.")
        return letter

    def _meant(self, answer):
        """The letter of the option that the first words of an answer name, or None."""
        given = str(answer)[:100].strip().lower().strip("(). ")
        return next((letter for letter in self.options if letter == given), None)

    def feedback(self, answer):
        """What is said to a reader who gives this answer. Returns Feedback."""
        try:
            letter = self.letter(answer)
        except ValueError as error:
            return say("error", "no-such-option", "answer: no such option.", [str(error)])
        reply = as_text(self.options[letter][1])
        if letter == self.right:
            return say("passed", None, f"answer {letter}: passed.", [reply])
        again = f"Look again at: {self.see}" if self.see else ""
        return say("incorrect", f"chose-{letter}", f"answer {letter}: not yet.", [reply, again])

    def __str__(self):
        options = (f"  {letter}) {as_text(option)}" for letter, (option, _) in self.options.items())
        return "\n".join([as_text(self.text), *options])

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        options = "".join(
            f"<div><strong>{letter})</strong> {as_html(option)}</div>"
            for letter, (option, _) in self.options.items()
        )
        return {
            "text/html": f"<div><strong>{as_html(self.text)}</strong></div>{options}",
            "text/plain": str(self),
        }
