"""A class's notebooks graded. Nothing is imported here: students' processes load it, too.

From top to bottom: command.py is `python -m attn_checks grade` and `verify`. grade.py finds the submissions
(submissions.py) and judges each (notebook.py, cells.py): a process behind walls (sandbox.py, worker.py) runs
the notebook and answers for its functions. What came of it is kept and written (reports.py).
"""
