"""Put input, background, foreground and mask of one frame into one picture.

Run ``bgsub separate assets/demo.mp4 -o RUN_DIR`` first, then
``python apps/demos/make_readme_picture.py RUN_DIR --out assets/readme.png``.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.errors import BgsubError, InputError
from bgsub.evaluation.predictions import read_masks
from bgsub.frames.read.open import open_source

CLIP = Path(__file__).resolve().parents[2] / "assets" / "demo.mp4"
PANEL_WIDTH = 640
GAP = 20
CAPTION = 40
SMALLEST_THING = 60
"""Pixels of the mask; fewer are not counted as a thing."""

Picture = NDArray[np.uint8]


def make_picture(run: Path, clip: Path, number: int | None = None) -> Picture:
    """Return the 2 × 2 picture of a finished run, RGB, 1300 pixels wide.

    Parameters
    ----------
    run
        Folder with ``background.mp4``, ``foreground.mp4`` and ``mask.mkv``.
    clip
        The video that was separated.
    number
        Frame number; None takes the frame with the most things in its mask.

    Raises
    ------
    InputError
        A file is missing or unreadable, or the run has no frame of that number.
    """
    numbers, counts = _survey(run)
    chosen = numbers[int(np.argmax(counts))] if number is None else number
    if chosen not in numbers:
        raise InputError(f"{run}: no frame {chosen}; the run has {numbers[0]} to {numbers[-1]}")
    at = numbers.index(chosen)
    panels = [
        ("Input", _frame(clip, chosen)),
        ("Background", _frame(run / "background.mp4", at + 1)),
        ("Foreground", _frame(run / "foreground.mp4", at + 1)),
        ("Mask", _frame(run / "mask.mkv", at + 1)),
    ]
    rows = [
        np.hstack([_panel(*panels[k]), _white(GAP, _panel(*panels[k]).shape[0]), _panel(*panels[k + 1])])
        for k in (0, 2)
    ]
    return np.vstack([rows[0], _white(rows[0].shape[1], GAP // 2), rows[1]])


def main(argv: list[str] | None = None) -> int:
    """Read the command line and write the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, metavar="RUN_DIR", help="folder that `bgsub separate` wrote")
    parser.add_argument("--out", type=Path, required=True, help="picture to write (.png)")
    parser.add_argument("--frame", type=int, help="frame number, from 1 (default: most things in the mask)")
    parser.add_argument("--clip", type=Path, default=CLIP, help="the video that was separated")
    args = parser.parse_args(argv)
    try:
        picture = make_picture(args.run, args.clip, args.frame)
    except BgsubError as error:
        print(error, file=sys.stderr)
        return 1
    _, data = cv2.imencode(".png", picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
    args.out.parent.mkdir(parents=True, exist_ok=True)
    data.tofile(args.out)
    print(f"{args.out}  {picture.shape[1]}×{picture.shape[0]}, {data.size / 1024:.0f} KiB")
    return 0


def _survey(run: Path) -> tuple[list[int], list[int]]:
    """Return each frame's number and how many things its mask shows."""
    numbers, counts = [], []
    for number, mask in read_masks(run / "mask.mkv"):
        _, _, boxes, _ = cv2.connectedComponentsWithStats((mask >= 128).astype(np.uint8))
        numbers.append(number)
        counts.append(int((boxes[1:, cv2.CC_STAT_AREA] >= SMALLEST_THING).sum()))
    return numbers, counts


def _frame(video: Path, position: int) -> Picture:
    frame = next(islice(open_source(str(video)), position - 1, None), None)
    if frame is None:
        raise InputError(f"{video}: has no frame {position}; it does not belong to this run")
    return np.repeat(frame.image[..., None], 3, axis=2) if frame.image.ndim == 2 else frame.image


def _panel(caption: str, picture: Picture) -> Picture:
    height = round(picture.shape[0] * PANEL_WIDTH / picture.shape[1])
    way = cv2.INTER_NEAREST if caption == "Mask" else cv2.INTER_CUBIC
    grown = np.asarray(cv2.resize(picture, (PANEL_WIDTH, height), interpolation=way), np.uint8)
    strip = _white(PANEL_WIDTH, CAPTION)
    cv2.putText(strip, caption, (2, CAPTION - 12), cv2.FONT_HERSHEY_DUPLEX, 0.8, (45, 45, 45), 1, cv2.LINE_AA)
    return np.vstack([strip, grown])


def _white(width: int, height: int) -> Picture:
    return np.full((height, width, 3), 255, np.uint8)


if __name__ == "__main__":
    raise SystemExit(main())
