"""Sequences in CDnet's layout, and a count of right and wrong pixels written out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.comparison.run import Request, compare
from bgsub.run.progress import Silent

Picture = NDArray[np.uint8]
WIDTH, HEIGHT, FRAMES = 48, 36, 16
SIDE = 9


def write_sequence(
    folder: Path, *, seed: int = 1, numbers: Sequence[int] = range(1, FRAMES + 1), gray: bool = False
) -> Path:
    """Write noisy frames in which a square moves, and its truth with an edge that is not scored; no other file."""
    rng = np.random.default_rng(seed)
    wall = rng.integers(70, 130, (HEIGHT, WIDTH, 3))
    (folder / "input").mkdir(parents=True)
    (folder / "groundtruth").mkdir()
    for index, number in enumerate(numbers):
        image = np.clip(wall + rng.normal(0, 2, wall.shape), 0, 255).astype(np.uint8)
        labels = np.zeros((HEIGHT, WIDTH), np.uint8)
        left, top = 1 + index * (WIDTH - SIDE - 2) // (len(numbers) - 1), 6 + 5 * (index % 3)
        labels[top - 1 : top + SIDE + 1, left - 1 : left + SIDE + 1] = 170
        labels[top : top + SIDE, left : left + SIDE] = 255
        labels[-6:, :10] = 85
        labels[-6:, 20:30] = 50
        image[labels == 255] = 240
        image = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if gray else image
        save(folder / "input" / f"in{number:06d}.png", image)
        save(folder / "groundtruth" / f"gt{number:06d}.png", labels)
    return folder


def save(path: Path, picture: Picture) -> None:
    assert cv2.imwrite(str(path), picture)


def pixel_by_pixel(masks: dict[int, Picture], folder: Path, inside: Picture | None = None) -> dict[str, int]:
    """Count by loops: masks by frame number against the truth in *folder*, where *inside* is not 0."""
    found = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for number, mask in masks.items():
        labels = cv2.imread(str(folder / "groundtruth" / f"gt{number:06d}.png"), cv2.IMREAD_GRAYSCALE)
        for y in range(HEIGHT):
            for x in range(WIDTH):
                if labels[y, x] not in (0, 50, 255) or (inside is not None and not inside[y, x]):
                    continue
                is_true = labels[y, x] == 255
                is_found = mask[y, x] != 0
                found[("t" if is_true == is_found else "f") + ("p" if is_found else "n")] += 1
    return found


def mog2_masks(folder: Path) -> dict[int, Picture]:
    """Run OpenCV's MOG2 by hand over ``input``: 5 × 5 median, shadows off, nothing below 1/10,000 of the picture."""
    subtractor = cv2.createBackgroundSubtractorMOG2()
    masks = {}
    for path in sorted((folder / "input").iterdir()):
        found = subtractor.apply(cv2.imread(str(path)))
        masks[int(path.stem[2:])] = cv2.medianBlur(np.where(found == 255, 255, 0).astype(np.uint8), 5)
    return masks


def compared(sequences, methods, **words):
    """Compare, and expect that no sequence is left out."""
    failures = []
    done = compare(
        sequences, Request(tuple(methods), 1), Silent(), failed=lambda *each: failures.append(each), **words
    )
    assert failures == []
    return done


def as_dict(counts) -> dict[str, int]:
    return {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn}
