"""Steps of an exercise that is one loop: each step makes a choice in it, rightly or by a mistake."""

from attn_checks.exercise import Step, Steps


def always(choice):
    return lambda: choice


def choices(takes, whole, **each):
    """Steps that make one choice each, and a last one that runs `whole` with all of them by name.

    each: name of a choice to the right one and the mistakes, whose ways are wrong choices.
    """
    steps, count = {}, len(takes.split())
    for name, (right, *mistakes) in each.items():
        wrong = [mistake._replace(ways=list(map(always, mistake.ways))) for mistake in mistakes]
        steps[name] = Step("", name, wrong, always(right))

    def run(*values):
        return whole(*values[:count], **dict(zip(each, values[count:], strict=True)))

    return Steps(takes, steps | {"run": Step(" ".join([takes, *each]), "result", (), run)})
