"""The scikit-learn estimator protocol, without scikit-learn: parameters, tags, and the not-fitted error.

scikit-learn is imported only where it is needed; this package does not require it.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, Self

from bgsub.errors import OptionError, nearest


class _NotFitted(ValueError, AttributeError):
    """The estimator has not been fitted; stands in for scikit-learn's NotFittedError if that is not installed."""


def not_fitted(name: str) -> Exception:
    """Return the exception for an unfitted estimator: scikit-learn's, if installed."""
    try:
        kind: type[Exception] = import_module("sklearn.exceptions").NotFittedError
    except ImportError:
        kind = _NotFitted
    return kind(f"this {name} has not been fitted: call fit first")


class Parameters:
    """An estimator whose parameters are its constructor arguments, stored unchanged under the same names."""

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        parameters = inspect.signature(cls.__init__).parameters
        return {name: p.default for name, p in parameters.items() if name != "self"}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name. *deep* is for scikit-learn: no parameter has parameters of its own."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name and return the estimator; ``fit`` validates the values.

        Raises
        ------
        OptionError
            There is no such parameter. (A ValueError.)
        """
        known = self._defaults()
        for name in params:
            if name not in known:
                raise OptionError(
                    f"{type(self).__name__} has no parameter {name!r}{nearest(name, known)}; "
                    f"it has {', '.join(known)}"
                )
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in self._defaults().items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags for a transformer that needs no y, preserves float32 and accepts NaN."""
        utils = import_module("sklearn.utils")
        return utils.Tags(
            estimator_type=None,
            target_tags=utils.TargetTags(required=False),
            transformer_tags=utils.TransformerTags(preserves_dtype=["float64", "float32"]),
            input_tags=utils.InputTags(allow_nan=True),
        )

    def _require_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise not_fitted(type(self).__name__)
