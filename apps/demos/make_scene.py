"""Make the demo clip and everything that is true about it.

Run ``python apps/demos/make_scene.py --out assets`` to make the committed files again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

# The package lies beside this script, which is also run from elsewhere and imported by tests.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene.render import Scene, SceneFrame

FPS = 25
CRF = 20
"""x264 quality of a good camera; higher numbers smooth the sensor noise away."""


def write_scene(scene: Scene, out: Path, pictures: bool = False) -> list[Path]:
    """Render a scene into *out* and return the files that were written.

    ``demo.mp4`` is the clip (H.264); ``demo_truth.mkv`` its CDnet labels (FFV1 gray, without loss);
    ``demo_background.png`` the empty scene at mean light and ``demo_light.json`` the light of each frame: the
    exact background of frame t is round(gain[t] · background + offset[t]). With *pictures* the labels are
    written as ``groundtruth/gt000001.png`` … too.
    """
    out.mkdir(parents=True, exist_ok=True)
    files = [out / name for name in ("demo.mp4", "demo_truth.mkv", "demo_background.png", "demo_light.json")]
    size = (scene.width, scene.height)
    clip = _Writer(files[0], "libx264", "yuv420p", size)
    truth = _Writer(files[1], "ffv1", "gray", size)
    with clip, truth:
        for t, frame in enumerate(_frames(scene)):
            clip.write(frame.image, "rgb24")
            truth.write(frame.labels, "gray")
            if pictures:
                files.append(_write_picture(out / "groundtruth" / f"gt{t + 1:06d}.png", frame.labels))
    _write_picture(files[2], scene.plate.image[..., ::-1])
    files[3].write_text(_light_json(scene), encoding="utf-8")
    return files


def main(argv: list[str] | None = None) -> int:
    """Read the command line, make the scene, and say what was written."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    parser.add_argument(
        "--seed", type=int, default=2, help="another number gives another street and other traffic"
    )
    parser.add_argument("--frames", type=int, default=240, help="length of the clip (25 per second)")
    parser.add_argument("--width", type=int, default=320, help="pixels, even")
    parser.add_argument("--height", type=int, default=240, help="pixels, even")
    parser.add_argument("--pictures", action="store_true", help="write the labels as groundtruth/gt*.png too")
    args = parser.parse_args(argv)
    try:
        scene = Scene(args.seed, args.frames, args.width, args.height)
    except ValueError as error:
        parser.error(str(error))
    for file in write_scene(scene, args.out, args.pictures)[:4]:
        print(f"{file}  {file.stat().st_size / 1024:.0f} KiB")
    return 0


def _frames(scene: Scene) -> Iterator[SceneFrame]:
    return (scene.render(t) for t in range(scene.frames))


def _light_json(scene: Scene) -> str:
    light = [scene.light(t) for t in range(scene.frames)]
    values = {
        "seed": scene.seed,
        "fps": FPS,
        "gain": [round(entry.gain, 6) for entry in light],
        "offset": [round(entry.offset, 6) for entry in light],
    }
    return json.dumps(values) + "\n"


def _write_picture(path: Path, picture: NDArray[np.uint8]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    data.tofile(path)
    return path


class _Writer:
    """A video file that is being written; use it as a context manager."""

    def __init__(self, path: Path, codec: str, pixels: str, size: tuple[int, int]) -> None:
        options = {"movflags": "+faststart"} if path.suffix == ".mp4" else {}
        self._container = av.open(str(path), "w", options=options)
        self._stream = self._container.add_stream(codec, rate=FPS)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = pixels
        if codec == "libx264":
            self._stream.options = {"crf": str(CRF), "preset": "slow"}

    def write(self, picture: NDArray[np.uint8], layout: str) -> None:
        self._container.mux(self._stream.encode(av.VideoFrame.from_ndarray(picture, format=layout)))

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._container.mux(self._stream.encode())
        self._container.close()


if __name__ == "__main__":
    raise SystemExit(main())
