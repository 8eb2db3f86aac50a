"""One suite over every sink: what goes in comes out, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.base.publish import Publication
from bgsub.errors import OutputError
from bgsub.render.sinks.open import FileSink, ImageSequenceSink, MaskSink, PictureSink, Sink, VideoSink

Image = NDArray[np.uint8]
MILLISECOND = Fraction(1, 1000)


def decode(path: Path, pixel_format: str) -> tuple[list[Image], list[Fraction]]:
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    images = [frame.to_ndarray(format=pixel_format) for frame in frames]
    return images, [frame.pts * Fraction(frame.time_base) for frame in frames]


def decode_png(path: Path) -> Image:
    return cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)


def decode_folder(path: Path) -> tuple[list[Image], None]:
    return [decode_png(entry) for entry in sorted(path.iterdir())], None


@dataclass(frozen=True)
class Case:
    """A sink, how to read what it wrote, and what is promised for it."""

    make: Callable[..., FileSink]
    name: str
    read: Callable[[Path], tuple[list[Image], list[Fraction] | None]]
    time_error: Fraction = Fraction(0)
    keeps_all: bool = True
    color: bool = True


CASES = {
    "video": Case(VideoSink, "clip.mp4", lambda path: decode(path, "gray")),
    "mask": Case(MaskSink, "mask.mkv", lambda path: decode(path, "gray"), MILLISECOND / 2, color=False),
    "sequence": Case(ImageSequenceSink, "pictures", decode_folder),
    "picture": Case(PictureSink, "plate.png", lambda path: ([decode_png(path)], None), keeps_all=False),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def gray(index: int, height: int = 24, width: int = 32) -> Image:
    """White in the left *index* columns, black elsewhere: fit to be a mask, and to be told apart after compression."""
    image = np.zeros((height, width), np.uint8)
    image[:, :index] = 255
    return image


def columns(image: Image) -> int:
    """How many columns are white."""
    flat = image if image.ndim == 2 else image.mean(axis=2)
    return int((flat.mean(axis=0) > 127).sum())


def fill(sink: Sink, count: int, times: list[Fraction] | None = None) -> None:
    for index in range(count):
        sink.write(gray(index + 1), times[index] if times else Fraction(index, 25))


def fail(sink: Sink, count: int, error: BaseException) -> None:
    """Raise *error* after *count* frames."""
    with sink:
        fill(sink, count)
        raise error


def entries(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_every_image_comes_back_in_order_though_its_array_is_a_view_or_reused(
    case: Case, tmp_path: Path
) -> None:
    buffers = [np.zeros((24, 64), np.uint8)[:, ::2], np.zeros((24, 32), np.uint8)]
    with case.make(tmp_path / case.name) as sink:
        for index in range(30):
            buffer = buffers[index % 2]
            buffer[...] = gray(index + 1)
            sink.write(buffer, Fraction(index, 25))
            buffer[...] = 0
    images, _ = case.read(tmp_path / case.name)
    assert [columns(image) for image in images] == (list(range(1, 31)) if case.keeps_all else [30])
    assert sink.frames == 30


TIMES = {
    "25 per second": [Fraction(i, 25) for i in range(20)],
    "30000/1001 per second": [Fraction(1001 * i, 30000) for i in range(20)],
    "24000/1001 per second": [Fraction(1001 * i, 24000) for i in range(20)],
    "uneven milliseconds": [Fraction(3 * i * i + i, 1000) for i in range(20)],
    "uneven 90 kHz": [Fraction(701 * i * i + i, 90000) for i in range(20)],
    "first at 10 s": [10 + Fraction(i, 25) for i in range(20)],
    "first at an odd 90 kHz tick": [Fraction(1234567 + 3003 * i, 90000) for i in range(20)],
    "an hour in": [3600 + Fraction(1001 * i, 30000) for i in range(20)],
    "one frame": [Fraction(7, 25)],
}


@pytest.mark.parametrize("kind", ["video", "mask"])
def test_time_stamps_come_back(kind: str, tmp_path: Path) -> None:
    case = CASES[kind]
    for name, times in TIMES.items():
        with case.make(tmp_path / case.name) as sink:
            fill(sink, len(times), times)
        _, read = case.read(tmp_path / case.name)
        assert read is not None
        assert len(read) == len(times), name
        assert max(abs(a - b) for a, b in zip(read, times, strict=True)) <= case.time_error, name
        assert read == sorted(set(read)), name


def test_every_size_is_taken_in_gray_and_in_colour(case: Case, tmp_path: Path) -> None:
    for size, color in product([(1, 1), (1, 8), (7, 5), (17, 31), (241, 496)], [False, case.color]):
        image = np.full((*size, 3) if color else size, 255, np.uint8)
        with case.make(tmp_path / case.name) as sink:
            sink.write(image, Fraction(0))
        images, _ = case.read(tmp_path / case.name)
        height, width = size
        assert len(images) == 1
        assert images[0].shape[0] - height in (0, 1), (size, color)
        assert images[0].shape[1] - width in (0, 1), (size, color)
        assert images[0].min() >= 253, (size, color)


def test_nothing_has_the_final_name_before_the_end_and_then_nothing_more_is_taken(
    case: Case, tmp_path: Path
) -> None:
    with case.make(tmp_path / case.name) as sink:
        fill(sink, 3)
        assert all(name.startswith(".bgsub-") for name in entries(tmp_path))
        assert case.name not in entries(tmp_path)
    assert entries(tmp_path) == [case.name]
    sink.close()
    with pytest.raises(OutputError, match="finished"):
        sink.write(gray(2), Fraction(1))
    assert entries(tmp_path) == [case.name]


def test_an_exception_or_no_frame_leaves_nothing(case: Case, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fail(case.make(tmp_path / case.name), 3, KeyboardInterrupt())
    assert entries(tmp_path) == []
    with pytest.raises(OutputError, match="no frame was written"), case.make(tmp_path / case.name):
        pass
    assert entries(tmp_path) == []
    sink = case.make(tmp_path / case.name)
    sink.open()
    with pytest.raises(OutputError, match="no frame was written"):
        sink.close()
    assert entries(tmp_path) == []


def test_abort_leaves_nothing_whenever_it_comes_and_is_final(case: Case, tmp_path: Path) -> None:
    for frames in (0, 1, 30):
        sink = case.make(tmp_path / case.name)
        sink.open()
        fill(sink, frames)
        sink.abort()
        sink.abort()
        assert entries(tmp_path) == [], frames
        with pytest.raises(OutputError, match="aborted"):
            sink.write(gray(1), Fraction(0))
    with case.make(tmp_path / case.name) as sink:
        fill(sink, 2)
        sink.abort()
    assert entries(tmp_path) == []
    sink = case.make(tmp_path / case.name)
    fill(sink, 2)
    sink.close()
    sink.abort()
    assert entries(tmp_path) == [case.name]


def test_an_earlier_result_stays_until_the_end_and_then_gives_way(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.name
    with case.make(path) as sink:
        fill(sink, 2)
    with pytest.raises(ValueError, match="on purpose"):
        fail(case.make(path), 5, ValueError("on purpose"))
    assert columns(case.read(path)[0][-1]) == 2
    with case.make(path) as sink:
        fill(sink, 5)
    assert columns(case.read(path)[0][-1]) == 5
    assert entries(tmp_path) == [case.name]


def test_sinks_that_are_published_together_appear_together_or_not_at_all(tmp_path: Path) -> None:
    def run(frames: int) -> None:
        with Publication() as files:
            for case in CASES.values():
                with case.make(tmp_path / case.name, files) as sink:
                    fill(sink, frames)
                assert [name for name in entries(tmp_path) if not name.startswith(".")] == []
            files.publish()

    with pytest.raises(OutputError, match="no frame was written"):
        run(0)
    assert entries(tmp_path) == []
    run(3)
    assert entries(tmp_path) == sorted(case.name for case in CASES.values())


WRONG = {
    "another size": (gray(3, 10, 10), Fraction(1), "the ones before"),
    "floats": (gray(3).astype(float), Fraction(1), "uint8"),
    "five channels": (np.zeros((24, 32, 5), np.uint8), Fraction(1), "uint8"),
    "nothing": (np.zeros((0, 32), np.uint8), Fraction(1), "uint8"),
    "the same time": (gray(3), Fraction(0), "not later"),
    "an earlier time": (gray(3), Fraction(-1), "not later"),
}


def test_an_image_that_does_not_fit_ends_it(case: Case, tmp_path: Path) -> None:
    for image, time, says in WRONG.values():
        sink = case.make(tmp_path / case.name)
        sink.write(gray(1), Fraction(0))
        with pytest.raises(OutputError, match=says) as caught:
            sink.write(image, time)
        assert case.name in str(caught.value)
        assert "\n" not in str(caught.value)
        assert entries(tmp_path) == []


def test_a_place_where_no_file_can_be_is_an_output_error(case: Case, tmp_path: Path) -> None:
    # Before any work where it can be known.
    with pytest.raises(OutputError, match="its folder does not exist"):
        case.make(tmp_path / "absent" / case.name).open()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"), case.make(tmp_path / "file" / case.name) as sink:
        fill(sink, 1)


def test_any_file_name_is_taken(case: Case, tmp_path: Path) -> None:
    odd = ("größe 監視 {0}", "a:b", "-o {0}", "50%d {0}", "x" * 240 + "{0}")
    paths = [tmp_path / name.format(Path(case.name).suffix) for name in odd]
    for path in paths:
        with case.make(path) as sink:
            fill(sink, 4)
        assert columns(case.read(path)[0][-1]) == 4, path.name
    assert entries(tmp_path) == sorted(path.name for path in paths)


def test_a_relative_path_is_taken_from_where_the_sink_was_made(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    sink = case.make(Path(case.name))
    monkeypatch.chdir(tmp_path / "elsewhere")
    with sink:
        fill(sink, 2)
    assert entries(tmp_path) == sorted([case.name, "elsewhere"])
