"""Checkers for the exercises: they name the mistake, and never show the solution.

An answer is first tried in a process of its own, where it may hang, crash or eat memory without harm; that takes a fork,
which is had on Linux only (Colab, Binder, JupyterHub), and not once jax, tensorflow or torch are loaded. Elsewhere loops
of Python and sleeps are stopped after a second. A compiled function that does not end, a crash and os._exit cannot be:
there the kernel has to be started again.

In a lesson: `import attn_checks as check`, then `check.softmax(softmax)`. How an answer gets its name is told in
attn_checks/engine.py, from top to bottom; the exercises and their mistakes stand in attn_checks/lessons.
"""

import sys

from attn_checks import tampering
from attn_checks.exercise import EXERCISES, require
from attn_checks.explain import explain
from attn_checks.feedback import Feedback
from attn_checks.lessons.lesson00_weighted_mean import weighted_mean
from attn_checks.lessons.lesson01_projection import query_projection
from attn_checks.lessons.lesson01_scores import scores
from attn_checks.lessons.lesson01_words import word_scores
from attn_checks.lessons.lesson02_divisor import score_divisor
from attn_checks.lessons.lesson02_scaling import scaled_scores, scaled_word_scores
from attn_checks.lessons.lesson03_masking import apply_mask
from attn_checks.lessons.lesson03_masks import causal_mask, padding_mask
from attn_checks.lessons.lesson03_window import window_mask
from attn_checks.lessons.lesson04_joined import joined_softmax
from attn_checks.lessons.lesson04_stable import softmax
from attn_checks.lessons.lesson04_temperature import temperature_softmax
from attn_checks.lessons.lesson05_attention import attention, self_attention
from attn_checks.lessons.lesson05_writing_on import next_output
from attn_checks.lessons.lesson06_heatmaps import most_attended
from attn_checks.lessons.lesson06_honest import honest_heatmap
from attn_checks.lessons.lesson06_previous import previous_token_share
from attn_checks.lessons.lesson07_heads import split_heads
from attn_checks.lessons.lesson07_multi_head import multi_head
from attn_checks.lessons.lesson07_two_heads import two_heads
from attn_checks.lessons.lesson08_attention_backward import attention_backward
from attn_checks.lessons.lesson08_backward import softmax_backward
from attn_checks.lessons.lesson08_words_backward import self_attention_backward
from attn_checks.lessons.lesson09_induction import induction_score
from attn_checks.lessons.lesson09_scores import previous_token_score
from attn_checks.lessons.lesson09_switching_off import ablate
from attn_checks.lessons.lesson10_blocks import attention_in_blocks
from attn_checks.lessons.lesson10_long import online_softmax
from attn_checks.lessons.lesson10_merged import merge_parts
from attn_checks.predict import predict
from attn_checks.progress import progress
from attn_checks.questions import QUESTIONS, question

__all__ = [
    "EXERCISES",
    "QUESTIONS",
    "Feedback",
    "ablate",
    "apply_mask",
    "attention",
    "attention_backward",
    "attention_in_blocks",
    "causal_mask",
    "explain",
    "honest_heatmap",
    "induction_score",
    "joined_softmax",
    "merge_parts",
    "most_attended",
    "multi_head",
    "next_output",
    "online_softmax",
    "padding_mask",
    "predict",
    "previous_token_score",
    "previous_token_share",
    "progress",
    "query_projection",
    "question",
    "require",
    "scaled_scores",
    "scaled_word_scores",
    "score_divisor",
    "scores",
    "self_attention",
    "self_attention_backward",
    "softmax",
    "softmax_backward",
    "split_heads",
    "temperature_softmax",
    "two_heads",
    "weighted_mean",
    "window_mask",
    "word_scores",
]

tampering.OWN["check"] = (sys.modules[__name__], tampering.callables(sys.modules[__name__]))
