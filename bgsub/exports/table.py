"""All exports by name."""

from __future__ import annotations

from collections.abc import Callable

from bgsub.exports.clips import Clips
from bgsub.exports.coco import Coco
from bgsub.exports.export import Export, Scene
from bgsub.exports.factors import Factors
from bgsub.exports.heatmap import Heatmap
from bgsub.exports.pictures import Sheet, Stills
from bgsub.exports.tables import EventsFile, Mot, Tracks
from bgsub.exports.yolo import Yolo

EXPORTS: dict[str, tuple[str, Callable[[Scene, str], Export]]] = {
    "events": ("events.json", EventsFile),
    "tracks": ("tracks.csv", Tracks),
    "clips": ("clips/", Clips),
    "stills": ("stills/", Stills),
    "sheet": ("sheet.png", Sheet),
    "heatmap": ("heatmap.png", Heatmap),
    "coco": ("coco.json", Coco),
    "mot": ("mot.txt", Mot),
    "yolo": ("yolo/", Yolo),
    "factors": ("factors.npz", Factors),
}
"""File or folder (with a trailing slash), and what makes it."""
