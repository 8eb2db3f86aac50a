from __future__ import annotations

import numpy as np
import pytest
from render_kit import view

from bgsub.errors import OptionError
from bgsub.render.layers import Background, Foreground, Input, Mask, Overlay, SideBySide
from bgsub.render.panels import label


def test_four_panels_make_a_square_in_reading_order() -> None:
    given = view()
    drawn = SideBySide(labels=False).draw(given)
    assert drawn.shape == (80, 120, 3)
    assert np.array_equal(drawn[:40, :60], given.image)
    assert np.array_equal(drawn[:40, 60:], given.background)
    assert np.array_equal(drawn[40:, :60], Overlay().draw(given))
    assert np.array_equal(drawn[40:, 60:], np.stack([given.mask] * 3, axis=-1))


def test_a_row_and_any_layers_are_possible() -> None:
    given = view()
    drawn = SideBySide(panels=(Input(), Foreground(), Mask()), columns=3, labels=False).draw(given)
    assert drawn.shape == (40, 180, 3)
    assert np.array_equal(drawn[:, 60:120], Foreground().draw(given))


def test_a_last_row_that_is_not_full_ends_in_black() -> None:
    drawn = SideBySide(panels=(Input(), Background(), Input()), labels=False).draw(view())
    assert drawn.shape == (80, 120, 3)
    assert not drawn[40:, 60:].any()


def test_gray_panels_of_gray_footage_stay_gray() -> None:
    layer = SideBySide(panels=(Input(), Background(), Mask()), labels=False)
    given = view(color=False)
    assert not layer.is_color(False)
    assert np.array_equal(layer.draw(given)[:40, :60], given.image)


def test_labels_change_only_the_top_left_corner_of_each_panel() -> None:
    given = view(240, 320)
    plain, labelled = SideBySide(labels=False).draw(given), SideBySide().draw(given)
    changed = (plain != labelled).any(axis=2)
    for top in (0, 240):
        for left in (0, 320):
            panel = changed[top : top + 240, left : left + 320]
            rows, columns = np.nonzero(panel)
            assert rows.size > 100
            assert rows.max() < 40
            assert columns.max() < 160


def test_a_label_is_white_on_dark() -> None:
    cell = np.full((240, 320, 3), 200, np.uint8)
    label(cell, "background")
    assert cell.max() > 240
    assert np.median(cell[:12, :40]) == 50


def test_longer_names_take_longer_labels() -> None:
    def width(text: str) -> int:
        cell = np.full((240, 320), 200, np.uint8)
        label(cell, text)
        return int(np.nonzero((cell != 200).any(axis=0))[0].max())

    assert width("mask") < width("background")


def test_tiny_panels_have_no_label() -> None:
    given = view(16, 20)
    assert np.array_equal(SideBySide().draw(given), SideBySide(labels=False).draw(given))


def test_no_panels_or_columns_are_refused() -> None:
    with pytest.raises(OptionError, match="at least one panel"):
        SideBySide(panels=())
    with pytest.raises(OptionError, match="columns must be at least 1"):
        SideBySide(columns=0)
