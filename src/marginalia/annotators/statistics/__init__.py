"""Numbers that do not add up, dates that cannot be, and references to what is not there."""
