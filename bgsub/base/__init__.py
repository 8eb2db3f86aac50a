"""Infrastructure shared by all packages: compilation, threads, all-or-nothing file output, warnings, access to PyAV."""
