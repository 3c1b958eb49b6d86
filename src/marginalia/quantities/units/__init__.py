"""Units as written, normalised, and the kinds of quantity they measure."""
