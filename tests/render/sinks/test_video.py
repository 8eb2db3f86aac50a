from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from render_kit import read_video, steps

from bgsub.errors import BgsubWarning, OptionError, OutputError
from bgsub.render.sinks.encoder import Encoder, Format
from bgsub.render.sinks.open import Encoding, VideoSink, time_base_for
from bgsub.render.sinks.video import LastPlanes


def smooth(index: int, height: int = 48, width: int = 64) -> np.ndarray:
    """A colour ramp that moves with *index*."""
    rows, columns = np.mgrid[:height, :width]
    picture = np.stack([rows * 3 + index, columns * 2 + 40, 200 - rows - columns], axis=-1)
    return picture.astype(np.uint8)


def write(path: Path, times: list[Fraction], **options) -> Path:
    with VideoSink(path, **options) as sink:
        for index, time in enumerate(times):
            sink.write(smooth(index), time)
    return path


def test_flat_colours_decode_back_within_a_few_levels(tmp_path: Path) -> None:
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (30, 60, 90), (200, 40, 20)]
    for colour in colours:
        with VideoSink(tmp_path / "clip.mp4") as sink:
            for time in steps(3):
                sink.write(np.full((48, 64, 3), colour, np.uint8), time)
        for image in read_video(tmp_path / "clip.mp4")[0]:
            assert np.abs(image.astype(int) - colour).max() <= 3, colour
    # OpenCV, which ignores what the file says, sees the same.
    reader = cv2.VideoCapture(str(tmp_path / "clip.mp4"))
    found, image = reader.read()
    reader.release()
    assert found
    assert np.abs(image[..., ::-1].astype(int) - colours[-1]).max() <= 3


def test_pictures_are_kept_closely(tmp_path: Path) -> None:
    write(tmp_path / "clip.mp4", steps(10))
    images, _ = read_video(tmp_path / "clip.mp4")
    errors = [np.abs(image.astype(int) - smooth(index)).mean() for index, image in enumerate(images)]
    assert max(errors) < 2.5  # 1.97 to 2.07: what x264 decides in a run depends on its threads


def test_it_is_what_browsers_play(tmp_path: Path) -> None:
    path = write(tmp_path / "clip.mp4", steps(5), fps=Fraction(25))
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert container.format.name.startswith("mov,mp4")
        assert (context.name, context.pix_fmt, context.profile) == ("h264", "yuv420p", "High")
        assert (context.color_range, context.colorspace) == (1, 6)
        assert context.extradata is not None
        level = context.extradata[3]
    assert (
        level <= 31
    )  # a claim of millions of frames per second would ask for level 6.2, which phones refuse
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_the_rate_is_reported_as_given(tmp_path: Path) -> None:
    rate = Fraction(30000, 1001)
    path = write(tmp_path / "clip.mp4", steps(30, 1 / rate), fps=rate)
    with av.open(str(path)) as container:
        assert Fraction(container.streams.video[0].average_rate) == rate


def test_the_last_frame_is_as_long_as_the_one_before(tmp_path: Path) -> None:
    for count, step in [(1, Fraction(1, 10)), (2, Fraction(3, 10)), (30, Fraction(3, 10))]:
        path = write(tmp_path / "clip.mp4", steps(count, step), fps=Fraction(10))
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            assert stream.duration * Fraction(stream.time_base) == count * step, (count, step)


def test_any_time_base_that_is_given_is_kept_exactly(tmp_path: Path) -> None:
    for denominator in [1, 7, 44_100, 12_800, 1_000_000, 2**31 - 1]:
        step = Fraction(max(1, denominator // 100), denominator)
        times = [Fraction(3, denominator) + index * step for index in range(6)]
        write(tmp_path / "clip.mp4", times, time_base=Fraction(1, denominator))
        assert read_video(tmp_path / "clip.mp4")[1] == times, denominator


def test_times_found_beforehand_give_exact_stamps_whatever_they_are(tmp_path: Path) -> None:
    times = [Fraction(0), Fraction(1, 7), Fraction(2, 11), Fraction(5, 13), Fraction(10_000)]
    write(tmp_path / "clip.mp4", times, time_base=time_base_for(times))
    assert read_video(tmp_path / "clip.mp4")[1] == times


def test_times_between_ticks_are_rounded_to_the_nearest_and_stay_apart(tmp_path: Path) -> None:
    times = [Fraction(0), Fraction(14, 1000), Fraction(26, 1000), Fraction(27, 1000)]
    write(tmp_path / "clip.mp4", times, time_base=Fraction(1, 100))
    assert read_video(tmp_path / "clip.mp4")[1] == [Fraction(tick, 100) for tick in (0, 1, 3, 4)]


def test_a_negative_start_becomes_zero_and_the_steps_stay(tmp_path: Path) -> None:
    with pytest.warns(BgsubWarning, match="starts at 0"):
        write(tmp_path / "clip.mp4", steps(5, first=Fraction(-2, 25)))
    assert read_video(tmp_path / "clip.mp4")[1] == steps(5)


def test_a_pause_too_long_for_the_time_base_is_shortened(tmp_path: Path) -> None:
    with pytest.warns(BgsubWarning, match="a pause of 86400 s is shortened"):
        write(tmp_path / "clip.mp4", [Fraction(0), Fraction(86_400), Fraction(86_401)])
    stamps = read_video(tmp_path / "clip.mp4")[1]
    assert (stamps[0], stamps[2] - stamps[1]) == (0, 1)
    write(tmp_path / "clip.mp4", [Fraction(0), Fraction(86_400)], time_base=Fraction(1, 1000))
    assert read_video(tmp_path / "clip.mp4")[1] == [0, 86_400]


def test_a_larger_crf_makes_a_smaller_file(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    sizes = []
    for crf in (10, 40):
        with VideoSink(
            tmp_path / f"{crf}.mp4", encoding=Encoding(crf=crf, preset="ultrafast", threads=1)
        ) as sink:
            sink.write(noise, Fraction(0))
        sizes.append((tmp_path / f"{crf}.mp4").stat().st_size)
    assert sizes[1] < sizes[0] / 2


def test_impossible_options_are_refused() -> None:
    for values in [{"crf": -1}, {"crf": 52}, {"preset": "quick"}, {"threads": -1}]:
        with pytest.raises(OptionError, match=next(iter(values))):
            Encoding(**values)


def test_an_impossible_rate_is_refused(tmp_path: Path) -> None:
    for fps in [Fraction(0), Fraction(-25), Fraction(1, 2**31)]:
        with pytest.raises(OptionError, match="frames per second"):
            VideoSink(tmp_path / "clip.mp4", fps=fps)


def test_an_encoder_that_is_not_there_is_named(tmp_path: Path) -> None:
    layout = Format(container="mp4", codec="libx999", pixel_format="yuv420p")
    with pytest.raises(OutputError, match="no encoder 'libx999'"):
        Encoder(tmp_path / "part", tmp_path / "clip.mp4", layout, (16, 16), Fraction(1, 25), None)


def test_an_encoder_that_refuses_is_reported_under_the_final_name(tmp_path: Path) -> None:
    layout = Format(container="mp4", codec="libx264", pixel_format="yuv420p")
    with pytest.raises(OutputError, match=r"cannot write .*clip\.mp4"):
        Encoder(tmp_path / "part", tmp_path / "clip.mp4", layout, (15, 15), Fraction(1, 25), None)


@pytest.mark.shared_data
@pytest.mark.slow
def test_the_time_stamps_of_variable_rate_footage_are_copied_exactly(
    shared_data: Path, tmp_path: Path
) -> None:
    with av.open(str(shared_data / "videos" / "surveillance" / "traffic_camera_vfr.mp4")) as container:
        packets = [packet for packet in container.demux(video=0) if packet.pts is not None]
    times = sorted(packet.pts * Fraction(packet.time_base) for packet in packets)
    assert len({b - a for a, b in pairwise(times)}) > 1
    write(tmp_path / "clip.mp4", times)
    assert read_video(tmp_path / "clip.mp4")[1] == times


def test_a_picture_that_comes_again_is_converted_once_unless_it_may_have_changed() -> None:
    planes, image = LastPlanes(), np.full((4, 6, 3), 50, np.uint8)
    first = planes.of(image)
    image[...] = 90
    changed = planes.of(image)
    assert changed[0, 0] > first[0, 0]
    image.flags.writeable = False
    kept = planes.of(image)
    assert np.array_equal(kept, changed)
    assert planes.of(image) is kept
    assert planes.of(np.full((4, 6, 3), 20, np.uint8))[0, 0] < first[0, 0]
