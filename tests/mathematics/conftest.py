"""Inputs that hypothesis makes up are the same in every run, and no test asks how fast it was."""

from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("course")
