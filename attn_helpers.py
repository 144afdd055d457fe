"""Attention from Scratch: the one module that all lessons import, and the contents page of its code.

It only imports: each name is defined in the file of attn_parts or attn_lessons that it comes from. Importing
it is light, because matplotlib and ipywidgets load where they are first needed.
"""

from attn_checks import mine
from attn_lessons.lesson00.explorer import explore_pronoun
from attn_lessons.lesson00.pictures import plot_cards
from attn_lessons.lesson01.explorer import explore_dot_product
from attn_lessons.lesson01.pictures import plot_arrows, plot_product
from attn_lessons.lesson02.explorer import explore_scaling
from attn_lessons.lesson02.pictures import plot_against_width, plot_histograms, plot_weights
from attn_lessons.lesson03.explorer import explore_mask
from attn_lessons.lesson03.pictures import plot_training_questions
from attn_lessons.lesson04.explorer import explore_softmax
from attn_lessons.lesson04.pictures import plot_exponentials, plot_samples, plot_temperatures
from attn_lessons.lesson05._libraries import compare_with_libraries, load_library_cases
from attn_lessons.lesson05.explorer import explore_pipeline
from attn_lessons.lesson05.pictures import plot_outputs
from attn_lessons.lesson06.explorer import explore_attention
from attn_lessons.lesson06.pictures import ask_head, examine_heatmap, plot_case, plot_needs
from attn_lessons.lesson07.explorer import explore_heads
from attn_lessons.lesson07.pictures import plot_heads, plot_puzzle
from attn_lessons.lesson08.explorer import explore_positions
from attn_lessons.lesson08.pictures import plot_depth, plot_digits
from attn_lessons.lesson09._gradient_check import check_head, finite_differences
from attn_lessons.lesson09.explorer import explore_backward
from attn_lessons.lesson09.pictures import plot_changes, plot_gradients
from attn_lessons.lesson10._film import film_training
from attn_lessons.lesson10.explorer import explore_training
from attn_lessons.lesson10.pictures import plot_learned, plot_seeds
from attn_lessons.lesson11.explorer import explore_language_model
from attn_lessons.lesson11.pictures import plot_fractions, plot_training
from attn_lessons.lesson12.explorer import explore_long
from attn_lessons.lesson13._training import watch_loss
from attn_lessons.lesson13.explorer import explore_gpt
from attn_lessons.lesson13.pictures import plot_losses, plot_parts, plot_short
from attn_lessons.lesson14._facts import random_facts, tell
from attn_lessons.lesson14._seeker import seek, train_seeker
from attn_lessons.lesson14.explorer import explore_memory
from attn_lessons.lesson14.pictures import plot_smaller_caches
from attn_parts.colours import BLUE
from attn_parts.example import (
    KINDS,
    MEANINGS,
    WORDS,
    expect_error,
    load_data,
    load_example,
    use_course_printing,
)
from attn_parts.explorer import Explorer
from attn_parts.gpt2 import GPT2, open_gpt2
from attn_parts.gpt_page import save_gpt_page
from attn_parts.heatmaps import plot_attention, plot_pipeline, plot_scores, show
from attn_parts.language_model import (
    complete,
    load_language_model,
    next_words,
    run_language_model,
    write_on,
)
from attn_parts.learning import (
    NEXT_WORD,
    Adam,
    attention_backward,
    cross_entropy,
    head_gradients,
    pronoun_sentences,
    run_head,
    softmax_backward,
    start_head,
    train_head,
)
from attn_parts.live_view import progress_bar
from attn_parts.long_sequences import KVCache, tiled_attention, window_mask
from attn_parts.mathematics import (
    causal_mask,
    layer_norm,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    self_attention,
    sinusoidal_encoding,
    softmax,
    split_heads,
)
from attn_parts.names import load_names, load_names_model, names_loss, train_names, write_names
from attn_parts.own_list import load_list
from attn_parts.svg import Drawing
from attn_parts.toy_agreement import start_agreement, train_agreement
from attn_parts.toy_corpus import LEXICON, as_words, toy_texts, word_numbers

__all__ = [
    # 1. Mathematics: what attention computes, in one short file that begins with softmax
    "softmax",  # scores to weights that sum to 1
    "causal_mask",  # no query looks at later keys
    "padding_mask",  # no query looks at padding
    "window_mask",  # no query looks further back than a window
    "scaled_dot_product_attention",  # softmax(QKᵀ/√d_k)·V, with or without a mask
    "tiled_attention",  # its output, in blocks of rows: no L×L matrix
    "KVCache",  # keys and values of the tokens so far
    "self_attention",  # the same, from embeddings and three projections
    "split_heads",  # columns to heads, an axis in front
    "merge_heads",  # heads to columns again
    "multi_head_attention",  # several heads side by side, and W_O that mixes them
    "sinusoidal_encoding",  # sines and cosines of each position
    "layer_norm",  # each row to mean 0 and standard deviation 1
    "softmax_backward",  # the gradient before softmax, from the one after it
    "attention_backward",  # the gradients of Q, K and V
    "cross_entropy",  # the loss of logits, and its gradient
    "Adam",  # steps against the gradient
    "open_gpt2",  # a published language model, run with an attention function of your own
    "GPT2",  # what it returns
    "mine",  # your own functions, once they have passed their checks
    # 2. Example: the sentence of the lessons, stored numbers, printing, errors on purpose
    "load_example",  # tokens, X, W_Q, W_K, W_V
    "KINDS",  # of word: the columns of its Q and K, the first of X
    "MEANINGS",  # the columns of its V, the last of X
    "WORDS",  # what longer, random sentences are made of
    "load_data",  # numbers stored in notebooks/data
    "load_library_cases",  # awkward inputs of attention, with the answers of PyTorch, JAX and ONNX
    "compare_with_libraries",  # how far functions of your own are from these answers
    "use_course_printing",  # three decimals, no exponents
    "expect_error",  # lines that must fail, their error shown in one line
    "pronoun_sentences",  # of lesson 00, the training set or the test set
    "start_head",  # a head before training
    "train_head",  # its training, step by step
    "run_head",  # what it attends to, and the next word it expects
    "NEXT_WORD",  # of each noun
    "head_gradients",  # its loss, and the gradient at each parameter
    "finite_differences",  # a gradient, measured by nudges
    "check_head",  # gradients of lesson 09's head, compared with finite differences
    "load_language_model",  # of lesson 11, its parameters by name
    "run_language_model",  # with any attention, heads ablated: logits and all weights
    "next_words",  # the likeliest, with their probabilities
    "write_on",  # more words, sampled one by one
    "complete",  # the likeliest next word, in one line, with any attention
    "load_names",  # first names to train on, and held-out ones
    "train_names",  # a small GPT on them, with any mask, in seconds
    "load_names_model",  # one that is trained already, with or without a mask
    "names_loss",  # how badly it predicts held-out names, letter by letter
    "write_names",  # names of its own, with any start, temperature and softmax
    "save_gpt_page",  # a GPT as one page to send, which runs in any browser
    "load_list",  # a list or text of your own, as lines to train on
    "watch_loss",  # your loop trains your GPT, and its loss is drawn meanwhile
    "toy_texts",  # what it was trained on, and where a word can be copied
    "word_numbers",  # of a text
    "as_words",  # a text of numbers
    "LEXICON",  # its 202 words
    "start_agreement",  # a wide head before training
    "train_agreement",  # its training, and how good it is then
    "random_facts",  # to be remembered: keys, values, and a query for each
    "tell",  # the same of facts of your own
    "train_seeker",  # a head whose words may look for nothing
    "seek",  # its queries, keys and values on a text
    "progress_bar",  # how far a loop has come
    # 3. Pictures: matplotlib heatmaps with alternative text, and drawings in SVG
    "plot_scores",  # a matrix, its colours centred on 0
    "plot_attention",  # a matrix of weights from 0 to 1
    "plot_cards",  # query, key and value of two words
    "plot_arrows",  # pairs of arrows and their dot products
    "plot_product",  # one entry of a matrix product: its row, its column
    "plot_outputs",  # values of width 2, and the output of each token between them
    "plot_weights",  # rows of weights as bars
    "plot_against_width",  # standard deviation of scores and largest weight, raw and scaled, for many d_k
    "plot_histograms",  # arrays of numbers as histograms, each with its standard deviation
    "plot_heads",  # columns split among two heads, and concatenated again
    "plot_puzzle",  # two sentences, and what one head and two heads got from one of them
    "plot_digits",  # binary digits of positions, and waves of the same rhythm
    "plot_depth",  # what 24 blocks make of words, with and without residual connections
    "plot_pipeline",  # the six steps, one of them lit
    "plot_case",  # pictures that lesson 06 asks about
    "examine_heatmap",  # a heatmap that you drew, and what it lacks
    "ask_head",  # a sentence of your own: what "it" looks at in it, and whether it fools the head
    "plot_needs",  # without which word a head gives up its answer
    "plot_training_questions",  # which row of the sentence trains on which answer
    "plot_exponentials",  # scores on the curve of the exponential, and their weights
    "plot_temperatures",  # the probability of each word against the temperature
    "plot_samples",  # how often each word was drawn
    "plot_gradients",  # what a gradient says about each word, as bars
    "plot_changes",  # what steps against a gradient have changed in each word
    "film_training",  # a moving picture of a head while it learns
    "plot_seeds",  # where 20 heads look
    "plot_learned",  # how well wide heads learn, with and without ÷√d_k
    "plot_training",  # loss and scores along the training of the language model
    "plot_losses",  # losses along a training, beside others
    "plot_short",  # a short list that is learned by heart
    "plot_parts",  # losses of GPTs that were trained without one of their parts
    "plot_smaller_caches",  # the loss of the language model that keeps fewer numbers
    "plot_fractions",  # fractions from 0 to 1, such as a number per head, as a heatmap
    "show",  # a figure of your own, with its alternative text
    "Drawing",  # text, lines, bars and matrices as SVG
    "BLUE",  # one of the colours in them
    # 4. Explorers: sliders over one picture, one a lesson
    "explore_pronoun",  # lesson 00
    "explore_dot_product",  # lesson 01
    "explore_scaling",  # lesson 02
    "explore_mask",  # lesson 03
    "explore_softmax",  # lesson 04
    "explore_pipeline",  # lesson 05
    "explore_attention",  # lesson 06
    "explore_heads",  # lesson 07
    "explore_positions",  # lesson 08
    "explore_backward",  # lesson 09
    "explore_training",  # lesson 10
    "explore_language_model",  # lesson 11
    "explore_long",  # lesson 12
    "explore_gpt",  # lesson 13
    "explore_memory",  # lesson 14
    "Explorer",  # what all of these return
]
