"""From footage to layers: what comes out belongs to what went in, frame by frame."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from clip_kit import f_measure, psnr, scene, uneven_times, write_video

import bgsub
from bgsub import BackgroundModel, Options
from bgsub.errors import InputError, OptionError, TooFewFrames
from bgsub.frames.read.array import ArraySource

SCENE = scene()
MASK_ONLY = Options(outputs="mask")


@pytest.fixture(scope="module")
def plain():
    """All layers of the scene, in memory."""
    return bgsub.separate(SCENE.frames, options=Options(outputs="background,foreground,mask,overlay,plate"))


def masks(target, **options):
    return bgsub.separate(target, options=replace(MASK_ONLY, **options)).layers["mask"]


def test_a_moving_square_is_found(plain):
    assert f_measure(plain.layers["mask"], SCENE.mask) > 0.9


def test_the_background_is_the_wall_in_every_frame(plain):
    for image, wall in zip(plain.layers["background"], SCENE.wall, strict=True):
        assert psnr(image, wall) > 40


def test_the_plate_is_the_wall(plain):
    assert psnr(plain.layers["plate"], SCENE.wall[0]) > 40


def test_the_foreground_is_the_picture_where_the_mask_says_so_and_black_elsewhere(plain):
    moving = plain.layers["mask"] == 255
    assert np.array_equal(plain.layers["foreground"][moving], SCENE.frames[moving])
    assert not plain.layers["foreground"][~moving].any()


def test_every_layer_has_every_frame(plain):
    shapes = {name: layer.shape for name, layer in plain.layers.items()}
    whole = SCENE.frames.shape
    expected = dict.fromkeys(("background", "foreground", "overlay"), whole)
    assert shapes == {**expected, "mask": whole[:3], "plate": whole[1:]}
    assert all(layer.dtype == np.uint8 for layer in plain.layers.values())


def test_masks_are_0_and_255_only(plain):
    assert set(np.unique(plain.layers["mask"])) == {0, 255}


def test_the_report_tells_the_frames_and_how_the_optimum_is_bounded(plain):
    assert plain.outputs == {}
    assert plain.report["frames"] == {
        "count": 40,
        "numbers": [[1, 40, 1]],
        "first_time": {"value": 0.0, "exact": "0"},
        "last_time": {"value": 1.56, "exact": "39/25"},
        "unregistered": 0,
        "blind": [],
    }
    [segment] = plain.report["segments"]
    assert segment["frames"] == segment["columns"] == 40
    assert 0 <= segment["gap"] < segment["initial_objective"]
    assert plain.report["foreground_share"] == pytest.approx(np.mean(plain.layers["mask"] > 0))


def test_a_slow_change_of_light_is_followed_by_one_component():
    bright = scene(60, light=0.3)
    result = bgsub.separate(bright.frames, options=Options(outputs="background,mask"))
    assert result.model.rank == 1
    assert psnr(result.layers["background"], bright.wall) > 35
    assert f_measure(result.layers["mask"], bright.mask) > 0.9


def test_gray_footage_is_separated_in_gray():
    gray = scene(color=False)
    result = bgsub.separate(gray.frames, options=Options(outputs="background,mask,plate"))
    assert result.layers["background"].shape == gray.frames.shape
    assert result.layers["plate"].shape == gray.frames.shape[1:]
    assert f_measure(result.layers["mask"], gray.mask) > 0.9


def test_colour_footage_is_worked_on_in_gray_when_asked_for():
    result = bgsub.separate(SCENE.frames, options=Options(outputs="background,mask", gray=True))
    assert result.layers["background"].ndim == 3
    assert result.model.grid.rows == 48 * 64
    assert f_measure(result.layers["mask"], SCENE.mask) > 0.9


def test_outside_the_region_everything_is_0_and_inside_is_what_the_cropped_footage_gives():
    roi = (10, 6, 40, 36)
    result = bgsub.separate(SCENE.frames, options=Options(outputs="background,mask,overlay,plate", roi=roi))
    inside = np.zeros((48, 64), bool)
    inside[6:42, 10:50] = True
    for layer in ("background", "mask"):
        assert not result.layers[layer][:, ~inside].any()
    assert not result.layers["plate"][~inside].any()
    assert f_measure(result.layers["mask"][:, inside], SCENE.mask[:, inside]) > 0.9
    assert np.array_equal(result.layers["mask"][:, 6:42, 10:50], masks(SCENE.frames[:, 6:42, 10:50]))
    assert result.report["picture"]["region"] == list(roi)
    # The overlay shows where the region is.
    assert (result.layers["overlay"][:, 6, 10:50] > 200).all()
    assert np.array_equal(result.layers["overlay"][:, :4], SCENE.frames[:, :4])


def test_the_region_that_is_the_whole_picture_changes_nothing(plain):
    assert np.array_equal(masks(SCENE.frames, roi=(0, 0, 64, 48)), plain.layers["mask"])


def test_scale_makes_every_layer_smaller():
    result = bgsub.separate(SCENE.frames, options=Options(outputs="background,mask,plate", scale=0.5))
    assert result.layers["background"].shape == (40, 24, 32, 3)
    assert result.layers["plate"].shape == (24, 32, 3)
    # The median filter takes the corners of a square of 5 × 5 pixels.
    assert f_measure(result.layers["mask"], SCENE.mask[:, ::2, ::2]) > 0.7


def test_start_end_and_stride_choose_the_frames_and_keep_their_numbers():
    result = bgsub.separate(SCENE.frames, options=replace(MASK_ONLY, start=5, end="1.4s", every=2))
    assert result.report["frames"]["numbers"] == [[6, 34, 2]]
    assert result.report["frames"]["first_time"]["exact"] == "1/5"
    assert result.report["frames"]["last_time"]["exact"] == "33/25"
    assert len(result.layers["mask"]) == 15
    assert f_measure(result.layers["mask"], SCENE.mask[5:35:2]) > 0.85


def test_segments_yield_all_frames_once():
    for segment in (13, "0.6s", 0):
        result = bgsub.separate(SCENE.frames, options=replace(MASK_ONLY, segment=segment))
        assert result.report["frames"]["numbers"] == [[1, 40, 1]]
        assert len(result.layers["mask"]) == 40
        parts = result.report["segments"]
        assert sum(part["frames"] for part in parts) == 40
        starts = np.cumsum([0, *(part["frames"] for part in parts)])[:-1]
        assert [part["first"] for part in parts] == starts.tolist()


def test_a_short_tail_keeps_the_background_of_the_segment_before_it():
    parts = bgsub.separate(SCENE.frames, options=replace(MASK_ONLY, segment=19)).report["segments"]
    assert [part["frames"] for part in parts] == [19, 19, 2]
    assert parts[2]["objective"] == parts[1]["objective"] != parts[0]["objective"]


def test_each_segment_has_the_background_of_its_own_light():
    dark = SCENE.frames[:20]
    brighter = np.clip(dark.astype(int) + 15, 0, 255).astype(np.uint8)
    both = np.concatenate([dark, brighter])
    result = bgsub.separate(both, options=Options(outputs="background,mask", segment=20, rank=0))
    wall = result.layers["background"].astype(int)
    assert np.median(wall[20:] - wall[:20]) == pytest.approx(15, abs=1)


def test_pictures_of_any_size_are_separated():
    rng = np.random.default_rng(0)
    for shape in ((1, 64), (48, 1, 3), (1, 1, 3), (1, 1), (2, 5), (47, 63, 3)):
        frames = rng.integers(100, 110, (20, *shape), dtype=np.uint8)
        result = bgsub.separate(frames, options=Options(outputs="background,mask,overlay,plate,side-by-side"))
        assert result.layers["background"].shape == frames.shape
        assert not result.layers["mask"].any()


def test_footage_without_anything_in_it_is_all_background():
    for value in (0, 128, 255):
        frames = np.full((10, 20, 30, 3), value, np.uint8)
        result = bgsub.separate(frames, options=Options(outputs="background,mask"))
        assert np.array_equal(result.layers["background"], frames)
        assert not result.layers["mask"].any()


def test_three_frames_are_enough_and_two_are_not():
    assert masks(SCENE.frames[:3]).shape == (3, 48, 64)
    with pytest.raises(TooFewFrames, match="array: only 2 frames, but at least 3 are needed"):
        masks(SCENE.frames[:2])
    with pytest.raises(TooFewFrames, match="array: no frame with --start 100, but at least"):
        masks(SCENE.frames, start=100)
    with pytest.raises(TooFewFrames, match=r"only 2 frames with --end 9\.0s and --every 200, but"):
        masks(np.repeat(SCENE.frames, 6, axis=0), end="9s", every=200)


@pytest.mark.parametrize("options", [{"end": 40}, {"end": "9s"}, {"start": 5}, {"every": 2}])
@pytest.mark.parametrize("job", [bgsub.separate, bgsub.fit])
def test_footage_that_is_too_short_itself_is_no_fault_of_the_options(job, options):
    with pytest.raises(TooFewFrames, match="array: only 2 frames, but"):
        job(SCENE.frames[:2], options=Options(**options))


@pytest.mark.parametrize(("method", "centre"), [("alt-cgpg", "median"), ("alt-pgcg", "none")])
# Masks are right however little a fit has moved; that it has not is told.
@pytest.mark.filterwarnings("ignore:--method alt-cgpg has not solved the fit")
def test_every_method_and_centre_finds_the_square(method, centre):
    result = bgsub.separate(SCENE.frames, options=replace(MASK_ONLY, method=method, centre=centre, rank=1))
    assert result.report["segments"][0]["method"] == method
    assert f_measure(result.layers["mask"], SCENE.mask) > 0.85


def test_a_method_that_gets_nowhere_is_not_called_converged():
    # From zero, the conditional-gradient step puts all of s into one entry, and no step along it gains anything.
    with pytest.warns(bgsub.BgsubWarning, match="--method alt-cgpg has not solved the fit"):
        result = bgsub.separate(
            SCENE.frames[::2], options=replace(MASK_ONLY, method="alt-cgpg", centre="none")
        )
    [segment] = result.report["segments"]
    assert segment["objective"] > 0.9 * segment["initial_objective"]
    assert segment["status"] != "converged"
    assert segment["gap"] > 0.5 * segment["objective"]


def test_radii_rank_and_threshold_are_used_as_asked_for():
    options = replace(MASK_ONLY, tau=5000.0, sparsity=1e5, rank=2, threshold=40, columns=20)
    result = bgsub.separate(SCENE.frames, options=options)
    [segment] = result.report["segments"]
    assert (segment["tau"], segment["sparsity"], segment["rank"]) == (5000.0, 1e5, 2)
    assert 10 <= segment["columns"] <= 20
    assert "threshold 40 grey levels: as asked for" in segment["reasons"]


def test_threads_do_not_change_the_result():
    one, two = (
        bgsub.separate(SCENE.frames, options=Options(threads=n, outputs="background,mask")) for n in (1, 2)
    )
    for name in one.layers:
        assert np.array_equal(one.layers[name], two.layers[name])
    assert one.report["segments"][0]["objective"] == two.report["segments"][0]["objective"]


def test_a_sequence_of_arrays_and_a_source_are_footage_too(plain):
    for target in (list(SCENE.frames), ArraySource(SCENE.frames, fps=Fraction(25))):
        assert np.array_equal(masks(target), plain.layers["mask"])


def test_a_fitted_model_gives_the_masks_of_the_run(plain):
    model = bgsub.fit(SCENE.frames)
    for frame, mask in zip(SCENE.frames, plain.layers["mask"], strict=True):
        assert np.array_equal(model.apply(frame).mask, mask)


def small_objects(side: int = 3, count: int = 60) -> np.ndarray:
    """Return frames in which a square of a few pixels crosses a noisy ground."""
    rng = np.random.default_rng(1)
    frames = np.clip(20 + rng.standard_normal((count, 60, 100, 3)) * 3, 0, 255).astype(np.uint8)
    for t in range(count):
        frames[t, 30 : 30 + side, 5 + t : 5 + t + side] = 220
    return frames


def seen(frames: np.ndarray, found: np.ndarray, side: int = 3) -> int:
    """Return in how many frames something of the square is in the mask."""
    return sum(int(found[t, 30 : 30 + side, 5 + t : 5 + t + side].any()) for t in range(len(frames)))


def test_a_loop_over_a_model_and_its_stream_give_the_masks_of_the_run():
    frames = small_objects()
    result = bgsub.separate(frames, options=Options(outputs=("mask",)))
    mine = [result.model.apply(frame).mask for frame in frames]
    assert seen(frames, result.layers["mask"]) >= 55
    assert np.array_equal(mine, result.layers["mask"])
    for threads in (1, 3):
        # What a loop over apply has left in the model's memory says nothing in a clip of its own.
        streamed = [parts.mask for parts in result.model.stream(iter(frames), threads)]
        assert np.array_equal(streamed, result.layers["mask"])


def test_a_clip_may_come_in_one_array_that_is_filled_again_and_again():
    frames = small_objects(count=20)
    model, one = bgsub.fit(frames), np.empty_like(frames[0])

    def filled():
        for frame in frames:
            one[...] = frame
            yield one

    alone = [parts.mask for parts in model.stream(frames)]
    for threads in (1, 2, 4):
        assert np.array_equal([parts.mask for parts in model.stream(filled(), threads)], alone)


def test_two_streams_of_one_model_do_not_see_each_other():
    frames = small_objects(count=20)
    model = bgsub.fit(frames)
    alone = [parts.mask for parts in model.stream(frames)]
    pairs = zip(model.stream(frames), model.stream(frames[::-1]), strict=True)
    assert np.array_equal([first.mask for first, _ in pairs], alone)


@pytest.mark.parametrize("side", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_smallest_object_of_no_pixels_finds_what_the_default_finds(side):
    frames = small_objects(side)
    default, everything, half, more = (
        seen(frames, masks(frames, min_area=area), side)
        for area in (None, 0, side * side // 2, side * side + 12)
    )
    assert default >= 55
    assert everything >= default
    # Where a least area makes a small object of it, the first two frames of it are lost.
    assert half >= min(default, len(frames) - 2)
    assert more == 0


def test_a_saved_model_gives_the_same_masks(tmp_path):
    model = bgsub.fit(SCENE.frames, Options(roi=(4, 4, 50, 40), threshold=30))
    model.save(tmp_path / "camera.npz")
    again = BackgroundModel.load(tmp_path / "camera.npz")
    assert again.reasons == model.reasons
    for frame in SCENE.frames[::5]:
        mine, other = model.apply(frame), again.apply(frame)
        assert np.array_equal(mine.mask, other.mask)
        assert np.array_equal(mine.background, other.background)


def test_fit_makes_one_background_of_all_footage_whatever_the_segment():
    report = bgsub.fit(SCENE.frames, Options(segment=10)).report
    assert (report.frames, report.columns) == (40, 40)


def test_a_frame_of_another_size_is_refused_by_the_model(plain):
    with pytest.raises(InputError, match="the model was fitted on"):
        plain.model.apply(SCENE.frames[0, :40])


def test_a_region_outside_the_picture_is_refused_before_anything_is_read():
    with pytest.raises(OptionError, match="reaches outside the picture, which is 64 × 48"):
        masks(SCENE.frames, roi=(60, 0, 10, 10))


def test_a_file_gives_what_its_frames_give_as_an_array(plain, tmp_path):
    stamps = uneven_times(40)
    path = write_video(tmp_path / "cam é.mp4", SCENE.frames, stamps)
    result = bgsub.separate(path, options=MASK_ONLY)
    assert np.array_equal(result.layers["mask"], plain.layers["mask"])
    assert result.report["frames"]["last_time"]["exact"] == str(stamps[-1])


def test_progress_is_told_for_every_frame_and_phase():
    class Listener:
        def __init__(self):
            self.steps, self.lines = {}, []

        def begin(self, phase, total):
            self.phase = phase
            self.steps.setdefault(phase, 0)

        def step(self):
            self.steps[self.phase] += 1

        def say(self, text):
            self.lines.append(text)

        def detail(self, text):
            self.say(text)

        def end(self):
            pass

    listener = Listener()
    bgsub.separate(SCENE.frames, options=replace(MASK_ONLY, segment=20), progress=listener)
    assert listener.steps["reading"] == listener.steps["separating"] == 40
    assert listener.steps["fitting"] >= 2
    assert [line for line in listener.lines if line.startswith("frames 20–39: background fitted on 20 of 20")]
    for told in ("threshold", "objects: what differs by more than ", "camera: stands still"):
        assert sum(line.strip().startswith(told) for line in listener.lines) == 2


def test_pictures_made_smaller_for_the_memory_are_warned_of_and_no_others(recwarn):
    frames = np.full((4, 480, 640, 3), 90, np.uint8)
    result = bgsub.separate(frames, options=replace(MASK_ONLY, memory=405_000_000))
    said = [str(warning.message) for warning in recwarn if issubclass(warning.category, bgsub.BgsubWarning)]
    assert len(said) == 1
    assert "--scale 0." in said[0]
    assert result.layers["mask"].shape[1] < 480
    bgsub.separate(frames, options=replace(MASK_ONLY, memory=4_000_000_000))
    assert len(recwarn) == 1


def test_a_result_says_in_one_line_what_it_holds(tmp_path):
    there = repr(bgsub.separate(SCENE.frames, options=MASK_ONLY))
    assert f"mask {SCENE.mask.shape}" in there
    written = repr(
        bgsub.separate(SCENE.frames, tmp_path / "out", replace(MASK_ONLY, outputs=("mask", "plate")))
    )
    assert "mask, plate" in written
    for text in (there, written):
        assert len(text.splitlines()) == 1
        assert len(text) < 120
        assert f"{len(SCENE.frames)} frames" in text
