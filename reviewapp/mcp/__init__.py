"""The door for assistants: tools over the Model Context Protocol, each a thin way to an endpoint of the API."""
