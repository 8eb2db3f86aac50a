"""A loss that is not quadratic, checks that every loss must pass, and Algorithm 1 in a few lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bgsub.solver.rules.rule import Trial


@dataclass(frozen=True)
class LogCoshLoss:
    """``g(Z) = Σ log cosh(z − m) + ½alpha·‖Z − M‖²``: alpha-strongly convex, (1 + alpha)-smooth."""

    alpha: float = 0.5
    quadratic: bool = False
    on_matrices: bool = True

    @property
    def beta(self):
        return 1 + self.alpha

    def check(self, matrix):
        pass

    def shape(self, matrix):
        return matrix.shape

    def value(self, matrix, z):
        r = np.abs(z.astype(np.float64) - matrix)
        return float((r + np.log1p(np.exp(-2 * r)) - np.log(2) + self.alpha * r**2 / 2).sum())

    def gradient(self, matrix, z):
        return (np.tanh(z - matrix) + self.alpha * (z - matrix)).astype(z.dtype)

    def curvature(self, direction):
        return self.beta * float(np.vdot(direction, direction))


def gradient_by_differences(loss, matrix, z, width=1e-5):
    out = np.zeros(z.shape)
    for index in np.ndindex(*z.shape):
        step = np.zeros(z.shape)
        step[index] = width
        out[index] = (loss.value(matrix, z + step) - loss.value(matrix, z - step)) / (2 * width)
    return out


def modulus_between(loss, matrix, a, b):
    """Return the quotient of ``g(b) − g(a) − ⟨∇g(a), b − a⟩`` and ``½‖b − a‖²``, which α and β enclose."""
    d = b - a
    rise = loss.value(matrix, b) - loss.value(matrix, a) - float(np.vdot(loss.gradient(matrix, a), d))
    return rise / (float(np.vdot(d, d)) / 2)


@dataclass(frozen=True)
class Split:
    """``min g(X + Y) + penalty(Y)``, X within the box [−side, side], Y with a linear minimisation oracle."""

    loss: object
    matrix: np.ndarray
    side: float
    lmo: object
    penalty: object

    def value(self, x, y):
        return self.loss.value(self.matrix, x + y) + self.penalty(y)

    def gap(self, x, y):
        gradient = self.loss.gradient(self.matrix, x + y)
        v, w = -self.side * np.sign(gradient), self.lmo(gradient)
        return float(np.vdot(x + y - v - w, gradient)) + self.penalty(y) - self.penalty(w)

    def run(self, weights, combination, iterations):
        """Return f at X₁, X₂ …, by Algorithm 1 from zero, Y by the conditional-gradient and X by the proximal step."""
        x, y = np.zeros((2, *self.loss.shape(self.matrix)))
        values = [self.value(x, y)]
        for t in range(1, iterations):
            eta, gradient = weights(t), self.loss.gradient(self.matrix, x + y)
            w = self.lmo(gradient)
            v = np.clip(x + y - w - gradient / (eta * self.loss.beta), -self.side, self.side)
            gamma = combination.step(self._trial((x, y), (v, w), gradient, eta))
            x, y = (1 - gamma) * x + gamma * v, (1 - gamma) * y + gamma * w
            values.append(self.value(x, y))
        return values

    def _trial(self, start, end, gradient, eta):
        direction = end[0] + end[1] - start[0] - start[1]
        return Trial(
            float(np.vdot(direction, gradient)) + self.penalty(end[1]) - self.penalty(start[1]),
            self.loss.curvature(direction),
            eta,
            self.value(*start),
            self.loss.beta,
            lambda g: self.value(*((1 - g) * a + g * b for a, b in zip(start, end, strict=True))),
        )
