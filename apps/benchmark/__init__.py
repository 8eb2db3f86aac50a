"""Measure bgsub: the figures of the main job, every method on one clip, and its speed beside other programs."""
