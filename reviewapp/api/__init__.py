"""The HTTP API under ``/v1``: JSON in, JSON out, one shape for errors."""
