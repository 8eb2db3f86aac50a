"""The estimator: the solver after scikit-learn's conventions, with radii found from the data."""
