"""reviewapp: run a workflow as a test, let people answer, keep the answers as a dataset."""

__version__ = "0.1.0"
__all__ = ["__version__"]
