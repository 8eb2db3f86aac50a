"""Light: a gain and an offset of the ground, smooth over the picture.

In come components, or a frame and the background; out come the components that are light, or the background in the
light of the frame. Next: the model.
"""
