"""From the difference of a frame and its background to a mask.

In come two pictures and what the empty scene does by itself; out come difference, mask, shadow and small objects. Next:
:mod:`bgsub.render` draws them.
"""
