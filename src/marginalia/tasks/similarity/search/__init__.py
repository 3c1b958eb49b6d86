"""Passages, pairs and documents that say the same: found, compared and explained."""
