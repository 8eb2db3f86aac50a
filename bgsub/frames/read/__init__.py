"""Readers for files, folders and arrays: each yields every frame once, upright, with an exact time stamp.

Input: what the user named. Output: a :class:`~bgsub.frames.source.FrameSource`. Next: a part of it is selected.
"""
