"""The background of a camera, fitted on sampled columns, kept in a file, and held against every frame.

In comes a sample of a segment; out comes a :class:`~bgsub.background.model.BackgroundModel`. A fit goes through the
rooms :mod:`~bgsub.background.stabilise`, :mod:`~bgsub.background.scene`, :mod:`~bgsub.background.ground`,
:mod:`~bgsub.background.split` and :mod:`~bgsub.background.light`, in this order. Next: each frame's difference goes to
:mod:`bgsub.masks`.
"""
