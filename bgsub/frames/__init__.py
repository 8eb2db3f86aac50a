"""Footage as frames, and frames as columns of a matrix.

Input: a file name or an array. Output: frames with exact time stamps (:mod:`bgsub.frames.read`), the part
that was requested, the pixels of the region of interest (:class:`~bgsub.frames.grid.Grid`), and a sample of
columns from each segment (:mod:`bgsub.frames.changes`). Next: :mod:`bgsub.background` is fitted to the columns.
"""
