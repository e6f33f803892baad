"""Block tests in the words of the public client ``retab``."""
