"""The site of a competition."""
