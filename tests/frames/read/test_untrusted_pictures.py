"""Pictures that somebody sent: what they claim takes no memory, and what never ends is not begun."""

from __future__ import annotations

import json
import os
import struct
import warnings
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
import tifffile
from PIL import Image

from bgsub.errors import CannotDecode, CannotOpen, InputError
from bgsub.frames.read.headers import size_of
from bgsub.frames.read.images import ImageSource, read_image
from bgsub.frames.read.limits import TooLarge
from bgsub.frames.read.open import open_source
from bgsub.options.table import Options

WIDTH, HEIGHT = 40, 30
PICTURE = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
ENDINGS = ("png", "jpg", "bmp", "ppm", "webp", "tif")
HUGE = 50_000


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, depth: int, packed: bytes, *others: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [chunk(b"IHDR", header), *others, chunk(b"IDAT", packed), chunk(b"IEND", b"")]
    )


def bomb(folder: Path, kind: str) -> Path:
    """Write a file of some bytes that claims 2,500 million pixels."""
    path = folder / f"bomb.{kind}"
    side = struct.pack("<HHII", 256, 4, 1, HUGE) + struct.pack("<HHII", 257, 4, 1, HUGE)
    animated = chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", bytes(26))
    canvas = b"\x02\0\0\0" + 2 * (16_000 - 1).to_bytes(3, "little")
    content = {
        "png": png(HUGE, HUGE, 8, zlib.compress(bytes(10_000))),
        "apng.png": png(HUGE, HUGE, 8, zlib.compress(bytes(10_000)), animated),
        "bmp": struct.pack("<2sIIIIiiHHII", b"BM", 60, 0, 54, 40, HUGE, -HUGE, 1, 24, 0, 0) + bytes(20),
        "pgm": f"P5 {HUGE} {HUGE} 255\n".encode() + bytes(100),
        "gif": b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0) + b"\x3b" * 99,
        "tif": b"II*\0\x08\0\0\0\x02\0" + side + bytes(8),
        "webp": b"RIFF" + struct.pack("<I", 40) + b"WEBPVP8X" + struct.pack("<I", 10) + canvas + bytes(22),
    }
    path.write_bytes(content[kind])
    return path


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_header_tells_the_size(tmp_path, ending):
    Image.fromarray(PICTURE).save(tmp_path / f"a.{ending}")
    data = (tmp_path / f"a.{ending}").read_bytes()
    if ending != "jpg":  # Pillow decodes it, and tells
        assert size_of(data) == (WIDTH, HEIGHT)
    assert read_image(tmp_path / f"a.{ending}", WIDTH * HEIGHT).shape == PICTURE.shape
    with pytest.raises(TooLarge, match=rf"a\.{ending} .*{WIDTH} × {HEIGHT}.*--max-pixels"):
        read_image(tmp_path / f"a.{ending}", WIDTH * HEIGHT - 1)
    for short in range(40):
        size_of(data[:short])


@pytest.mark.parametrize("ending", ["jp2", "hdr", "ras", "pam", "pfm"])
def test_the_header_of_what_only_opencv_reads_tells_it_too(ending):
    picture = PICTURE.astype(np.float32) if ending in ("hdr", "pfm") else PICTURE
    sides = (160, 120)
    encoded, data = cv2.imencode(f".{ending}", cv2.resize(picture, sides))
    if not encoded:
        pytest.skip("this OpenCV does not write it")
    assert size_of(data.tobytes()) == sides


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("order", "<>")
def test_the_size_of_a_tile_counts_too(tmp_path, big, order):
    tifffile.imwrite(tmp_path / "a.tif", PICTURE, tile=(64, 80), bigtiff=big, byteorder=order)
    assert size_of((tmp_path / "a.tif").read_bytes()) == (80, 64)


@pytest.mark.parametrize("kind", ["png", "apng.png", "bmp", "pgm", "gif", "tif", "webp"])
def test_a_bomb_is_refused_in_one_line(tmp_path, kind):
    most = Options(max_pixels=200_000_000)
    with pytest.raises(InputError) as caught:
        open_source(bomb(tmp_path, kind), options=most)
    assert "\n" not in str(caught.value)
    assert "--max-pixels" in str(caught.value) or kind in ("gif", "tif")


def test_every_page_and_frame_is_held_to_the_limit(tmp_path):
    pictures = np.stack([PICTURE] * 3)
    tifffile.imwrite(tmp_path / "a.tif", pictures, photometric="rgb")
    first = Image.fromarray(255 - PICTURE)
    others = [Image.fromarray(PICTURE // (2 + place)) for place in range(2)]
    for name in ("a.png", "a.webp"):
        first.save(tmp_path / name, save_all=True, append_images=others, duration=40, lossless=True)
    for name in ("a.tif", "a.png", "a.webp"):
        assert len(list(open_source(tmp_path / name, options=Options(max_pixels=WIDTH * HEIGHT)))) == 3
        with pytest.raises(CannotDecode, match="--max-pixels"):
            open_source(tmp_path / name, options=Options(max_pixels=WIDTH * HEIGHT - 1))


def test_one_picture_that_is_too_large_ends_the_reading_of_a_folder(tmp_path):
    Image.fromarray(PICTURE).save(tmp_path / "0.png")
    (tmp_path / "1.png").write_bytes(bomb(tmp_path, "bmp").read_bytes())
    with pytest.raises(TooLarge, match=r"1\.png"):
        list(ImageSource([tmp_path / "0.png", tmp_path / "1.png"]))


@pytest.mark.parametrize("compression", [None, "zlib"])
def test_pages_that_are_only_claimed_are_not_looked_for(tmp_path, compression):
    path = tmp_path / "a.tif"
    claim = json.dumps({"shape": [500_000_000, *PICTURE.shape], "axes": "TYXS"})
    tifffile.imwrite(
        path,
        np.stack([PICTURE] * 3),
        photometric="rgb",
        description=claim,
        metadata=None,
        compression=compression,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        count = len(list(open_source(path)))
    assert count == 3
    assert len(caught) <= 1


def test_a_picture_without_pixels_is_none(tmp_path):
    with pytest.warns(UserWarning, match="zero-size"):
        tifffile.imwrite(tmp_path / "a.tif", np.zeros((0, 0), np.uint8))
    with pytest.raises(InputError, match=r"a\.tif"):
        open_source(tmp_path / "a.tif")


@pytest.mark.parametrize("interlaced", [False, True])
def test_packed_pixels_of_16_bits_are_checked_before_libpng_prints(tmp_path, capfd, interlaced):
    values = np.random.default_rng(0).integers(0, 65_536, (HEIGHT, WIDTH), np.uint16)
    lines = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    packed = zlib.compress(lines)
    path = tmp_path / "a.png"
    if not interlaced:
        path.write_bytes(png(WIDTH, HEIGHT, 16, packed))
        np.testing.assert_array_equal(read_image(path), values >> 8)
    for wrong in (packed[:-1] + bytes([packed[-1] ^ 1]), zlib.compress(lines + bytes(9)), packed + b"more"):
        path.write_bytes(png(WIDTH, HEIGHT, 16, wrong))
        with pytest.raises(CannotDecode, match="damaged"):
            read_image(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_devices_and_pipes_are_not_begun(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for ending in ("png", "tif", "mp4"):
        for place, target in enumerate((tmp_path / "pipe", Path("/dev/zero"))):
            link = tmp_path / f"{place}.{ending}"
            link.symlink_to(target)
            with pytest.raises(InputError, match="device or a pipe"):
                open_source(link)
            with pytest.raises(CannotDecode, match="device or a pipe"):
                read_image(link)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "concat:a|b",
            "subfile,,start,0,end,0,,:/etc/passwd",
            "data:video/mp4;base64,AAAA",
            "file:/etc/passwd",
        ),
        *("cache:http://127.0.0.1:9/x", "async:http://127.0.0.1:9/x", "crypto:/etc/passwd", "pipe:0", "fd:0"),
    ],
)
def test_a_protocol_of_ffmpeg_is_the_name_of_a_file_that_is_not_there(name):
    with pytest.raises(CannotOpen, match="no such file"):
        open_source(name)
