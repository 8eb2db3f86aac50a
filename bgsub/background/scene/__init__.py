"""What the empty scene does by itself: its median, its noise, its flicker, how far it strays from the background.

In come sampled frames; out come one picture or map for each. Next: :mod:`bgsub.background.ground` and the thresholds.
"""
