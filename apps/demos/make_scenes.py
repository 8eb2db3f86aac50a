"""Make short scenes, each with one difficulty of real footage, and everything that is true about them.

``python apps/demos/make_scenes.py --out DIR`` makes all of them, ``… DIR water crowd`` two.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

# The package lies beside this script, which is also run from elsewhere and imported by tests.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from scenes.clip import Clip, Take
from scenes.table import SCENES

FPS = 25
CATEGORY = "demos"
"""The folder that CDnet's layout wants above the sequences."""


def write_clip(name: str, clip: Clip, out: Path, backgrounds: bool = False) -> list[Path]:
    """Write a scene into *out* without loss and return the files.

    ``NAME.mkv`` is the clip and ``NAME_truth.mkv`` its CDnet labels (both FFV1); ``NAME_background.png`` the exact
    background of the middle frame, and with *backgrounds* ``NAME_background.mkv`` that of every frame.
    """
    out.mkdir(parents=True, exist_ok=True)
    files = [out / f"{name}.mkv", out / f"{name}_truth.mkv", out / f"{name}_background.png"]
    _write_video(files[0], clip.frames, "rgb24")
    _write_video(files[1], clip.labels, "gray")
    _write_picture(files[2], clip.backgrounds[len(clip.backgrounds) // 2])
    if backgrounds:
        files.append(out / f"{name}_background.mkv")
        _write_video(files[-1], clip.backgrounds, "rgb24")
    return files


def write_cdnet(name: str, clip: Clip, out: Path) -> Path:
    """Write a scene as CDnet lays it out, as ``OUT/demos/NAME``, and return that folder."""
    folder = out / CATEGORY / name
    for part in ("input", "groundtruth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for t, (frame, labels) in enumerate(zip(clip.frames, clip.labels, strict=True), 1):
        _write_picture(folder / "input" / f"in{t:06d}.png", frame)
        _write_picture(folder / "groundtruth" / f"gt{t:06d}.png", labels)
    (folder / "temporalROI.txt").write_text(f"1 {len(clip.frames)}\n", encoding="utf-8")
    return folder


def main(argv: list[str] | None = None) -> int:
    """Read the command line, make the scenes, and say what was written."""
    parser = _parser()
    args = parser.parse_args(argv)
    if unknown := [name for name in args.names if name not in SCENES]:
        parser.error(f"there is no scene '{unknown[0]}'; known are {', '.join(SCENES)}")
    try:
        take = Take(args.seed, args.frames, args.width)
    except ValueError as error:
        parser.error(str(error))
    for name in args.names or SCENES:
        clip = SCENES[name](take)
        for file in write_clip(name, clip, args.out, args.backgrounds):
            print(f"{file}  {file.stat().st_size / 1024:.0f} KiB")
        if args.cdnet:
            print(f"{write_cdnet(name, clip, args.out)}  {len(clip.frames)} frames")
    return 0


def _parser() -> argparse.ArgumentParser:
    usual = Take()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"scenes to make (all): {', '.join(SCENES)}")
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    parser.add_argument("--seed", type=int, default=usual.seed, help="another number gives another scene")
    parser.add_argument("--frames", type=int, default=usual.frames, help="length of each (25 per second)")
    parser.add_argument(
        "--width", type=int, default=usual.width, help="pixels, a multiple of 8; height is 3/4 of it"
    )
    parser.add_argument(
        "--backgrounds", action="store_true", help="write the exact background of every frame too"
    )
    parser.add_argument(
        "--cdnet", action="store_true", help=f"write CDnet's layout too, under OUT/{CATEGORY}"
    )
    return parser


def _write_video(path: Path, pictures: NDArray[np.uint8], layout: str) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=FPS)
        stream.height, stream.width = pictures.shape[1:3]
        # FFV1 stores RGB of 8 bits without loss under this name only.
        stream.pix_fmt = "gray" if layout == "gray" else "bgr0"
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format=layout)))
        container.mux(stream.encode())


def _write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    _, data = cv2.imencode(".png", picture[..., ::-1] if picture.ndim == 3 else picture)
    data.tofile(path)


if __name__ == "__main__":
    raise SystemExit(main())
