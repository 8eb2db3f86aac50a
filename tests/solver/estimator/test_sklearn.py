from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import L1Ball
from bgsub.solver.estimator.robust_pca import RobustPCA

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import (
    check_transformer_get_feature_names_out,
    parametrize_with_checks,
)
from sklearn.utils.validation import check_is_fitted

# scikit-learn is no requirement at run time, so that there is nothing to inherit from.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Estimator RobustPCA does not inherit"),
]

NOT_HERE = {
    "check_array_api_input": "scikit-learn skips it unless SCIPY_ARRAY_API was set before SciPy was imported: "
    "test_array_api_dispatch_changes_nothing runs it in a process of its own",
}
"""Checks that are skipped, with the reason."""


def expected_failed_checks(estimator):
    """Return the checks that fail, by name, with the reason: none does."""
    return {}


ESTIMATORS = [
    RobustPCA(),
    RobustPCA(sparse="rows", centre="median"),
]


with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Estimator RobustPCA does not inherit")
    every_check = parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failed_checks)


@pytest.mark.slow
@every_check
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    name = getattr(check, "func", check).__name__
    if name in NOT_HERE:
        pytest.skip(NOT_HERE[name])
    check(estimator)


@pytest.mark.slow
def test_array_api_dispatch_changes_nothing():
    program = (
        "from sklearn.utils.estimator_checks import check_array_api_input as check; "
        "from bgsub.solver.estimator.robust_pca import RobustPCA; "
        "check('RobustPCA', RobustPCA(), array_namespace='numpy', expect_only_array_outputs=False)"
    )
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True)


def test_the_names_of_the_components_follow_the_convention():
    check_transformer_get_feature_names_out("RobustPCA", RobustPCA())


def test_a_clone_has_the_parameters_and_not_the_fit():
    data = plant((20, 15), 2, 0.05, 5.0).matrix
    fitted = RobustPCA(sparse=L1Ball(3.0), tau=4.0).fit(data)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "components_")
    check_is_fitted(fitted)
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    with pytest.raises(NotFittedError, match="call fit first"):
        copy.transform(data)


def test_a_fit_survives_pickling():
    data = plant((20, 15), 2, 0.05, 5.0).matrix
    for sparse in ("l1", "lp", "rows", "columns", "elastic-net"):
        fitted = RobustPCA(sparse=sparse).fit(data)
        again = pickle.loads(pickle.dumps(fitted))
        np.testing.assert_array_equal(again.transform(data), fitted.transform(data))
        assert again.trace_ == fitted.trace_
        assert again.reasons_ == fitted.reasons_


def test_a_regression_on_components_is_not_misled_by_wrong_entries():
    rng = np.random.default_rng(0)
    planted = plant((200, 40), 2, 0.05, 30.0)
    target = planted.low_rank @ rng.standard_normal(40)
    train, test = slice(0, 120), slice(120, 200)
    scores = {}
    for first in (PCA(2), RobustPCA(tau=None)):
        pipeline = make_pipeline(first, LinearRegression()).fit(planted.matrix[train], target[train])
        scores[type(first)] = pipeline.score(planted.matrix[test], target[test])
    assert scores[RobustPCA] > 0.99
    assert scores[PCA] < 0.9


@pytest.mark.slow
def test_it_works_in_a_pipeline_behind_a_scaler_and_in_a_search():
    planted = plant((40, 12), 2, 0.05, 10.0)
    target = planted.low_rank[:, 0]
    pipeline = make_pipeline(StandardScaler(), RobustPCA(), LinearRegression())
    search = GridSearchCV(pipeline, {"robustpca__sparse": ["l1", "rows"]}, cv=2).fit(planted.matrix, target)
    assert search.best_params_ == {"robustpca__sparse": "l1"}


def test_a_data_frame_gives_names_and_the_same_numbers():
    pandas = pytest.importorskip("pandas")
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

    data = plant((40, 10), 2, 0.05, 5.0).matrix
    data[3, 4] = np.nan
    frame = pandas.DataFrame(data, columns=[f"c{i}" for i in range(10)])
    a, b = RobustPCA(), RobustPCA()
    np.testing.assert_array_equal(a.fit_transform(frame), b.fit_transform(data))
    assert list(a.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(a.transform(frame), b.transform(data))
    check_dataframe_column_names_consistency("RobustPCA", RobustPCA())
