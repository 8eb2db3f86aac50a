"""Detection of change points, at which a segment must end: the light is switched, or the view changes.

Input: frames. Output: the same frames, slightly delayed, with change points marked. Next: each segment is sampled.
"""
