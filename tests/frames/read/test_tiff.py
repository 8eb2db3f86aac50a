"""TIFF files of several pictures: what their writers call time, and what they compress with."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest
import tifffile
from PIL import Image

from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen, InputError
from bgsub.frames.read.images import ImageSource
from bgsub.frames.read.open import open_source
from bgsub.frames.read.tiff import TiffSource


def read(path: Path) -> np.ndarray:
    return np.array([frame.image for frame in open_source(path)])


def one_by_one(path: Path, clip: np.ndarray, **how: object) -> None:
    with tifffile.TiffWriter(path) as file:
        for image in clip:
            file.write(image, **how)


def by_pillow(path: Path, clip: np.ndarray, **how: object) -> None:
    first, *others = (Image.fromarray(image) for image in clip)
    first.save(path, format="tiff", save_all=True, append_images=others, **how)


WRITERS = {
    "one array": tifffile.imwrite,
    "one by one": one_by_one,
    "one by one, as one array": lambda path, clip: one_by_one(path, clip, contiguous=True),
    "plain pages": lambda path, clip: one_by_one(path, clip, metadata=None),
    "deflated": lambda path, clip: tifffile.imwrite(path, clip, compression="zlib"),
    "tiled": lambda path, clip: tifffile.imwrite(path, clip, tile=(16, 16)),
    "BigTIFF": lambda path, clip: tifffile.imwrite(path, clip, bigtiff=True),
    "big-endian": lambda path, clip: tifffile.imwrite(path, clip, byteorder=">"),
    "ImageJ": lambda path, clip: tifffile.imwrite(path, clip, imagej=True, byteorder=">"),
    "OME": lambda path, clip: tifffile.imwrite(path, clip, ome=True),
    "Pillow": by_pillow,
    "Pillow, LZW": lambda path, clip: by_pillow(path, clip, compression="tiff_lzw"),
    "OpenCV": lambda path, clip: cv2.imencodemulti(
        ".tiff", [image[..., ::-1] if image.ndim == 3 else image for image in clip]
    )[1].tofile(path),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("gray", [True, False], ids=["gray", "colour"])
def test_pages_are_frames_whoever_has_written_them(tmp_path, clip, writer, gray):
    clip = clip[..., 0] if gray else clip
    # The name says nothing.
    WRITERS[writer](tmp_path / "recording.mp4", clip)
    np.testing.assert_array_equal(read(tmp_path / "recording.mp4"), clip)


@pytest.mark.parametrize("writer", ["one array", "plain pages", "deflated", "ImageJ", "big-endian", "OpenCV"])
def test_deep_pages_are_stretched_as_pictures_are(tmp_path, clip, writer):
    stored = clip[..., 0].astype(np.uint16) * 20 + 300
    WRITERS[writer](tmp_path / "a.tif", stored)
    source = open_source(tmp_path / "a.tif", range=(300, 300 + 255 * 20))
    np.testing.assert_array_equal([frame.image for frame in source], clip[..., 0])
    source = open_source(tmp_path / "a.tif")
    with pytest.warns(BgsubWarning, match="uint16 values"):
        found = [frame.image for frame in source]
    low, high = source.info.levels
    np.testing.assert_allclose(found, (stored - low) * (255 / (high - low)), atol=0.5001)


@pytest.mark.parametrize("compression", ["packbits", "tiff_lzw", "tiff_adobe_deflate", "group4", "jpeg"])
@pytest.mark.parametrize("mode", ["1", "L", "RGB", "P", "CMYK", "I;16", "F"])
def test_every_usual_compression_of_every_mode_is_read(tmp_path, clip, compression, mode):
    pictures = [Image.fromarray(image) for image in clip]
    if mode in ("I;16", "F"):
        kind = np.uint16 if mode == "I;16" else np.float32
        pictures = [Image.fromarray(image[..., 0].astype(kind)) for image in clip]
    pictures = [picture if picture.mode == mode else picture.convert(mode) for picture in pictures]
    try:
        pictures[0].save(
            tmp_path / "a.tif", save_all=True, append_images=pictures[1:], compression=compression
        )
    except (OSError, KeyError):
        pytest.skip("there is no such TIFF")
    expected = [picture if mode[0] in "IF" else picture.convert("RGB" if mode in "RGBPCMYK" else "L")
                for picture in pictures]  # fmt: skip
    found = [
        frame.image for frame in open_source(tmp_path / "a.tif", range=(0, 255) if mode[0] in "IF" else None)
    ]
    # JPEG is lossy; OpenCV and Pillow round CMYK differently.
    np.testing.assert_allclose(
        np.array(found, float),
        np.array([np.asarray(p) for p in expected]),
        atol=40 if compression == "jpeg" else 1,
    )


@pytest.mark.parametrize("dtype", ["i2", "u4", "i4", "f4", "f8", "f2"])
def test_pages_of_any_dtype_are_read(tmp_path, clip, dtype):
    tifffile.imwrite(tmp_path / "a.tif", (clip[..., 0].astype(float) * 2 + 9).astype(dtype))
    source = open_source(tmp_path / "a.tif", range=(9, 519))
    np.testing.assert_array_equal([frame.image for frame in source], clip[..., 0])


@pytest.mark.parametrize(
    ("axes", "shape"),
    [
        ("ZYX", (7, 12, 16)),
        ("TYX", (7, 12, 16)),
        ("TZCYX", (7, 1, 1, 12, 16)),
        ("CYX", (40, 12, 16)),
        ("CYXS", (7, 12, 16, 3)),
    ],
)
def test_one_axis_is_time_by_whatever_name(tmp_path, axes, shape):
    stack = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    tifffile.imwrite(tmp_path / "a.ome.tif", stack, metadata={"axes": axes})
    np.testing.assert_array_equal(read(tmp_path / "a.ome.tif"), stack.squeeze())


@pytest.mark.parametrize(
    ("axes", "shape", "words"),
    [
        ("TZYX", (4, 3, 12, 16), "T 4 × Z 3 × Y 12 × X 16"),
        ("TCYX", (4, 2, 12, 16), "T 4 × C 2 × Y 12 × X 16"),
        ("CYX", (5, 12, 16), "C 5 × Y 12 × X 16"),
        ("ZTYX", (2, 3, 12, 16), "Z 2 × T 3 × Y 12 × X 16"),
    ],
)
def test_more_than_time_is_refused_with_the_axes_and_their_sizes(tmp_path, axes, shape, words):
    path = tmp_path / "a.ome.tif"
    tifffile.imwrite(path, np.zeros(shape, np.uint8), metadata={"axes": axes}, photometric="minisblack")
    with pytest.raises(CannotOpen, match=words) as caught:
        open_source(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(CannotOpen, match=words):
        ImageSource([path, path])


def test_series_of_different_shapes_are_refused_with_these(tmp_path):
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        for shape in [(12, 16), (12, 16), (6, 8)]:
            file.write(np.zeros(shape, np.uint8))
    with pytest.raises(CannotOpen, match=r"3 series of pictures \(Y 12 × X 16; Y 6 × X 8\)"):
        open_source(tmp_path / "a.tif")


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw"])
def test_a_set_of_ome_files_is_read_by_any_of_them(tmp_path, clip, compression):
    clip = clip[:4, ..., 0]
    names = [f"urn:uuid:00000000-0000-0000-0000-00000000000{number}" for number in range(len(clip))]
    planes = "".join(
        f'<TiffData IFD="0" PlaneCount="1" FirstT="{number}"><UUID FileName="{number}.tif">{name}</UUID></TiffData>'
        for number, name in enumerate(names)
    )
    pixels = (
        f'<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" SizeX="{clip.shape[2]}" SizeY="{clip.shape[1]}" '
        f'SizeC="1" SizeZ="1" SizeT="4"><Channel ID="C:0" SamplesPerPixel="1"/>{planes}</Pixels>'
    )
    for number, name in enumerate(names):
        text = (
            '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" '
            f'UUID="{name}"><Image ID="Image:0">{pixels}</Image></OME>'
        )
        Image.fromarray(clip[number]).save(
            tmp_path / f"{number}.tif", compression=compression, tiffinfo={270: text}
        )
    np.testing.assert_array_equal(read(tmp_path / "0.tif"), clip)
    np.testing.assert_array_equal(read(tmp_path / "2.tif"), clip)
    np.testing.assert_array_equal(read(tmp_path), clip)


def test_a_thumbnail_beside_a_picture_is_no_frame(tmp_path, clip):
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        file.write(clip[0], metadata=None)
        file.write(clip[0, ::4, ::4, 0], subfiletype=1, metadata=None)
    np.testing.assert_array_equal(read(tmp_path / "a.tif"), clip[:1])
    source = ImageSource([tmp_path / "a.tif", tmp_path / "a.tif"])
    assert [frame.image.shape for frame in source] == [clip[0].shape] * 2


def test_alpha_is_dropped_and_black_is_low(tmp_path, clip):
    alpha = np.concatenate([clip, clip[..., :1]], axis=3)
    tifffile.imwrite(tmp_path / "a.tif", alpha, photometric="rgb", extrasamples=["unassalpha"])
    np.testing.assert_array_equal(read(tmp_path / "a.tif"), clip)
    tifffile.imwrite(tmp_path / "b.tif", ~clip[..., 0], photometric="miniswhite")
    np.testing.assert_array_equal(read(tmp_path / "b.tif"), clip[..., 0])
    tifffile.imwrite(
        tmp_path / "c.tif", clip.transpose(0, 3, 1, 2), photometric="rgb", planarconfig="separate"
    )
    np.testing.assert_array_equal(read(tmp_path / "c.tif"), clip)


@pytest.mark.parametrize(
    ("how", "interval"),
    [
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 0.04}}, Fraction(1, 25)),
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 12.5}}, Fraction(25, 2)),
        ({"ome": True, "metadata": {"axes": "TYX", "TimeIncrement": 0.1}}, Fraction(1, 10)),
        (
            {"ome": True, "metadata": {"axes": "TYX", "TimeIncrement": 40.0, "TimeIncrementUnit": "ms"}},
            Fraction(1, 25),
        ),
        (
            {"ome": True, "metadata": {"axes": "TYX", "TimeIncrement": 5.0, "TimeIncrementUnit": "min"}},
            Fraction(300),
        ),
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 0.0}}, None),
        ({}, None),
    ],
)
def test_the_interval_that_is_noted_gives_the_times(tmp_path, clip, how, interval):
    tifffile.imwrite(tmp_path / "a.tif", clip[..., 0], **how)
    source = open_source(tmp_path / "a.tif")
    step = Fraction(1, 25) if interval is None else interval
    assert [frame.time for frame in source] == [place * step for place in range(len(clip))]
    assert source.info.fps == (None if interval in (None, 300) else 1 / interval)
    given = open_source(tmp_path / "a.tif", fps=Fraction(30000, 1001))
    assert [frame.time for frame in given][2] == Fraction(2002, 30000)
    assert given.info.fps == Fraction(30000, 1001)


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path, clip):
    one_by_one(tmp_path / "a.tif", clip, metadata=None)
    whole = (tmp_path / "a.tif").read_bytes()
    tifffile.imwrite(tmp_path / "b.tif", clip)
    (tmp_path / "b.tif").write_bytes((tmp_path / "b.tif").read_bytes()[: -clip[0].nbytes * 3 // 2])
    with pytest.warns(BgsubWarning, match=r"page 1[12] of .*; it is skipped"):
        np.testing.assert_array_equal(read(tmp_path / "b.tif"), clip[:10])
    (tmp_path / "a.tif").write_bytes(whole[:100])
    with pytest.raises(CannotDecode):
        open_source(tmp_path / "a.tif")


def test_a_damaged_page_leaves_its_time_empty(tmp_path, clip):
    one_by_one(tmp_path / "a.tif", clip, metadata=None, compression="zlib")
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        place = file.pages[4].dataoffsets[0]
    data = bytearray((tmp_path / "a.tif").read_bytes())
    data[place : place + 20] = b"\xff" * 20
    (tmp_path / "a.tif").write_bytes(data)
    with pytest.warns(BgsubWarning, match=r"page 5 of .*; it is skipped"):
        frames = list(open_source(tmp_path / "a.tif"))
    assert [frame.number for frame in frames] == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert frames[4].time == Fraction(5, 25)
    assert [frame.index for frame in frames] == list(range(11))


def test_a_file_of_many_pictures_among_others_is_refused(tmp_path, clip):
    by_pillow(tmp_path / "2.tif", clip)
    Image.fromarray(clip[0]).save(tmp_path / "1.tif")
    with pytest.raises(InputError, match=r"2\.tif holds several pictures.*name that file alone"):
        list(open_source(tmp_path))


def test_a_folder_or_wildcard_of_one_file_is_that_file(tmp_path, clip):
    by_pillow(tmp_path / "2.tif", clip)
    for target in (tmp_path, tmp_path / "*.tif"):
        source = open_source(target)
        assert (len(list(source)), source.info.name) == (len(clip), str(target))


def test_one_page_is_in_memory_at_a_time(tmp_path):
    page = np.random.default_rng(0).integers(0, 256, (600, 800), np.uint8)
    one_by_one(tmp_path / "a.tif", np.broadcast_to(page, (40, *page.shape)), compression="zlib")
    tifffile.imwrite(tmp_path / "b.tif", np.broadcast_to(page, (40, *page.shape)))
    import tracemalloc

    for name in ("a.tif", "b.tif"):
        source = TiffSource(tmp_path / name)
        tracemalloc.start()
        assert sum(1 for _ in source) == 40
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * page.nbytes, name
