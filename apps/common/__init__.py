"""What the programs in ``apps`` share."""
