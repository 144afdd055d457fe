"""Predictions, answered by a click on a button, and questions, answered by a typed letter."""

import html

from attn_checks.ask.progress import PREDICTED, record
from attn_checks.ask.questions import Question, as_html, as_text, question
from attn_checks.tell.feedback import MARKS, NOT_YET, Feedback, linked, not_attempted, say
from attn_parts.live_view import show_live

# name of a question -> its Prediction: running a cell again shows what was chosen
MADE: dict[str, "Prediction"] = {}
# Long options break into lines, and stay readable when the buttons no longer work.
STYLE = """<style>
button.jupyter-button.attn-option {white-space: normal; text-align: left; line-height: 1.5; padding: 5px 12px}
button.jupyter-button.attn-option:disabled {opacity: 1; cursor: default}
button.jupyter-button.attn-option:focus-visible {outline: 2px solid currentColor; outline-offset: 1px}
button.jupyter-button.attn-chosen {font-weight: bold; outline: 1px solid currentColor}
</style>"""


def explain(slug: str, answer: str) -> Feedback:
    """Check the letter chosen for a question; the reply says why. Returns Feedback.

    Raises
    ------
    KeyError
        If there is no such question.
    """
    return record(slug, replied(question(slug), answer), str(question(slug)))


def replied(item: Question, answer: object) -> Feedback:
    if answer is ... or answer is None:
        return not_attempted("answer")
    try:
        letter = item.letter(answer)
    except ValueError as error:
        return say("error", "no-such-option", "answer", "no such option", advice=str(error))
    reply = as_text(item.options[letter][1])
    if letter == item.right:
        return say("passed", None, f"answer {letter}", "passed", reply)
    return say(
        "incorrect", f"chose-{letter}", f"answer {letter}", "not yet", advice=reply, see=item.see or ""
    )


def predict(slug: str) -> "Prediction":
    """Ask for a prediction. As the last line of a cell it shows the question with a button for each option.

    Returns
    -------
    Prediction
        The same one whenever you ask for it again, so that the choice stays.

    Raises
    ------
    KeyError
        If there is no such question; the message lists those that there are.

    Examples
    --------
    >>> import attn_checks as check
    >>> check.predict("04-add-constant").chosen is None  # nothing chosen yet
    True
    """
    if slug not in MADE:
        MADE[slug] = Prediction(slug)
    return MADE[slug]


class Prediction:
    """A question, and the option that the reader has committed to.

    `chosen` is its letter, and `right` whether that is the key; None before a choice. Displays the live
    `widget`, and beside it the question with its options as folds for pages without a kernel.
    """

    def __init__(self, slug):
        import ipywidgets as widgets

        self.slug = slug
        self.question = question(slug)
        self.chosen = None
        self.right = None
        self.buttons = {letter: self._button(letter) for letter in self.question.options}
        self.reply = widgets.HTML('<div role="status"></div>')
        self.widget = widgets.VBox(
            [widgets.HTML(f"{STYLE}{self._asked()}"), *self.buttons.values(), self.reply],
            layout=widgets.Layout(max_width="760px"),
        )

    def _button(self, letter):
        import ipywidgets as widgets

        button = widgets.Button(
            description=f"{letter.upper()}. {as_text(self.question.options[letter][0])}",
            layout=widgets.Layout(width="auto", height="auto", margin="2px"),
        )
        button.add_class("attn-option")
        button.on_click(lambda _: self._clicked(letter))
        return button

    def _clicked(self, letter):
        try:
            self._commit(letter)
        except Exception as error:  # shown to the reader, who would see it nowhere else
            problem = html.escape(f"{type(error).__name__}: {error}")
            self.reply.value = f'<div role="status">This answer could not be shown: {problem}</div>'

    def choose(self, answer):
        """Commit to an option, as a click on it does, and return this Prediction. The first choice stays."""
        self._commit(self.question.letter(answer))
        return self

    def _commit(self, letter):
        if self.chosen is None:
            self.chosen = letter
            self.right = letter == self.question.right
            PREDICTED[self.slug] = self.right
            self._show_chosen()

    def _show_chosen(self):
        for button in self.buttons.values():
            button.disabled = True
        button = self.buttons[self.chosen]
        button.description = f"{'✓' if self.right else '✗'} {button.description} (your choice)"
        button.add_class("attn-chosen")
        self.reply.value = f'<div role="status">{self._answered()}</div>{self._others()}'

    @property
    def _verdict(self):
        letter = self.chosen.upper()
        return f"✓ {letter} is right." if self.right else f"✗ Not {letter}."

    def _asked(self):
        return f'<div style="line-height:1.5"><strong>{as_html(self.question.text)}</strong></div>'

    def _answered(self):
        """HTML of the reply to the option chosen."""
        again = linked(self.question.see) if self.question.see and not self.right else ""
        _, color = MARKS["passed"] if self.right else NOT_YET
        return (
            f'<div style="border-left:4px solid {color};padding:2px 0 2px 10px;line-height:1.5">'
            f"<strong>{self._verdict}</strong> {as_html(self.question.options[self.chosen][1])}"
            + (f"<div>{again}</div></div>" if again else "</div>")
        )

    def _others(self):
        folds = "".join(self._fold(letter) for letter in self.question.options if letter != self.chosen)
        return f'<div style="line-height:1.5;margin-top:6px">The other options:{folds}</div>'

    def _fold(self, letter):
        option, reply = self.question.options[letter]
        verdict = "✓ Right." if letter == self.question.right else "✗ Not quite."
        return (
            f'<details><summary style="display:list-item"><strong>{letter.upper()}.</strong> '
            f"{as_html(option)}</summary>"
            f'<div style="margin:2px 0 6px 20px">{verdict} {as_html(reply)}</div></details>'
        )

    def __str__(self):
        if self.chosen is None:
            return str(self.question)
        return f"{self.question}\n{self._verdict} {as_text(self.question.options[self.chosen][1])}"

    __repr__ = __str__

    def _ipython_display_(self):
        show_live(self.widget, self.still())

    def still(self):
        """The question with its options as folds: what shows where no kernel runs."""
        if self.chosen:
            below = self._answered() + self._others()
        else:
            folds = "".join(map(self._fold, self.question.options))
            below = f"<div>Decide, then open your answer:</div>{folds}"
        return {"text/html": f"{self._asked()}{below}", "text/plain": str(self)}
