"""Running tests and serving pages: the long-lived parts of the process."""
