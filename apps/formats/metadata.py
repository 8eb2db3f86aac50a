"""What cameras and phones put into the pictures themselves: Exif segments, and messages to the decoder (SEI)."""

from __future__ import annotations

import struct
import zlib

from formats.recipe import Packets


def exif_in_jpeg(orientation: int) -> Packets:
    """Return what puts an Exif segment with that orientation (1–8) behind the start of each JPEG picture."""
    content = b"Exif\0\0" + _tiff(orientation)
    segment = b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content
    return lambda data, _: data[:2] + segment + data[2:]


def exif_in_png(orientation: int) -> Packets:
    """Return what puts an ``eXIf`` chunk behind the header of each PNG picture."""
    content = b"eXIf" + _tiff(orientation)
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    return lambda data, _: data[:33] + chunk + data[33:]


def _tiff(orientation: int) -> bytes:
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)


def sei(kind: int, payload: bytes, hevc: bool = False) -> Packets:
    """Return what puts a message of supplemental enhancement information before each H.264 or H.265 picture.

    For streams in Annex B, with start codes.
    """
    header = b"\x4e\x01" if hevc else b"\x06"
    body = bytes([kind, len(payload)]) + payload + b"\x80"
    unit = b"\0\0\0\1" + header + _escaped(body)
    return lambda data, _: unit + data


def _escaped(body: bytes) -> bytes:
    """Keep start codes from appearing in it."""
    out = bytearray()
    for byte in body:
        if byte <= 3 and out[-2:] == b"\0\0":
            out.append(3)
        out.append(byte)
    return bytes(out)
