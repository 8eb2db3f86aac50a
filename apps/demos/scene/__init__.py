"""A synthetic surveillance scene of which everything is known: see :class:`scene.render.Scene`."""
