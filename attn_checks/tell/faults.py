"""What is said of a fault in how a function works, and of one that the course can't run or doesn't count."""

from collections.abc import Sequence

from attn_checks.tell.feedback import Feedback, say

# What would harm the kernel, by the name of the harm: a verdict, and what to say.
HARM = {
    "endless-loop": (
        "stopped because it didn't end",
        (
            "On a tiny input your function ran for half a second without returning. Look for a loop that "
            "never ends, a sleep, very large arrays, or a lot of printing."
        ),
    ),
    "interrupted": (
        "interrupted",
        (
            "Your function was interrupted before it returned: by you, or by itself, with "
            "KeyboardInterrupt or a signal. Look for a loop that never ends: on macOS and Windows, or "
            "once torch is imported, the check can't stop one by itself."
        ),
    ),
    "too-large": (
        "stopped because it needs too much memory",
        (
            "On a tiny input your function makes millions of numbers. Look for a shape or a loop that is "
            "far larger than the input."
        ),
    ),
    "forks": (
        "stopped because it starts a second process",
        "After os.fork two processes would both go on running this notebook. Take os.fork out.",
    ),
    "replaced": (
        "nothing can be checked",
        (
            "Your notebook has replaced {0}, with a line such as `{1} = …`. Delete that line, restart "
            "the kernel, and run your cells again."
        ),
    ),
    "ends-python": (
        "stopped because it ends Python itself",
        (
            "The check runs your function in a separate process, and it ended that process: with "
            "os._exit, by a crash, or by writing to the checker's pipe. In this notebook you would have "
            "lost everything in memory."
        ),
    ),
}

# Faults in how a function works: what it looks like, and what to say.
FAULTS = {
    "prints-instead-of-returning": (
        "it prints the result",
        (
            "Your function prints something and returns None. Only return gives a result to the code "
            "that called it."
        ),
    ),
    "returns-nothing": (
        "it returns nothing",
        "Your function returned None on every input. Does it end in a line that starts with return?",
    ),
    "changes-its-input": (
        "the input was changed in place",
        (
            "Your function changed an array or a list that was passed to it, and the caller may still "
            "need the old one. Work on a copy, x.copy(), or build a new one."
        ),
    ),
    "stray-comma": (
        "a comma after the result",
        "The comma at the end of your return line turns the result into a tuple with one entry. Take it out.",
    ),
    "masked-array": (
        "a masked array",
        (
            "You return a masked array, which hides cells but keeps the numbers in them. Replace those "
            "numbers with .filled(...)."
        ),
    ),
    "not-repeatable": (
        "a different answer at every call",
        (
            "Called twice on the same input, your function gave two different answers. Look for "
            "something random, or something kept from one call to the next: use only the arguments."
        ),
    ),
}


def faulty(name: str, fault: str) -> Feedback:
    """Feedback on a fault in how the function works."""
    like, advice = FAULTS[fault]
    return say("incorrect", fault, name, "not yet", advice=advice, like=like)


def harmed(name: str, harm: str, replaced: Sequence[str] = ("",)) -> Feedback:
    """Feedback on what would harm the kernel; a harm that is not in the table was made up by the function."""
    harm = harm if harm in HARM else "ends-python"
    verdict, advice = HARM[harm]
    return say("error", harm, name, verdict, advice=advice.format(", ".join(replaced[:3]), *replaced))


def no_function(name: str, kind: str) -> Feedback:
    advice = f"check.{name} takes your function itself, but got {kind}. Pass its name without parentheses."
    return say("error", "not-a-function", name, "not a function", advice=advice)


def calls_a_stub(name: str, stub: str) -> Feedback:
    advice = (
        f"Your function calls {stub}, whose body is still ... in this notebook. Finish {stub}, run its "
        "cell, then run this one."
    )
    return say("error", "calls-a-stub", name, "not yet", advice=advice)


def borrowed(name: str, of_the_course: str) -> Feedback:
    """Feedback on an answer that is right because the course's own function gave it."""
    advice = (
        f"Here {of_the_course} does all the work, and you didn't write it in this cell. Write the steps "
        "yourself, and the function is yours."
    )
    return say("incorrect", "calls-the-course", name, "right, but not yours yet", advice=advice)


def check_failed(name: str, why: str) -> Feedback:
    advice = (
        f"The check itself failed on your answer, so this says nothing about it: {why}. That is the "
        "course's mistake. Please report it, with your function."
    )
    return say("error", "check-failed", name, "not checked", advice=advice)
