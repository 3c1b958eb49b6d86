"""Quantities in a text: their numbers, bounds and modifiers, with true offsets."""
