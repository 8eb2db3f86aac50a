"""Streams that a file may hold beside its video."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import av

from formats.pictures import frame

Writer = Callable[[], None]


def audio(container: Any) -> Writer:
    """Add an audio track with a fifth of a second of silence, in the codec that the muxer likes best."""
    stream = container.add_stream(container.default_audio_codec, rate=48_000, layout="stereo")
    stream.bit_rate = 128_000
    offered = stream.codec_context.codec.audio_formats

    def write() -> None:
        for index in range(8):
            sound = av.AudioFrame(offered[0].name, "stereo", stream.codec_context.frame_size or 1024)
            for plane in sound.planes:
                plane.update(bytes(plane.buffer_size))
            sound.sample_rate, sound.pts, sound.time_base = 48_000, index * sound.samples, Fraction(1, 48_000)
            container.mux(stream.encode(sound))
        container.mux(stream.encode(None))

    return write


def video(codec: str, size: tuple[int, int] = (32, 32), frames: int = 5, cover: bool = False) -> Any:
    """Return what adds a second video stream, or a cover picture."""

    def add(container: Any) -> Writer:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height = size
        stream.pix_fmt = av.Codec(codec, "w").video_formats[0].name
        if cover:
            stream.disposition = av.stream.Disposition.attached_pic

        def write() -> None:
            for index in range(frames):
                container.mux(stream.encode(frame(index, size, stream.pix_fmt)))
            container.mux(stream.encode(None))

        return write

    return add


def subtitles(codec: str) -> Any:
    """Return what adds a track of subtitles, with one that is no text in any encoding."""

    def add(container: Any) -> Writer:
        stream = container.add_mux_stream(codec)
        return lambda: _give(container, stream, b"\x00\x05\xffhi\xfe!")

    return add


def data(container: Any) -> Writer:
    """Add a stream of data."""
    stream = container.add_data_stream()
    return lambda: _give(container, stream, b"\x00\x01\x02 telemetry \xff")


def attachment(container: Any) -> Writer:
    """Add a font, which is none."""
    container.add_attachment("no font.ttf", "font/ttf", b"\xff" * 1000)
    return lambda: None


def _give(container: Any, stream: Any, payload: bytes) -> None:
    packet = av.Packet(payload)
    packet.stream, packet.time_base = stream, Fraction(1, 1000)
    packet.pts = packet.dts = 0
    packet.duration = 100
    container.mux(packet)
