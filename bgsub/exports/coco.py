"""COCO's format for instances: a box and an outline for each track in each frame (Lin et al. 2014, arXiv:1405.0312)."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bgsub.base.safe_name import stem_of
from bgsub.base.write_errors import writing
from bgsub.events.log import Log
from bgsub.events.objects import Object
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene

CATEGORY = {"id": 1, "name": "moving", "supercategory": "object"}


class Coco:
    """``coco.json``: images (every frame), annotations with ``track_id``, one category, ``moving``.

    Images are named as the input's own files, where it is a folder of pictures; else as the PNG files of a run.

    Outlines are run lengths, compressed as pycocotools writes them. It is written as it comes, so that it may be larger
    than the memory.
    """

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name
        at = scene.files.make(self._path)
        with writing(self._path):
            self._file = at.open("w", encoding="utf-8")
            head = {"description": f"what moves in {scene.name}"}
            self._file.write(
                f'{{"info": {json.dumps(head)},\n"categories": {json.dumps([CATEGORY])},\n"annotations": ['
            )
        self._images: list[str] = []
        self._count = 0

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Write an annotation for each row."""
        height, width = self._scene.shape
        image = {
            "id": moment.index + 1,
            "file_name": self._scene.file_names.get(moment.name)
            or f"{stem_of(moment.name, moment.number)}.png",
            "width": width,
            "height": height,
            "seconds": round(float(moment.time), 6),
        }
        self._images.append(json.dumps(image, ensure_ascii=False))
        with writing(self._path):
            for row in rows:
                self._file.write("\n" if not self._count else ",\n")
                self._count += 1
                self._file.write(json.dumps(self._annotation(moment, row)))

    def finish(self, log: Log) -> None:
        """Write the images, and close the file."""
        with writing(self._path), self._file as file:
            file.write('],\n"images": [\n')
            file.write(",\n".join(self._images))
            file.write("]}\n")

    def _annotation(self, moment: Moment, row: Row) -> dict[str, object]:
        found = row.found
        return {
            "id": self._count,
            "image_id": moment.index + 1,
            "category_id": 1,
            "track_id": row.track,
            "bbox": list(found.box),
            "area": found.area,
            "iscrowd": 0,
            "segmentation": {
                "size": list(self._scene.shape),
                "counts": run_lengths(found, self._scene.shape),
            },
        }


def run_lengths(found: Object, shape: tuple[int, int]) -> str:
    """Return the pixels of an object in a picture of ``(height, width)`` as COCO's compressed run lengths.

    Lengths of runs of 0 and 1 in turn, beginning with 0, down the columns. From the third on each is written as its
    difference from the one two before; in groups of five bits, the lowest first, a sixth for "more follows", plus 48.
    """
    return _compressed(_runs(found, shape))


def _runs(found: Object, shape: tuple[int, int]) -> NDArray[np.int64]:
    x, y, width, height = found.box
    columns = np.zeros((width, shape[0]), bool)
    columns[:, y : y + height] = (found.pixels > 0).T
    flat = columns.reshape(-1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flat, [False]]).astype(np.int8)))
    edges = edges + x * shape[0]
    end = shape[0] * shape[1]
    turns = edges if edges[-1] == end else np.append(edges, end)
    return np.diff(turns, prepend=0)


def _compressed(runs: NDArray[np.int64]) -> str:
    steps = runs.copy()
    steps[3:] -= runs[1:-2]
    letters: list[str] = []
    for step in steps.tolist():
        left, more = step, True
        while more:
            bits, left = left & 0x1F, left >> 5
            more = left != (-1 if bits & 0x10 else 0)
            letters.append(chr((bits | 0x20 if more else bits) + 48))
    return "".join(letters)
