"""A class's notebooks graded, by `python -m attn_checks grade`. Nothing is imported here: students' processes load it, too.

From top to bottom: `grade` (whole_class.py) finds what was handed in (handed_in.py) and starts a judge for each notebook
(judging.py), which finds the exercises in it (contents.py), runs it in a kernel (running.py) behind walls (walls.py,
walled_kernel.py), has that answer (answering.py) in plain data (data.py), and compares. What came of it is kept and
written (reports.py).
"""
