"""Decisions about notes find their place in a text and change what is shown."""
