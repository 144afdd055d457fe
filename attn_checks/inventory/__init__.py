"""An inventory of attention: twelve ideas, asked in two parallel forms, before a course and after it.

From top to bottom: command.py is `python -m attn_checks inventory`. forms.py writes what a class is given,
answers.py reads what it hands in, gains.py has the statistics, and report.py writes what came of it. The
questions are in form_a.md and form_b.md.
"""
