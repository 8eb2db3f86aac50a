"""Where a segment must end: the light is switched, or the view is another.

In come frames; out come the same frames, a few late, with marks between them. Next: each segment is sampled.
"""
