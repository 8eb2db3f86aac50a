"""The estimator: a scikit-learn-style interface to the solver, with radii estimated from the data."""
