"""``marginalia bench`` and its commands."""
