"""A camera that shakes: frames registered against a reference, and pictures moved there and back.

In come sampled frames; out come the frames as a camera at rest would have seen them, or the frames themselves where it
was. Next: what the empty scene does by itself (:mod:`bgsub.background.scene`).
"""
