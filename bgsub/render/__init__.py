"""What people look at: layers drawn from a separated frame, and the files they go into.

In come :class:`~bgsub.render.view.FrameView`; out come files, all together at the end. Next: nothing, but ``run.json``.
"""
