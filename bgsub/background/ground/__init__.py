"""The ground: what places show while nothing moves around them, and no object that other frames do not show.

In come sampled frames and their followers; out come the picture of the ground and which frames show it where. Next: the
low-rank ball is centred there (:mod:`bgsub.background.split`).
"""
