"""What goes over the wire, as pydantic models: requests are strict, answers are what the public client reads."""
