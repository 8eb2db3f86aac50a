"""Every number that decides what is ground and what is foreground, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is ground and what is foreground, in numbers.

    Attributes
    ----------
    working_pixels
        Pixels of the reduced picture in which movement is looked at. A shift is then still found to a few hundredths
        of a pixel.
    window
        Share of the smaller side of the picture within which movement disturbs a place.
    moves
        Times what a place ordinarily changes by from frame to frame: a larger change is movement.
    stirs
        Times what half of the picture changes by: a smaller change is none.
    disturbed
        Share of the window that may move while the ground is at rest.
    calmest
        Frames that count at each place, however much moves there: its calmest.
    restless
        Share of the window that moves in three quarters of the frames, from which on the place itself does: there the
        ground is seen when it moves as much as in the quarter of the frames in which it moves least.
    outline
        Share of the background's contrast along an outline that a frame keeps where the background shows an object
        that the frame does not.
    seen
        Frames in which the ground must be seen in place of an object.
    confident
        Share of the frames that must show the background of a place for it to be sure.
    most
        Deviation of a place, times that of the picture, that is believed: where people stand in turn, or cars are never
        gone, the frames that show the ground are too few to tell.
    level
        Expected threshold, times the ordinary deviation of the empty scene.
    confidence
        Weight of the squared logarithm by which a threshold departs from it, against the share of foreground that a
        change of the threshold by a factor e would lose.
    unseen
        Share of the picture that is taken to lie far above every threshold: where nothing passes, it keeps the
        threshold just above the noise.
    edge
        Share of the largest difference nearby that a pixel of an object has: a blurred edge lies where half is left.
    blur
        Side of the window, pixels, that an edge is blurred over.
    range
        Thresholds looked at, times the ordinary deviation of the empty scene.
    cell
        Pixels of the smaller side of a picture in which shadows are looked for pixel by pixel; in larger ones cells of
        several pixels are compared.
    covered
        Share of a cell that is foreground.
    shade_window
        Cells: side of the window over which a shadow leaves one share of the light.
    even
        By how much the logarithm of that share varies within the window (standard deviation). No thing is as even.
    sky
        By how much the logarithm of a channel's share may differ from the mean of all, times that mean: the sky that
        lights a shadow is blue, but no dye.
    relief, relief_in_gray
        The variance of it, times that of the picture's logarithm: the ground's texture goes on in its shadow. Of a
        thing of one colour on smooth ground both are the camera's noise; in gray, a thing with folds comes near.
    calm
        The same as *even* for what is compared with the certain shadows of the scene, within 3 × 3 cells.
    tint
        By how much the logarithm of a channel's share may differ from what it is in the shadows of the scene.
    sure
        Share of what looks like shadow that is certainly shadow, at the shares of the light that shadows leave.
    closed
        Pixels across which two parts of an object are one: what lies between them is no shadow.
    """

    working_pixels: int = 130_000
    window: float = 1 / 8
    moves: float = 3.0
    stirs: float = 5.0
    disturbed: float = 0.01
    calmest: int = 12
    restless: float = 0.02
    outline: float = 0.7
    seen: int = 3
    confident: float = 0.2
    most: float = 5.0
    level: float = 5.0
    confidence: float = 0.03
    unseen: float = 2e-2
    edge: float = 0.3
    blur: int = 3
    range: tuple[float, float] = (3.0, 30.0)
    cell: int = 50
    covered: float = 0.6
    shade_window: int = 9
    even: float = 0.05
    sky: float = 0.3
    relief: float = 0.85
    relief_in_gray: float = 0.3
    calm: float = 0.15
    tint: float = 0.1
    sure: float = 0.03
    closed: int = 11


DECIDED = Decisions()
"""The values in force."""
