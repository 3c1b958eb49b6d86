"""The page on which people rate."""
