from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from render_kit import names, read_video, steps

from bgsub.errors import OptionError, OutputError
from bgsub.evaluation.predictions import read_masks
from bgsub.render.sinks.open import MaskSink


def random_masks(count: int, height: int, width: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random((count, height, width)) < 0.3, 255, 0).astype(np.uint8)


def write(path: Path, masks: np.ndarray, times: list[Fraction], **options) -> Path:
    with MaskSink(path, **options) as sink:
        for mask, time in zip(masks, times, strict=True):
            sink.write(mask, time)
    return path


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(height=st.integers(1, 70), width=st.integers(1, 70), seed=st.integers(0, 2**16))
def test_masks_come_back_exactly_at_any_size(height: int, width: int, seed: int, tmp_path: Path) -> None:
    masks = random_masks(3, height, width, seed)
    images, _ = read_video(write(tmp_path / "mask.mkv", masks, steps(3)), "gray")
    assert np.array_equal(images, masks)


def test_thin_masks_come_back_exactly(tmp_path: Path) -> None:
    sizes = [(10, 2000), (2000, 10), (3, 600), (480, 10), (15, 353)]
    for size in [*sizes, (1, 2000), (288, 1), (289, 2), (289, 1), (20000, 1)]:
        masks = random_masks(3, *size, 1)
        images, _ = read_video(write(tmp_path / "mask.mkv", masks, steps(3)), "gray")
        assert np.array_equal(images, masks), size


def test_opencv_reads_the_same_masks(tmp_path: Path) -> None:
    masks = random_masks(4, 31, 47)
    reader = cv2.VideoCapture(str(write(tmp_path / "mask.mkv", masks, steps(4))))
    for mask in masks:
        found, image = reader.read()
        assert found
        assert np.array_equal(image, np.stack([mask] * 3, axis=-1))
    reader.release()


def test_times_are_the_nearest_millisecond(tmp_path: Path) -> None:
    for rate in [Fraction(10), Fraction(25), Fraction(30), Fraction(30000, 1001), Fraction(240)]:
        times = steps(40, 1 / rate, first=Fraction(10))
        _, read = read_video(write(tmp_path / "mask.mkv", random_masks(40, 9, 9), times, fps=rate), "gray")
        assert read == [Fraction(round(time * 1000), 1000) for time in times], rate


def test_long_gaps_and_late_starts_are_kept(tmp_path: Path) -> None:
    times = [Fraction(7200), Fraction(7201), Fraction(90_000), Fraction(90_000) + Fraction(1, 8)]
    _, read = read_video(write(tmp_path / "mask.mkv", random_masks(4, 9, 9), times), "gray")
    assert read == times


def test_the_duration_of_the_file_is_in_seconds_everywhere(tmp_path: Path) -> None:
    path = write(tmp_path / "mask.mkv", random_masks(50, 9, 9), steps(50), fps=Fraction(25))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert container.duration == 2_000_000
        assert Fraction(stream.time_base) == Fraction(1, 1000)
        assert stream.metadata["DURATION"].startswith("00:00:02.000000000")
        assert Fraction(stream.average_rate) == 25


def test_a_reader_can_seek(tmp_path: Path) -> None:
    masks = random_masks(100, 9, 9)
    path = write(tmp_path / "mask.mkv", masks, steps(100))
    with av.open(str(path)) as container:
        container.seek(3_000_000)
        frame = next(container.decode(video=0))
    assert frame.pts * Fraction(frame.time_base) == 3
    assert np.array_equal(frame.to_ndarray(format="gray"), masks[75])


def test_every_frame_is_a_key_frame_of_ffv1(tmp_path: Path) -> None:
    path = write(tmp_path / "mask.mkv", random_masks(5, 33, 20), steps(5))
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("ffv1", "gray")
        assert all(frame.key_frame for frame in container.decode(video=0))


def test_anything_but_0_and_255_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    mask = np.zeros((8, 8), np.uint8)
    for level in (1, 126, 254):
        mask[3, 3] = level
        with pytest.raises(OutputError, match="0 and 255 only"):
            write(tmp_path / "mask.mkv", mask[None], steps(1))
    with pytest.raises(OutputError, match="a mask is"):
        write(tmp_path / "mask.mkv", np.zeros((1, 8, 8, 3), np.uint8), steps(1))
    assert names(tmp_path) == []


def test_impossible_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="threads"):
        MaskSink(tmp_path / "mask.mkv", threads=-1)
    with pytest.raises(OptionError, match="frames per second"):
        MaskSink(tmp_path / "mask.mkv", fps=Fraction(0))


@pytest.mark.shared_data
def test_real_masks_come_back_exactly(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "sequences" / "baseline" / "highway" / "groundtruth"
    labels = [cv2.imread(str(entry), cv2.IMREAD_GRAYSCALE) for entry in sorted(folder.glob("*.png"))[:60]]
    masks = np.where(np.stack(labels) == 255, 255, 0).astype(np.uint8)
    assert masks.any()
    images, _ = read_video(write(tmp_path / "mask.mkv", masks, steps(len(masks))), "gray")
    assert np.array_equal(images, masks)


def test_a_marked_shadow_is_kept_exactly(tmp_path: Path) -> None:
    mask = np.zeros((32, 48), np.uint8)
    mask[4:12, 6:20], mask[12:18, 6:30] = 255, 127
    with MaskSink(tmp_path / "mask.mkv") as sink:
        sink.write(mask, Fraction(0))
    [(_, written)] = list(read_masks(tmp_path / "mask.mkv"))
    assert np.array_equal(written, mask)
