"""The option table: what each option may be, and what is said when it is not."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from bgsub import Options
from bgsub.errors import OptionError, UsageError
from bgsub.options.position import Position
from bgsub.options.table import flag, spec_of

SPECS = {item.name: spec_of(item) for item in fields(Options)}
BELOW = [(name, spec.above if spec.above is not None else spec.minimum - 1) for name, spec in SPECS.items()
         if spec.above is not None or spec.minimum is not None]  # fmt: skip
BEYOND = [(name, spec.maximum + 1) for name, spec in SPECS.items() if spec.maximum is not None]
NUMBERS = [name for name, spec in SPECS.items() if spec.kind in ("int", "float")]
REQUIRED = [name for name, spec in SPECS.items() if not (spec.automatic or spec.optional)]


def test_the_defaults_are_valid_and_decide_from_the_data():
    options = Options()
    assert [
        name for name, spec in SPECS.items() if spec.automatic and getattr(options, name) is not None
    ] == []


def test_every_option_says_what_it_is_and_why_it_is_so():
    assert [name for name, spec in SPECS.items() if len(spec.help) <= 10 or not spec.reason] == []


def test_a_number_out_of_its_range_is_refused_with_flag_value_and_range():
    assert len(BELOW) > 10
    for name, value in BELOW + BEYOND:
        with pytest.raises(OptionError) as caught:
            Options(**{name: value})
        assert not isinstance(caught.value, UsageError)
        assert str(caught.value).startswith(f"{flag(name)} is {value:g}, but must be {SPECS[name].range}")


def test_the_least_value_is_allowed():
    for name, spec in SPECS.items():
        if spec.minimum is not None:
            assert float(getattr(Options(**{name: spec.minimum}), name)) == spec.minimum


def test_nan_and_infinity_are_refused():
    for name in NUMBERS:
        for value in (float("nan"), float("inf"), "nan", "-inf", "1e999"):
            with pytest.raises(OptionError, match=flag(name)):
                Options(**{name: value})


def test_what_is_no_number_is_refused_as_usage():
    for name in NUMBERS:
        for value in (True, [1], "many", object()):
            with pytest.raises(UsageError, match=rf"{flag(name)}: cannot read .*: expected a"):
                Options(**{name: value})


def test_none_is_refused_where_nothing_can_be_decided():
    assert REQUIRED
    for name in REQUIRED:
        with pytest.raises(UsageError, match=flag(name)):
            Options(**{name: None})


def test_a_fraction_is_no_whole_number_and_a_large_one_is_not_rounded():
    with pytest.raises(UsageError, match=r"--rank: cannot read 1.5: expected a whole number"):
        Options(rank=1.5)
    assert Options(seed=2**63 + 1).seed == Options(seed=str(2**63 + 1)).seed == 2**63 + 1


def test_numbers_of_numpy_are_numbers():
    options = Options(
        rank=np.int64(2), threshold=np.float32(30), start=np.int32(5), roi=np.arange(1, 5).tolist()
    )
    assert (options.rank, options.threshold, options.start) == (2, 30.0, Position(frame=5))
    assert type(options.rank) is int


def test_an_unknown_choice_names_the_nearest():
    for name in ("method", "low_rank", "sparse", "centre", "outputs"):
        near = SPECS[name].choices[1]
        says = rf"{flag(name)}: no such choice '{near}x'; did you mean '{near}'"
        with pytest.raises(UsageError, match=says):
            Options(**{name: near + "x"})


def test_a_choice_like_none_of_them_lists_all():
    with pytest.raises(UsageError, match=r"choose from median, none"):
        Options(centre="qqqq")


def test_every_method_and_term_has_its_name():
    for method in ("auto", "alt-pgcg", "alt-cgpg", "cgcg", "cgcg-p", "fista", "alt-pgpg"):
        for sparse in ("l1", "lp", "elastic-net", "group"):
            options = Options(method=method, sparse=sparse, low_rank="nuclear")
            assert (options.method, options.sparse, options.low_rank) == (method, sparse, "nuclear")


def test_a_positive_semidefinite_background_is_refused_with_the_reason_and_where_to_have_it():
    with pytest.raises(OptionError) as caught:
        Options(low_rank="psd")
    assert not isinstance(caught.value, UsageError)
    assert str(caught.value).startswith("--low-rank psd: a video's matrix, frames × pixels, is not symmetric")
    assert "TraceBall of bgsub.solver" in str(caught.value)


def test_a_method_without_the_step_it_needs_is_refused():
    with pytest.raises(
        OptionError, match=r"--method cgcg needs .*\(lmo\).*use --method alt-pgpg, or --low-rank nuclear"
    ):
        Options(method="cgcg", low_rank="nuclear-penalty")


def test_outputs_are_listed_once_in_their_order():
    assert Options(outputs="mask, plate,mask").outputs == ("mask", "plate")
    assert Options(outputs=["mask"]).outputs == ("mask",)


def test_no_output_at_all_is_refused():
    for value in ("", ",", []):
        with pytest.raises(OptionError, match=r"--outputs is empty"):
            Options(outputs=value)


def test_what_is_no_area_is_refused_with_its_flag():
    for value in ("1,2,3", (1, 2, 3), 7):
        with pytest.raises(UsageError, match=r"--roi: cannot read"):
            Options(roi=value)


def test_a_region_has_pixels_and_starts_inside():
    for value, fault in (
        ("0,0,0,5", "is empty, 0 × 5 pixels: width and height are 1 or more"),
        ("0,0,5,-2", "is empty, 5 × -2 pixels: width and height are 1 or more"),
        ("-1,0,5,5", "begins outside of the picture, at -1,0: x and y are 0 or more"),
        ((0, -1, 5, 0), "begins outside of the picture, at 0,-1: x and y are 0 or more"),
    ):
        text = value if isinstance(value, str) else ",".join(map(str, value))
        for name in ("roi", "exclude"):
            with pytest.raises(OptionError) as caught:
                Options(**{name: value})
            assert str(caught.value) == f"--{name} {text} {fault}"


ARRAYS = [np.zeros((48, 64)), np.ones((48, 64), np.float32), np.zeros((48, 64, 3), np.uint8), np.zeros((48, 64), int),
          np.zeros((0, 9), bool), np.zeros((3, 3), np.uint8)]  # fmt: skip


def test_an_array_that_is_no_mask_is_named_by_its_size_and_type():
    for array in ARRAYS:
        named = f"an array of {' × '.join(map(str, array.shape))} {array.dtype}: a mask is an array of bool or uint8, "
        for value, place in ((array, ""), ([array], "number 1, ")):
            with pytest.raises(UsageError) as caught:
                Options(roi=value)
            assert str(caught.value).startswith(f"--roi: cannot read {place}{named}")


def test_a_long_value_is_not_quoted_as_a_whole():
    long = {"tau": np.zeros((9, 900)), "rank": list(range(900)), "roi": {n: n for n in range(900)},
            "start": "soon\n" * 90, "shadows": ["keep"] * 900}  # fmt: skip
    for name, value in long.items():
        with pytest.raises(UsageError) as caught:
            Options(**{name: value})
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 220


def test_a_region_is_read_from_text_and_tuples_alike():
    assert Options(roi="1, 2,3,4").roi == Options(roi=[1, 2, 3, 4]).roi == ("1,2,3,4",)


def test_several_areas_are_kept_in_their_order_and_once_and_none_is_the_default():
    for name in ("roi", "exclude"):
        options = Options(**{name: ["5,5,2,2", "0,0 9,0;9,9", (5, 5, 2, 2), "sky.png"]})
        assert getattr(options, name) == ("5,5,2,2", "0,0 9,0 9,9", "@sky.png")
        assert Options(**{name: getattr(options, name)}) == options
        assert Options(**{name: []}) == Options(**{name: None}) == Options()


def test_of_several_areas_the_wrong_one_is_named():
    with pytest.raises(
        UsageError, match=r"^--exclude: cannot read number 2, '3,3': expected x,y,width,height"
    ):
        Options(exclude=["0,0,5,5", "3,3"])
    with pytest.raises(OptionError, match=r"--exclude 0,0 5,5 9,9 encloses nothing"):
        Options(exclude=["0,0,5,5", "0,0 5,5 9,9"])


def test_an_end_that_is_not_after_the_start_is_refused():
    for start, end in ((5, 5), (6, 5), ("2s", "1.5s"), ("00:02:00", "60s")):
        with pytest.raises(OptionError, match=r"--start .* is not before --end"):
            Options(start=start, end=end)


def test_a_place_to_stop_is_given_once():
    assert Options(start=5, duration="1s").duration == Position.parse("1s")
    for duration in (0, "0s", "0:00"):
        with pytest.raises(OptionError, match="--duration is 0"):
            Options(duration=duration)
    with pytest.raises(OptionError, match=r"--end 9 and --duration 2\.0s both"):
        Options(end=9, duration="2s")


def test_a_start_in_frames_and_an_end_in_seconds_can_only_be_compared_with_the_footage():
    assert Options(start=500, end="1s").start == Position(frame=500)


def test_a_position_that_cannot_be_read_is_refused():
    for value in (1.5, True, "1:2:3:4", "soon", "-5", -5, "5 weeks", "h", ""):
        with pytest.raises(UsageError, match=r"--segment: cannot read"):
            Options(segment=value)


def test_a_segment_is_long_enough_to_be_fitted_on():
    for value in (1, 2):
        with pytest.raises(OptionError, match=r"--segment .* must be 0 \(the whole video\) or at least 3"):
            Options(segment=value)
    assert [Options(segment=value).segment.frame for value in (0, 3)] == [0, 3]


def test_options_are_frozen_and_comparable():
    options = Options(threshold=30)
    assert options == Options(threshold="30.0")
    with pytest.raises(FrozenInstanceError):
        options.threshold = 1.0


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match=r"treshold"):
        Options(treshold=3)


def test_a_switch_is_true_or_false_only():
    for text in ("gray", 1, "true"):
        with pytest.raises(UsageError, match=r"--gray: .* expected true or false"):
            Options(gray=text)
