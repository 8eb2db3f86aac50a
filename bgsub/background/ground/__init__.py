"""The ground, where the median is something else: what stands on it, a queue, a crowd.

In come sampled frames and their median; out comes the picture of the ground. Next: the low-rank ball is centred there
(:mod:`bgsub.background.split`).
"""
