"""Visible output: layers drawn from a separated frame, and the files they are written to.

Input: :class:`~bgsub.render.view.FrameView`. Output: files, all published together at the end. Next: only ``run.json``.
"""
