"""What is refused of numbers and names that are to be drawn."""

import numpy as np

from attn_parts.refusals import as_array, as_floats, mask_remedy


def check_matrix(name, values, mask):
    """One matrix of floats, and which of its cells may be looked at."""
    (values,), _ = as_floats(**{name: values})
    if values.ndim != 2 or not values.size:
        raise ValueError(
            f"{name} has shape {values.shape}, expected one matrix (L_q, L_k); of a batch or several heads pick one, {name}[0]"
        )
    allowed = ~np.isneginf(values)
    if mask is not None:
        mask = as_array("mask", mask)
        if mask.dtype != bool:
            raise TypeError(
                f"mask has dtype {mask.dtype}, expected bool, True = may look; {mask_remedy(mask)}"
            )
        try:
            allowed = allowed & np.broadcast_to(mask, values.shape)
        except ValueError as error:
            raise ValueError(
                f"mask {mask.shape} does not fit {name} {values.shape}; of a batch pick the same one of both"
            ) from error
    return values, allowed


def check_labels(name, given, count):
    """Names of rows or columns as text; positions from 0 where none are given."""
    if isinstance(given, (str, bytes)):
        raise TypeError(f"{name} is one text, {given!r}, expected a list of names; split it: {name}.split()")
    try:
        labels = list(map(str, range(count) if given is None else given))
    except TypeError as error:
        raise TypeError(
            f"{name} must be a list of names, got {type(given).__name__}; pass one name for each"
        ) from error
    if len(labels) != count:
        raise ValueError(f"{len(labels)} names for {count} {name}; pass one name for each")
    return labels


def check_weights(name, weights):
    """Raises unless all finite weights lie between 0 and 1."""
    outside = weights[(weights < -1e-6) | (weights > 1 + 1e-6)]
    if outside.size:
        raise ValueError(
            f"{name} hold {outside[0]:.3g}, but shares lie between 0 and 1; scores go to plot_scores"
        )


def as_table(name, given, columns=None, rows=None):
    """`given` as finite floats of shape (rows, columns); where one of these is left out, any number from one."""
    (table,), _ = as_floats(**{name: given})
    if table.ndim != 2 or not table.size or table.shape != (rows or len(table), columns or table.shape[1]):
        raise ValueError(
            f"{name} has shape {table.shape}, expected ({rows or 'any number'}, {columns or 'any number'}); "
            "make it a list of rows of numbers"
        )
    if not np.isfinite(table).all():
        raise ValueError(f"{name} holds NaN or inf, which has no place in this picture; leave such rows out")
    return table


def as_widths(given):
    """`given` as an array of at least two d_k."""
    widths = as_array("widths", given)
    if widths.ndim != 1 or len(widths) < 2 or widths.dtype.kind not in "iu" or widths.min() < 1:
        raise ValueError(
            f"widths must be two or more whole numbers from 1 up, got {given!r}; for example [1, 4, 16]"
        )
    return widths
