"""What every loss promises, and a loss of a user's own that is not quadratic."""

from __future__ import annotations

import numpy as np
import pytest
from loss_cases import LogCoshLoss, gradient_by_differences, modulus_between

from bgsub.solver.losses.protocol import Loss
from bgsub.solver.losses.sensing import SensingLoss
from bgsub.solver.losses.weighted import WeightedLoss

SHAPE = (4, 5)


def make(name):
    """Return a loss and data for it."""
    rng = np.random.default_rng(3)
    matrix = 3 * rng.standard_normal(SHAPE)
    if name == "weighted":
        return WeightedLoss(rng.uniform(0.2, 4, SHAPE)), matrix
    if name == "missing":
        return WeightedLoss.for_missing(rng.random(SHAPE) < 0.7, 0.05), matrix
    if name == "sensing":
        return SensingLoss(rng.standard_normal((30, 20)), SHAPE), rng.standard_normal(30)
    if name == "sensing with ridge":
        return SensingLoss(rng.standard_normal((12, 20)), SHAPE, ridge=0.3), rng.standard_normal(12)
    return LogCoshLoss(), matrix


every = pytest.mark.parametrize("name", ["weighted", "missing", "sensing", "sensing with ridge", "log cosh"])


@every
def test_it_satisfies_the_protocol_and_tells_the_shape(name):
    loss, data = make(name)
    assert isinstance(loss, Loss)
    loss.check(data)
    assert tuple(loss.shape(data)) == SHAPE
    assert loss.on_matrices == (data.ndim == 2)


def test_what_lacks_a_member_is_no_loss():
    class Half:
        alpha = beta = 1.0

    assert not isinstance(Half(), Loss)


@every
def test_the_gradient_is_the_one_of_finite_differences(name, rng):
    loss, data = make(name)
    z = rng.standard_normal(SHAPE)
    np.testing.assert_allclose(
        loss.gradient(data, z), gradient_by_differences(loss, data, z), rtol=1e-6, atol=1e-6
    )


@every
def test_alpha_and_beta_enclose_the_growth_between_random_points(name, rng):
    loss, data = make(name)
    for scale in (1e-2, 1.0, 10.0):
        for _ in range(50):
            a, b = scale * rng.standard_normal((2, *SHAPE))
            slack = 1e-9 / scale**2
            assert loss.alpha - slack <= modulus_between(loss, data, a, b) <= loss.beta + slack


@every
def test_curvature_is_the_second_difference_or_above_it(name, rng):
    loss, data = make(name)
    z, d = rng.standard_normal((2, *SHAPE))
    second = loss.value(data, z + d) - 2 * loss.value(data, z) + loss.value(data, z - d)
    if loss.quadratic:
        assert loss.curvature(d) == pytest.approx(second)
    else:
        assert loss.curvature(d) >= second


@every
def test_nothing_given_is_written_to_and_single_precision_and_memory_order_change_nothing_but_digits(
    name, rng
):
    loss, data = make(name)
    z = rng.standard_normal(SHAPE)
    data.flags.writeable = z.flags.writeable = False
    gradient = loss.gradient(data, z)
    assert not np.shares_memory(gradient, z)
    assert not np.shares_memory(gradient, data)
    assert loss.value(data, z) >= 0
    assert loss.curvature(z) > 0
    assert loss.value(data, np.asfortranarray(z)) == pytest.approx(loss.value(data, z))
    np.testing.assert_allclose(loss.gradient(data, np.asfortranarray(z)), loss.gradient(data, z))
    single, low = z.astype(np.float32), data.astype(np.float32)
    assert loss.value(low, single) == pytest.approx(loss.value(data, z), rel=1e-5)
    assert loss.curvature(single) == pytest.approx(loss.curvature(z), rel=1e-5)
    assert loss.gradient(low, single).dtype == np.float32
    assert loss.gradient(data, z).dtype == np.float64
    np.testing.assert_allclose(loss.gradient(low, single), loss.gradient(data, z), rtol=1e-4, atol=1e-4)
