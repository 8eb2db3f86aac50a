"""What every room may use and none is about: compilation, threads, whole files, warnings, the door to PyAV."""
