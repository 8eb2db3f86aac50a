"""Any footage as frames, and frames as columns of a matrix.

In comes a name or an array; out come frames with exact times (:mod:`bgsub.frames.read`), the part that was asked for,
the pixels that count (:class:`~bgsub.frames.grid.Grid`), and of each segment (:mod:`bgsub.frames.changes`) a sample of
columns. Next: :mod:`bgsub.background` is fitted on the columns.
"""
