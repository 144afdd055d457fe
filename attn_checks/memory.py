"""Values that are worked out once, however many ways lead to them."""

import numpy as np


class Memory:
    """Equal arrays are kept as one object, so that the same step on the same values is taken once."""

    def __init__(self):
        self.kept, self.applied = {}, {}

    def keep(self, value):
        if isinstance(value, tuple):
            value = tuple(map(self.keep, value))
            return self.kept.setdefault(tuple(map(id, value)), value)
        if isinstance(value, np.ndarray):
            return self.kept.setdefault((value.shape, value.dtype.str, value.tobytes()), value)
        return self.kept.setdefault(id(value), value)

    def apply(self, way, *values):
        key = (way, *map(id, values))
        if key not in self.applied:
            failed = next((value for value in values if isinstance(value, Exception)), None)
            self.applied[key] = self.keep(failed or self.attempt(way, values))
        return self.applied[key]

    def attempt(self, way, values):
        try:
            return way(*values)
        except Exception as error:  # a mistake may well end in one
            return error
