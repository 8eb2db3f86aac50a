"""The command ``bgsub``: arguments in, exit codes out. Commands are thin wrappers around the other packages."""
