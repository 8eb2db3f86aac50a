"""What moves: cars, a van, walking people and a cyclist, as polygons in metres.

Every function takes colours and returns a builder; the builder takes the distance travelled in metres, which
turns the wheels and swings the limbs, and returns the parts from back to front.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scene.geometry import capsule, ellipse, rounded
from scene.sprite import Colour, Part

Builder = Callable[[float], list[Part]]
"""Distance travelled in metres → parts."""

TYRE: Colour = (30, 31, 33)
GLASS: Colour = (44, 54, 63)
SKY_IN_GLASS: Colour = (92, 106, 118)


def tint(colour: Colour, factor: float) -> Colour:
    """Return a darker (factor below 1) or lighter colour, kept below 250."""
    return (min(colour[0] * factor, 250.0), min(colour[1] * factor, 250.0), min(colour[2] * factor, 250.0))


def car(paint: Colour) -> Builder:
    """Return a hatchback, 4.2 m long and 1.5 m high."""
    body = [(-2.1, 0.3), (-2.15, 0.75), (-2.0, 1.0), (2.0, 0.88), (2.12, 0.62), (2.1, 0.28)]
    cabin = [(-1.95, 0.9), (-1.6, 1.48), (0.25, 1.5), (1.15, 0.9)]
    rear_glass = [(-1.6, 0.95), (-1.4, 1.38), (-0.5, 1.4), (-0.5, 0.95)]
    front_glass = [(-0.38, 0.95), (-0.38, 1.4), (0.2, 1.4), (0.85, 0.95)]

    # What does not turn is built once, not for every frame.
    body_parts = [
        Part(rounded([(-1.9, 0.12), (-1.9, 0.5), (1.9, 0.5), (1.9, 0.12)], 2), tint(paint, 0.22)),
        Part(rounded(cabin), tint(paint, 0.95)),
        Part(rounded([(-1.6, 1.4), (-1.5, 1.5), (0.2, 1.5), (0.3, 1.4)], 2), tint(paint, 1.12)),
        Part(rounded(body), paint),
        Part(rounded([(-2.0, 0.82), (-2.0, 0.95), (1.95, 0.84), (1.95, 0.74)], 1), tint(paint, 1.15)),
        Part(rounded([(-2.1, 0.3), (-2.1, 0.45), (2.08, 0.42), (2.08, 0.28)], 1), tint(paint, 0.7)),
        Part(rounded(rear_glass, 2), GLASS),
        Part(rounded(front_glass, 2), GLASS),
        Part(rounded([(-0.3, 1.2), (-0.3, 1.38), (0.15, 1.38), (0.4, 1.2)], 2), SKY_IN_GLASS),
        Part(rounded([(1.85, 0.62), (1.9, 0.78), (2.08, 0.74), (2.1, 0.6)], 2), (225, 222, 205)),
        Part(rounded([(-2.14, 0.68), (-2.1, 0.9), (-1.93, 0.9), (-1.95, 0.68)], 2), (128, 26, 24)),
    ]

    def parts(travelled: float) -> list[Part]:
        return [*body_parts, *_wheel((-1.3, 0.32), 0.32, travelled), *_wheel((1.3, 0.32), 0.32, travelled)]

    return parts


def van(paint: Colour) -> Builder:
    """Return a delivery van, 5.2 m long and 2.2 m high."""
    body = [
        (-2.6, 0.35),
        (-2.62, 2.1),
        (-2.4, 2.22),
        (1.0, 2.2),
        (1.5, 2.05),
        (2.2, 1.2),
        (2.6, 1.0),
        (2.6, 0.35),
    ]
    window = [(1.0, 1.2), (1.0, 1.9), (1.4, 1.88), (2.0, 1.22)]

    # What does not turn is built once, not for every frame.
    body_parts = [
        Part(rounded([(-2.4, 0.15), (-2.4, 0.5), (2.4, 0.5), (2.4, 0.15)], 2), tint(paint, 0.2)),
        Part(rounded(body, 2), paint),
        Part(rounded([(-2.5, 2.08), (-2.4, 2.2), (1.0, 2.2), (1.3, 2.06)], 2), tint(paint, 1.1)),
        Part(rounded([(-2.58, 0.35), (-2.58, 0.62), (2.58, 0.62), (2.58, 0.35)], 1), tint(paint, 0.72)),
        Part(rounded([(-2.3, 1.0), (-2.3, 1.55), (0.5, 1.55), (0.5, 1.0)], 1), (38, 84, 128)),
        Part(np.array([(0.72, 0.6), (0.72, 2.1), (0.78, 2.1), (0.78, 0.6)]), tint(paint, 0.62)),
        Part(rounded(window, 2), GLASS),
        Part(rounded([(2.4, 0.75), (2.4, 0.95), (2.6, 0.92), (2.6, 0.72)], 2), (228, 222, 200)),
        Part(rounded([(-2.62, 0.8), (-2.62, 1.3), (-2.5, 1.3), (-2.5, 0.8)], 1), (132, 30, 26)),
    ]

    def parts(travelled: float) -> list[Part]:
        return [*body_parts, *_wheel((-1.6, 0.36), 0.36, travelled), *_wheel((1.65, 0.36), 0.36, travelled)]

    return parts


def person(coat: Colour, trousers: Colour, hair: Colour = (52, 40, 32)) -> Builder:
    """Return a walking person, 1.75 m tall, with a step of 0.75 m."""
    skin: Colour = (198, 152, 124)

    def parts(travelled: float) -> list[Part]:
        swing = float(np.sin(np.pi * travelled / 0.75))
        arm, hip = 0.45 * swing, (0.0, 0.86)
        return [
            *_limb((0.0, 1.36), (0.32, 0.3), (arm, arm + 0.25), (0.065, tint(coat, 0.72), skin)),
            *_leg(hip, -swing, tint(trousers, 0.8)),
            *_leg(hip, swing, trousers),
            Part(
                rounded([(-0.2, 0.78), (-0.25, 1.2), (-0.2, 1.5), (0.17, 1.5), (0.23, 1.2), (0.2, 0.78)], 2),
                coat,
            ),
            Part(
                rounded([(-0.2, 0.8), (-0.25, 1.2), (-0.18, 1.46), (-0.08, 1.2), (-0.1, 0.8)], 2),
                tint(coat, 0.82),
            ),
            Part(ellipse((0.02, 1.62), 0.115, 0.14), skin),
            Part(rounded([(-0.1, 1.55), (-0.13, 1.72), (0.0, 1.8), (0.13, 1.72), (0.03, 1.68)], 2), hair),
            *_limb((-0.02, 1.38), (0.32, 0.3), (-arm, -arm + 0.25), (0.07, tint(coat, 1.12), skin)),
        ]

    return parts


def cyclist(jersey: Colour, trousers: Colour) -> Builder:
    """Return a person on a bicycle, 1.75 m long and 1.75 m high."""
    steel: Colour = (168, 42, 36)
    saddle, crank, hands = (-0.25, 0.98), (-0.05, 0.33), (0.45, 1.02)

    def parts(travelled: float) -> list[Part]:
        turn = travelled / 0.9
        wheels = [part for x in (-0.56, 0.56) for part in _bicycle_wheel((x, 0.35))]
        frame = [((-0.56, 0.35), saddle), (saddle, crank), (crank, (0.4, 0.85)), (saddle, (0.4, 0.85))]
        frame += [((0.4, 0.95), (0.56, 0.35)), ((-0.56, 0.35), crank)]
        return [
            *wheels,
            *_pedal_leg(saddle, crank, turn + np.pi, tint(trousers, 0.8)),
            *(Part(capsule(a, b, 0.035), steel) for a, b in frame),
            *_pedal_leg(saddle, crank, turn, trousers),
            Part(rounded([(-0.38, 0.95), (-0.2, 1.4), (0.12, 1.55), (0.22, 1.36), (-0.05, 0.95)], 2), jersey),
            Part(capsule((0.1, 1.43), hands, 0.065, 0.8), tint(jersey, 0.85)),
            Part(ellipse((0.25, 1.62), 0.12, 0.14), (196, 150, 122)),
            Part(rounded([(0.1, 1.64), (0.14, 1.78), (0.3, 1.8), (0.4, 1.68)], 2), (214, 206, 190)),
        ]

    return parts


def _wheel(centre: tuple[float, float], radius: float, travelled: float) -> list[Part]:
    spokes = []
    for k in range(2):
        angle = -travelled / radius + k * np.pi / 2
        reach = 0.52 * radius * np.array([np.cos(angle), np.sin(angle)])
        a, b = np.asarray(centre) + reach, np.asarray(centre) - reach
        spokes.append(Part(capsule((a[0], a[1]), (b[0], b[1]), 0.2 * radius), (152, 154, 158)))
    return [
        Part(ellipse(centre, radius, radius), TYRE),
        Part(ellipse(centre, 0.6 * radius, 0.6 * radius), (96, 98, 102)),
        *spokes,
    ]


def _bicycle_wheel(centre: tuple[float, float]) -> list[Part]:
    rim = ellipse(centre, 0.34, 0.34)
    inner = ellipse(centre, 0.26, 0.26)[::-1]
    # One outline with a slit: the hole of a ring is not part of the thing.
    return [Part(np.concatenate([rim, rim[:1], inner, inner[:1]]), TYRE)]


def _limb(
    root: tuple[float, float],
    lengths: tuple[float, float],
    angles: tuple[float, float],
    look: tuple[float, Colour, Colour],
) -> list[Part]:
    radius, sleeve, hand = look
    joint = _along(root, lengths[0], angles[0])
    end = _along(joint, lengths[1], angles[1])
    return [
        Part(ellipse(end, 0.06, 0.06), hand),
        Part(capsule(joint, end, 0.9 * radius, 0.8), sleeve),
        Part(capsule(root, joint, radius, 0.9), sleeve),
    ]


def _leg(hip: tuple[float, float], swing: float, colour: Colour) -> list[Part]:
    knee = _along(hip, 0.42, 0.5 * swing + 0.08)
    ankle = _along(knee, 0.4, 0.5 * swing - 0.16 - 0.2 * (1 - abs(swing)) * (swing < 0))
    shoe = [(ankle[0] - 0.08, ankle[1] - 0.07), (ankle[0] - 0.06, ankle[1] + 0.06)]
    shoe += [(ankle[0] + 0.08, ankle[1] + 0.04), (ankle[0] + 0.21, ankle[1] - 0.07)]
    return [
        Part(rounded(shoe, 1), (40, 34, 30)),
        Part(capsule(knee, ankle, 0.085, 0.8), colour),
        Part(capsule(hip, knee, 0.12, 0.75), colour),
    ]


def _pedal_leg(
    hip: tuple[float, float], crank: tuple[float, float], turn: float, colour: Colour
) -> list[Part]:
    foot = (crank[0] + 0.16 * float(np.cos(-turn)), crank[1] + 0.16 * float(np.sin(-turn)))
    dx, dy = foot[0] - hip[0], foot[1] - hip[1]
    half = 0.5 * float(np.hypot(dx, dy))
    bend = float(np.sqrt(max(0.43**2 - half**2, 0.0))) / (2 * half)
    knee = (hip[0] + 0.5 * dx - bend * dy, hip[1] + 0.5 * dy + bend * dx)
    return [
        Part(ellipse((foot[0] + 0.05, foot[1]), 0.13, 0.06), (38, 34, 32)),
        Part(capsule(knee, foot, 0.075, 0.8), colour),
        Part(capsule(hip, knee, 0.11, 0.75), colour),
    ]


def _along(start: tuple[float, float], length: float, angle: float) -> tuple[float, float]:
    """Go down from *start*; the angle is measured from the vertical, forwards."""
    return (start[0] + length * float(np.sin(angle)), start[1] - length * float(np.cos(angle)))
