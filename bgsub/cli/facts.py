"""The same as :mod:`bgsub.cli.describe`, for programs: numbers are numbers, and their units are in their names."""

from __future__ import annotations

import json
from typing import Any

from bgsub.cli.survey import Survey
from bgsub.frames.source import VideoInfo
from bgsub.options.table import Options
from bgsub.render.folder import REPORT
from bgsub.run.outputs import file_names

SCHEMA = 1


def facts(found: Survey) -> str:
    """Return a line of JSON on an input and on the run on it; what is not known before reading is null."""
    height, width = found.grid.frame_shape
    needs = {
        "width_written_pixels": width,
        "height_written_pixels": height,
        "region_pixels": found.grid.pixels,
        "background": found.background,
        "model": found.options.model,
        "matrix_rows": found.plan.rows,
        "matrix_columns": None if found.options.model else found.plan.columns,
        **_pieces(found.options),
        "fit_memory_bytes": found.plan.need.fit,
        "peak_memory_bytes": found.plan.need.peak,
        "allowed_memory_bytes": found.plan.allowed,
        "changed": found.changed or None,
        "estimate_seconds": None if found.plan.seconds is None else round(found.plan.seconds, 1),
    }
    writes = {
        "output": str(found.output),
        "outputs": file_names(found.options),
        "report": REPORT,
        "earlier_outputs": found.stays,
    }
    return json.dumps({"schema": SCHEMA, **_input(found.info), **needs, **writes}) + "\n"


def _input(info: VideoInfo) -> dict[str, Any]:
    return {
        "input": info.name,
        "kind": info.kind,
        "width_pixels": info.width,
        "height_pixels": info.height,
        "is_color": info.is_color,
        "rotation_degrees": info.rotation,
        "codec": info.codec or None,
        "pixel_format": info.pixel_format or None,
        "frames": info.frame_count,
        "frames_are_exact": info.kind != "video",
        "frames_per_second": None if info.fps is None else float(info.fps),
        "duration_seconds": None if info.duration is None else float(info.duration),
        "recorded": None if info.recorded is None else info.recorded.isoformat(),
        "notes": list(info.notes),
    }


def _pieces(options: Options) -> dict[str, Any]:
    seconds = options.segment.seconds
    return {
        "segment_frames": options.segment.frame or None,
        "segment_seconds": float(seconds) if seconds else None,
    }
