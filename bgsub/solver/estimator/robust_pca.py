"""Robust PCA as a scikit-learn-style estimator: ``RobustPCA().fit(X)``."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.solver.checks import number, whole_number
from bgsub.solver.estimator.data import observations
from bgsub.solver.estimator.fit import Fit, check_method, fitted
from bgsub.solver.estimator.input import (
    DataError,
    check_features,
    check_names,
    checked_codes,
    checked_rows,
    feature_names,
)
from bgsub.solver.estimator.protocol import Parameters
from bgsub.solver.estimator.regression import row_model
from bgsub.solver.estimator.terms import Wishes, chosen_terms
from bgsub.solver.problem import Term
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Stopping

FLAT = 1e-13
"""A run ends when the relative change of the objective in an iteration is at most this."""


class RobustPCA(Parameters):
    """Principal components of data with grossly corrupted entries, rows or columns, and with missing entries.

    X is split into a low-rank part L and a sparse part S by ::

        min ½‖L + S − X‖²_F    subject to    ‖L − 1·offsetᵀ‖_* ≤ tau,   ‖S‖₁ ≤ sparsity

    (or with other terms), with a certified bound on the suboptimality. Without *tau* and *sparsity*, both are taken
    from a first estimate (see Notes): ``RobustPCA().fit(X)`` needs no prior knowledge.

    Parameters
    ----------
    method
        ``"auto"``, or one of ``"alt-pgcg"``, ``"alt-cgpg"``, ``"cgcg"``, ``"cgcg-p"``, ``"fista"``, ``"alt-pgpg"``.
        With radii from a first estimate (see Notes; always computed by ALT-PGPG) all methods start near the solution,
        where those with conditional-gradient steps make hardly any progress and may end as ``flat``: ``duality_gap_``
        then bounds the suboptimality.
    tau
        Bound on the nuclear norm of the low-rank part, in the units of X; None to choose it.
    sparsity
        Bound on the norm of the sparse part, in the units of X; None to choose it.
    low_rank
        ``"nuclear"``, or a term such as ``TraceBall(3.0)``.
    sparse
        ``"l1"``: corrupted entries. ``"lp"``: the same, with the ℓp norm, p = 1 + *delta*. ``"rows"`` or ``"columns"``:
        corrupted samples or features. ``"elastic-net"``: the penalty ``lambda1·‖S‖₁ + lambda2·‖S‖²_F`` instead of a
        bound. Or a term such as ``L1Penalty(0.1)``.
    delta
        p − 1 for ``"lp"``, in (0, 1].
    lambda1, lambda2
        Weights of ``"elastic-net"``; None to choose them.
    centre
        Column offsets: None for zero, as in principal component pursuit; ``"median"``, ``"mean"``; or
        ``(n_features,)`` numbers. The nuclear norm excludes them.
    max_iter
        Maximum number of iterations of the solution, including those after refilling missing entries.
    tol
        Converged when the certified gap is at most *tol* times the objective at L = offset, S = 0.
    ridge
        Weight of a missing entry (NaN), relative to 1 for an observed one, in (0, 1]. It is pulled towards the low-rank
        part itself; smaller values need more iterations. From about 0.1 on, the fills affect the estimated radii and
        the result: ``status_`` is that of the problem with these fills.

    Attributes
    ----------
    components_
        ``(n_components_, n_features_in_)``, orthonormal rows, by decreasing singular value; the largest-magnitude entry
        of each is positive.
    singular_values_
        ``(n_components_,)``, of L minus the offset. Those below 1e-5 of the largest are dropped, from L too, if the gap
        stays within *tol* without them.
    n_components_
        Number of components.
    offset_
        ``(n_features_in_,)``, zero without *centre*.
    low_rank_, sparse_
        ``(n_samples, n_features_in_)``: L, with the offset, and S.
    objective_, duality_gap_
        The objective and its certificate: it exceeds the optimum of the problem solved by no more than the gap. Missing
        entries contribute ``½·ridge·(L + S − fill)²``, which is small since the fills are taken from L.
    low_rank_term_, sparse_term_
        The terms of the problem solved, with the radii (or weights) chosen.
    status_
        ``"converged"``: the gap is within *tol*. ``"flat"``: the objective has stopped changing. ``"max_iterations"``:
        the limit was reached, possibly while refilling missing entries.
    n_iter_
        Number of iterations, including those of the first estimate.
    trace_
        One :class:`bgsub.solver.result.TraceRow` per iteration of the (last) solution.
    reasons_
        How the parameters were chosen and what was done, one sentence per line.
    n_features_in_
        Number of columns.
    feature_names_in_
        Their names, if X is a data frame whose column names are strings.

    Raises
    ------
    OptionError
        From ``fit``: a parameter is out of range or has no meaning with the others. (A ValueError.)
    DataError
        X cannot be used. (A ValueError.)
    IncompatibleProblem
        The method needs a step that a term lacks.

    Notes
    -----
    *Choice of the radii.* A solution of ``min ½‖L + S − X‖² + μ‖L‖_* + μλ‖S‖₁`` also solves the problem above with its
    own norms as radii. λ = 1/√max(n, p), for which principal component pursuit recovers incoherent low-rank L and
    sparse S exactly (Candès, Li, Ma and Wright 2011). μ is the spectral norm of the noise found in X (Zhou et al.
    2010), close to zero if there is none. See :mod:`bgsub.solver.estimator.estimate`. If more than about a third of the
    entries are corrupted, or the rank exceeds about a fifth of the smaller dimension, expect no recovery and give the
    radii instead.

    *transform* solves a robust regression for every row, see :mod:`bgsub.solver.estimator.regression`: gross errors in
    new rows are removed as in the fit, missing entries are ignored, and training rows get their coefficients from the
    fit, up to the accuracy of the solution. ``fit_transform`` returns the latter. With ``sparse="columns"`` the columns
    keep their weights from the fit; a sparse term given as an object of a kind not named above counts as ``"l1"``.

    *scikit-learn* is not required. With it, every check of ``sklearn.utils.estimator_checks`` passes. There is no
    ``set_output``: the results are arrays.

    Memory: about ten arrays of the size of X.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> low_rank = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 50))
    >>> wrong = 10.0 * (rng.random((60, 50)) < 0.05)
    >>> pca = RobustPCA().fit(low_rank + wrong)
    >>> pca.n_components_, bool(np.abs(pca.low_rank_ - low_rank).max() < 1e-3)
    (2, True)
    """

    def __init__(
        self,
        *,
        method: str = "auto",
        tau: float | None = None,
        sparsity: float | None = None,
        low_rank: str | Term = "nuclear",
        sparse: str | Term = "l1",
        delta: float = 0.1,
        lambda1: float | None = None,
        lambda2: float | None = None,
        centre: str | ArrayLike | None = None,
        max_iter: int = 500,
        tol: float = 1e-7,
        ridge: float = 1e-3,
    ) -> None:
        self.method = method
        self.tau = tau
        self.sparsity = sparsity
        self.low_rank = low_rank
        self.sparse = sparse
        self.delta = delta
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.centre = centre
        self.max_iter = max_iter
        self.tol = tol
        self.ridge = ridge

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Fit to X, ``(n_samples, n_features)``, at least 2 × 2, NaN where missing; *y* is ignored."""
        self._fit(X)
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> NDArray[Any]:
        """Fit to X and return the coefficients of its low-rank part, ``(n_samples, n_components_)``.

        ``low_rank_`` is their :meth:`inverse_transform`. float32 and uint8 give float32, other types float64.
        """
        return self._fit(X)

    def transform(self, X: ArrayLike) -> NDArray[Any]:
        """Return the coefficients of rows ``(m, n_features_in_)`` on the components, robust to gross errors.

        NaN is ignored. float32 and uint8 give float32, other types float64.
        """
        self._require_fit()
        owner = type(self).__name__
        rows = checked_rows(X, (1, 1), owner)
        check_features(X, rows, self, owner)
        return self._rows.coefficients(rows).astype(_result_dtype(rows), copy=False)

    def inverse_transform(self, X: ArrayLike) -> NDArray[Any]:
        """Return the low-rank rows ``(m, n_features_in_)`` for coefficients ``(m, n_components_)``, offset included.

        Raises
        ------
        DataError
            The number of columns is wrong, or the values are not finite real numbers.
        """
        self._require_fit()
        codes = checked_codes(X)
        if codes.ndim != 2 or codes.shape[1] != self.n_components_:
            raise DataError(
                f"coefficients must have shape (samples, {self.n_components_}), but have {codes.shape}"
            )
        return np.asarray(codes @ self.components_ + self.offset_.astype(self.components_.dtype))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return ``robustpca0``, ``robustpca1`` …, one name per component.

        *input_features*: None, or the column names, which are checked against those of the fit.
        """
        self._require_fit()
        if input_features is not None:
            check_names(input_features, self)
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{i}" for i in range(self.n_components_)], dtype=object)

    def _fit(self, X: ArrayLike) -> NDArray[Any]:
        matrix = checked_rows(X, (2, 2), type(self).__name__)
        wishes = Wishes(
            self.low_rank, self.sparse, self.tau, self.sparsity, self.delta, self.lambda1, self.lambda2
        )
        check_method(self.method)
        stop = _stopping(self.max_iter, self.tol)
        ridge = number(self.ridge, "ridge of RobustPCA", above=0, most=1)
        data = observations(matrix, self.centre, ridge)
        chosen = chosen_terms(data, wishes)
        fit = fitted(data, chosen, self.method, stop)
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_features_in_ = int(matrix.shape[1])
        self.reasons_ = "\n".join(chosen.reasons)
        return self._take(fit, _result_dtype(matrix))

    def _take(self, fit: Fit, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Set the fitted attributes and return the coefficients; arrays in *dtype*, singular values in float64."""
        result = fit.result
        self.objective_, self.duality_gap_ = result.objective, result.gap
        self.status_, self.n_iter_, self.trace_ = str(result.status), fit.iterations, result.trace
        self.low_rank_term_, self.sparse_term_ = fit.problem.low_rank, fit.problem.sparse
        self.low_rank_ = np.asarray(result.low_rank.dense(), dtype)
        self.sparse_ = np.asarray(result.sparse, dtype)
        codes, components, self.singular_values_ = _factors(result.low_rank)
        self.n_components_ = len(components)
        self.components_ = components.astype(dtype, copy=False)
        self.offset_ = fit.problem.offset.astype(dtype, copy=False)
        self._rows = row_model(fit, codes, components)
        return codes.astype(dtype, copy=False)


def _stopping(max_iter: object, tol: Any) -> Stopping:
    """Return the stopping criteria.

    Raises
    ------
    OptionError
        A value is out of range.
    """
    most = whole_number(max_iter, "max_iter of RobustPCA", 1)
    return Stopping(most, number(tol, "tol of RobustPCA", least=0), FLAT)


def _factors(low_rank: LowRank) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Return coefficients ``(n, k)``, components ``(k, p)`` and singular values ``(k,)`` of a compressed X."""
    values = np.linalg.norm(low_rank.left.astype(np.float64), axis=0)
    codes, components = low_rank.left, low_rank.right.T
    largest = components[np.arange(len(components)), np.argmax(np.abs(components), axis=1)]
    signs = np.where(largest < 0, -1, 1).astype(components.dtype)
    return codes * signs, components * signs[:, None], values


def _result_dtype(rows: NDArray[Any]) -> np.dtype[Any]:
    return np.dtype(np.float64 if rows.dtype == np.float64 else np.float32)
