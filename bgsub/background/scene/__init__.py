"""What the empty scene does by itself: its median, its noise, what each place deviates by.

In come sampled frames; out come one picture or map for each. Next: :mod:`bgsub.background.ground` and the thresholds.
"""
