"""Files, folders and arrays, read: each reader yields every frame once, upright, with an exact time.

In comes what the user named; out comes a :class:`~bgsub.frames.source.FrameSource`. Next: a part of it is selected.
"""
