"""bgsub beside other background subtractors, on data sets with ground truth."""
