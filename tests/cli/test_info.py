"""``bgsub info``: what a file is, and what a run will need."""

from __future__ import annotations

import re

import cv2
from clip_kit import scene, write_video

from bgsub import Options, open_source
from bgsub.frames.grid import Grid
from bgsub.options.sizes import megabytes
from bgsub.run.budget import make_plan


def rows(text: str) -> dict[str, str]:
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines())


def test_a_video_is_described(call, clip):
    done = call("info", clip)
    assert (done.code, done.err) == (0, "")
    about = rows(done.out)
    assert about["input"] == str(clip)
    assert about["picture"] == "64 × 48 colour"
    assert about["stored as"] == "video (ffv1, bgr0)"
    assert about["frames"] == "40 (according to the file)"
    assert about["rate"] == "25 frames/s"
    assert about["duration"] == "1.60 s"
    assert about["matrix"] == "9216 rows (64 × 48 × 3) × 40 columns"
    assert about["fitted on"] == "40 frames spread over pieces of 3000 frames"


def test_when_it_was_recorded_is_told_if_the_file_says_so(call, tmp_path):
    frames = scene().frames
    write_video(tmp_path / "plain.mp4", frames)
    assert "recorded" not in rows(call("info", tmp_path / "plain.mp4").out)
    import av

    with av.open(str(tmp_path / "plain.mp4")) as source, av.open(str(tmp_path / "dated.mp4"), "w") as target:
        target.metadata["creation_time"] = "2024-05-06T07:08:09Z"
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    assert rows(call("info", tmp_path / "dated.mp4").out)["recorded"] == "2024-05-06 07:08:09+00:00"


def test_the_memory_is_the_plan_s(call, clip):
    plan = make_plan(Grid(64, 48, True), Options(), 40)
    expected = f"{megabytes(plan.need.fit)} for the fit, {megabytes(plan.need.peak)} in all at most"
    assert rows(call("info", clip).out)["memory"] == expected


def test_options_change_what_is_needed(call, clip):
    about = rows(call("info", clip, "--gray", "--scale", "0.5", "--columns", "10", "--segment", "20s").out)
    assert about["matrix"] == "768 rows (32 × 24 × 1) × 10 columns"
    assert about["fitted on"] == "10 frames spread over pieces of 20.0s"
    whole = rows(call("info", clip, "--segment", "0", "--end", "15").out)
    assert whole["fitted on"] == "15 frames spread over the whole video"


REGIONS = [
        (["--roi", "0,0,16,48"], "768 of 3,072 pixels are looked at (25 %)"),
        (["--roi", "0,0,16,48", "--exclude", "0,0,8,8"], "704 of 3,072 pixels are looked at (22.9 %)"),
        (["--exclude", "0,0,1,1", "--scale", "0.5"], "767 of 768 pixels are looked at (99.9 %)"),
        (["--roi", "0,0,1,1"], "1 of 3,072 pixels is looked at (0.0326 %)"),
        (["--roi", "0,0,64,48"], "3,072 of 3,072 pixels are looked at (100 %)"),
        ([], None),
]  # fmt: skip


def test_a_region_is_told_by_its_pixels(call, clip):
    for flags, says in REGIONS:
        assert rows(call("info", clip, *flags).out).get("region") == says
        assert rows(call("separate", "--dry-run", clip, *flags).out).get("region") == says


def test_options_can_come_from_a_file(call, clip, tmp_path):
    (tmp_path / "my.toml").write_text("columns = 7")
    assert rows(call("info", clip, "--config", tmp_path / "my.toml").out)["matrix"].endswith("× 7 columns")


def test_a_folder_of_gray_pictures_is_described(call, tmp_path):
    for number, frame in enumerate(scene(5, color=False).frames):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    about = rows(call("info", tmp_path).out)
    assert about["picture"] == "64 × 48 gray"
    assert about["stored as"] == "images (png, gray)"
    assert about["frames"] == "5"
    assert about["rate"].startswith("25 frames/s assumed")
    assert rows(call("info", tmp_path, "--fps", "50/3").out)["rate"] == "16.67 frames/s"


def test_a_length_that_is_not_known_is_not_made_up(call, tmp_path):
    # A raw stream carries no length.
    path = write_video(tmp_path / "in.mp4", scene(8).frames)
    import av

    raw = tmp_path / "in.m4v"
    with av.open(str(path)) as source, av.open(str(raw), "w", format="m4v") as target:
        stream = target.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for frame in source.decode(video=0):
            frame.pts = None
            target.mux(stream.encode(frame.reformat(format="yuv420p")))
        target.mux(stream.encode(None))
    assert open_source(raw).info.frame_count is None
    about = rows(call("info", raw).out)
    assert about["frames"] == "not known before reading"
    assert about["estimate"] == "not known before reading"


def test_bad_input_is_one_line(call, tmp_path):
    done = call("info", tmp_path / "no.mp4")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"bgsub: no such file: {tmp_path / 'no.mp4'}\n"


def test_the_given_background_is_described_or_refused(call, clip, tmp_path):
    picture = tmp_path / "empty.png"
    cv2.imwrite(str(picture), cv2.resize(scene(1).frames[0], (128, 96)))
    about = rows(call("info", clip, "--background", picture).out)
    assert about["background"] == f"{picture}, a picture (128 × 96)"
    refused = call("info", clip, "--background", tmp_path / "none.png")
    assert refused.code == 1
    assert refused.err == f"bgsub: --background: no such file: {tmp_path / 'none.png'}\n"
