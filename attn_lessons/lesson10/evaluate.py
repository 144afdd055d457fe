"""Lesson 10: loss and accuracy of answers, made of three steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, told_apart
from attn_parts import mathematics as maths

TEST = "l10-test"


def of_right(probabilities, targets):
    return probabilities[np.arange(len(targets)), targets]


def hits(probabilities, targets):
    return probabilities.argmax(axis=1) == targets


# fmt: off
STEPS = Steps("probabilities targets", {
    "pick": Step("probabilities targets", "right", [
        Mistake("every-target", "every row gives several numbers",
            say="You take several words from every row, as probabilities[:, targets] does. You need one number per row: give a list of rows as well, np.arange(n).",
            ways=[lambda probabilities, targets: probabilities[:, targets], lambda probabilities, targets: probabilities]),
        Mistake("diagonal", "the diagonal is taken",
            say="The diagonal is right only if sentence i has target i. Take from each row the column that targets names.",
            ways=[lambda probabilities, targets: probabilities.diagonal()]),
        Mistake("rows-taken", "targets pick rows",
            say="targets picks rows of probabilities, but it holds the numbers of columns. Give a list of rows first, np.arange(n), and then targets.",
            ways=[lambda probabilities, targets: probabilities[targets], lambda probabilities, targets: probabilities[targets, np.arange(len(targets))]]),
        Mistake("largest-taken", "the largest probability of each row",
            say="You measure the loss of the most probable word. The loss looks at the *right* word, however improbable it is.",
            ways=[lambda probabilities, targets: probabilities.max(axis=1)])], of_right),
    "loss": Step("right probabilities", "loss", [
        Mistake("logarithm-of-the-mean", "the logarithm of the mean",
            say="You take the mean first and the logarithm after it. The loss of each sentence is −ln p, so take the logarithm first.",
            ways=[lambda right, *_: -np.log(right.mean())]),
        Mistake("summed", "the losses aren't averaged over sentences",
            say="Your loss grows with the number of sentences. Take the mean over them.",
            ways=[lambda right, *_: -np.log(right).sum(), lambda right, probabilities: -np.log(right).sum() / probabilities.shape[1]]),
        Mistake("loss-negative", "the loss has the wrong sign",
            say="Your loss is negative. ln of a number below 1 is negative, and the loss is −ln p.",
            ways=[lambda right, *_: np.log(right).mean()]),
        Mistake("another-base", "a logarithm to another base",
            say="Your loss uses another base. Guessing among five should cost ln 5 = 1.61, and np.log is ln.",
            ways=[lambda right, *_: -np.log2(right).mean(), lambda right, *_: -np.log10(right).mean()]),
        Mistake("no-logarithm", "no logarithm",
            say="Your loss has no logarithm. Cross-entropy is the mean of −ln p.",
            ways=[lambda right, *_: 1 - right.mean(), lambda right, *_: right.mean(), lambda right, *_: -right.mean()]),
        Mistake("not-averaged", "one loss per sentence",
            say="You return a loss for each sentence. Take their mean.",
            ways=[lambda right, *_: -np.log(right)])], lambda right, *_: -np.log(right).mean()),
    "hits": Step("probabilities targets", "hit", [
        Mistake("columns-searched", "searched down the columns",
            say="argmax(axis=0) finds the best *sentence* for each word. Each sentence is a row, so search along axis 1.",
            ways=[lambda probabilities, targets: probabilities.argmax(axis=0) == targets]),
        Mistake("above-one-half", "right means above one half",
            say="You count answers with a probability above 1/2. The most probable of five words may have less than that and still be right.",
            ways=[lambda probabilities, targets: of_right(probabilities, targets) > 0.5]),
        Mistake("whole-array-searched", "one largest number for all sentences",
            say="Your argmax searches all sentences at once. Search each row of probabilities, with axis=1.",
            ways=[lambda probabilities, targets: probabilities.argmax() == targets,
                lambda probabilities, targets: of_right(probabilities, targets).argmax() == targets]),
        Mistake("probability-for-number", "the accuracy is always 0",
            say="Your accuracy is always 0. Do you compare a probability with the number of a word? argmax gives the *number* of the most probable word, and targets holds the numbers of the right ones.",
            ways=[lambda probabilities, targets: probabilities.max(axis=1) == targets,
                lambda probabilities, targets: probabilities.argmax(axis=1) == of_right(probabilities, targets)]),
        Mistake("least-probable", "the least probable word",
            say="You compare the targets with the *least* probable word. Use argmax.",
            ways=[lambda probabilities, targets: probabilities.argmin(axis=1) == targets]),
        Mistake("probability-averaged", "a mean probability, not a fraction of right answers",
            say="Your accuracy is a mean probability. Count the rows whose most probable word is the right one.",
            ways=[of_right, lambda probabilities, targets: probabilities.max(axis=1)]),
        Mistake("errors-counted", "errors are counted, not right answers",
            say="You give the fraction of *wrong* answers.",
            ways=[lambda probabilities, targets: ~hits(probabilities, targets)])], hits),
    "fraction": Step("hit probabilities", "accuracy", [
        Mistake("counted", "a count, not a fraction",
            say="You count the right answers. Divide by the number of sentences, or take the mean of True and False.",
            ways=[lambda hit, probabilities: hit.sum()]),
        Mistake("divided-by-words", "divided by the number of words",
            say="You divide the number of right answers by the number of words. Divide by the number of sentences.",
            ways=[lambda hit, probabilities: hit.sum() / probabilities.shape[1]]),
        Mistake("percent", "percent",
            say="Your accuracy is in percent. Return a fraction from 0 to 1.",
            ways=[lambda hit, probabilities: 100 * hit.mean()]),
        Mistake("not-averaged", "one answer per sentence",
            say="You return True or False for each sentence. Their mean is the accuracy.",
            ways=[lambda hit, probabilities: hit])], lambda hit, probabilities: hit.mean()),
    "return": Step("loss accuracy", "result", [
        Mistake("other-order", "accuracy before loss",
            say="You return the accuracy first. Return the loss, then the accuracy.",
            ways=[lambda loss, accuracy: (accuracy, loss)])], lambda loss, accuracy: (loss, accuracy)),
})
evaluated = STEPS.whole({})
# As a way to put hits together it would turn other mistakes into 1 or 0, whatever they are.
ALL_OR_NOTHING = Mistake("all-or-nothing", "whether all answers are right, not how many",
    say="Your accuracy is 1 if all answers are right, and 0 otherwise. Do you use all(), int() or //? The mean of True and False is the fraction that is right.",
    ways=[lambda probabilities, targets: (evaluated(probabilities, targets)[0], hits(probabilities, targets).all())])
SOME_ONLY = Mistake("some-sentences", "a sentence is left out",
    say="Your result doesn't count every sentence. Is return inside the loop, or does range leave out the first or the last?",
    ways=[lambda p, targets, part=part, of=of: tuple(np.array(evaluated(p[part], targets[part])) * of(targets[part]) / of(targets))
        for part in (slice(1), slice(-1, None), slice(-1), slice(1, None)) for of in (len, np.ndim)])


def one_by_one(ask, given, wanted, got):
    """Say which sentence, asked about alone, goes wrong."""
    for number, (row, target) in enumerate(zip(*given, strict=True)):
        alone = row[None], np.array([target])
        for name, mine, right in zip(("loss", "accuracy"), ask(*alone) or (), evaluated(*alone), strict=False):
            if mine.shape == () and not np.isclose(mine, right):
                here, there = told_apart(mine, right)
                return f"For sentence {number} alone your {name} is {here}, and should be {there}."
    return "For each sentence alone your result is right, so look at how you put the sentences together."


def answers_of(targets, words):
    """Random probabilities of so many words, and the targets."""
    return lambda draw: (maths.softmax(draw(len(targets), words) + draw(len(targets), words) / 9), np.array(targets))


@exercise(own=one_by_one, mistakes=[*STEPS.mistakes(), ALL_OR_NOTHING, SOME_ONLY], result=("loss", "accuracy"), see=TEST, steps=STEPS, inputs={
    "two sentences": (np.array([[0.5, 0.2, 0.3], [0.4, 0.5, 0.1]]), np.array([0, 2])),
    "sentence i has target i": answers_of([0, 1, 2], words=3),
    "as many sentences as words": answers_of([2, 0, 2, 1], words=4),
    "more sentences than words": (
        np.array([[0.4, 0.35, 0.25], [0.1, 0.3, 0.6], [0.2, 0.7, 0.1], [0.45, 0.3, 0.25], [0.6, 0.3, 0.1]]), np.array([0, 2, 0, 1, 0])),
    "one sentence": (np.array([[0.2, 0.8]]), np.array([1])),
    "one right word that is very improbable": (np.array([[0.9998, 0.0002]]), np.array([1])),
    "all right": (np.array([[0.9, 0.1], [0.25, 0.75], [0.4, 0.6]]), np.array([0, 1, 1])),
})
def evaluate(probabilities, targets):
    """Check `f(probabilities, targets)` → (mean loss, accuracy). Returns Feedback."""
    return evaluated(probabilities, targets)
