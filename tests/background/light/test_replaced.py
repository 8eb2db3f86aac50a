"""The ground that was put in is lit as everything else is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub import Options, separate
from bgsub.background.light.replaced import lit_where_replaced

HEIGHT, WIDTH, COUNT = 60, 80, 60
WHERE = np.zeros((HEIGHT, WIDTH), bool)
WHERE[20:44, 30:44] = True


def ground(channels: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(1)
    return (
        np.repeat(rng.uniform(60, 160, (HEIGHT // 4, WIDTH // 4, channels)), 4, 0)
        .repeat(4, 1)
        .astype(np.float32)
    )


def lights(channels: int) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """A gain as a component that is wrong where something stood, the frames' coefficients, and the right component."""
    right = ground(channels).reshape(-1, 1) / 1000
    wrong = right.reshape(HEIGHT, WIDTH, channels).copy()
    wrong[WHERE] = -0.3
    wrong = wrong.reshape(-1, 1)
    size = np.linalg.norm(wrong)
    coefficients = np.linspace(-300, 300, COUNT, dtype=np.float32)[:, None] * size
    return (wrong / size).astype(np.float32), coefficients.astype(np.float32), right


def test_light_is_what_it_is_elsewhere_and_the_product_stays_there() -> None:
    for channels in (1, 3):
        wrong, coefficients, right = lights(channels)
        found, others = lit_where_replaced(wrong, coefficients, ground(channels).reshape(-1), WHERE)
        assert found.dtype == others.dtype == np.float32
        np.testing.assert_allclose(found.T @ found, np.eye(1), atol=1e-5)
        expected = np.linspace(-300, 300, COUNT)[:, None] * right.T
        np.testing.assert_allclose(others @ found.T, expected, atol=0.05)


def test_several_components_stay_orthonormal_and_what_is_no_light_is_left() -> None:
    wrong, coefficients, _ = lights(3)
    curtain = np.random.default_rng(2).normal(0, 1, (len(wrong), 1)).astype(np.float32)
    curtain -= wrong * (wrong.T @ curtain)
    both = np.hstack([wrong, curtain / np.linalg.norm(curtain)])
    more = np.hstack([coefficients, np.full((COUNT, 1), 50, np.float32)])
    found, others = lit_where_replaced(both, more, ground(3).reshape(-1), WHERE)
    np.testing.assert_allclose(found.T @ found, np.eye(2), atol=1e-5)
    pixels = np.repeat(~WHERE.reshape(-1), 3)
    np.testing.assert_allclose((others @ found.T)[:, pixels], (more @ both.T)[:, pixels], atol=0.05)
    left = (others @ found.T - np.linspace(-300, 300, COUNT)[:, None] * lights(3)[2].T)[:, ~pixels]
    np.testing.assert_allclose(left, (more[:, 1:] @ both[:, 1:].T)[:, ~pixels], atol=0.05)


def test_nothing_is_done_without_components_or_places() -> None:
    wrong, coefficients, _ = lights(3)
    same = lit_where_replaced(wrong, coefficients, ground(3).reshape(-1), np.zeros_like(WHERE))
    assert same[0] is wrong
    assert same[1] is coefficients
    none = np.zeros((len(wrong), 0), np.float32)
    assert lit_where_replaced(none, coefficients[:, :0], ground(3).reshape(-1), WHERE)[0] is none


@pytest.mark.parametrize("gains", [(0.7, 1.2), pytest.param((1.2, 0.7), marks=pytest.mark.slow)])
def test_the_background_under_who_stands_gets_brighter_and_darker_as_the_scene_does(
    gains: tuple[float, float],
) -> None:
    scene, rng = ground(3), np.random.default_rng(3)
    truth = np.linspace(*gains, COUNT)[:, None, None, None] * scene
    frames = truth + rng.normal(0, 2, truth.shape)
    frames[COUNT // 4 :, WHERE] = 25 + rng.normal(0, 2, frames[COUNT // 4 :, WHERE].shape)
    video = np.clip(np.rint(frames), 0, 255).astype(np.uint8)
    layers = separate(video, options=Options(outputs=("mask", "background"), threads=1)).layers
    error = np.abs(layers["background"].astype(float) - np.clip(truth, 0, 255))[:, WHERE]
    assert error.mean() < 6
    assert layers["mask"][COUNT // 4 + 5 :, WHERE].mean() > 200
    assert layers["mask"][: COUNT // 4, WHERE].mean() < 10
